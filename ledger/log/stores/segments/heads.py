"""heads.log: the head of each log, one row at a time, written after the segments.

    <ms> <name> <version> <head in hex> <CRC of the row so far>

The latest row of a name counts. The name `feed/` means the shard's feed: its version is the
position, its head the hash of the record there, and no other head is of a later record. A
last row without an end was being written when the writer died, and does not count.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ledger.log.format.chain import EMPTY, Tip
from ledger.log.stores.owned import replace_whole, sync_folder, write_all

from .frames import DamagedSegment

NAME: Final = "heads.log"
FEED: Final = "feed/"  # no log has a name like this
_SPARE_LINES: Final = 20_000  # so many lines that no longer count may a file hold


def read_heads(path: Path) -> dict[str, Tip]:
    return {name: tip for name, (tip, _) in _read(path)[0].items()}


def _read(path: Path) -> tuple[dict[str, tuple[Tip, bytes]], int]:
    """Returns the latest head of each name with its row, and the number of rows."""
    try:
        *lines, _torn = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}, 0
    found: dict[str, tuple[Tip, bytes]] = {}
    for number, line in enumerate(lines, 1):
        text, _, crc = line.rpartition(b" ")
        if crc != _crc(text):
            raise DamagedSegment(f"{path} is damaged in line {number}")
        _, name, version, head = text.decode().split(" ")
        found[name] = (Tip(int(version), bytes.fromhex(head)), line + b"\n")
    return found, len(lines)


def _line(ms: int, name: str, tip: Tip) -> bytes:
    text = f"{ms} {name} {tip.version} {tip.head.hex()}".encode()
    return text + b" " + _crc(text) + b"\n"


def _crc(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)


class HeadsLog:
    """The heads of a shard, for the one process that writes them."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._heads, self._lines = _read(self._path)
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
