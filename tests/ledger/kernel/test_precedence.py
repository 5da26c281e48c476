"""If there are several reasons for a refusal, the first in the kernel's list is given."""

from __future__ import annotations

import pytest

from ledger.kernel.chance import Rolled
from ledger.kernel.records import CHANCE, Decision
from ledger.kernel.refusals import KERNEL_REFUSALS, BrokenRule, Refused
from tests.support.given import Given, given
from tests.support.kernel.workbench import Do, Hide, Knock, Noted, Toss, Work, bench, script

OF_A_FOLD = ["match_over", "chance_pending", "not_asked", "wrong_answer", "not_allowed"]


@script("close the shop")
def _close(_):
    yield Noted("closed")
    yield Work()


@script("finish")
def _finish(_):
    yield Noted("finished")


def test_the_list_begins_with_what_a_fold_refuses_in_order():
    assert list(KERNEL_REFUSALS)[: len(OF_A_FOLD)] == OF_A_FOLD


@pytest.mark.parametrize("seat", [0, 1, 7, CHANCE])
@pytest.mark.parametrize("decision", [Do("nothing"), Do("no such"), Hide(1), Rolled((1,))])
def test_after_the_end_that_is_the_reason_whatever_else_is_wrong(seat: int, decision: Decision):
    given(bench()).when(0, Do("finish")).when(seat, decision).refused("match_over", "")


@pytest.mark.parametrize("seat", [0, 1, 7])
@pytest.mark.parametrize("decision", [Do("nothing"), Do("no such"), Hide(-1), Rolled((6,))])
def test_while_chance_is_asked_that_comes_before_who_and_what(seat: int, decision: Decision):
    given(bench(Toss())).when(seat, decision).refused("chance_pending", "bench.toss")


@pytest.mark.parametrize("script_name", ["nothing", "no such"])
def test_while_chance_is_asked_a_standing_question_names_itself(script_name: str):
    given(bench(Toss())).when(0, Knock(script_name)).refused("chance_pending", "bench.knock")


def test_who_comes_before_what():
    sentence = given(bench())
    for decision in (Do("nothing"), Do("no such"), Hide(1)):
        sentence.when(1, decision).refused("not_asked", "bench.work", asked=[0], seat=1)


def test_the_type_comes_before_the_rule():
    sentence = given(bench())
    sentence.when(0, Hide(-1)).refused(
        "wrong_answer", "bench.work", given="bench.hide", wanted="bench.do"
    )
    sentence.when(0, Do("no such")).refused("not_allowed", "bench.work", decision="bench.do")


def test_chance_too_is_told_the_type_before_the_rule():
    sentence = given(bench(Toss()))
    sentence.when(CHANCE, Do("nothing")).refused("wrong_answer", "bench.toss")
    sentence.when(CHANCE, Rolled((7,))).refused("not_allowed", "bench.toss")


def test_what_a_standing_question_does_not_allow_is_refused_by_it():
    given(bench()).when(1, Knock("no such")).refused("not_allowed", "bench.knock", seat=1)


def closed() -> Given:
    return given(bench()).when(0, Do("close the shop"))


def test_a_standing_question_that_is_closed_is_not_there():
    """The refusal is that of the question on top."""
    closed().when(0, Knock()).refused("wrong_answer", "bench.work", given="bench.knock")
    closed().when(1, Knock()).refused("not_asked", "bench.work")


def test_a_standing_question_does_not_ask_strangers():
    given(bench()).when(7, Knock()).refused("not_asked", "bench.work", seat=7)


# --- what a refusal says --------------------------------------------------------------------------


def test_a_refusal_is_one_sentence():
    refusal = Refused("overdrawn", "bench.pay", "", {"needed": 3, "has": 2})
    assert (
        str(refusal)
        == refusal.sentence()
        == (
            "overdrawn [bench.pay]: The account holds less than the transfer would take. "
            "(needed=3, has=2)"
        )
    )
    assert Refused("blunt").sentence() == "blunt: blunt"


def test_a_refusal_is_plain_for_json():
    assert Refused("match_over").as_plain() == {
        "code": "match_over",
        "rule": "",
        "message": "The match is over: there is nothing left to decide.",
        "evidence": {},
    }


def test_every_code_of_the_kernel_has_a_message():
    assert all(message.endswith(".") for message in KERNEL_REFUSALS.values())


def test_a_broken_rule_is_no_refusal():
    assert not issubclass(BrokenRule, Refused)
