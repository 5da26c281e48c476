"""Conflicts: who fought whom over what, and the share of each piece, as the viewer saw it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ledger.kernel.story import (
    ConflictBegun,
    ConflictDecided,
    ConflictEnded,
    ConflictStep,
    PartsAdded,
    SupportTaken,
)
from ledger.kernel.story import SidePart as Given
from replays.document.structs import Conflict, Part, Side


class _Running(NamedTuple):
    """A conflict in progress."""

    number: int
    begun: ConflictBegun
    parts: tuple[tuple[Part, ...], ...]  # by side; a mark can be kept, so nothing in it changes


Mark: TypeAlias = _Running | None


class Conflicts:
    """Collects the conflicts of a match event by event."""

    def __init__(self) -> None:
        self.found: list[Conflict] = []
        self._running: _Running | None = None
        self._over = False  # with this event

    @property
    def begun(self) -> ConflictBegun | None:
        """Returns the beginning of the conflict in progress, or None."""
        return None if self._running is None else self._running.begun

    def mark(self) -> Mark:
        return self._running

    def back(self, mark: Mark, version: int) -> None:
        """Resumes at a mark. A conflict in progress there continues as a new one, with its parts
        so far.
        """
        if mark == self._running:
            return
        self._running = mark
        if mark is not None:
            self._open(mark.begun, version)
            self._running = mark._replace(number=len(self.found) - 1)
            self._write()

    def take(self, version: int, step: ConflictStep) -> None:
        """Adds a step to the conflict in progress, or begins one."""
        if isinstance(step, ConflictBegun):
            self._open(step, version)
            self._running = _Running(len(self.found) - 1, step, ((),) * len(step.sides))
            self._over = False
            return
        if self._running is None:
            return
        conflict = self.found[self._running.number]
        conflict.last = max(conflict.last, version)
        match step:
            case PartsAdded(side=side, parts=parts):
                self._add(version, side, parts)
            case SupportTaken(seat=seat, name=name):
                self._take_back(version, seat, name)
            case ConflictDecided(outcome=outcome):
                conflict.outcome = f"{conflict.outcome} {outcome}".strip()
            case ConflictEnded():
                self._over = True

    def go_on(self, version: int) -> None:
        """Extends the conflict in progress to this event, and drops it if it has ended."""
        if self._running is not None:
            self.found[self._running.number].last = version
        if self._over:
            self._running, self._over = None, False

    def _open(self, begun: ConflictBegun, version: int) -> None:
        total = 0 if begun.summed else None
        sides = [Side(seat=seat, name=name, total=total, parts=[]) for seat, name in begun.sides]
        self.found.append(
            Conflict(
                first=version,
                last=version,
                label=begun.label,
                cell=begun.cell,
                sides=sides,
                outcome="",
            )
        )

    def _add(self, version: int, side: int, parts: tuple[Given, ...]) -> None:
        assert self._running is not None, "somebody asked before"
        more = tuple(Part(n=version, **one._asdict()) for one in parts)
        every = list(self._running.parts)
        every[side] = (*every[side], *more)
        self._running = self._running._replace(parts=tuple(every))
        self._write()

    def _take_back(self, version: int, seat: int, name: str) -> None:
        assert self._running is not None, "somebody asked before"
        for number, parts in enumerate(self._running.parts):
            lent = sum(one.value for one in parts if one.seat == seat)
            own = self._running.begun.sides[number][0] == seat
            if lent and not own:
                self._add(version, number, (Given(name, -lent, "", seat),))
                return

    def _write(self) -> None:
        assert self._running is not None, "somebody asked before"
        conflict = self.found[self._running.number]
        for side, parts in zip(conflict.sides, self._running.parts, strict=True):
            side.parts = list(parts)
            if side.total is not None:
                side.total = sum(one.value for one in parts)
