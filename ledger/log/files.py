"""A store in a folder: one file a match, appended to and fsynced, for the command line.

    DIR/matches/<id>/log            frames: length, CRC of the length, SHA-256 of the record, record
    DIR/matches/<id>/kept/<name>    secrets and overlays, written once, for the owner's eyes
    DIR/matches/<id>/snapshots/     a cache

A record is one append, whole or not there: a torn last frame was never acknowledged and is cut off
by the next append. Anything else that is not as written is damage and is never cut off. Two
processes may write one match; a lock on the log makes them take turns.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import msgspec

from .chain import Event, Tip
from .commitments import Opening
from .store import Answer, Batch, Kept, Snapshot

_LENGTH_BYTES: Final = 4
_HEADER_BYTES: Final = _LENGTH_BYTES + 4
_FRAME_BYTES: Final = _HEADER_BYTES + 32
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_BATCHES: Final = msgspec.msgpack.Decoder(Batch)
_SNAPSHOTS: Final = msgspec.msgpack.Decoder(Snapshot)


class DamagedLog(Exception):
    """A frame in the middle of a log is not what was written."""


class FileStore:
    """Logs in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "matches"
        self._logs: dict[str, tuple[int, Kept]] = {}  # read up to this size of the file

    def append(self, match: str, batch: Batch) -> Answer:
        """Add a batch, or say why not; it is on the disk when this returns."""
        path = self._of(match) / "log"
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        with path.open("ab+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            size, log = self._read(match, file)
            refusal = log.refusal(match, batch)
            if refusal is not None:
                if is_new:
                    path.unlink()
                return refusal
            record = msgspec.msgpack.encode(batch)
            file.truncate(size)  # a torn frame was never acknowledged
            file.write(_header(len(record)) + hashlib.sha256(record).digest() + record)
            file.flush()
            os.fsync(file.fileno())
            if is_new:
                _sync_folder(path.parent)
            appended = log.add(batch)
            self._logs[match] = (size + _FRAME_BYTES + len(record), log)
            return appended

    def tip(self, match: str) -> Tip:
        """The end of a log."""
        return self._log(match).tip

    def events(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        """The events from `first` to `last`."""
        log = self._log(match)
        return iter([log.events[version - 1] for version in log.span(first, last)])

    def openings(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Opening]:
        """The openings of the commitments in these events."""
        log = self._log(match)
        return iter(list(log.openings_of(log.span(first, last))))

    def matches(self) -> list[str]:
        """The ids of all logs, sorted."""
        if not self._folder.is_dir():
            return []
        return sorted(path.parent.name for path in self._folder.glob("*/log"))

    def keep(self, match: str, name: str, value: bytes) -> None:
        """Keep something beside a log, once; only the owner of the folder may read it."""
        path = self._of(match) / "kept" / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists():
            if path.read_bytes() != value:
                msg = f"{name} of {match} is kept already, and differs"
                raise ValueError(msg)
            return
        _write_whole(path, value)

    def kept(self, match: str, name: str) -> bytes | None:
        """What was kept under a name."""
        path = self._of(match) / "kept" / name
        return path.read_bytes() if path.exists() else None

    def save(self, match: str, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        path = self._of(match) / "snapshots" / _snapshot_name(snapshot)
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(path, msgspec.msgpack.encode(snapshot))

    def snapshot(self, match: str, at_most: int, edition: str, source: str) -> Snapshot | None:
        """The latest fitting snapshot; one that cannot be read is as good as none."""
        found = sorted((self._of(match) / "snapshots").glob("*"), reverse=True)
        for path in found:
            try:
                held = _SNAPSHOTS.decode(path.read_bytes())
            except (msgspec.MsgspecError, OSError):
                continue
            if held.version <= at_most and (held.edition, held.source) == (edition, source):
                return held
        return None

    def _of(self, match: str) -> Path:
        if not _ID.fullmatch(match):
            msg = f"no match can have the id {match[:80]!r}"
            raise ValueError(msg)
        return self._folder / match

    def _log(self, match: str) -> Kept:
        path = self._of(match) / "log"
        if not path.exists():
            return Kept()
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            return self._read(match, file)[1]

    def _read(self, match: str, file: IO[bytes]) -> tuple[int, Kept]:
        """The log as far as whole frames go; what other processes added since is read now."""
        size, log = self._logs.get(match, (0, Kept()))
        if file.seek(0, os.SEEK_END) < size:
            size, log = 0, Kept()  # another process cut a torn frame, or an old copy was put back
        file.seek(size)
        while frame := file.read(_FRAME_BYTES):
            length = int.from_bytes(frame[:_LENGTH_BYTES], "big")
            record = b"" if len(frame) < _FRAME_BYTES else file.read(length)
            if len(record) < length and _torn(frame):
                break
            if hashlib.sha256(record).digest() != frame[_HEADER_BYTES:]:
                msg = f"the log of {match} is damaged after event {log.tip.version}"
                raise DamagedLog(msg)
            log.add(_BATCHES.decode(record))
            size = file.tell()
        self._logs[match] = (size, log)
        return size, log


def _header(length: int) -> bytes:
    packed = length.to_bytes(_LENGTH_BYTES, "big")
    return packed + zlib.crc32(packed).to_bytes(4, "big")


def _torn(frame: bytes) -> bool:
    """Whether a frame that ends too early was cut short, rather than its length changed."""
    if len(frame) < _HEADER_BYTES or not frame.strip(b"\0"):
        return True  # a file system may have grown the file before it had the bytes
    return frame[:_HEADER_BYTES] == _header(int.from_bytes(frame[:_LENGTH_BYTES], "big"))


def _snapshot_name(snapshot: Snapshot) -> str:
    terms = hashlib.sha256(f"{snapshot.edition}\n{snapshot.source}".encode()).hexdigest()[:16]
    return f"{snapshot.version:010d}-{terms}"


def _write_whole(path: Path, value: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(value)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
