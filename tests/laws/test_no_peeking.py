"""Law 3: two matches that differ only in what one may not see look the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.kernel.terms import Terms
from tests.laws.parlour import LEAKS, PARLOUR
from tests.laws.peeking import leaks
from tests.laws.play import VARIANTS, Variant

# In Galactic Hegemony nobody decides anything unseen: what lies face down is drawn when it is
# turned up, and its own tests show that nothing before that depends on it.
HIDING = [
    v
    for v in VARIANTS
    if v.rules != "galactic_hegemony"
    and (v.rules != "tictactoe" or ("opening", "sealed") in v.options)
]
SEEDS = range(6)


@pytest.mark.parametrize("variant", HIDING, ids=str)
def test_nobody_sees_what_is_not_theirs(variant: Variant):
    assert leaks(variant.terms(), 5) == []


@settings(max_examples=50)
@given(st.sampled_from(HIDING), st.integers(0, (1 << 64) - 1))
def test_nobody_sees_it_in_any_play(variant: Variant, seed: int):
    assert leaks(variant.terms(), seed) == []


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak: str):
    terms = Terms(PARLOUR, overlay={"readings": {"values": {"leak": leak}}})
    assert any(leaks(terms, seed) for seed in SEEDS)


def test_without_a_planted_leak_the_same_matches_pass():
    assert [leaks(Terms(PARLOUR), seed) for seed in SEEDS] == [[]] * len(SEEDS)
