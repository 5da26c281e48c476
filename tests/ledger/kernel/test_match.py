"""A match as it is looked at: who is asked what, and what each viewer sees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.kernel.fold import begin, fold
from ledger.kernel.records import CHANCE, rule_of, tag_of
from ledger.kernel.refusals import BrokenRule
from tests.support.given import everything, given, match_of
from tests.support.kernel.workbench import (
    BENCH,
    Do,
    Hide,
    Hiding,
    Knocking,
    Noted,
    Tell,
    Toss,
    Work,
    bench,
)


def test_the_question_on_top_asks():
    match = given(bench(Work((0, 1)))).match
    assert match.asked() == (0, 1)
    assert match.options(0) == match.options(1) == [Do("nothing")]
    assert match.options(7) == []
    assert match.key(0) == "work/0"
    assert match.chance() is None
    assert not match.ended


def test_chance_is_asked_alone():
    match = given(bench(Toss())).match
    assert match.asked() == (CHANCE,)
    assert match.chance() == Toss()
    assert match.key(CHANCE) == "toss/0"
    assert len(match.options(CHANCE)) == 6


def test_after_the_end_nobody_is_asked():
    match = given(bench(Tell("all"))).match
    assert match.ended
    assert match.question is None
    assert match.asked() == ()
    assert match.options(0) == []
    assert match.chance() is None
    with pytest.raises(AssertionError):
        match.key(0)


def test_a_match_begins_once():
    match = given(bench()).match
    with pytest.raises(AssertionError, match="begins once"):
        begin(match)


def test_a_view_shows_state_and_agenda_and_who_is_asked():
    match = given(bench(Work((1,)))).match
    seen = match.view(0)
    assert seen == {
        "version": 1,
        "ended": False,
        "state": {"notes": [], "accounts": {"balances": {"nails": {"bank": 0}}}, "waiting": True},
        "agenda": [{"type": "Work", "seats": [1]}],
        "asked": [1],
        "seat": 0,
        "standing": [
            {"question": "knock/s0/0", "options": [{"type": "bench.knock", "script": "nothing"}]}
        ],
    }
    of_seats = {"seat": None, "standing": None}
    assert match.view(None) | of_seats == seen | of_seats
    assert "standing" not in match.view(None)


def test_a_seat_that_is_not_asked_sees_no_question_and_what_stands_for_it():
    match = given(bench(Work((1,)))).match
    assert match.standing(0) == match.standing(1) == [Knocking()]
    assert match.standing(7) == []
    assert "options" not in match.view(0)
    assert "options" in match.view(1)


def test_nothing_stands_while_dice_are_asked_for():
    match = given(bench(Toss())).match
    assert match.standing(0) == []
    assert match.view(0)["standing"] == []


def test_a_result_is_of_the_state_alone():
    """A result that asked for a reading would change with the edition, and no fact would say so."""
    match = given(bench(Tell("all"))).match
    assert match.result().reason == "done"
    asking = replace(BENCH, first=Tell("all"), result=lambda state: state.reads("wood"))
    match = given(match_of(asking)).match
    before = everything(match)
    with pytest.raises(BrokenRule):
        match.result()
    assert everything(match) == before


def test_a_view_of_a_seat_that_is_asked_has_its_options_in_full():
    match = given(bench(Hiding())).match
    seen = match.view(1)
    assert seen["question"] == "hide"
    assert seen["options"] == [{"type": "bench.hide", "number": number} for number in (1, 2)]


def test_what_is_pending_is_shown_from_the_bottom():
    match = given(bench(Hiding((1,)))).match
    fold(match, 1, Hide(1))
    assert [item["type"] for item in match.view(None)["agenda"]] == ["Work"]


def test_a_step_on_top_is_no_question():
    match = bench(Tell("x"))
    with pytest.raises(BrokenRule):
        match.asked()


def test_records_cite_their_rule_and_have_a_wire_name():
    assert rule_of(Knocking) == "bench.knock"
    assert rule_of(Noted) == ""
    assert tag_of(Noted) == tag_of(Noted("x")) == "bench.noted"
    assert tag_of(Work) == "Work"


def test_a_question_s_default_is_its_first_option():
    match = given(bench()).match
    assert Work().default(match.state, 0) == Do("nothing")
