"""Revolt: what falling into it, and coming out of it, brings."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.phases.revolt import (
    ChangeMorale,
    MoraleSet,
    RevoltBegun,
    RevoltEnded,
)
from ledger.kernel.accounts import Transferred
from tests.support.galactic_hegemony.positions import colony, shown, table, told
from tests.support.given import given


def changed(*colonies, by: int, **rest):
    return given(table(*colonies, agenda=[ChangeMorale(colonies[0].planet, by)], **rest))


@pytest.mark.rule("revolt.trigger")
@pytest.mark.parametrize(
    ("before", "by", "revolt"),
    [(1, -1, False), (1, -2, True), (0, -1, True), (0, 1, False), (-3, 2, True), (-1, 1, False)],
)
def test_a_planet_is_in_revolt_exactly_while_its_morale_is_below_0(before, by, revolt):
    sentence = changed(colony(1, before), by=by)
    assert sentence.state.of(1).in_revolt is revolt


@pytest.mark.rule("revolt.enter-hegemony", "revolt.enter-trim", "revolt.enter-token")
def test_on_falling_the_size_drops_the_stock_is_cut_and_the_planet_stays_colonised():
    sentence = changed(colony(1, 0), colony(2), colony(3), by=-1, stock=8).then(
        MoraleSet(1, -1),
        RevoltBegun(1),
        Transferred("resources", "stockpile", "bank", 2, "revolt.enter-trim"),
    )
    assert (sentence.state.size(), sentence.state.stock) == (2, 6)
    assert sentence.state.of(1).fell == 2


@pytest.mark.rule("revolt.enter-trim")
def test_nothing_is_cut_where_nothing_is_above_the_new_limit():
    changed(colony(1, 0), colony(2), by=-1, stock=4).then(MoraleSet(1, -1), RevoltBegun(1))


@pytest.mark.rule("revolt.once")
def test_a_further_fall_does_not_count_again():
    sentence = changed(colony(1, -1), colony(2), by=-1, stock=4).then(MoraleSet(1, -2))
    assert sentence.state.size() == 1


@pytest.mark.rule("revolt.leave-hegemony", "revolt.leave-token")
def test_on_coming_out_the_size_rises_and_nothing_comes_back():
    sentence = changed(colony(1, -1, "C"), colony(2), by=1, stock=3)
    sentence.then(MoraleSet(1, 0), RevoltEnded(1))
    assert (sentence.state.size(), sentence.state.stock) == (2, 3)
    assert shown(sentence, 1) == (0, "C")
    assert sentence.state.of(1).fell == 0


@pytest.mark.rule("card.morale-track", "morale.clamp")
@pytest.mark.parametrize(
    ("before", "by", "after"), [(-3, -2, -3), (-2, -2, -3), (0, 2, 1), (1, 1, 1)]
)
def test_morale_stays_between_1_and_minus_3(before: int, by: int, after: int):
    sentence = changed(colony(1, before), by=by)
    assert shown(sentence, 1)[0] == after
    assert told(sentence, RevoltBegun) == told(sentence, RevoltEnded) == []


@pytest.mark.rule("morale.clamp")
def test_where_morale_cannot_move_nothing_is_said():
    changed(colony(1, -3), by=-1).then()
