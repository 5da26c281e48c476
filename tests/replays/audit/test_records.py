"""The clocks of an audit: what ran for the questions that a seat answered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.club.clocks import Clocks, make_tick
from ledger.club.table import ClockTerms
from ledger.games.tictactoe.play import Mark
from ledger.log.write.journal import Journal
from replays.audit.auditor import ServiceRecords, audit_history
from replays.audit.document import Audit
from replays.audit.records import TableTerms
from tests.support.log.matches import ORGANIZER, PLAIN, SEAT, around, joined

BANK = ClockTerms(kind="bank", time=100_000, increment=1_000)
EACH = ClockTerms(kind="decision", time=60_000)


class TimedMatch:
    """A match with clocks; its time is what a test says."""

    def __init__(self, terms: ClockTerms) -> None:
        self.now, self.terms = 1_000_000, terms
        self.journal = joined(Journal.create(replace(around(), clock=lambda: self.now), PLAIN))

    def clocks(self) -> Clocks:
        clocks, history = Clocks(self.terms, 2), self.journal.history
        for version in range(1, history.tip.version + 1):
            match = history.at(version)
            asked = {} if match is None else {seat: match.key(seat) for seat in match.asked()}
            clocks.take(make_tick(history.body(version), asked))
        return clocks

    def mark(self, cell: int, after: int) -> None:
        self.now += after
        match = self.journal.match()
        (seat,) = match.asked()
        clock = self.clocks().recorded(seat, self.now, key=match.key(seat))
        self.journal.decide(seat, Mark(cell), SEAT, clock=clock)

    def audit(self, terms: TableTerms | None) -> Audit:
        return audit_history(self.journal.history, "all", ServiceRecords(clocks=terms))


@pytest.mark.parametrize("terms", [BANK, EACH], ids=lambda terms: terms.kind)
def test_the_time_used_is_what_ran_for_the_questions_that_a_seat_answered(terms: ClockTerms):
    timed = TimedMatch(terms)
    for cell, after in enumerate((3_000, 5_000, 7_000, 11_000)):
        timed.mark(cell, after)
    timed.now += 50_000  # nobody has answered yet
    audit = timed.audit(TableTerms(terms))
    assert audit.failed == []
    assert [(row.seat, row.answers, row.used) for row in audit.clocks] == [
        (0, 2, 10_000), (1, 2, 16_000),
    ]  # fmt: skip


def test_a_pause_is_not_used_and_what_was_undone_is():
    timed = TimedMatch(EACH)
    timed.now += 1_000
    timed.journal.pause(ORGANIZER, "tea")
    timed.now += 30_000
    timed.journal.resume(ORGANIZER)
    start = timed.journal.history.tip.version
    timed.mark(4, 2_000)
    timed.journal.rewind(start, ORGANIZER, "a slip")
    timed.mark(0, 5_000)
    audit = timed.audit(TableTerms(EACH))
    assert audit.failed == []
    assert [(row.answers, row.used) for row in audit.clocks] == [(2, 3_000 + 6_000)]


def test_without_the_terms_nothing_is_known_of_it():
    timed = TimedMatch(BANK)
    timed.mark(0, 3_000)
    assert [(row.answers, row.used) for row in timed.audit(None).clocks] == [(1, 0)]
