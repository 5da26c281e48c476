"""The answers of a line, found by question key instead of by position.

Under its own edition a match takes its events in the order of the log. Under another edition the
rules ask, and the answer with the question's key is taken, wherever it is in the log. Two kinds of
events answer no waiting question and keep their place instead: acts, and decisions that a seat may
take at any time. Each is due once the ordinary answer before it, or a later one, has been used.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final, NamedTuple

from ledger.kernel.records import Seat
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History

BEGINNING: Final = 0


class Due(NamedTuple):
    """An act or an unasked decision, and the answer after which it is due."""

    version: int
    after: int


class Pool:
    """The answers and acts of a line after an event that have not been used yet."""

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
        """Returns the next event that keeps its place, if it is due."""
        if self._next < len(self._due) and self._due[self._next].after <= self.frontier:
            return self._due[self._next]
        return None

    def done(self, due: Due) -> None:
        self._next += 1
        self.frontier = max(self.frontier, due.version)

    def answer(self, key: str, seat: Seat) -> int | None:
        return self._found.get((key, seat))

    def take(self, key: str, seat: Seat) -> None:
        self.frontier = max(self.frontier, self._found.pop((key, seat)))

    def left(self) -> list[int]:
        """Returns the answers that no question took, in the order of the log."""
        late = [one.version for one in self._due[self._next :]]
        acts = {one for one in late if isinstance(self._history.body(one), ActBody)}
        return sorted([*self._found.values(), *(one for one in late if one not in acts)])

    @property
    def spent(self) -> bool:
        """Tells if every ordinary answer has been used."""
        return not self._found
