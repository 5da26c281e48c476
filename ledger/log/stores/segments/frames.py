"""Frames: the form of a record in a file, and the detection of torn or damaged ones.

    frame = length (4) ‖ CRC of the length (4) ‖ SHA-256 of the record (32) ‖ record

A frame that the end of the file cuts short was being written when the writer died. It is
torn, and was never acknowledged. A file system may also have grown the file before it had
the bytes, which then are zeros. Every other deviation is damage.
"""

from __future__ import annotations

import hashlib
import mmap
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from ledger.log.stores.protocol import DamagedLog

_LENGTH_BYTES: Final = 4
_HEADER_BYTES: Final = _LENGTH_BYTES + 4
FRAME_BYTES: Final = _HEADER_BYTES + 32


class DamagedSegment(DamagedLog):
    """A segment is not what was written."""


class FileFrame(NamedTuple):
    end: int  # where the next frame begins
    digest: bytes
    record: bytes


def frame_record(record: bytes) -> tuple[bytes, bytes]:
    length = len(record).to_bytes(_LENGTH_BYTES, "big")
    digest = hashlib.sha256(record).digest()
    return length + zlib.crc32(length).to_bytes(4, "big") + digest + record, digest


def frames(path: Path, skipped: int = 0) -> Iterator[FileFrame]:
    """Yields the whole frames of a file, each of them checked; a torn end is left out.

    The first `skipped` frames are only counted: their hashes are not computed.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if not size:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
            at = 0
            while (end := _end_of(path, held, at, size)) is not None:
                digest = held[at + _HEADER_BYTES : at + FRAME_BYTES]
                if skipped > 0:
                    skipped -= 1
                    yield FileFrame(end, digest, b"")
                else:
                    record = held[at + FRAME_BYTES : end]
                    if hashlib.sha256(record).digest() != digest:
                        raise DamagedSegment(f"{path} is damaged at byte {at}")
                    yield FileFrame(end, digest, record)
                at = end


def _end_of(path: Path, held: mmap.mmap, at: int, size: int) -> int | None:
    """Returns the end of the frame at `at`; None if the file has no further whole frame."""
    header = held[at : at + _HEADER_BYTES]
    if len(header) < _HEADER_BYTES:
        return None
    length = header[:_LENGTH_BYTES]
    if zlib.crc32(length).to_bytes(4, "big") != header[_LENGTH_BYTES:]:
        if held[at:].strip(b"\0"):
            raise DamagedSegment(f"{path} is damaged at byte {at}")
        return None
    end = at + FRAME_BYTES + int.from_bytes(length, "big")
    return end if end <= size else None
