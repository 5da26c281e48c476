"""The feeds of several shards: the one place that reads them, each from a position on.

    rows      new feed entries, by shard: for the hub and the courier
    read      the same with their contents: for the segments, projections and backups

One call waits for all feeds. A position moves when the consumer has dealt with the entries
and asks for more. If it fails before, it gets the same entries again.

A server restored to an old copy gives no sign: its feeds end earlier, and continue with
other entries. So the last entry read is checked again, of all feeds now and then, and of one
whenever more has arrived there.

A feed entry names a log and the last version of a batch. The batch's first version follows
from the earlier entries of that log or, at first, from the log's entries themselves.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from ledger.log.stores.protocol import BATCH_MAX, DamagedLog
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.connection import Connection, Word
from ledger.log.stores.redis.keys import Row, entry_value_of, read_entry, version_in
from ledger.log.stores.segments.records import (
    KeptValue,
    Record,
    VersionEntryOpenings,
    WrittenBatch,
    check_batch,
)

READ_AT_ONCE: Final = 500
CHECK_SECONDS: Final = 1.5  # between two looks whether the server still has it
_NAMES_HELD_MAX: Final = 20_000  # of one feed


class FeedGoneBack(DamagedLog):
    """The server no longer holds what was read from it: an old copy was restored."""

    def __init__(self, shard: int, position: int) -> None:
        self.shard = shard
        super().__init__(
            f"the server has lost data: the feed of shard {shard} is no longer the one that "
            f"was read up to {position}"
        )


class FeedPlace(msgspec.Struct, frozen=True, array_like=True):
    """A position in a feed, and the entry there; b"" if it is not known."""

    position: int = 0
    says: bytes = b""


class Unread(NamedTuple):
    """A feed entry whose records cannot be read: the keys of that log were changed."""

    position: int
    name: str
    why: str


@dataclass
class _Feed:
    """A feed as far as it was read."""

    place: FeedPlace
    ends: dict[str, int] = field(default_factory=dict)  # the last version read of each log
    last: WrittenBatch | None = None


class Feeds:
    """The feeds of some shards, and how far each was read."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._feeds: dict[int, _Feed] = {}
        self._checked = float("-inf")

    def __contains__(self, shard: int) -> bool:
        return shard in self._feeds

    def __len__(self) -> int:
        return len(self._feeds)

    def place(self, shard: int) -> FeedPlace:
        return self._feeds[shard].place

    def add(self, shard: int, position: int = 0, says: bytes = b"") -> None:
        """Starts reading a feed after a position.

        Raises `FeedGoneBack` if no entry is there, or another than `says` if that is given.
        """
        if position:
            [rows] = self._connection.asks([_entry(keys.feed_key(shard), f"0-{position}")])
            there = entry_value_of(rows[0]) if rows else b""
            if not there or says not in (b"", there):
                raise FeedGoneBack(shard, position)
            says = there
        self._feeds[shard] = _Feed(FeedPlace(position, says))

    def add_at_ends(self, shards: Iterable[int]) -> None:
        """Starts reading feeds after their last entries."""
        wanted = list(shards)
        ends = self._connection.asks(
            [("XREVRANGE", keys.feed_key(shard), "+", "-", "COUNT", 1) for shard in wanted]
        )
        for shard, rows in zip(wanted, ends, strict=True):
            self._feeds[shard] = _Feed(place_of(rows[-1]) if rows else FeedPlace())

    def drop(self, shard: int) -> None:
        self._feeds.pop(shard, None)

    def rows(self, count: int = READ_AT_ONCE, wait_ms: int = 0) -> Iterator[tuple[int, list[Row]]]:
        """Yields the next feed entries by shard, at most `count` each.

        Waits for the first if there is none yet. Raises `FeedGoneBack` before the first entry if
        one of the feeds is not the one that was read before.
        """
        if not self._feeds:
            return
        by_feed = {keys.feed_key(shard).encode(): shard for shard in self._feeds}
        after = [f"0-{feed.place.position}" for feed in self._feeds.values()]
        words: list[Word] = ["XREAD", "COUNT", count]
        words += ["BLOCK", wait_ms] if wait_ms else []  # BLOCK 0 would wait for ever
        words += ["STREAMS", *by_feed, *after]
        feeds = self._connection.ask(*words, wait=wait_ms / 1_000) or []
        if time.monotonic() - self._checked > CHECK_SECONDS:
            self.check()
            self._checked = time.monotonic()
        else:
            self.check(by_feed[feed] for feed, _ in feeds)
        for feed, rows in feeds:
            shard = by_feed[feed]
            yield shard, rows
            if shard in self._feeds:
                self._feeds[shard].place = place_of(rows[-1])

    def read(
        self, count: int = READ_AT_ONCE, wait_ms: int = 0
    ) -> Iterator[tuple[int, list[Record | Unread]]]:
        """Yields the records of the next feed entries as `rows` does.

        An entry that names a damaged log is `Unread`. If a feed itself is damaged, raises
        `DamagedLog` after the records before the damage.
        """
        for shard, rows in self.rows(count, wait_ms):
            feed = self._feeds[shard]
            batches = _Batches(self._connection, shard, feed.ends)
            feed.ends = {}  # where this comes halfway, what was noted does not fit the position
            records, damage = batches.take_each(rows, feed.place.position)
            if records:
                yield shard, records
            if damage is not None:
                raise damage
            feed.ends = batches.ends
            for record in records:
                if isinstance(record, WrittenBatch):
                    feed.last = record

    def check(self, shards: Iterable[int] | None = None) -> None:
        """Raises `FeedGoneBack` if a feed no longer holds the last entry read."""
        among = self._feeds if shards is None else shards
        feeds = [(shard, self._feeds[shard]) for shard in among]
        places = [(shard, feed.place) for shard, feed in feeds if feed.place.position]
        batches = [(shard, feed.last) for shard, feed in feeds if feed.last is not None]
        words = [_entry(keys.feed_key(shard), f"0-{place.position}") for shard, place in places]
        for _, batch in batches:
            words.append(_entry(keys.log_keys(batch.name).events, f"{batch.last}-0"))
        replies = self._connection.asks(words)
        for (shard, place), rows in zip(places, replies, strict=False):
            if not rows or entry_value_of(rows[0]) != place.says:
                raise FeedGoneBack(shard, place.position)
        for (shard, batch), rows in zip(batches, replies[len(places) :], strict=True):
            # An event that is only gone is damage of its log, and is found by whoever reads that.
            if rows and entry_value_of(rows[0]) != batch.entries[-1][1]:
                raise FeedGoneBack(shard, batch.position)


