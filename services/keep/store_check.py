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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from ledger.log.read.history import RulesOf
from ledger.log.stores.disk import DamagedSegment
from ledger.log.stores.protocol import DamagedLog, Store
from ledger.log.stores.redis import RedisStore, keys
from ledger.log.stores.redis.inspection import FeedContents, Inspected, inspect, read_kept_fields
from ledger.log.stores.redis.restore import Difference, compare
from ledger.log.stores.segments.reader import SegmentReader, segments_in, shards_in
from ledger.log.stores.segments.records import Record
from replays.verify.recheck import DAMAGED, ENGINE, UNKNOWN, Recheck
from services.run.outages import report_outage

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
    with report_outage("the ledger's server does not answer"):
        return _Checking(store, rules_of, progress, tell).run(data, matches)


@dataclass
class _Checking:
    store: Store
    rules_of: RulesOf
    progress: Callable[[int], None]
    tell: Callable[[StoreFault], None]
    done: Checked = field(default_factory=Checked)

    def run(self, data: Path | None, wanted: Sequence[str]) -> Checked:
        feeds = None
        if isinstance(self.store, RedisStore):
            feeds = FeedContents(self.store.connection)
            found = self._listed(self.store, feeds, told=not wanted)
        else:
            found = self.store.matches()
        for match in wanted:
            if match not in found:
                self._find(DAMAGED, match, "there is no such match in the store")
        for match in found if not wanted else [one for one in found if one in wanted]:
            self._check_match(match, feeds)
        if feeds is not None and not wanted:
            self._check_books(feeds)
            self._tell_of(feeds)
        if data is not None and isinstance(self.store, RedisStore):
            self._check_segments(self.store, segments_in(data), set(wanted))
        return self.done

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
        if finding not in self.done.findings:
            self.done.findings.append(finding)
            self.tell(finding)

    def _check_match(self, match: str, feeds: FeedContents | None) -> None:
        self.done.matches += 1
        try:
            keys.check_id(match)
        except ValueError as reason:
            self._find(DAMAGED, match, str(reason))
            return
        inspected = self._inspect(match, feeds)
        recheck = Recheck(match, lambda name: self.store.kept(match, name), self.rules_of)
        try:
            events = list(self.store.events(match))
            last = events[-1].version if events else None
            openings = list(self.store.openings(match, 1, last))
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
        self.done.events += len(events) + self._read(match + keys.TALK)
        self.progress(self.done.events)

    def _inspect(self, match: str, feeds: FeedContents | None) -> Inspected | None:
        """Checks every field of every key of a match, if the store is a server."""
        if feeds is None or not isinstance(self.store, RedisStore):
            return None
        connection = self.store.connection
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
        assert isinstance(self.store, RedisStore), "files have no feeds"
        named = {name for name in feeds.logs if keys.is_book(name)}
        listed = set(self.store.books())
        feeds.read_all()
        for name in sorted((named - listed) | (listed - feeds.logs.keys())):
            self._find(DAMAGED, name, "the feed and the list of books differ about it")
        for name in sorted(named | listed):
            for trouble in inspect(self.store.connection, name, feeds).troubles:
                self._find(DAMAGED, name, trouble)
            self.done.events += self._read(name)

    def _read(self, name: str) -> int:
        """Reads a log that no rules fold; returns the number of its events."""
        try:
            return sum(1 for _ in self.store.events(name))
        except (DamagedLog, ValueError) as reason:
            self._find(DAMAGED, name, str(reason))
            return 0

    def _check_segments(self, store: RedisStore, segments: Path, wanted: set[str]) -> None:
        """Finds each log that the server lacks or holds differently from the segments."""
        for shard in shards_in(segments):
            reader = SegmentReader(segments, shard)
            try:
                for chunk in chunks(reader.checked(), _AT_ONCE):
                    self._compare(store, shard, [record for record, _ in chunk], wanted)
            except DamagedSegment as reason:
                self._find(DAMAGED, "the segments", str(reason))

    def _compare(
        self, store: RedisStore, shard: int, records: list[Record], wanted: set[str]
    ) -> None:
        for record, found in zip(records, compare(store.connection, shard, records), strict=True):
            if wanted and record.name.partition("/")[0] not in wanted:
                continue
            if isinstance(found, Difference):
                self._find(DAMAGED, record.name, f"it differs from the segments: {found.what}")
            elif not found:
                what = f"it lacks part of the segments' record at {record.position}"
                self._find(DAMAGED, record.name, what)
        self.done.records += len(records)
        self.progress(self.done.events + self.done.records)


def list_matches_in(feeds: FeedContents) -> set[str]:
    return {name for name in feeds.logs if "/" not in name and not keys.is_book(name)}


__all__ = ["DAMAGED", "ENGINE", "UNKNOWN", "Checked", "StoreFault", "check_store"]
