"""The records of a shard's folder, each of them checked.

The folder's files follow each other. Each is named after the position in the feed of its
first record, and the positions have no gap. Only the last file may end in a torn frame.

heads.log has the head of each log, one row at a time, written after the segments:

    <ms> <name> <version> <head in hex> <CRC of the row so far>

The latest row of a name counts. The name `feed/` means the shard's feed: its version is the
position, its head the hash of the record there, and no other head is of a later record. A
last row without an end was being written when the writer died, and does not count.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.disk import DamagedSegment, FileFrame, frames
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis.keys import SHARDS

from .records import Chains, Record, read_record, shard_for

SEGMENTS: Final = "segments"
NAME: Final = "heads.log"
FEED: Final = "feed/"  # no log has a name like this
_FILE: Final = re.compile(r"[0-9]{12}\.seg")


def segments_in(folder: Path) -> Path:
    """Returns the segments' folder inside a data folder or a backup."""
    inner = folder / SEGMENTS
    return inner if inner.is_dir() else folder


def shard_folder(folder: Path, shard: int) -> Path:
    return folder / f"s{shard:02d}"


def shards_in(folder: Path) -> list[int]:
    """Returns the shards with segments in a folder, or with a heads.log that names some."""
    return [shard for shard in range(SHARDS) if _is_used(shard_folder(folder, shard))]


def _is_used(folder: Path) -> bool:
    heads = folder / NAME
    return bool(segment_files(folder)) or (heads.is_file() and heads.stat().st_size > 0)


def segment_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _FILE.fullmatch(path.name))


def first_in(path: Path) -> int:
    return int(path.stem)


class PlacedRecord(NamedTuple):
    position: int
    frame: FileFrame
    path: Path


class SegmentReader:
    def __init__(self, folder: Path, shard: int) -> None:
        self.shard = shard
        self.folder = shard_folder(folder, shard)
        self.files = segment_files(self.folder)

    @property
    def first(self) -> int:
        return first_in(self.files[0]) if self.files else 1

    def placed(self, after: int = 0) -> Iterator[PlacedRecord]:
        """Yields the frames after a position."""
        for path, following in zip_longest(self.files, self.files[1:]):
            first = first_in(path)
            if following is not None and first_in(following) <= after + 1:
                continue
            position, end = first - 1, 0
            for position, frame in enumerate(frames(path, after + 1 - first), first):
                end = frame.end
                if position > after:
                    yield PlacedRecord(position, frame, path)
            if following is None:
                continue
            if end != path.stat().st_size:
                raise DamagedSegment(f"{path} is damaged at byte {end}")
            if first_in(following) != position + 1:
                raise DamagedSegment(f"records are missing between {path} and {following.name}")

    def records(self, after: int = 0) -> Iterator[Record]:
        """Yields the records after a position."""
        for position, frame, path in self.placed(after):
            try:
                record = read_record(frame.record)
            except (msgspec.MsgspecError, ValueError) as reason:
                message = f"{path} holds no record at position {position}: {reason}"
                raise DamagedSegment(message) from None
            if (record.position, shard_for(record)) != (position, self.shard):
                raise DamagedSegment(f"{path} holds another record at position {position}")
            yield record

    def last(self) -> Record | None:
        """Returns the last whole record without checking those before it."""
        end = 0
        for path in reversed(self.files):
            end = first_in(path) - 1 + sum(1 for _ in frames(path, 1 << 60))
            if end >= first_in(path):
                break
        return next(self.records(end - 1), None) if end else None

    def heads(self) -> dict[str, Tip]:
        """Returns the tip of each log, from heads.log and the records written after it."""
        noted, feed = self._noted()
        chains, position = Chains(noted.items()), 0
        for record in self.records(max(feed.version - 1, 0)):
            position = record.position
            if position > feed.version:
                self.follow(chains, record)
        self._check_end(position, feed)
        return chains.tips

    def _noted(self) -> tuple[dict[str, Tip], Tip]:
        """Returns the heads of the logs and of the feed, as heads.log has them."""
        noted = read_heads(self.folder / NAME)
        # It is written last: what it knows is in the files that are there after it was read.
        self.files = segment_files(self.folder)
        return noted, noted.pop(FEED, EMPTY)

    def _check_end(self, position: int, feed: Tip) -> None:
        if position < feed.version:
            message = f"{self.folder} ends at {position}: heads.log knows {feed.version} records"
            raise DamagedSegment(message)

    def checked(self) -> Iterator[tuple[Record, Tip | None]]:
        """Yields every record, with the head that follows from all before it.

        At the end it compares the heads with heads.log, so that a missing end is found.
        """
        noted, feed = self._noted()
        if self.first != 1:
            raise DamagedSegment(f"{self.folder} lacks the records before {self.first}")
        chains, position = Chains(), 0
        waiting = dict(noted)
        for record in self.records():
            tip = self.follow(chains, record)
            position = record.position
            if tip is not None and record.name in waiting:
                self._hold_against(waiting, record.name, chains.tips[record.name])
            yield record, tip
        self._check_end(position, feed)
        for name, tip in waiting.items():
            raise DamagedSegment(f"{self.folder} lacks event {tip.version} of {name}")

    def follow(self, chains: Chains, record: Record) -> Tip | None:
        """Returns the tip after a record; names the damaged segments if the record does not fit."""
        try:
            return chains.take(record)
        except DamagedLog as reason:
            message = f"{self.folder} is damaged at position {record.position}: {reason}"
            raise DamagedSegment(message) from None

    def _hold_against(self, waiting: dict[str, Tip], name: str, tip: Tip) -> None:
        """Refuses a log that has not reached its head in heads.log, or differs from it."""
        noted = waiting[name]
        if tip.version >= noted.version:
            if tip.version == noted.version and tip.head != noted.head:
                message = f"event {tip.version} of {name} differs from the one in heads.log"
                raise DamagedSegment(f"{self.folder} is damaged: {message}")
            del waiting[name]


# --- heads.log ------------------------------------------------------------------------------------


def read_heads(path: Path) -> dict[str, Tip]:
    return {name: tip for name, (tip, _) in read_rows(path)[0].items()}


def read_rows(path: Path) -> tuple[dict[str, tuple[Tip, bytes]], int]:
    """Returns the latest head of each name with its row, and the number of rows."""
    try:
        *lines, _torn = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}, 0
    found: dict[str, tuple[Tip, bytes]] = {}
    for number, line in enumerate(lines, 1):
        text, _, crc = line.rpartition(b" ")
        if crc != row_crc(text):
            raise DamagedSegment(f"{path} is damaged in line {number}")
        _, name, version, head = text.decode().split(" ")
        found[name] = (Tip(int(version), bytes.fromhex(head)), line + b"\n")
    return found, len(lines)


def row_crc(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)