def place_of(row: Row) -> FeedPlace:
    return FeedPlace(int(row[0].partition(b"-")[2]), entry_value_of(row))


def split_name(row: Row) -> tuple[str, str]:
    """Returns the name that a feed entry begins with, and the rest; neither is checked."""
    name, _, rest = entry_value_of(row).decode(errors="replace").partition(" ")
    return name, rest


def _entry(key: str, place: str) -> tuple[Word, ...]:
    return ("XRANGE", key, place, place)


# --- contents -------------------------------------------------------------------------------------


class _Named(NamedTuple):
    """A feed entry: the last version of a batch of a log, or a field that was kept."""

    position: int
    name: str
    last: int
    field: str


class _Batches:
    """The contents of feed entries of one shard that follow one another."""

    def __init__(self, connection: Connection, shard: int, ends: dict[str, int]) -> None:
        self._connection = connection
        self._shard = shard
        self.ends = ends

    def take_each(
        self, rows: Sequence[Row], position: int
    ) -> tuple[list[Record | Unread], DamagedLog | None]:
        """Returns the records of the entries after a position, and the damage that ends them.

        There is an `Unread` for each entry whose log cannot be read.
        """
        try:
            return list(self._take(rows, position)), None
        except DamagedLog:
            pass
        records: list[Record | Unread] = []
        for at, row in enumerate(rows, start=position):
            try:
                records += self._take([row], at)
            except DamagedLog as why:
                try:
                    named = _parse_name(row, at + 1, self._shard)
                except DamagedLog as damage:
                    return records, damage
                self.ends.pop(named.name, None)
                records.append(Unread(named.position, named.name, str(why)))
        return records, None

    def _take(self, rows: Sequence[Row], position: int) -> list[Record]:
        named = [
            _parse_name(row, at, self._shard) for at, row in enumerate(rows, start=position + 1)
        ]
        written = self._written(named)
        for batch in written:
            check_batch(batch)
        kept = self._kept(named)
        for batch in written:  # only now: where one is damaged, nothing was taken
            self._hold(batch.name, batch.last)
        return sorted((*written, *kept), key=lambda record: record.position)

    def _kept(self, named: Sequence[_Named]) -> list[KeptValue]:
        kept = [entry for entry in named if entry.field]
        values = self._connection.asks(
            [("HGET", keys.match_key(entry.name, "kept"), entry.field) for entry in kept]
        )
        for entry, value in zip(kept, values, strict=True):
            if value is None:
                raise DamagedLog(f"{entry.field} of {entry.name} is no longer stored")
        return [
            KeptValue(entry.position, entry.name, entry.field, value)
            for entry, value in zip(kept, values, strict=True)
        ]

    def _written(self, named: Sequence[_Named]) -> list[WrittenBatch]:
        batches: dict[str, list[_Named]] = {}
        for entry in named:
            if not entry.field:
                batches.setdefault(entry.name, []).append(entry)
        read = self._read(batches)
        return [
            batch
            for name, of_log in batches.items()
            for batch in self._parted(name, of_log, read[name])
        ]

    def _parted(
        self, name: str, named: Sequence[_Named], entries: dict[int, VersionEntryOpenings]
    ) -> Iterator[WrittenBatch]:
        done = self.ends.get(name, 0)
        for one in named:
            first = done + 1
            if not done:
                first = begin_of_batch({at: entry for at, entry, _ in entries.values()}, one.last)
            batch = tuple(entries[at] for at in range(first, one.last + 1) if at in entries)
            whole = len(batch) == one.last - first + 1 and 0 < len(batch) <= BATCH_MAX
            if not whole or not (done or first == 1 or first - 1 in entries):
                raise DamagedLog(f"the log of {name} lacks events from {first} to {one.last}")
            done = one.last
            yield WrittenBatch(one.position, name, batch)

    def _read(self, batches: dict[str, list[_Named]]) -> dict[str, dict[int, VersionEntryOpenings]]:
        """Returns entries and openings of logs, by version.

        Where the first batch of a log begins may be unknown until its entries are read.
        """
        words: list[tuple[Word, ...]] = []
        for name, of_log in batches.items():
            first = self.ends.get(name, max(of_log[0].last - BATCH_MAX, 1) - 1) + 1
            logged = keys.log_keys(name)
            versions = (f"{first}-0", f"{of_log[-1].last}-0")
            words += [("XRANGE", key, *versions) for key in (logged.events, logged.openings)]
        replies = self._connection.asks(words)
        return {
            name: _with_openings(rows, openings)
            for name, rows, openings in zip(batches, replies[::2], replies[1::2], strict=True)
        }

    def _hold(self, name: str, last: int) -> None:
        self.ends.pop(name, None)
        self.ends[name] = last
        if len(self.ends) > _NAMES_HELD_MAX:
            del self.ends[next(iter(self.ends))]  # the one read longest ago


