"""Checks of what is recorded beside the play: submitters, clock times and stored snapshots.

Each event names its submitter (a player, the clock, a standing order, a bot, a delegate, the
organizer), and its head covers that. The table's book has the terms of the clocks and the times
when they were stopped. With it each clock can be computed again. Without it the check finds only
what no terms allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ledger.club.clocks import Clocks, Tick, make_tick
from ledger.club.table import ClockTerms
from ledger.kernel.records import CHANCE, tag_of
from ledger.log.format.bodies import ActBody, AnyBody
from ledger.log.read.history import History, Moment
from ledger.log.stores.protocol import Snapshot, used_bytes
from ledger.log.write.lifecycle import Life
from replays.verify.refold import Follower

from .document import NOT_CHECKED, NOT_DISCLOSED, AuditCheck, ClockRow, Finding, Submitted

SLACK_MS: Final = 5_000  # between reading the clock and writing the event
FINDINGS_MAX: Final = 20


# --- submitters -----------------------------------------------------------------------------------


def list_submitters(history: History) -> tuple[list[Submitted], list[Finding]]:
    """Lists who handed in how many events for whom, and the events that nobody may hand in so."""
    rows: dict[tuple[str, str, int | None], Submitted] = {}
    findings = []
    for version, body in enumerate(history.bodies, 1):
        by = body.by
        seat = by.seat if isinstance(body, ActBody) else body.seat
        if not isinstance(body, ActBody) and body.seat < 0 and by.seat is not None:
            seat = by.seat  # dice that a seat entered
        key = (by.role, by.name, seat)
        if key not in rows:
            rows[key] = Submitted(
                role=by.role, name=by.name, seat=seat, events=0, first=version, last=version
            )
        rows[key].events += 1
        rows[key].last = version
        if trouble := _submitter_trouble(history.life, body):
            findings.append(Finding(events=[version], said=trouble, has=by.role))

    def place(row: Submitted) -> tuple[int, str, str]:
        return (-9 if row.seat is None else row.seat, row.role, row.name)

    return sorted(rows.values(), key=place), findings


def _submitter_trouble(life: Life, body: AnyBody) -> str:
    """Says why the submitter was not entitled to the event, or ""."""
    role = body.by.role
    if isinstance(body, ActBody):
        entitled = life.entitles(body.act, role)
        return "" if entitled else f"this role may not do this: {tag_of(body.act)}"
    if body.seat != CHANCE and body.by.seat not in (None, body.seat):
        return f"the log says that seat {body.by.seat} answered for seat {body.seat}"
    return life.submitter_trouble(body.seat, role)


# --- clocks ---------------------------------------------------------------------------------------


class TableTerms(NamedTuple):
    """The clock settings from a table's book."""

    terms: ClockTerms | None  # None: it is played without
    stops: Sequence[tuple[int, int | None]] = ()


class ClockAudit(Follower):
    """Follows a fold and checks the time recorded with each decision against the arrival times."""

    def __init__(self, table: TableTerms | None) -> None:
        self.check = AuditCheck(name="clocks")
        self._table = table
        self._clocks: Clocks | None = None
        self._rows: dict[int, ClockRow] = {}
        self._recorded = 0
        self._lost = False

    def begin(self, history: History) -> None:
        if self._table is not None and self._table.terms is not None:
            self._clocks = Clocks(self._table.terms, history.created.seats, self._table.stops)

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
            self._rows[body.seat].used += clocks.time_of(body.seat, body.at, key=body.question)
        clocks.take(make_tick(body, _asked_after(moment)))

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
        if body.seat not in self._rows:
            self._rows[body.seat] = ClockRow(seat=body.seat, answers=0, used=0, timed_out=0, late=0)
        row = self._rows[body.seat]
        row.answers += 1
        row.timed_out += body.by.role == "clock"
        row.late += body.by.role != "clock" and before == 0
        row.left = after
        if min(before, after) < 0:
            self._find(version, "a clock is below zero", 0, min(before, after))

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
        if self._table is None and self._recorded:
            said = "the terms of the clocks are in the table's book, which this copy lacks"
            self.check.leave(NOT_CHECKED, said)
        elif self._lost and self._recorded:
            said = "this copy does not disclose to the end which seats were asked"
            self.check.leave(NOT_DISCLOSED, said)
        self.check.say(
            f"{self._recorded} decisions have a time" if self._recorded else "no clock ran"
        )
        return self.check

    def rows(self) -> list[ClockRow]:
        return [self._rows[seat] for seat in sorted(self._rows)]


def _asked_after(moment: Moment) -> dict[int, str]:
    """Returns the seats that are asked after an event, with the keys of their questions."""
    match = moment.match
    if match is None or match.ended:
        return {}
    return {seat: match.key(seat) for seat in match.asked() if seat >= 0}


# --- snapshots ------------------------------------------------------------------------------------


class Snapshots(Follower):
    """Follows a fold and compares every event that has a stored snapshot."""

    def __init__(self, stored: Sequence[Snapshot] | None) -> None:
        self.check = AuditCheck(name="snapshots")
        self._stored: dict[int, list[Snapshot]] = {}
        self._given = stored is not None
        for one in stored or ():
            self._stored.setdefault(one.version, []).append(one)

    def take(self, moment: Moment) -> None:
        match = moment.match
        for one in self._stored.pop(moment.version, ()):
            said = ""
            if match is None:
                said = f"a snapshot of event {moment.version}, before the match had started"
            elif one.source != match.terms.rules.source or one.edition != match.terms.edition:
                continue  # it is never read
            elif one.held != match.terms.snapshot(match):
                said = "the snapshot differs from the table that a fold gives"
            elif one.used != used_bytes(match.used):
                said = "the snapshot lists other rules as used"
            if said:
                self.check.find(Finding(events=[moment.version], said=said))

    def conclude(self) -> AuditCheck:
        """Returns the check with its final status."""
        left = sum(len(every) for every in self._stored.values())
        if not self._given:
            self.check.leave(NOT_CHECKED, "snapshots are in the store, not in this copy")
        elif left:
            self.check.leave(NOT_CHECKED, f"{left} are at events that could not be folded")
        # Not how many: a cache changes, and an audit of the same log does not.
        self.check.say("the snapshots match a fresh fold")
        return self.check
