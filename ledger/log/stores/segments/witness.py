"""Witness: the interface for a process that copies feeds into segments.

    with Witness(folder) as witness:
        after = witness.open(shard)       # the position from which to read the feed
        witness.take(records)             # from there on, without a gap
        witness.sync()                    # at most a second later

Segments are written before heads: a head in heads.log always has its events in the
segments. Records that are there already are skipped, so reading a feed again from an
earlier position does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Self

from ledger.log.format.chain import Tip
from ledger.log.stores.protocol import DamagedLog

from .frames import DamagedSegment
from .heads import FEED, HeadsLog
from .reader import SegmentReader
from .records import Chains, Record, shard_for
from .writer import SEGMENT_BYTES, SegmentWriter


class _Shard:
    def __init__(self, folder: Path, shard: int, size: int) -> None:
        self.writer = SegmentWriter(folder, shard, size=size)
        self._heads: HeadsLog | None = None
        try:
            reader = SegmentReader(folder, shard)
            self._heads = HeadsLog(reader.folder)
            self._resume(reader, self._heads)
        except BaseException:
            self.close()
            raise

    def _resume(self, reader: SegmentReader, heads: HeadsLog) -> None:
        feed = heads.feed
        if feed.version > self.writer.position:
            at = f"end at {self.writer.position}: heads.log knows {feed.version} records"
            raise DamagedSegment(f"the segments in {reader.folder} {at}")
        self._chains = Chains(heads.tips.items())
        self._noted: set[str] = set()
        last = reader.last()
        self.feed = b"" if last is None else last.feed
        for placed in reader.placed(feed.version - 1):
            if placed.position == feed.version and placed.frame.digest != feed.head:
                where = f"{placed.path}, position {placed.position}"
                raise DamagedSegment(f"{where}: this record differs from the one in heads.log")
            break
        for record in reader.records(feed.version):
            reader.follow(self._chains, record)
            self._noted.add(record.name)

    def take(self, record: Record) -> None:
        """Adds the next record, unless it is already there."""
        if record.position <= self.writer.position:
            if record.position == self.writer.position and record.feed != self.feed:
                other = f"{record.feed[:80]!r}, and the segments have {self.feed[:80]!r}"
                raise DamagedLog(f"the feed says at position {record.position} {other}")
            return
        if record.position == self.writer.position + 1:
            self._chains.take(record)  # refuses what does not follow, before it is written
            self._noted.add(record.name)
        self.writer.append(record)
        self.feed = record.feed

    def sync(self) -> None:
        """Syncs the segments to the disk, and then the heads."""
        self.writer.sync()
        if self._noted:
            assert self._heads is not None, "it is open"
            tips = {name: self._chains.tip(name) for name in sorted(self._noted)}
            tips = {name: tip for name, tip in tips.items() if tip.version}
            self._heads.note(tips | {FEED: Tip(self.writer.position, self.writer.digest)})
            self._noted.clear()

    def close(self) -> None:
        try:
            if self._heads is not None:
                self._heads.close()
        finally:
            self.writer.close()


class Witness:
    """Writes the segments and heads of the shards that this process has opened."""

    def __init__(self, folder: Path, *, size: int = SEGMENT_BYTES) -> None:
        self._folder = folder
        self._size = size
        self._shards: dict[int, _Shard] = {}

    def open(self, shard: int) -> int:
        """Takes a shard, and returns the position up to which its segments have the feed.

        Raises `SegmentsInUse` if another process has it, and `DamagedSegment` if its files are
        damaged.
        """
        if shard not in self._shards:
            self._shards[shard] = _Shard(self._folder, shard, self._size)
        return self.position(shard)

    def position(self, shard: int) -> int:
        return self._shards[shard].writer.position

    def feed(self, shard: int) -> bytes:
        """Returns the feed's entry at that position; whoever reads on from there compares it."""
        return self._shards[shard].feed

    def take(self, records: Iterable[Record]) -> None:
        """Takes the next records of open shards, in the order of their feeds.

        Raises `DamagedLog` for a record that does not follow the ones before it, which stay taken.
        """
        for record in records:
            self._shards[shard_for(record)].take(record)

    def sync(self) -> None:
        """Syncs all records taken so far to the disk.

        If the disk refuses them, the error is raised, nothing is lost, and the next call tries
        again.
        """
        for shard in self._shards.values():
            shard.sync()

    def release(self, shard: int) -> None:
        """Releases a shard for other processes; records that were not synced are dropped."""
        if shard in self._shards:
            self._shards.pop(shard).close()

    def close(self) -> None:
        """Releases all shards; unsynced records are dropped, as the feed still has them."""
        for shard in list(self._shards):
            self.release(shard)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()