def begin_of_batch(entries: Mapping[int, bytes], last: int) -> int:
    """Returns the first event of the batch that ends with `last`, as far as the entries show."""
    first = last
    while first - 1 in entries and read_entry(entries[first - 1]).more:
        first -= 1
    return first


def _with_openings(rows: list[Row], openings: list[Row]) -> dict[int, VersionEntryOpenings]:
    opened = {version_in(row): entry_value_of(row) for row in openings}
    return {
        at: (at, entry_value_of(row), opened.get(at, b""))
        for at, row in zip(map(version_in, rows), rows, strict=True)
    }


def _parse_name(row: Row, position: int, shard: int) -> _Named:
    where = f"the feed of shard {shard} is damaged at {position}"
    if row[0] != b"0-%d" % position:
        raise DamagedLog(f"{where}: there stands {row[0][:40]!r}")
    name, rest = split_name(row)
    if not keys.is_in_feed(name, shard) or not rest:
        raise DamagedLog(f"{where}: it names {name[:80]!r}")
    if name.endswith(keys.KEPT):
        return _Named(position, name.removesuffix(keys.KEPT), 0, rest)
    if not (rest.isascii() and rest.isdigit() and 0 < len(rest) < 16 and int(rest)):
        raise DamagedLog(f"{where}: it names event {rest[:40]!r}")
    return _Named(position, name, int(rest), "")
