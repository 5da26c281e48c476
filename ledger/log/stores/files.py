"""A store in a folder: one appended and fsynced file for each match, for the command line.

    DIR/matches/<id>/log            frames (disk.py), a batch in each
    DIR/matches/<id>/talk           the same, for the chat of the table
    DIR/matches/<id>/parked         the reason, if the match takes no decisions
    DIR/matches/<id>/kept/<name>    secrets and overlays, written once
    DIR/matches/<id>/snapshots/     a cache

Only the owner may read these files: a log holds openings that are still secret. A record is
one append, whole or absent: a torn last frame was never acknowledged, and the next append
cuts it off. Any other deviation is damage and is never cut off. Processes and threads that
use one match take turns.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import msgspec

from .disk import (
    DamagedSegment,
    FileFrame,
    frame_record,
    frames,
    open_owned,
    sync_folder,
    write_once,
)
from .memory import LogInMemory, LogsInMemory, fits
from .protocol import Answer, Batch, DamagedLog, Snapshot

_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_LOGS_HELD_MAX: Final = 64
_LAST_BYTES: Final = 4096  # holds the heads and commitments of a batch's last event
_BATCHES: Final = msgspec.msgpack.Decoder(Batch)
_SNAPSHOTS: Final = msgspec.msgpack.Decoder(Snapshot)


class FileStore(LogsInMemory):
    def __init__(self, folder: Path) -> None:
        self._folder = folder / "matches"
        super().__init__()
        # Each log as far as it was read: up to which size of the file, and what stood there last.
        self._logs: dict[str, tuple[int, LogInMemory, bytes]] = {}

    def append(self, match: str, batch: Batch) -> Answer:
        """Adds a batch or returns the reason why not; it is on the disk when this returns."""
        path = self._path(match)
        if not path.exists() and (refusal := LogInMemory().refusal(match, batch)) is not None:
            return refusal  # nothing is made for what is refused
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock, open(path, "ab+", opener=open_owned) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            size, log = self._read(match, file)
            log.parked = self.parked(match)
            if (refusal := log.refusal(match, batch)) is not None:
                return refusal
            record = msgspec.msgpack.encode(batch)
            frame, _ = frame_record(record)
            file.truncate(size)  # a torn frame was never acknowledged
            try:
                file.write(frame)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                file.truncate(size)  # what is not acknowledged must not be believed later
                raise
            if not size:
                sync_folder(path.parent)
                sync_folder(path.parent.parent)
            appended = log.add(batch)
            self._hold(match, size + len(frame), log, record[-_LAST_BYTES:])
            return appended

    def books(self) -> list[str]:
        """Returns no names: only a service has books, and it keeps them on a server."""
        return []

    def matches(self) -> list[str]:
        if not self._folder.is_dir():
            return []
        found = self._folder.glob("*/log")
        named = [path for path in found if _ID.fullmatch(path.parent.name)]
        return sorted(path.parent.name for path in named if path.stat().st_size)

    def keep(self, match: str, name: str, value: bytes) -> None:
        """Stores a value with a log, once; only the owner of the folder may read it."""
        path = self._of(match) / "kept" / name
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(exist_ok=True, mode=0o700)
        if not path.exists():
            write_once(path, value)
        if path.read_bytes() != value:
            raise ValueError(f"{name} of {match} is stored already, with another value")

    def kept(self, match: str, name: str) -> bytes | None:
        path = self._of(match) / "kept" / name
        return path.read_bytes() if path.exists() else None

    def kept_names(self, match: str) -> list[str]:
        found = (self._of(match) / "kept").glob("*")
        return sorted(path.name for path in found if path.suffix != ".tmp")

    def batches(self, match: str) -> list[Batch]:
        """Returns every append to a log, as it was made, for copying it elsewhere."""
        path = self._path(match)
        if not path.exists():
            return []
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            return [batch for batch, _ in _appends(match, path, LogInMemory())]

    def park(self, match: str, notice: bytes) -> None:
        self.unpark(match)
        write_once(self._of(match) / "parked", notice)

    def unpark(self, match: str) -> None:
        (self._of(match) / "parked").unlink(missing_ok=True)

    def parked(self, match: str) -> bytes | None:
        path = self._of(match.partition("/")[0]) / "parked"
        return path.read_bytes() if path.exists() else None

    def parked_matches(self) -> list[str]:
        found = self._folder.glob("*/parked")
        return sorted(path.parent.name for path in found if _ID.fullmatch(path.parent.name))

    def save(self, match: str, snapshot: Snapshot) -> None:
        path = self._of(match) / "snapshots" / _snapshot_name(snapshot)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        write_once(path, msgspec.msgpack.encode(snapshot))

    def snapshot(
        self, match: str, at_most: int, edition: str | None, source: str
    ) -> Snapshot | None:
        """Returns the latest fitting snapshot; one that cannot be read counts as missing."""
        found = sorted((self._of(match) / "snapshots").glob("*"), reverse=True)
        for path in found:
            try:
                held = _SNAPSHOTS.decode(path.read_bytes())
            except (msgspec.MsgspecError, OSError):
                continue
            if held.fits(at_most, edition, source):
                return held
        return None

    def _of(self, match: str) -> Path:
        if not _ID.fullmatch(match):
            raise ValueError(f"a match cannot have the id {match[:80]!r}")
        return self._folder / match

    def _path(self, name: str) -> Path:
        match, _, part = name.partition("/")
        if part == "talk":
            return self._of(match) / part
        return self._of(name) / "log"  # refuses every other name with a slash in it

    def _log(self, match: str) -> LogInMemory:
        path = self._path(match)
        if not path.exists():
            return LogInMemory()
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            return self._read(match, file)[1]

    def _hold(self, match: str, size: int, log: LogInMemory, last: bytes) -> None:
        self._logs.pop(match, None)
        self._logs[match] = (size, log, last)
        if len(self._logs) > _LOGS_HELD_MAX:
            del self._logs[next(iter(self._logs))]  # the one used longest ago

    def _read(self, match: str, file: IO[bytes]) -> tuple[int, LogInMemory]:
        """Reads the whole frames of the log, including those that other processes have added."""
        size, log, last = self._logs.get(match, (0, LogInMemory(), b""))
        file.seek(size - len(last))
        if file.read(len(last)) != last:
            # Another process cut a torn frame, or an old copy was put back: read all of it anew.
            size, log, last = 0, LogInMemory(), b""
        file.seek(size)
        if file.read(1):
            for _, frame in _appends(match, self._path(match), log, size):
                size, last = frame.end, frame.record[-_LAST_BYTES:]
        self._hold(match, size, log, last)
        return size, log


def _appends(
    match: str, path: Path, log: LogInMemory, at: int = 0
) -> Iterator[tuple[Batch, FileFrame]]:
    """Yields the further appends and their frames, and adds each to the log."""
    try:
        for frame in frames(path, at=at):
            batch = _BATCHES.decode(frame.record)
            if not fits(match, log.tip, batch):
                where = f"after event {log.tip.version}"
                raise DamagedLog(f"the log of {match} does not continue {where}")
            log.add(batch)
            yield batch, frame
    except DamagedSegment:
        raise DamagedLog(f"the log of {match} is damaged after event {log.tip.version}") from None


def _snapshot_name(snapshot: Snapshot) -> str:
    terms = hashlib.sha256(f"{snapshot.edition}\n{snapshot.source}".encode()).hexdigest()[:16]
    return f"{snapshot.version:010d}-{terms}"
