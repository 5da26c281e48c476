"""Dice, draws by lots and spreads are even: chi-square over many, under fixed keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replays.verify.fairness import DiceRow
from tests.measurements.dice import sampled

LANDING, FULL = 20_000, 1_000_000
KINDS = 11


def even(make: Callable[[], DiceRow], at_least: int) -> None:
    row = make()
    assert row.values >= at_least
    assert row.enough
    assert 0.001 < row.p < 0.999, f"{row.domain}, {row.kind}: {row.chi_square}"


def test_there_are_dice_of_all_sides_lots_and_spreads():
    rows = [make() for make in sampled(3_000)]
    assert len(rows) == KINDS
    assert {row.domain for row in rows} == {"dice", "draws by lots", "spreads"}


@pytest.mark.parametrize("kind", range(KINDS))
def test_twenty_thousand_of_each_kind_are_even(kind: int):
    even(list(sampled(LANDING))[kind], LANDING // 4)


@pytest.mark.full
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("kind", range(KINDS))
def test_a_million_of_each_kind_are_even(kind: int):
    even(list(sampled(FULL))[kind], FULL // 4)
