"""Laws 1, 2 and 6: facts alone change the state, snapshots are faithful, nothing is lost."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings

from ledger.kernel.accounts import Accounts
from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.records import Question
from ledger.kernel.terms import facts_bytes
from tests.support.laws.play import (
    ANY_SEED,
    ANY_VARIANT,
    ONE_IN,
    VARIANTS,
    Variant,
    any_decision,
    beginning,
    played,
    replayed,
    whole,
)

MODEST = settings(max_examples=40)


def facts_alone(variant: Variant, seed: int) -> None:
    """The facts applied to an empty table give the state that the fold has."""
    party = variant.party()
    table = party.terms.open_match(party.seats).state
    for match, event in played(party, seed):
        for fact in event.facts:
            fact.apply(table)
        assert table == match.state
        assert msgspec.msgpack.encode(table) == msgspec.msgpack.encode(match.state)


def through_bytes(match: Match) -> Match:
    held = match.terms.snapshot(match)
    restored = match.terms.restore(held, match.used)
    assert match.terms.snapshot(restored) == held
    return restored


def faithful(variant: Variant, seed: int) -> None:
    """A line whose match goes through bytes on the way is the line that does not.

    After every event; in a long match after some, so that it goes on from them.
    """
    party = variant.party()
    terms = party.terms
    straight = whole(party, seed)
    stream = Stream.named(seed.to_bytes(8, "big"), "play")
    match, _ = beginning(party)
    reference = replayed(party, straight)
    assert terms.snapshot(match) == terms.snapshot(next(reference)[0])
    one_in = ONE_IN.get(variant.rules, 1)
    for place, event in enumerate(straight[1:]):
        if (place + seed) % one_in == 0:
            match = through_bytes(match)
        key, seat, decision = any_decision(match, party.seats, stream)
        assert (key, seat, decision) == (event.answered, event.seat, event.decision)
        facts = fold(match, seat, decision)
        beside = next(reference)[0]
        assert facts_bytes(facts) == facts_bytes(event.facts)
        if (place + seed) % one_in == 0 or match.ended:
            assert terms.snapshot(match) == terms.snapshot(beside)
            assert match.used == beside.used
    assert match.ended


def nothing_lost(variant: Variant, seed: int) -> None:
    """Checks that no conserved total changes, and that all accounts balance."""
    party = variant.party()
    counted = party.terms.rules.audit.conserved
    assert counted is not None
    before = None
    for match, _ in played(party, seed):
        before = counted(match.state) if before is None else before
        assert counted(match.state) == before
        books = [
            value
            for name in type(match.state).__struct_fields__
            if isinstance(value := getattr(match.state, name), Accounts)
        ]
        assert [book.out_of_balance() for book in books] == [{}] * len(books)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_laws_hold_in_every_variant(variant: Variant):
    facts_alone(variant, 1)
    faithful(variant, 2)
    nothing_lost(variant, 3)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_facts_alone_change_the_state(variant: Variant, seed: int):
    facts_alone(variant, seed)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_a_snapshot_goes_on_as_the_match_itself(variant: Variant, seed: int):
    faithful(variant, seed)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_nothing_is_lost_and_nothing_comes_from_nowhere(variant: Variant, seed: int):
    nothing_lost(variant, seed)


@MODEST
@given(ANY_VARIANT, ANY_SEED)
def test_a_fold_ends_on_a_question_that_asks_somebody_or_on_nothing(variant: Variant, seed: int):
    for match, _ in played(variant.party(), seed):
        assert match.ended or (isinstance(match.agenda[-1], Question) and match.asked())
