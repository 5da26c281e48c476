"""Standing questions: every seat may answer at any time, and each answer has a key of its own."""

from __future__ import annotations

from types import SimpleNamespace

from ledger.kernel.records import Decision
from ledger.parts.standing import AnswerCounted, AnyTime


class Ring(Decision, tag="test.ring"):
    pass


class Rung(AnswerCounted, tag="test.rung"):
    named = "ring"


class RingAtAnyTime(AnyTime):
    answers = (Ring,)
    named = "ring"


def test_each_answer_of_a_seat_has_the_next_key():
    table = SimpleNamespace(seats=range(2), counts={}, over=False)
    question = RingAtAnyTime()
    assert question.asks(table) == (0, 1)
    assert question.key(table, 1) == "ring/s1/1"
    Rung(1).apply(table)
    assert (question.key(table, 1), question.key(table, 0)) == ("ring/s1/2", "ring/s0/1")


def test_it_closes_with_the_match():
    question = RingAtAnyTime()
    assert question.standing_open(SimpleNamespace(over=False))
    assert not question.standing_open(SimpleNamespace(over=True))
