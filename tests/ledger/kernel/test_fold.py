"""The fold: what happens in order, and how a broken rule is caught."""

from __future__ import annotations

import pytest

from ledger.kernel.chance import Rolled
from ledger.kernel.fold import HAPPENINGS_MAX, begin, fold
from ledger.kernel.records import CHANCE
from ledger.kernel.refusals import BrokenRule, Refused
from tests.support.given import everything, given
from tests.support.kernel.workbench import (
    SCRIPTS,
    Again,
    CountDown,
    Do,
    Hide,
    Hiding,
    Knock,
    LeftAlone,
    Muddled,
    Noted,
    Scripted,
    Tell,
    Toss,
    Work,
    bench,
    script,
)


@script("order")
def _order(_):
    yield Noted("first")
    yield Tell("fourth")
    yield Scripted("inner")
    yield Work()
    yield Tell("never before the answer")
    yield Noted("second")
    yield Noted("third")


@script("inner")
def _inner(_):
    yield Tell("sixth")
    yield Noted("fifth")


@script("end")
def _end(_):
    yield Noted("end")


@script("nothing at all")
def _nothing_at_all(_):
    return iter(())


@script("facts for ever")
def _facts_for_ever(_):
    while True:
        yield Noted("again")


@script("steps for ever")
def _steps_for_ever(_):
    yield Again()


@script("questions for ever")
def _questions_for_ever(_):
    while True:
        yield Work()


@script("muddled")
def _muddled(_):
    yield Noted("well so far")
    yield Muddled()


@script("refuse late")
def _refuse_late(_):
    yield Noted("too late now")
    raise Refused("blunt", "bench.work")


@script("refuse in a later step")
def _refuse_in_a_later_step(_):
    yield Scripted("refuse at once")


@script("refuse at once")
def _refuse_at_once(state):
    assert state.reads("speed") == 3
    if state.reads("speed"):
        raise Refused("blunt", "bench.work", "The saw is blunt.", {"speed": 3})
    yield Noted("never")


@script("fail at once")
def _fail_at_once(state):
    assert state.reads("speed") == 3
    yield Noted(str(1 // 0))


@script("leave nobody")
def _leave_nobody(_):
    yield LeftAlone()
    yield Work()


@script("yield a word")
def _yield_a_word(_):
    yield Noted("fine")
    yield "a word"


@script("yield nothing in between")
def _yield_nothing_in_between(_):
    yield Noted("fine")
    yield None
    yield Work()


@script("yield nothing first")
def _yield_nothing_first(_):
    yield None
    yield Noted("never told")
    yield Work()


@script("toss")
def _toss(_):
    yield Toss()
    yield Work()


# --- the order of what happens --------------------------------------------------------------------


def test_facts_come_as_they_are_yielded_and_steps_in_the_order_written():
    sentence = given(bench()).when(0, Do("order"))
    words = ["first", "second", "third", "fourth", "fifth", "sixth"]
    sentence.then(*map(Noted, words)).asks(0)
    assert sentence.state.notes == words


def test_what_was_yielded_after_a_question_waits_for_its_answer():
    sentence = given(bench()).when(0, Do("order")).when(0, Do("end"))
    sentence.then(Noted("end"), Noted("never before the answer"))
    assert sentence.match.ended


def test_a_rule_may_yield_nothing():
    sentence = given(bench()).when(0, Do("nothing at all")).then()
    assert sentence.match.ended
    assert sentence.match.version == 2


def test_the_version_grows_by_one_or_is_the_one_that_is_given():
    match = bench()
    begin(match, 4)
    assert match.version == 4
    fold(match, 0, Do("nothing"))
    assert match.version == 5
    fold(match, 0, Do("nothing"), 9)
    assert match.version == 9


def test_a_match_that_has_not_begun_has_no_question():
    with pytest.raises(BrokenRule, match="has not begun"):
        _ = bench(Tell("x")).question


# --- rules that run away --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["facts for ever", "steps for ever", "questions for ever"], ids=lambda name: name
)
def test_a_rule_that_runs_away_is_broken(name: str):
    match = given(bench()).match
    with pytest.raises(BrokenRule, match=f"more than {HAPPENINGS_MAX}"):
        fold(match, 0, Do(name))
    assert match.broken


def test_a_beginning_that_never_asks_is_broken():
    match = bench(Again())
    with pytest.raises(BrokenRule, match="steps"):
        begin(match)
    assert match.broken


def test_many_steps_are_no_runaway():
    match = given(bench(CountDown(HAPPENINGS_MAX - 1))).match
    assert match.ended


@pytest.mark.parametrize("more", [0, 1])
def test_the_last_step_that_may_be_is_told_from_the_first_that_may_not(more: int):
    """Steps are counted, not rounds of the loop: the match may end with the last of them."""
    match = bench(CountDown(HAPPENINGS_MAX + more))
    if not more:
        begin(match)
        assert match.ended
        return
    with pytest.raises(BrokenRule, match="steps"):
        begin(match)


# --- rules that fail ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        ("muddled", ZeroDivisionError),
        ("refuse late", BrokenRule),
        ("refuse in a later step", BrokenRule),
        ("leave nobody", BrokenRule),
        ("yield a word", BrokenRule),
        ("yield nothing in between", BrokenRule),
    ],
)
def test_after_a_failure_in_the_middle_the_match_refuses_further_use(
    name: str, failure: type[Exception]
):
    match = given(bench()).match
    with pytest.raises(failure):
        fold(match, 0, Do(name))
    assert match.broken
    with pytest.raises(BrokenRule, match="broken match was used again"):
        fold(match, 0, Do("nothing"))


