"""Submitters: lists who handed in which events, for whom, and whether they were entitled to.

Each event names its submitter (a player, the clock, a standing order, a bot, a delegate, the
organizer), and its head covers that.
"""

from __future__ import annotations

from ledger.kernel.records import CHANCE, tag_of
from ledger.log.format.bodies import ActBody, AnyBody
from ledger.log.write.lifecycle import Life

from .document import Finding, Submitted


class Submitters:
    """Counts submitters event by event, without a fold."""

    def __init__(self, life: Life) -> None:
        self.findings: list[Finding] = []
        self._life = life
        self._rows: dict[tuple[str, str, int | None], Submitted] = {}

    def take(self, version: int, body: AnyBody) -> None:
        by = body.by
        seat = by.seat if isinstance(body, ActBody) else body.seat
        if not isinstance(body, ActBody) and body.seat < 0 and by.seat is not None:
            seat = by.seat  # dice that a seat entered
        key = (by.role, by.name, seat)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = Submitted(
                role=by.role, name=by.name, seat=seat, events=0, first=version, last=version
            )
        row.events += 1
        row.last = version
        trouble = self._trouble(body)
        if trouble:
            self.findings.append(Finding(events=[version], said=trouble, has=by.role))

    def _trouble(self, body: AnyBody) -> str:
        """Says why the submitter was not entitled to the event, or ""."""
        life, role = self._life, body.by.role
        if isinstance(body, ActBody):
            if life.entitles(body.act, role):
                return ""
            return f"this role may not do this: {tag_of(body.act)}"
        if body.seat != CHANCE and body.by.seat not in (None, body.seat):
            return f"the log says that seat {body.by.seat} answered for seat {body.seat}"
        return life.submitter_trouble(body.seat, role)

    def rows(self) -> list[Submitted]:
        def place(row: Submitted) -> tuple[int, str, str]:
            return (-9 if row.seat is None else row.seat, row.role, row.name)

        return sorted(self._rows.values(), key=place)

    def said(self) -> str:
        """Returns the number of events by each role, as text."""
        roles: dict[str, int] = {}
        for row in self._rows.values():
            roles[row.role] = roles.get(row.role, 0) + row.events
        return ", ".join(f"{role} {count}" for role, count in sorted(roles.items()))
