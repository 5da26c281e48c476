"""Files and folders that only their owner can read, synced to the disk, and records in frames.

    frame = length (4) ‖ CRC of the length (4) ‖ SHA-256 of the record (32) ‖ record

A frame that the end of the file cuts short was being written when the writer died. It is
torn, and was never acknowledged. A file system may also have grown the file before it had
the bytes, which then are zeros. Every other deviation is damage.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import shutil
import stat
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

from ledger.log.stores.protocol import DamagedLog

_PART_BYTES: Final = 1 << 20


def open_owned(path: Path | str, flags: int) -> int:
    """Opens a file that is its owner's alone from its first moment on."""
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def tighten(descriptor: int) -> None:
    """Restricts an existing file or folder to its owner."""
    mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
    if mode & 0o077:
        with suppress(PermissionError):  # some file systems know no rights, as on a stick
            os.fchmod(descriptor, mode & 0o700)


def own_folder(folder: Path) -> None:
    """Makes a folder and its parents where they are missing, each for its owner alone."""
    if not folder.is_dir():
        own_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def write_all(file: int, packed: bytes | bytearray) -> None:
    with memoryview(packed) as whole:
        done = 0
        while done < len(whole):
            done += os.write(file, whole[done:])


def sync_folder(folder: Path) -> None:
    """Syncs the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_whole(path: Path, packed: bytes) -> int:
    """Replaces a file in one step; returns it open for appending.

    The caller must sync the folder afterwards.
    """
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    unfinished.unlink(missing_ok=True)
    file = open_owned(unfinished, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        write_all(file, packed)
        os.fsync(file)
        unfinished.rename(path)
    except BaseException:
        os.close(file)
        unfinished.unlink(missing_ok=True)
        raise
    return file


def write_whole(path: Path, packed: bytes) -> None:
    """Replaces a file in one step: it is there whole, or as it was."""
    os.close(replace_whole(path, packed))
    sync_folder(path.parent)


def write_once(path: Path, value: bytes) -> None:
    """Writes a file so that it exists whole or not at all; the first writer wins."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with open(unfinished, "wb", opener=open_owned) as file:
            file.write(value)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(unfinished)
    finally:
        unfinished.unlink(missing_ok=True)
    sync_folder(path.parent)


def write_at(path: Path, place: int, packed: bytes) -> None:
    """Writes into a file from a place on; its folder is made if missing."""
    own_folder(path.parent)
    with os.fdopen(open_owned(path, os.O_WRONLY | os.O_CREAT), "wb") as file:
        file.seek(place)
        file.write(packed)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path.parent)


def copy_owned(source: Path, target: Path) -> None:
    """Copies a file to a new path; the copy is its owner's alone, unlike perhaps the source."""
    with source.open("rb") as original, open(target, "xb", opener=open_owned) as file:
        shutil.copyfileobj(original, file, _PART_BYTES)
        file.flush()
        os.fsync(file.fileno())


# --- frames ---------------------------------------------------------------------------------------


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


def frames(path: Path, skipped: int = 0, at: int = 0) -> Iterator[FileFrame]:
    """Yields the whole frames of a file from a byte on, each checked; a torn end is left out.

    The first `skipped` frames are only counted: their hashes are not computed.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size <= at:
            return
        with _open_bytes(file) as held:
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


@contextmanager
def _open_bytes(file: IO[bytes]) -> Iterator[mmap.mmap | bytes]:
    """Maps a file into memory, or reads it where its file system knows no maps."""
    try:
        held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:
        file.seek(0)
        yield file.read()
    else:
        with held:
            yield held


def _end_of(path: Path, held: mmap.mmap | bytes, at: int, size: int) -> int | None:
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
