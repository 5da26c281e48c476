"""Books: logs other than matches, such as the club's people or a tournament.

A book has a chain like a match, and the same store keeps it. Its records are entries:
author, time and content. Its state results from taking entry after entry. A writer computes
new entries from the state, and computes them again if another writer was first.

    club:people      the people, and how each of them logs in
    table:<match>    the seats of a match, its clock, its requests, agreements and disputes, and
                     who has looked at secrets
    tournament:<id>  players, pairings, results
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from ledger.kernel.frozen import FrozenByName
from ledger.log.format.canonical import decode
from ledger.log.format.chain import EMPTY, Event, Tip, link
from ledger.log.stores.protocol import (
    BATCH_MAX,
    Appended,
    Batch,
    Changed,
    Command,
    Conflict,
    DamagedLog,
    Duplicate,
    Store,
    Unavailable,
)

_ATTEMPTS_MAX: Final = 64  # to be first with an entry
_SORTED: Final = msgspec.msgpack.Encoder(order="sorted")


class Entry(FrozenByName, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """A record of a book; each kind of entry is a class."""


class WrittenEntry(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """An entry as stored: author, time and content."""

    at: int  # the server's time in milliseconds
    by: str = ""  # a person's id; nobody: the service
    what: msgspec.Raw


class Contents(Protocol):
    """The state that results from a book's entries."""

    def take(self, number: int, at: int, by: str, entry: Any) -> None:
        """Applies the next entry."""


S = TypeVar("S", bound=Contents)


class Repeated(Exception):
    """The command was carried out before, with these entries."""

    def __init__(self, entries: Sequence[Any]) -> None:
        super().__init__("carried out before")
        self.entries = tuple(entries)


class Reused(Exception):
    """The command's id was used before for something else."""


class Book(Generic[S]):
    """One book: its state as far as it was read, and the way to write in it."""

    def __init__(
        self,
        store: Store,
        name: str,
        kinds: Any,
        contents: Callable[[], S],
        clock: Callable[[], int],
    ) -> None:
        """`kinds` is the union of the entries that the book may hold."""
        self.name = name
        self._store = store
        self._decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(kinds)
        self._new = contents
        self._contents = contents()
        self._clock = clock
        self._tip = EMPTY
        self._lock = threading.RLock()

    @property
    def tip(self) -> Tip:
        """Returns the tip of the book as far as it was read."""
        return self._tip

    def read(self) -> S:
        """Returns the current state. Only the next `read` changes it."""
        if self._store.tip(self.name) == self._tip:
            return self._contents  # while a server does not answer, nobody waits in a row
        with self._lock:
            tip = self._store.tip(self.name)
            if tip.version < self._tip.version:
                self._tip, self._contents = EMPTY, self._new()  # another store than it was
            if tip != self._tip:
                for event in self._store.events(self.name, self._tip.version + 1, tip.version):
                    self._take(event)
                if self._tip != tip:
                    raise DamagedLog(f"{self.name} differs from what was read before")
            return self._contents

    def write(
        self,
        by: str,
        follows: Callable[[S], Sequence[Entry]],
        command: Command | None = None,
    ) -> Sequence[Entry]:
        """Adds the entries that `follows` computes from the state; writes nothing if it refuses."""
        with self._lock:
            for _ in range(_ATTEMPTS_MAX):
                if (known := self._known(command)) is not None:
                    raise Repeated(known)
                entries = tuple(follows(self.read()))
                if not entries or self._add(by, entries, command):
                    return entries
            raise Unavailable(f"too many writers write in {self.name} at once")

    def entries(self, first: int = 1) -> list[tuple[int, int, str, Any]]:
        """Returns the entries from `first` on: number, time, author, content."""
        return [self._read(event) for event in self._store.events(self.name, first)]

    # --- inside --------------------------------------------------------------------------------

    def _known(self, command: Command | None) -> list[Any] | None:
        answer = None if command is None else self._store.answered(self.name, command)
        if isinstance(answer, Changed):
            raise Reused
        if not isinstance(answer, Duplicate):
            return None
        events = self._store.events(self.name, answer.first, answer.tip.version)
        return [self._read(event)[3] for event in events]

    def _add(self, by: str, entries: Sequence[Entry], command: Command | None) -> bool:
        assert len(entries) <= BATCH_MAX, "the batch is small enough"
        at, tip, events = self._clock(), self._tip, []
        for entry in entries:
            body = _SORTED.encode(
                WrittenEntry(at=at, by=by, what=msgspec.Raw(_SORTED.encode(entry)))
            )
            decode(body)  # refuses what is too large for a log
            event = link(self.name, tip, body)
            tip = event.tip
            events.append(event)
        batch = Batch(expect=self._tip, events=tuple(events), command=command)
        answer = self._store.append(self.name, batch)
        if isinstance(answer, Appended):
            for event in events:
                self._take(event)
            return True
        if isinstance(answer, Conflict | Duplicate):
            return False
        raise AssertionError(f"a book was answered {answer!r}")

    def _take(self, event: Event) -> None:
        self._contents.take(*self._read(event))
        self._tip = event.tip

    def _read(self, event: Event) -> tuple[int, int, str, Any]:
        try:
            written = msgspec.msgpack.decode(event.body, type=WrittenEntry)
            return event.version, written.at, written.by, self._decoder.decode(written.what)
        except msgspec.MsgspecError as reason:
            raise DamagedLog(f"{self.name} cannot be read at {event.version}: {reason}") from None
