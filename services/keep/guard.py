"""The guard checks that a server still holds everything that was witnessed outside it.

A server restored to an old copy, or one that lost its files, starts as if nothing had
happened. Its logs are consistent in themselves, so only an outside record can reveal it.
Before anything is served, the server must hold each log's last head in the segments, at its
version. Each feed must still have the same entry at the segments' last position.

A server that has more than the segments is fine: segments are written a moment later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.connection import Connection, Word
from ledger.log.stores.redis.keys import HEAD_EVERY, Chain, Row, entry_value_of, version_in
from ledger.log.stores.redis.store import read_head
from ledger.log.stores.segments.reader import SegmentReader, segments_in, shards_in
from services.run.outages import report_outage

REMEDY: Final = "hegemon restore --from-segments"
_AT_ONCE: Final = 500


class GoneBack(DamagedLog):
    """The server no longer holds what was witnessed. The text says what, and what to do."""


class Missing(NamedTuple):
    """A log, or a shard's feed, that is not as it was witnessed."""

    name: str
    has: int
    witnessed: int
    other: bool  # the server went on differently

    def __str__(self) -> str:
        if self.other:
            return f"{self.name} has another event {self.witnessed}"
        return f"{self.name} has {self.has} of {self.witnessed} events"


def check_not_gone_back(connection: Connection, folder: Path) -> None:
    """Refuses a server that lacks what the segments of a data folder hold.

    A folder without segments proves nothing, so nothing is refused. Raises `GoneBack`,
    `DamagedSegment` if the segments themselves were altered, and `Unavailable` if the server
    does not answer.
    """
    with report_outage("the ledger's server does not answer"):
        found = list(missing(connection, folder))
    if found:
        raise GoneBack(describe_losses(found))


def missing(connection: Connection, folder: Path) -> Iterator[Missing]:
    """Yields the logs and feeds of a folder's segments that a server does not hold."""
    segments = segments_in(folder)
    for shard in shards_in(segments):
        reader = SegmentReader(segments, shard)
        heads = iter(sorted(reader.heads().items()))
        found: list[Missing] = []
        while chunk := list(islice(heads, _AT_ONCE)):
            found += missing_heads(connection, chunk)
        yield from found
        if not found:
            yield from find_lost_feed(connection, reader)


def find_lost_feed(connection: Connection, reader: SegmentReader) -> Iterator[Missing]:
    """Yields a shard's feed if it differs from the segments at their last position."""
    last = reader.last()
    if last is None:
        return
    rows = connection.ask(
        "XRANGE", keys.feed_key(reader.shard), f"0-{last.position}", "+", "COUNT", 1
    )
    if last.feed != (entry_value_of(rows[0]) if rows else b""):
        yield Missing(f"the feed of shard {reader.shard}", 0, last.position, other=bool(rows))


def missing_heads(connection: Connection, heads: Sequence[tuple[str, Tip]]) -> Iterator[Missing]:
    words: list[tuple[Word, ...]] = []
    for name, _ in heads:
        logged = keys.log_keys(name)
        words.append(("GET", logged.head))
        words.append(("XREVRANGE", logged.events, "+", "-", "COUNT", 1))
    replies = connection.asks(words)
    # Most logs end where they ended when they were witnessed: the others are looked at closely.
    others: list[tuple[str, Tip, Tip]] = []
    for (name, tip), said, rows in zip(heads, replies[::2], replies[1::2], strict=True):
        end = read_head(said)
        if end != tip or not rows or rows[0][0] != b"%d-0" % tip.version:
            others.append((name, tip, end))
    ranges = [("XRANGE", keys.log_keys(n).events, *_from_a_head(t.version)) for n, t, _ in others]
    for (name, tip, end), rows in zip(others, connection.asks(ranges), strict=True):
        there = _tip_of(name, tip.version, rows)
        if end.version < tip.version or there is None:
            last = version_in(rows[-1]) if rows else tip.version - 1
            yield Missing(name, min(end.version, last), tip.version, other=False)
        elif there != tip or (end.version == tip.version and end != tip):
            yield Missing(name, end.version, tip.version, other=True)


def _from_a_head(version: int) -> tuple[str, str]:
    """Returns the range from the last entry that includes its head up to a version."""
    return f"{version // HEAD_EVERY * HEAD_EVERY}-0", f"{version}-0"


def _tip_of(name: str, version: int, rows: Iterable[Row]) -> Tip | None:
    """Returns the head that these entries lead to, or None if they do not reach the version."""
    chain = Chain(name, EMPTY if version < HEAD_EVERY else None)
    try:
        for _ in chain.read(rows):
            pass
    except DamagedLog:
        return Tip(version, b"")  # whatever it is, it is another
    if chain.tip is None or chain.tip.version != version:
        return None
    return chain.tip


def describe_losses(found: Sequence[Missing]) -> str:
    """Describes the findings in one line for people."""
    logs = f"{len(found)} log" + "s" * (len(found) > 1)
    return (
        f"the server has lost data: {logs} gone back ({name_some(found)}). Nothing is served "
        f"before you restore it: `{REMEDY}` restores from the segments."
    )


def name_some(found: Sequence[object], most: int = 3) -> str:
    """Names the first of many, and says how many more there are."""
    more = [f"and {len(found) - most} more"] if len(found) > most else []
    return "; ".join([*map(str, found[:most]), *more])
