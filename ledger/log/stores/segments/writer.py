"""Adds records to a shard's folder, for one process at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from ledger.log.stores.owned import open_owned, own_folder, sync_folder, tighten, write_all

from .frames import frame_record, frames
from .reader import first_in, segment_files, shard_folder
from .records import Record, record_bytes, shard_for

SEGMENT_BYTES: Final = 64 * 1024 * 1024  # a file that has come so far is followed by a new one


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
        # What waits for the disk, by the file that it goes to; files go by their first position.
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
            self.position = self.synced = self._resume()
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
        # What a writer that was killed has left may not be on the disk yet.
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
        self.synced = self.position

    def close(self) -> None:
        """Releases the folder; records that were not synced are lost."""
        for descriptor in (self._file, self._lock):
            if descriptor is not None:
                os.close(descriptor)
        self._file = None
