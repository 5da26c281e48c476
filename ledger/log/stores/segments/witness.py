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

import fcntl
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Self

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.disk import (
    DamagedSegment,
    frame_record,
    frames,
    open_owned,
    own_folder,
    replace_whole,
    sync_folder,
    tighten,
    write_all,
)
from ledger.log.stores.protocol import DamagedLog

from .reader import (
    FEED,
    NAME,
    SegmentReader,
    first_in,
    read_rows,
    row_crc,
    segment_files,
    shard_folder,
)
from .records import Chains, Record, record_bytes, shard_for

SEGMENT_BYTES: Final = 64 * 1024 * 1024  # a file that has come so far is followed by a new one
_SPARE_LINES: Final = 20_000  # so many lines that no longer count may a file hold


class SegmentsInUse(Exception):
    """Another process writes these segments."""


class SegmentWriter:
    """Appends to a shard's segments.

    Appended records are stored once `sync` has returned. If it fails, for example on a full
    disk, the files are as they were before, and the next `sync` tries again.
    """

    def __init__(self, folder: Path, shard: int, *, size: int = SEGMENT_BYTES) -> None:
        self.shard = shard
        self._folder = shard_folder(folder, shard)
        self._size = size
        # Bytes that wait for the disk, by their file; a file is named by its first position.
        self._waiting: list[tuple[int, bytearray]] = []
        self._begins = 0  # the file that the next record goes to, and how large it will be by then
        self._large = 0
        self._file: int | None = None  # the last file there is, and how much of it is for certain
        self._open_file = 0
        self._end = 0
        self.digest = b""  # the hash of the last record
        own_folder(self._folder)
        self._lock = os.open(self._folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self._take()
            self._tighten()
            self.position = self._resume()
        except BaseException:
            self.close()
            raise

    def _take(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SegmentsInUse(
                f"the segments in {self._folder} are written by another process"
            ) from None

    def _tighten(self) -> None:
        """Restricts the shard's folder and its parent to the owner, even if they existed."""
        tighten(self._lock)
        around = os.open(self._folder.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            tighten(around)
        finally:
            os.close(around)

    def _resume(self) -> int:
        """Returns the position of the last record; cuts off a torn frame after it."""
        files = segment_files(self._folder)
        if not files:
            return 0
        position, end = first_in(files[-1]) - 1, 0
        for frame in frames(files[-1]):
            end, self.digest = frame.end, frame.digest
            position += 1
        if not end and len(files) > 1:  # it had just begun: the last record is in the one before
            for frame in frames(files[-2], 1 << 60):
                self.digest = frame.digest
        self._open(first_in(files[-1]), end)
        self._begins, self._large = self._open_file, end
        return position

    def _open(self, begins: int, end: int) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        path = self._folder / f"{begins:012d}.seg"
        self._file = open_owned(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        self._open_file, self._end = begins, end
        tighten(self._file)
        os.ftruncate(self._file, end)
        # Bytes that a killed writer left may not be on the disk yet.
        os.fsync(self._file)
        sync_folder(self._folder)
        sync_folder(self._folder.parent)

    def append(self, record: Record) -> None:
        if record.position != self.position + 1 or shard_for(record) != self.shard:
            message = f"record {record.position} does not follow on {self.position}"
            raise ValueError(f"{message} in {self._folder}")
        frame, self.digest = frame_record(record_bytes(record))
        if not self._begins or self._large >= self._size:
            self._begins, self._large = record.position, 0
        if not self._waiting or self._waiting[-1][0] != self._begins:
            self._waiting.append((self._begins, bytearray()))
        self._waiting[-1][1].extend(frame)
        self._large += len(frame)
        self.position = record.position

    def sync(self) -> None:
        """Syncs all appended records to the disk."""
        while self._waiting:
            begins, packed = self._waiting[0]
            if begins != self._open_file:
                self._open(begins, 0)
            assert self._file is not None, "it was opened"
            try:
                write_all(self._file, packed)
                os.fsync(self._file)
            except BaseException:
                # After a failed fsync nobody knows what is on the disk: it is all written again.
                os.ftruncate(self._file, self._end)
                raise
            self._end += len(packed)
            del self._waiting[0]

    def close(self) -> None:
        """Releases the folder; records that were not synced are lost."""
        for descriptor in (self._file, self._lock):
            if descriptor is not None:
                os.close(descriptor)
        self._file = None


def _line(ms: int, name: str, tip: Tip) -> bytes:
    text = f"{ms} {name} {tip.version} {tip.head.hex()}".encode()
    return text + b" " + row_crc(text) + b"\n"


class HeadsLog:
    """The heads of a shard, for the one process that writes them."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._heads, self._lines = read_rows(self._path)
        self._file: int | None = None
        try:
            self._rewrite()
        except BaseException:
            self.close()
            raise

    @property
    def tips(self) -> dict[str, Tip]:
        return {name: tip for name, (tip, _) in self._heads.items() if name != FEED}

    @property
    def feed(self) -> Tip:
        """Returns the feed's position for the heads, and the hash of the record there."""
        return self._heads[FEED][0] if FEED in self._heads else EMPTY

    def note(self, tips: Mapping[str, Tip]) -> None:
        """Writes heads; they are on the disk when this returns.

        If the disk refuses them, the error is raised, and the next call tries again.
        """
        assert self._file is not None, "it is open"
        ms = time.time_ns() // 1_000_000
        added = {name: (tip, _line(ms, name, tip)) for name, tip in tips.items()}
        size = os.fstat(self._file).st_size
        try:
            write_all(self._file, b"".join(line for _, line in added.values()))
            os.fsync(self._file)
        except BaseException:
            os.ftruncate(self._file, size)
            raise
        self._heads |= added
        self._lines += len(added)
        if self._lines > 2 * len(self._heads) + _SPARE_LINES:
            self._rewrite()

    def _rewrite(self) -> None:
        """Rewrites the file with only the rows that count."""
        file = replace_whole(self._path, b"".join(line for _, line in self._heads.values()))
        self.close()  # of no use any more: its name is the new one's
        self._file = file
        sync_folder(self._path.parent)
        self._lines = len(self._heads)

    def close(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            os.close(file)


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
        placed = next(reader.placed(feed.version - 1), None)
        if placed and placed.position == feed.version and placed.frame.digest != feed.head:
            where = f"{placed.path}, position {placed.position}"
            raise DamagedSegment(f"{where}: this record differs from the one in heads.log")
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
