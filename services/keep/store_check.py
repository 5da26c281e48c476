"""Checks a store: reads and folds every match again, and compares it with outside copies.

For each match it checks the chain and its life, each opening against its commitment and the
secrets against theirs. It folds every event again under its own edition. On a server it
also checks every field of every key, and the segments byte for byte.

A finding is either damage (the data is not what was written) or a bug of the engine: the
data is intact, but the rules here fold it to something else.

Matches may be played meanwhile. So related parts are read in one request, or the part that
can only have grown is read last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from ledger.log.read.history import RulesOf
from ledger.log.stores.disk import DamagedSegment
from ledger.log.stores.protocol import DamagedLog, Store, Unavailable
from ledger.log.stores.redis import RedisStore, keys
from ledger.log.stores.redis.connection import NoReply, NotSent, Refusing
from ledger.log.stores.redis.inspection import FeedContents, Inspected, inspect, read_kept_fields
from ledger.log.stores.redis.restore import Difference, compare
from ledger.log.stores.segments.reader import SegmentReader, segments_in, shards_in
from replays.verify.recheck import DAMAGED, ENGINE, UNKNOWN, Recheck

from .restore import chunks

_AT_ONCE: Final = 200


class StoreFault(msgspec.Struct, frozen=True, kw_only=True):
    kind: str  # damaged | engine differs | rules not known
    where: str  # a match, its talk, a feed, or the segments
    detail: str
    version: int | None = None

    def __str__(self) -> str:
        at = "" if self.version is None else f", event {self.version}"
        return f"{self.kind}: {self.where}{at}: {self.detail}"


class Checked(msgspec.Struct, kw_only=True):
    """The numbers of matches, events and records checked, and the findings."""

    matches: int = 0
    events: int = 0
    records: int = 0  # of segments
    findings: list[StoreFault] = []

    def count(self, kind: str) -> int:
        return sum(one.kind == kind for one in self.findings)


def check_store(
    store: Store,
    rules_of: RulesOf,
    data: Path | None = None,
    matches: Sequence[str] = (),
    progress: Callable[[int], None] = lambda _: None,
    tell: Callable[[StoreFault], None] = lambda _: None,
) -> Checked:
    """Checks all matches of a store, or some; `data` is the folder with the segments.

    Calls `progress` with the number of events and records so far, and `tell` with each finding
    at once.
    """
    try:
        return _Checking(store, rules_of, progress, tell).run(data, matches)
    except (NotSent, NoReply, Refusing) as reason:
        raise Unavailable(f"the ledger's server does not answer: {reason}") from None


class _Checking:
    def __init__(
        self,
        store: Store,
        rules_of: RulesOf,
        progress: Callable[[int], None],
        tell: Callable[[StoreFault], None],
    ) -> None:
        self._store = store
        self._rules_of = rules_of
        self._progress = progress
        self._tell = tell
        self._done = Checked()

    def run(self, data: Path | None, wanted: Sequence[str]) -> Checked:
        feeds = None
        if isinstance(self._store, RedisStore):
            feeds = FeedContents(self._store.connection)
            found = self._listed(self._store, feeds, told=not wanted)
        else:
            found = self._store.matches()
        for match in wanted:
            if match not in found:
                self._find(DAMAGED, match, "there is no such match in the store")
        for match in found if not wanted else [one for one in found if one in wanted]:
            self._check_match(match, feeds)
        if feeds is not None and not wanted:
            self._check_books(feeds)
            self._tell_of(feeds)
        if data is not None and isinstance(self._store, RedisStore):
            self._check_segments(self._store, segments_in(data), set(wanted))
        return self._done

    def _listed(self, store: RedisStore, feeds: FeedContents, *, told: bool) -> list[str]:
        """Returns all matches that the list or the feeds name."""
        feeds.read_all()
        before = list_matches_in(feeds)
        found = set(store.matches())
        feeds.read_all()
        if told:
            self._tell_of(feeds)
            for match in sorted((before - found) | (found - list_matches_in(feeds))):
                self._find(DAMAGED, match, "the feed and the list of matches differ about it")
        return sorted(found | before)

    def _tell_of(self, feeds: FeedContents) -> None:
        for trouble in feeds.troubles:
            self._find(DAMAGED, "the server", trouble)

    def _find(self, kind: str, where: str, detail: str, version: int | None = None) -> None:
        finding = StoreFault(kind=kind, where=where, detail=detail, version=version)
        if finding not in self._done.findings:
            self._done.findings.append(finding)
            self._tell(finding)

    def _check_match(self, match: str, feeds: FeedContents | None) -> None:
        self._done.matches += 1
        try:
            keys.check_id(match)
        except ValueError as reason:
            self._find(DAMAGED, match, str(reason))
            return
        inspected = self._inspect(match, feeds)
        recheck = Recheck(match, lambda name: self._store.kept(match, name), self._rules_of)
        try:
            events = list(self._store.events(match))
            last = events[-1].version if events else None
            openings = list(self._store.openings(match, 1, last))
        except (DamagedLog, ValueError, msgspec.MsgspecError) as reason:
            self._find(DAMAGED, match, str(reason))
            return
        if not events:
            self._find(DAMAGED, match, "it has no events")
            return
        for trouble in recheck.troubles(events, openings):
            self._find(trouble.kind, match, trouble.detail, trouble.version)
        for version, closed in inspected.closes.items() if inspected else ():
            if closed is not (version in recheck.closed):
                self._find(DAMAGED, match, "its mark for closing the log is wrong", version)
        self._done.events += len(events) + self._read(match + keys.TALK)
        self._progress(self._done.events)

    def _inspect(self, match: str, feeds: FeedContents | None) -> Inspected | None:
        """Checks every field of every key of a match, if the store is a server."""
        if feeds is None or not isinstance(self._store, RedisStore):
            return None
        connection = self._store.connection
        inspected = inspect(connection, match, feeds)
        for trouble in inspected.troubles:
            self._find(DAMAGED, match, trouble)
        for trouble in inspect(connection, match + keys.TALK, feeds).troubles:
            self._find(DAMAGED, match + keys.TALK, trouble)
        kept, named = read_kept_fields(match, feeds)
        if kept != named:
            self._find(
                DAMAGED, match, "its other stored values differ from those that the feed names"
            )
        return inspected

    def _check_books(self, feeds: FeedContents) -> None:
        assert isinstance(self._store, RedisStore), "files have no feeds"
        named = {name for name in feeds.logs if keys.is_book(name)}
        listed = set(self._store.books())
        feeds.read_all()
        for name in sorted((named - listed) | (listed - feeds.logs.keys())):
            self._find(DAMAGED, name, "the feed and the list of books differ about it")
        for name in sorted(named | listed):
            for trouble in inspect(self._store.connection, name, feeds).troubles:
                self._find(DAMAGED, name, trouble)
            self._done.events += self._read(name)

    def _read(self, name: str) -> int:
        """Reads a log that no rules fold; returns the number of its events."""
        try:
            return sum(1 for _ in self._store.events(name))
        except (DamagedLog, ValueError) as reason:
            self._find(DAMAGED, name, str(reason))
            return 0

    def _check_segments(self, store: RedisStore, segments: Path, wanted: set[str]) -> None:
        for shard in shards_in(segments):
            for where, detail in self._compared(store, segments, shard):
                if not wanted or where.partition("/")[0] in wanted:
                    self._find(DAMAGED, where, detail)

    def _compared(self, store: RedisStore, segments: Path, shard: int) -> Iterator[tuple[str, str]]:
        """Yields each log of a shard that the server lacks or holds differently from the
        segments.
        """
        reader = SegmentReader(segments, shard)
        try:
            for chunk in chunks(reader.checked(), _AT_ONCE):
                records = [record for record, _ in chunk]
                for record, found in zip(
                    records, compare(store.connection, shard, records), strict=True
                ):
                    if isinstance(found, Difference):
                        yield record.name, f"it differs from the segments: {found.what}"
                    elif not found:
                        what = f"it lacks part of the segments' record at {record.position}"
                        yield record.name, what
                self._done.records += len(records)
                self._progress(self._done.events + self._done.records)
        except DamagedSegment as reason:
            self._find(DAMAGED, "the segments", str(reason))


def list_matches_in(feeds: FeedContents) -> set[str]:
    return {name for name in feeds.logs if "/" not in name and not keys.is_book(name)}


__all__ = ["DAMAGED", "ENGINE", "UNKNOWN", "Checked", "StoreFault", "check_store"]
