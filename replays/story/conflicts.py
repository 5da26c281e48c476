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
            self._go_on(mark._replace(number=len(self.found) - 1))

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
                self._add(self._running, version, side, parts)
            case SupportTaken(seat=seat, name=name):
                self._take_back(self._running, version, seat, name)
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

    def _add(self, running: _Running, version: int, side: int, parts: tuple[Given, ...]) -> None:
        every = list(running.parts)
        every[side] += tuple(Part(n=version, **one._asdict()) for one in parts)
        self._go_on(running._replace(parts=tuple(every)))

    def _take_back(self, running: _Running, version: int, seat: int, name: str) -> None:
        for number, parts in enumerate(running.parts):
            lent = sum(one.value for one in parts if one.seat == seat)
            own = running.begun.sides[number][0] == seat
            if lent and not own:
                self._add(running, version, number, (Given(name, -lent, "", seat),))
                return

    def _go_on(self, running: _Running) -> None:
        """Sets the conflict in progress, and writes its parts to the document."""
        self._running = running
        for side, parts in zip(self.found[running.number].sides, running.parts, strict=True):
            side.parts = list(parts)
            if side.total is not None:
                side.total = sum(one.value for one in parts)
