"""Rewinds: a log becomes a tree, and every point of every line stays what it was."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.chance import Rolled
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Paused, Rewound
from ledger.log.format.bodies import ActBody, AnswerBody, Submitter
from ledger.log.read.history import SNAPSHOT_EVERY, History, Lines
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from tests.support.log.matches import (
    CLASH_ROLLED,
    FULL_PLAN,
    ORGANIZER,
    REFEREE,
    ROLLED,
    SEALED,
    SEAT,
    STAKED,
    play_out,
    started,
)
from tests.support.replays.saying import report_of, verdict_of

CLASHING = replace(SEALED, overlay=CLASH_ROLLED)
BOTH = (0, 1)


def clash(journal: Journal) -> int:
    """Both write the centre; returns whose the die says it is."""
    for seat in BOTH:
        journal.decide(seat, Write(4))
    owner: int = journal.match().state.cells[4]
    return owner


def marked(journal: Journal, *cells: int) -> Journal:
    for cell in cells:
        journal.decide(journal.match().asked()[0], Mark(cell))
    return journal


# --- the tree -------------------------------------------------------------------------------------


def body(parent: int, to: int | None = None) -> ActBody:
    act: Any = Paused(reason="") if to is None else Rewound(to=to, reason="")
    return ActBody(parent=parent, at=0, by=SEAT, act=act)


def grown(*rewinds: int | None) -> Lines:
    lines = Lines()
    for version, to in enumerate(rewinds, 1):
        lines.grow(body(version - 1 if to is None else to, to))
    return lines


def test_without_a_rewind_there_is_one_line():
    lines = grown(None, None, None)
    assert lines.line(3) == [1, 2, 3]
    assert lines.undone() == []
    assert [lines.epoch(version) for version in range(4)] == [0, 0, 0, 0]


def test_a_rewind_goes_on_from_its_parent():
    lines = grown(None, None, None, None, 2, None)
    assert lines.line(6) == [1, 2, 5, 6]
    assert lines.line(4) == [1, 2, 3, 4]
    assert lines.undone() == [3, 4]
    assert [lines.epoch(version) for version in (2, 4, 5, 6)] == [0, 0, 5, 5]
    assert len(lines) == 6


def test_a_rewind_of_a_rewind_takes_up_the_old_line():
    lines = grown(None, None, None, 1, None, 3, None)
    assert lines.line(7) == [1, 2, 3, 6, 7]
    assert lines.undone() == [4, 5]
    assert lines.epoch(7) == 6


@pytest.mark.parametrize("parent", [0, 1, 3, 4, -1])
def test_the_parent_of_an_event_is_the_one_before_it(parent: int):
    lines = grown(None, None)
    with pytest.raises(ValueError, match="parent"):
        lines.grow(body(parent))
    assert len(lines) == 2


@pytest.mark.parametrize("to", [0, 3, 4, -1])
def test_a_rewind_goes_to_what_was_before_it(to: int):
    lines = grown(None, None)
    with pytest.raises(ValueError, match="not before it"):
        lines.grow(body(to, to))


def test_the_parent_of_a_rewind_is_where_it_goes_to():
    lines = grown(None, None, None)
    with pytest.raises(ValueError, match="parent"):
        lines.grow(body(3, 1))


# --- dice -----------------------------------------------------------------------------------------


def test_other_dice_fall_after_a_rewind():
    """In twelve matches of four rewinds: had the die stayed, all five would be alike in each."""
    fell = []
    for seed in range(12):
        journal = started(CLASHING, seed)
        owners = [clash(journal)]
        for _ in range(4):
            journal.rewind(4, ORGANIZER, "again")
            owners.append(clash(journal))
        fell.append(owners)
        assert verdict_of(journal.history) == "clean"
    assert any(len(set(owners)) > 1 for owners in fell)
    changes = sum(a != b for owners in fell for a, b in pairwise(owners))
    assert 10 <= changes <= 38  # 24 of 48 on the average; beyond these once in 30 000


def test_the_same_die_falls_whenever_nothing_was_undone():
    assert [clash(started(CLASHING, 3)) for _ in range(3)] == [clash(started(CLASHING, 3))] * 3


def test_after_a_rewind_to_a_pending_roll_the_dice_fall_again():
    """Only the keys can answer, so a match that waits for them would wait for ever."""
    journal = started(ROLLED, 1)
    assert journal.history.body(5).seat == CHANCE  # type: ignore[union-attr]
    journal.rewind(4, ORGANIZER, "roll again")
    assert CHANCE not in journal.match().asked()
    play_out(journal, random.Random(1))
    journal.close()
    assert verdict_of(journal.history) == "clean"


def test_after_a_rewind_to_an_entered_roll_the_referee_is_asked_again():
    journal = started(replace(ROLLED, entered=True))
    journal.decide(CHANCE, Rolled((1,)), REFEREE)
    journal.rewind(4, ORGANIZER, "the die fell off the table")
    assert journal.match().asked() == (CHANCE,)
    journal.decide(CHANCE, Rolled((2,)), REFEREE)
    assert journal.match().state.first == 1


# --- undone events stay ---------------------------------------------------------------------------


def test_undone_events_stay_readable_and_verify():
    journal = marked(started(), 4, 0, 8)
    undone = [event.body for event in journal.history.events[5:7]]
    journal.rewind(5, ORGANIZER, "a slip")
    marked(journal, 3, 1)
    assert journal.history.lines.undone() == [6, 7]
    assert [event.body for event in journal.history.events[5:7]] == undone
    old, new = journal.history.at(7), journal.history.at()
    assert old is not None
    assert new is not None
    assert [old.state.cells[cell] for cell in (4, 0, 8, 3)] == [0, 1, 0, None]
    assert [new.state.cells[cell] for cell in (4, 0, 8, 3)] == [0, None, None, 1]
    report = report_of(journal.history)
    assert (report.verdict, report.events) == ("VALID, NOT ANCHORED", 10)


def long_match(plan: Plan, seed: int) -> Journal:
    """Some 200 events on several lines: chips go to and fro between marks and rewinds."""
    journal, rng = started(plan, seed), random.Random(seed)
    while len(journal.history.events) < 200:
        try:
            journal.decide(rng.choice(BOTH), Give(rng.randint(1, 2)))
        except Refused as refusal:
            assert refusal.code == "overdrawn"  # noqa: PT017 - the only one that may come
        if rng.random() < 0.03 and not journal.match().ended:
            journal.decide(journal.match().asked()[0], journal.match().options(turn(journal))[0])
        if journal.match().ended or rng.random() < 0.02:
            line = journal.history.lines.line(journal.history.tip.version)
            back = [version for version in line if 4 <= version < line[-1]]
            journal.rewind(rng.choice(back), ORGANIZER, "back")
    return journal


def turn(journal: Journal) -> int:
    return journal.match().asked()[0]


def held(match: Match | None) -> Any:
    return None if match is None else (match.terms.snapshot(match), match.used, match.terms.edition)


def test_every_point_of_every_line_is_the_fold_of_its_line():
    journal = long_match(STAKED, 1)
    store, match_id = journal.around.store, journal.match_id
    assert journal.history._held, "snapshots were taken"
    warm = History.of(store, match_id, ruleset)
    warm.at()
    for version in range(1, journal.history.tip.version + 1):
        *_, last = History.of(store, match_id, ruleset).replay(version)
        for history in (journal.history, warm):
            assert held(history.at(version)) == held(last.match)
    assert len(journal.history.lines.undone()) > SNAPSHOT_EVERY // 4


def test_a_match_that_is_asked_for_is_ones_own():
    journal = marked(started(), 4)
    journal.history.hold(5, journal.match())
    mine = journal.history.at()
    assert mine is not None
    mine.state.cells[0] = 1
    again = journal.history.at()
    assert again is not None
    assert again.state.cells[0] is None
    assert journal.match().state.cells[0] is None


def test_an_edition_holds_on_its_own_line_only():
    journal = marked(started(), 4)
    journal.change_edition("e2", ORGANIZER, "agreed")
    marked(journal, 0)
    journal.rewind(5, ORGANIZER, "back")
    marked(journal, 1)
    editions = {}
    for version in range(4, journal.history.tip.version + 1):
        match = journal.history.at(version)
        assert match is not None
        editions[version] = match.terms.edition
    assert editions == {4: "printed", 5: "printed", 6: "e2", 7: "e2", 8: "printed", 9: "printed"}


# --- who may undo what ----------------------------------------------------------------------------

Made = Callable[[], tuple[Journal, int]]


def own_last_decision() -> tuple[Journal, int]:
    return marked(started(), 4, 0), 5


def own_last_decisions() -> tuple[Journal, int]:
    journal = started(STAKED)
    journal.decide(1, Give(1))
    journal.decide(1, Give(2))
    return journal, 4


def another_seats_decision() -> tuple[Journal, int]:
    return marked(started(), 4, 0), 4


def across_chance() -> tuple[Journal, int]:
    journal = started(CLASHING)
    journal.decide(0, Write(4))
    before = journal.history.tip.version
    journal.decide(1, Write(4))
    return journal, before


def across_a_disclosure() -> tuple[Journal, int]:
    journal = started(SEALED)
    journal.decide(0, Write(4))
    before = journal.history.tip.version
    journal.decide(1, Write(3))
    return journal, before


def across_an_act() -> tuple[Journal, int]:
    journal = marked(started(), 4)
    journal.pause(ORGANIZER, "tea")
    journal.resume(ORGANIZER)
    return journal, 4


NOT_AT_ONCE: dict[str, Made] = {
    "another seat's decision": another_seats_decision,
    "chance": across_chance,
    "a disclosure": across_a_disclosure,
    "an act": across_an_act,
}


@pytest.mark.parametrize("made", [own_last_decision, own_last_decisions])
def test_a_seat_takes_its_own_last_decisions_back_at_once(made: Made):
    journal, to = made()
    before = held(journal.history.at(to))
    journal.rewind(to, SEAT, "a slip", seat=1)
    after = held(journal.match())
    assert after[0][2:] == before[0][2:]  # all but the version
    assert journal.history.lines.undone() == list(range(to + 1, journal.history.tip.version))
    assert verdict_of(journal.history) == "clean"


@pytest.mark.parametrize("across", NOT_AT_ONCE)
def test_what_others_have_a_part_in_is_not_undone_at_once(across: str):
    journal, to = NOT_AT_ONCE[across]()
    asked = [(consents, seat) for consents in ((), (0,), (1, 1)) for seat in (0, 1, None)]
    for consents, seat in asked:
        with pytest.raises(Refused) as refusal:
            journal.rewind(to, SEAT, "a slip", consents, seat=seat)
        assert refusal.value.code == "undo_needs_consent"
        assert refusal.value.evidence["to"] == to
        assert refusal.value.evidence["because"]


@pytest.mark.parametrize("seat", [0, None, -1, 2])
@pytest.mark.parametrize("made", [own_last_decision, own_last_decisions])
def test_nobody_else_takes_a_seats_decision_back_at_once(made: Made, seat: int | None):
    journal, to = made()
    with pytest.raises(Refused) as refusal:
        journal.rewind(to, SEAT, "a slip", seat=seat)
    assert refusal.value.code == "undo_needs_consent"


@pytest.mark.parametrize("across", NOT_AT_ONCE)
def test_with_all_consents_everything_is_undone(across: str):
    journal, to = NOT_AT_ONCE[across]()
    journal.rewind(to, SEAT, "agreed", BOTH)
    act = journal.history.act(journal.history.tip.version)
    assert act == Rewound(to=to, reason="agreed", consents=BOTH)


@pytest.mark.parametrize("by", [ORGANIZER, REFEREE])
@pytest.mark.parametrize("across", NOT_AT_ONCE)
def test_the_organizer_needs_no_consent(across: str, by: Submitter):
    journal, to = NOT_AT_ONCE[across]()
    journal.rewind(to, by, "ruled")
    assert journal.history.lines.parent(journal.history.tip.version) == to


def test_a_rewind_goes_to_an_earlier_point_since_the_start():
    journal = marked(started(), 4, 0, 8)
    journal.rewind(5, ORGANIZER, "back")
    marked(journal, 1)
    for to in (-1, 0, 1, 3, 9, 10, 99):
        with pytest.raises(Refused) as refusal:
            journal.rewind(to, ORGANIZER, "where?")
        assert refusal.value.code == "no_such_event"
    journal.rewind(8, ORGANIZER, "the rewind itself")
    assert journal.match().asked() == (1,)


def test_the_organizer_takes_up_a_line_that_was_undone():
    journal = marked(started(), 4, 0, 8)
    journal.rewind(5, ORGANIZER, "back")
    marked(journal, 1)
    journal.rewind(7, ORGANIZER, "it was right after all")
    marked(journal, 2)
    board: Any = journal.match().state
    assert [board.cells[cell] for cell in (4, 0, 8, 1, 2)] == [0, 1, 0, None, 1]
    assert journal.history.lines.undone() == [8, 9]
    with pytest.raises(Refused) as refusal:
        journal.rewind(9, SEAT, "mine", seat=1)
    assert refusal.value.code == "undo_needs_consent"
    assert verdict_of(journal.history) == "clean"


def test_a_sealed_answer_that_was_undone_is_opened_by_nobody_before_the_close():
    journal = started(FULL_PLAN, 2)
    first = journal.history.tip.version
    journal.decide(0, Write(3))
    journal.rewind(first, ORGANIZER, "again")
    for seat in BOTH:
        journal.decide(seat, Write(5 + seat))
    opened = [path for body in journal.history.bodies for path in body.opens]
    assert (first + 1, "decision") not in opened
    assert opened == [(first + 3, "decision"), (first + 4, "decision")]
    assert isinstance(journal.history.body(5), AnswerBody)
