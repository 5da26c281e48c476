"""Law 3: two matches that differ only in what one may not see look the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.kernel.terms import Terms
from tests.support.laws.peeking import IN_A_LONG_MATCH, leaks
from tests.support.laws.planted import PLANTED, leaky
from tests.support.laws.play import ONE_IN, RULESETS, VARIANTS, Party, Variant
from tests.support.parlour.game import LEAKS, PARLOUR

# In Galactic Hegemony nobody decides anything unseen: what lies face down is drawn when it is
# turned up, and its own tests show that nothing before that depends on it.
LONG_MAX = 4  # at a landing
HIDING = [
    v
    for v in VARIANTS
    if v.rules != "galactic_hegemony"
    and (v.rules != "tictactoe" or ("opening", "sealed") in v.options)
]
SHORT = [variant for variant in HIDING if variant.rules not in ONE_IN]
LONG = [variant for variant in HIDING if variant.rules in ONE_IN]
TRIED = [
    pytest.param(
        variant, marks=[pytest.mark.full] if variant in LONG[LONG_MAX:] else [], id=str(variant)
    )
    for variant in HIDING
]
SEEDS = range(6)
# Tables at which more is answered in secret than the book has it.
SECRETIVE = {
    "action.recommit": "on",
    "info.caps": "hidden",
    "step1.order": "simultaneous",
    "step3.mandatory": False,
    "support.order": "simultaneous",
}


@pytest.mark.parametrize("variant", TRIED)
def test_nobody_sees_what_is_not_theirs(variant: Variant):
    assert leaks(variant.party(), 5) == []


@settings(max_examples=25)
@given(st.sampled_from(SHORT), st.integers(0, (1 << 64) - 1))
def test_nobody_sees_it_in_any_play(variant: Variant, seed: int):
    assert leaks(variant.party(), seed) == []


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak: str):
    party = Party(Terms(PARLOUR, overlay={"readings": {"values": {"leak": leak}}}), 3)
    assert any(leaks(party, seed) for seed in SEEDS)


def test_without_a_planted_leak_the_same_matches_pass():
    assert [leaks(Party(Terms(PARLOUR), 3), seed) for seed in SEEDS] == [[]] * len(SEEDS)


@pytest.mark.parametrize("leak", PLANTED)
def test_a_leak_planted_in_hegemonic_is_caught(leak: str):
    assert any(leaks(leaky(leak, 3), seed) for seed in SEEDS)


def secretive(seats: int) -> Party:
    return Party(Terms(RULESETS["hegemonic"], overlay={"readings": {"values": SECRETIVE}}), seats)


@pytest.mark.parametrize("seats", [3, 4])
def test_nobody_sees_what_a_house_variant_hides(seats: int):
    assert leaks(secretive(seats), 1) == []


@pytest.mark.full  # a quarter of an hour
@pytest.mark.parametrize("seed", range(44))
def test_nobody_sees_it_in_many_matches_of_hegemonic(seed: int):
    """With more viewers and more probes than at a landing."""
    care = IN_A_LONG_MATCH._replace(of_a_kind=2, viewers=3, looks=3)
    assert leaks(LONG[seed % len(LONG)].party(), seed, care) == []
    assert leaks(secretive(2 + seed % 5), seed, care) == []
