"""Books: logs of their own beside the matches, such as the club's people or a tournament.

A book has a chain as a match has, and the same store keeps it. What stands in it are entries: who
wrote it, when, and what. Its state is made by taking entry after entry; whoever wants to write
says what follows from the state, and says it anew where somebody else was first.

    club:people      who there is, and what opens the door to them
    table:<match>    who sits at a match, by which clock, what was asked, agreed and disputed there,
                     and who has looked at what is secret
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
    """What stands in a book; each kind is a record of its own."""


class Written(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """An entry as it stands: who wrote it, when, and what."""

    at: int  # the server's time in milliseconds
    by: str = ""  # a person's id; nobody: the service
    what: msgspec.Raw


class Contents(Protocol):
    """What the entries of a book come to."""

    def take(self, number: int, at: int, by: str, entry: Any) -> None:
        """Take the next entry."""


S = TypeVar("S", bound=Contents)


class Repeated(Exception):
    """The command was carried out before: these were its entries."""

    def __init__(self, entries: Sequence[Any]) -> None:
        super().__init__("carried out before")
        self.entries = tuple(entries)


class Reused(Exception):
    """The command's id was used before for something else."""


class Book(Generic[S]):
    """One book: what it comes to, as far as it was read, and the way to write in it."""

    def __init__(
        self,
        store: Store,
        name: str,
        kinds: Any,
        contents: Callable[[], S],
        clock: Callable[[], int],
    ) -> None:
        """`kinds` is the union of the entries that may stand in it."""
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
        """The end of the book as far as it was read."""
        return self._tip

    def read(self) -> S:
        """What it comes to now. It is changed by who reads next, and by nobody else."""
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
                    raise DamagedLog(f"{self.name} is not what was read of it before")
            return self._contents

    def write(
        self,
        by: str,
        follows: Callable[[S], Sequence[Entry]],
        command: Command | None = None,
    ) -> Sequence[Entry]:
        """Add what follows from the contents; what `follows` refuses is not written."""
        with self._lock:
            for _ in range(_ATTEMPTS_MAX):
                if (known := self._known(command)) is not None:
                    raise Repeated(known)
                entries = tuple(follows(self.read()))
                if not entries or self._add(by, entries, command):
                    return entries
            raise Unavailable(f"everybody writes in {self.name} at once")

    def entries(self, first: int = 1) -> list[tuple[int, int, str, Any]]:
        """The entries from one on: number, time, who, what."""
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
        assert len(entries) <= BATCH_MAX, "what stands or falls together is small"
        at, tip, events = self._clock(), self._tip, []
        for entry in entries:
            body = _SORTED.encode(Written(at=at, by=by, what=msgspec.Raw(_SORTED.encode(entry))))
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
            written = msgspec.msgpack.decode(event.body, type=Written)
            return event.version, written.at, written.by, self._decoder.decode(written.what)
        except msgspec.MsgspecError as reason:
            raise DamagedLog(f"{self.name} cannot be read at {event.version}: {reason}") from None
