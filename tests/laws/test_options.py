"""Law 5, options are honest; and reading them, views and bots leave no note."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from ledger.kernel.bots import BOTS
from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Question, Seat
from tests.support.given import everything
from tests.support.laws.play import (
    ANY_SEED,
    ANY_VARIANT,
    ONE_IN,
    RULESETS,
    VARIANTS,
    Variant,
    chance_answer,
    looked_at,
    played,
)

MODEST = settings(max_examples=40)


OFFERED_MAX = 60  # of what is offered in a place of a long match; its version says which


def offered(match: Match, seats: range) -> list[tuple[Question, Seat, Decision]]:
    """All that anybody is offered now, by the question on top and by those that stand."""
    top = match.question
    asked = [] if top is None else [(top, seat) for seat in match.asked()]
    asked += [(question, seat) for seat in seats for question in match.standing(seat)]
    every = [(q, seat, option) for q, seat in asked for option in q.options(match.state, seat)]
    if match.terms.rules.name not in ONE_IN:
        return every
    one_in = 1 + len(every) // OFFERED_MAX
    return every[match.version % one_in :: one_in]


def honest(match: Match, seats: range) -> None:
    """Each option is allowed, and folds without breaking anything."""
    held = match.terms.snapshot(match)
    for question, seat, option in offered(match, seats):
        assert question.allows(match.state, seat, option)
        fold(match.terms.restore(held), seat, option)


def listable(match: Match) -> bool:
    """Whether the question on top can list its answers: several cards at once are too many."""
    question = match.chance()
    return question is None or bool(list(question.wish(match.state).outcomes()))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_options_are_honest_in_every_variant(variant: Variant):
    party = variant.party()
    for match, _ in looked_at(party, 4):
        honest(match, party.everybody)


@pytest.mark.long
@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_each_option_is_allowed(variant: Variant, seed: int):
    party = variant.party()
    for match, _ in looked_at(party, seed):
        honest(match, party.everybody)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_whoever_is_asked_is_offered_something(variant: Variant, seed: int):
    for match, _ in looked_at(variant.party(), seed):
        for seat in match.asked():
            assert not listable(match) or match.options(seat)
            options = match.options(seat)
            assert len(set(map(repr, options))) == len(options), "an option is offered twice"


@pytest.mark.long
@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_what_falls_by_key_is_allowed(variant: Variant, seed: int):
    stream = Stream(seed.to_bytes(8, "big"))
    for match, _ in looked_at(variant.party(), seed):
        question = match.chance()
        if question is not None:
            answer = chance_answer(match, stream)
            assert question.allows(match.state, CHANCE, answer)


@pytest.mark.long
@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_a_seat_answers_no_question_of_one_name_twice(variant: Variant, seed: int):
    answered = [(event.answered, event.seat) for _, event in played(variant.party(), seed)]
    assert len(set(answered)) == len(answered)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_a_default_is_an_option(variant: Variant, seed: int):
    for match, _ in looked_at(variant.party(), seed):
        for seat in match.asked():
            question = match.question
            assert question is not None
            default = question.default(match.state, seat)
            assert default in match.options(seat) or (default is None and not listable(match))


@pytest.mark.long
@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_options_views_scenes_and_bots_leave_no_note(variant: Variant, seed: int):
    party = variant.party()
    terms = party.terms
    for number, (match, _) in enumerate(looked_at(party, seed)):
        if variant.rules in ONE_IN and number % 4:
            continue  # of what is looked at in a long match, even less
        bots = number % 16 == 0 or variant.rules not in ONE_IN
        before = everything(match)
        offered(match, party.everybody)
        for viewer in (*party.everybody, None):
            seen = match.view(viewer)
            match.scene(seen["seat"])
            if viewer is not None and viewer in match.asked() and bots:
                for bot in BOTS.values():
                    bot(terms, lambda seen=seen: seen, match.options(viewer), Stream(b"bot"))
        assert everything(match) == before


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_an_option_survives_the_wire(variant: Variant, seed: int):
    """An option of a view reads back as itself, except for hidden fields."""
    rules = RULESETS[variant.rules]
    for match, _ in looked_at(variant.party(), seed):
        for seat in match.asked():
            if seat == CHANCE:
                continue
            shown = match.view(seat)["options"]
            assert [rules.decision(plain) for plain in shown] == match.options(seat)
