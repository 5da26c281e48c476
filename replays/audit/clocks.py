"""Clocks: checks the time recorded with each decision against when the events arrived.

The table's book has the terms of the clocks and the times when they were stopped. With it each
clock can be computed again. Without it the check finds only what no terms allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ledger.club.clocks import Clocks, Tick
from ledger.club.table import ClockTerms
from ledger.log.format.acts import Paused, Resumed, Rewound
from ledger.log.format.bodies import ActBody, AnyBody
from ledger.log.read.history import Moment
from replays.verify.followers import Follower

from .document import NOT_CHECKED, AuditCheck, ClockRow, Finding

SLACK_MS: Final = 5_000  # between reading the clock and writing the event
FINDINGS_MAX: Final = 20


class TableTerms(NamedTuple):
    """The clock settings from a table's book."""

    terms: ClockTerms | None  # None: it is played without
    stops: Sequence[tuple[int, int | None]] = ()


class ClockAudit(Follower):
    """Follows a fold and checks the time of every decision."""

    def __init__(self, said: TableTerms | None) -> None:
        self.check = AuditCheck(name="clocks")
        self._said = said
        self._clocks: Clocks | None = None
        self._rows: dict[int, ClockRow] = {}
        self._recorded = 0
        self._lost = False

    def begin(self, seats: int) -> None:
        if self._said is not None and self._said.terms is not None:
            self._clocks = Clocks(self._said.terms, seats, self._said.stops)

    def take(self, moment: Moment) -> None:
        body = moment.body
        self._look(moment.version, body)
        clocks = self._clocks
        if clocks is None or self._lost:
            return
        while clocks.version < moment.version - 1:  # before the start nothing is asked
            clocks.take(Tick(at=body.at, parent=clocks.version))
        if not isinstance(body, ActBody) and body.clock is not None:
            self._compare(clocks, moment.version, body)
        clocks.take(_tick(moment))

    def lose(self, moment: Moment) -> None:
        """Stops the comparison: from here on it is unknown who was asked when."""
        self._look(moment.version, moment.body)
        self._lost = True

    def _look(self, version: int, body: AnyBody) -> None:
        """Checks what needs no terms: no recorded time may be negative."""
        if isinstance(body, ActBody) or body.clock is None:
            return
        self._recorded += 1
        before, after = body.clock
        row = self._row(body.seat)
        row.answers += 1
        row.timed_out += body.by.role == "clock"
        row.late += body.by.role != "clock" and before == 0
        row.left = after
        if min(before, after) < 0:
            self._find(version, "a clock is below zero", 0, min(before, after))

    def _row(self, seat: int) -> ClockRow:
        if seat not in self._rows:
            self._rows[seat] = ClockRow(seat=seat, answers=0, used=0, timed_out=0, late=0)
        return self._rows[seat]

    def _compare(self, clocks: Clocks, version: int, body: Any) -> None:
        """Compares a recorded time with the computed one.

        The clock is read a moment before the event is written, so it may show a little more.
        """
        right = clocks.recorded(body.seat, body.at, key=body.question)
        if right is None:
            self._find(version, f"seat {body.seat} had no clock running", None, list(body.clock))
            return
        for said, needed in zip(body.clock, right, strict=True):
            if not needed <= said <= needed + SLACK_MS:
                words = f"the clock of seat {body.seat} does not match the arrival times"
                self._find(version, words, list(right), list(body.clock))
                return

    def _find(self, version: int, said: str, needed: Any, has: Any) -> None:
        if len(self.check.findings) < FINDINGS_MAX:
            self.check.find(Finding(events=[version], said=said, needed=needed, has=has))

    def conclude(self) -> AuditCheck:
        """Returns the check with its final status."""
        if self._said is None and self._recorded:
            said = "the terms of the clocks are in the table's book, which this copy lacks"
            self.check.leave(NOT_CHECKED, said)
        elif self._lost and self._recorded:
            self.check.leave(
                "not disclosed", "this copy does not disclose to the end which seats were asked"
            )
        elif self.check.status == "ok":
            self.check.said = (
                f"{self._recorded} decisions have a time" if self._recorded else "no clock ran"
            )
        return self.check

    def rows(self) -> list[ClockRow]:
        return [self._rows[seat] for seat in sorted(self._rows)]


def _tick(moment: Moment) -> Tick:
    body, match = moment.body, moment.match
    act = body.act if isinstance(body, ActBody) else None
    asked: dict[int, str] = {}
    if match is not None and not match.ended:
        asked = {seat: match.key(seat) for seat in match.asked() if seat >= 0}
    return Tick(
        at=body.at,
        parent=body.parent,
        asked=asked,
        answers=None if isinstance(body, ActBody) else (body.seat, body.question),
        timed_out=body.by.role == "clock",
        goes_back=isinstance(act, Rewound),
        pauses=isinstance(act, Paused) if isinstance(act, Paused | Resumed) else None,
    )
