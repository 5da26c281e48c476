"""Law 5, options are honest; and reading them, views and bots leave no note."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from ledger.kernel.bots import BOTS
from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Question, Seat
from tests.given import everything
from tests.laws.play import (
    ANY_SEED,
    ANY_VARIANT,
    VARIANTS,
    Variant,
    chance_answer,
    played,
)

MODEST = settings(max_examples=100)


def offered(match: Match) -> list[tuple[Question, Seat, Decision]]:
    """All that anybody is offered now, by the question on top and by those that stand."""
    seats = range(match.terms.rules.seats.stop - 1)
    top = match.question
    asked = [] if top is None else [(top, seat) for seat in match.asked()]
    asked += [(question, seat) for seat in seats for question in match.standing(seat)]
    return [(q, seat, option) for q, seat in asked for option in q.options(match.state, seat)]


def honest(match: Match) -> None:
    """Each option is allowed, and folds without breaking anything."""
    held = match.terms.snapshot(match)
    for question, seat, option in offered(match):
        assert question.allows(match.state, seat, option)
        fold(match.terms.restore(held), seat, option)


def listable(match: Match) -> bool:
    """Whether the question on top can list its answers: several cards at once are too many."""
    question = match.chance()
    return question is None or bool(list(question.wish(match.state).outcomes()))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_options_are_honest_in_every_variant(variant: Variant):
    for match, _ in played(variant.terms(), 4):
        honest(match)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_each_option_is_allowed(variant: Variant, seed: int):
    for match, _ in played(variant.terms(), seed):
        honest(match)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_whoever_is_asked_is_offered_something(variant: Variant, seed: int):
    for match, _ in played(variant.terms(), seed):
        for seat in match.asked():
            assert not listable(match) or match.options(seat)
            options = match.options(seat)
            assert len(set(map(repr, options))) == len(options), "an option is offered twice"


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_what_falls_by_key_is_allowed(variant: Variant, seed: int):
    stream = Stream(seed.to_bytes(8, "big"))
    for match, _ in played(variant.terms(), seed):
        question = match.chance()
        if question is not None:
            answer = chance_answer(match, stream)
            assert question.allows(match.state, CHANCE, answer)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_a_seat_answers_no_question_of_one_name_twice(variant: Variant, seed: int):
    answered = [(event.answered, event.seat) for _, event in played(variant.terms(), seed)]
    assert len(set(answered)) == len(answered)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_a_default_is_an_option(variant: Variant, seed: int):
    for match, _ in played(variant.terms(), seed):
        for seat in match.asked():
            question = match.question
            assert question is not None
            default = question.default(match.state, seat)
            assert default in match.options(seat) or (default is None and not listable(match))


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_options_views_scenes_and_bots_leave_no_note(variant: Variant, seed: int):
    terms = variant.terms()
    for match, _ in played(terms, seed):
        before = everything(match)
        offered(match)
        for viewer in (*range(terms.rules.seats.stop - 1), None):
            seen = match.view(viewer)
            match.scene(seen["seat"])
            if viewer is not None and viewer in match.asked():
                for bot in BOTS.values():
                    bot(terms, seen, match.options(viewer), Stream(b"bot"))
        assert everything(match) == before


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_an_option_survives_the_wire(variant: Variant, seed: int):
    """What a view offers reads back as the option, but for what its fields hide."""
    rules = variant.terms().rules
    for match, _ in played(variant.terms(), seed):
        for seat in match.asked():
            if seat == CHANCE:
                continue
            shown = match.view(seat)["options"]
            assert [rules.decision(plain) for plain in shown] == match.options(seat)
