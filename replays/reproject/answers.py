"""Pool: the answers of a line, found by the question's key instead of by their place.

Under its own edition a match takes its events in the order of the log. Under another the rules ask,
and the answer with that key is taken, wherever it stands. Two kinds of events have no question that
waits for them and keep their place instead: acts, and decisions that a seat may take at any time.
Each is due as soon as the ordinary answer before it has been used, or one that comes later.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final, NamedTuple

from ledger.kernel.records import Seat
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History

BEGINNING: Final = 0


class Due(NamedTuple):
    """An act, or a decision that a seat took unasked, and after which answer it is due."""

    version: int
    after: int


class Pool:
    """What a line holds after an event."""

    def __init__(
        self, history: History, line: Sequence[int], standing: Container[int], after: int
    ) -> None:
        self._history = history
        self._found: dict[tuple[str, Seat], int] = {}
        self._due: list[Due] = []
        self._next = 0
        self.frontier = after  # the last event, in the order of the log, that has had its turn
        self.last = after  # ordinary answer of the line
        ordinary = after
        for version in line:
            if version <= after:
                continue
            body = history.body(version)
            if isinstance(body, ActBody) or version in standing:
                self._due.append(Due(version, ordinary))
                continue
            ordinary = self.last = version
            self._found[body.question, body.seat] = version

    def due(self) -> Due | None:
        """The next that keeps its place, if its time has come."""
        if self._next < len(self._due) and self._due[self._next].after <= self.frontier:
            return self._due[self._next]
        return None

    def done(self, due: Due) -> None:
        """It has had its turn."""
        self._next += 1
        self.frontier = max(self.frontier, due.version)

    def answer(self, key: str, seat: Seat) -> int | None:
        """The unused answer of a seat to a question."""
        return self._found.get((key, seat))

    def take(self, key: str, seat: Seat) -> None:
        """Use it up."""
        self.frontier = max(self.frontier, self._found.pop((key, seat)))

    def left(self) -> list[int]:
        """The answers that nothing asked for, in the order of the log."""
        late = [one.version for one in self._due[self._next :]]
        acts = {one for one in late if isinstance(self._history.body(one), ActBody)}
        return sorted([*self._found.values(), *(one for one in late if one not in acts)])

    @property
    def spent(self) -> bool:
        """Whether every ordinary answer has been used."""
        return not self._found
