"""Clients write down their requests and the answers.

Each note is one line, written in one go before the request and after its answer: a client that is
killed with -9 leaves what it knew. The times are of one clock for all processes of a machine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import msgspec


class Noted(msgspec.Struct, frozen=True, kw_only=True, tag_field="note", omit_defaults=True):
    """Who, when, and what about: `name` is that of one operation, however often it is sent."""

    at: int
    client: str
    match: str
    name: str


class Invoked(Noted, frozen=True, tag="invoked"):
    """About to be sent, for the first time or again."""

    count: int = 0  # how many events it has; 0 where that is not known beforehand
    named: bool = True  # it has a command id, so it can be sent again after anything
    what: str = ""  # enough to send it again


class Done(Noted, frozen=True, tag="done"):
    """In the log: these events, of which the last has this head."""

    first: int
    last: int
    head: bytes
    again: bool = False  # a duplicate of something that had been carried out before


class Refused(Noted, frozen=True, tag="refused"):
    """Not in the log. `unavailable` says so of the last sending only."""

    why: str


class Unknown(Noted, frozen=True, tag="unknown"):
    """The client does not know the outcome."""


class Read(Noted, frozen=True, tag="read"):
    """All of the log up to here was read; `at` is when that was done."""

    began: int
    version: int
    head: bytes


Note: TypeAlias = Invoked | Done | Refused | Unknown | Read

UNAVAILABLE = "unavailable"
_WRITE = msgspec.json.Encoder()
_READ = msgspec.json.Decoder(Note)


def now() -> int:
    """Nanoseconds of the clock that all processes share."""
    return time.monotonic_ns()


class Recorder:
    """One client's notes, in a file of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        whole = len(b"".join(lines_of(path)))
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.ftruncate(self._file, whole)  # half a line that a kill has left

    def write(self, note: Note) -> None:
        """Write a note down before anything else happens."""
        line = _WRITE.encode(note) + b"\n"
        assert os.write(self._file, line) == len(line), "the disk is full of notes"

    def close(self) -> None:
        os.close(self._file)


def lines_of(path: Path) -> list[bytes]:
    """The whole lines of a file."""
    if not path.exists():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def notes_of(path: Path) -> list[Note]:
    """The notes of one client, as far as they were written."""
    return [_READ.decode(line) for line in lines_of(path)]


def all_notes(paths: Iterable[Path]) -> list[Note]:
    """The notes of several clients in the order of their times."""
    return sorted((note for path in paths for note in notes_of(path)), key=lambda note: note.at)


class Tally:
    """How many events were acknowledged so far, while the files grow."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, int] = {}
        self.events = 0

    def count(self) -> int:
        """Reads what has come since."""
        for path in self._folder.glob("*.notes"):
            with path.open("rb") as file:
                file.seek(self._read.get(path, 0))
                new = file.read()
            whole = new[: new.rfind(b"\n") + 1]
            self._read[path] = self._read.get(path, 0) + len(whole)
            for line in whole.splitlines():
                note = _READ.decode(line)
                if isinstance(note, Done) and not note.again:
                    self.events += note.last - note.first + 1
        return self.events