def test_a_rule_that_yields_nothing_first_is_not_cut_short_in_silence():
    """`yield from` was meant: what comes after must not be lost."""
    match = given(bench()).match
    with pytest.raises(BrokenRule):
        fold(match, 0, Do("yield nothing first"))


def test_a_match_that_broke_while_it_began_does_not_begin_again():
    match = bench(Scripted("muddled"))
    with pytest.raises(ZeroDivisionError):
        begin(match)
    with pytest.raises(BrokenRule, match="broken match was used again"):
        begin(match)


def test_a_refusal_that_comes_too_late_says_what_was_refused():
    match = given(bench()).match
    with pytest.raises(BrokenRule, match="refused after it had yielded: blunt") as broken:
        fold(match, 0, Do("refuse late"))
    assert isinstance(broken.value.__cause__, Refused)


def test_a_question_that_asks_nobody_is_named():
    with pytest.raises(BrokenRule, match="Work asks nobody"):
        fold(given(bench()).match, 0, Do("leave nobody"))


def test_a_refusal_before_the_first_yield_changes_nothing():
    given(bench()).when(0, Do("refuse at once")).refused("blunt", "bench.work", speed=3).when(
        0, Do("nothing")
    ).then(Noted("nothing"))


def test_a_refusal_in_allows_changes_nothing():
    given(bench()).when(0, Do("refuse in allows")).refused("blunt", "bench.work")


def test_a_failure_before_the_first_yield_leaves_the_match_as_it_was():
    match = given(bench()).match
    before = everything(match)
    with pytest.raises(ZeroDivisionError):
        fold(match, 0, Do("fail at once"))
    assert everything(match) == before
    given(match).when(0, Do("nothing")).then(Noted("nothing"))


# --- sealed questions -----------------------------------------------------------------------------


def test_a_sealed_question_stays_open_until_the_last_answer():
    sentence = given(bench(Hiding())).when(1, Hide(2)).then(Noted("hidden by 1")).asks(0)
    sentence.when(0, Hide(1)).then(Noted("hidden by 0")).asks(0)
    assert sentence.match.agenda == [Work()]


@pytest.mark.parametrize("fault", ["closes", "another question", "asks again"])
def test_a_sealed_question_that_closes_early_or_asks_again_is_broken(fault: str):
    match = given(bench(Hiding(fault=fault))).match
    with pytest.raises(BrokenRule, match="Hiding is sealed"):
        fold(match, 0, Hide(1))
    assert match.broken


# --- chance and standing questions ----------------------------------------------------------------


def test_standing_questions_are_closed_while_dice_are_asked_for():
    sentence = given(bench()).when(0, Do("toss")).asks(CHANCE)
    sentence.when(1, Knock()).refused("chance_pending", "bench.knock")
    sentence.when(CHANCE, Rolled((6,))).then(Noted("fell 6"))
    sentence.when(1, Knock("end")).then(Noted("end")).asks(0)


def test_a_standing_question_is_never_used_up():
    sentence = given(bench())
    for _ in range(3):
        sentence.when(1, Knock("end")).then(Noted("end")).asks(0)


def test_a_standing_question_can_be_answered_after_the_end():
    sentence = given(bench()).when(0, Do("end")).when(1, Knock("end")).then(Noted("end"))
    assert sentence.match.ended


def test_what_a_standing_answer_puts_on_the_agenda_comes_before_the_question_that_waits():
    sentence = given(bench(Work((1,)))).when(0, Knock("nothing")).asks(0)
    assert sentence.match.agenda == [Work((1,)), Work()]


def test_a_standing_answer_may_come_between_sealed_ones_if_it_changes_nothing_that_is_asked():
    sentence = given(bench(Hiding())).when(0, Hide(1)).when(1, Knock("end")).then(Noted("end"))
    sentence.asks(1).when(1, Hide(2)).asks(0)


@pytest.mark.parametrize("name", ["nothing", "toss"])
def test_a_standing_answer_that_asks_something_between_sealed_ones_is_broken(name: str):
    match = given(bench(Hiding())).match
    with pytest.raises(BrokenRule, match="in the middle of a sealed question"):
        fold(match, 0, Knock(name))
    assert match.broken


def test_every_script_is_one_of_the_bench():
    assert {"nothing", "order", "toss"} <= SCRIPTS.keys()
