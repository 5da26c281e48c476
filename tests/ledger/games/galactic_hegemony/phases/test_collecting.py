"""Phase 5, Collect resources."""

from __future__ import annotations

import pytest

from ledger.games.galactic_hegemony.phases.collecting import CollectResources, Produced, Production
from ledger.games.galactic_hegemony.phases.tracks import ExcessLost
from tests.support.galactic_hegemony.positions import board_of, colony, house, table, told
from tests.support.given import Given, given


def collecting(*colonies, **rest) -> Given:
    return given(table(*colonies, agenda=[CollectResources()], **rest))


def made(planet: int, morale: int, built: str = "", **terms) -> int:
    board = board_of(table(colony(planet, morale, built), **terms))
    return Production.of(board, board.of(planet))


@pytest.mark.rule("collect.planets", "collect.factory", "collect.limit", "collect.no-production")
def test_v28_collect():
    sentence = collecting(
        colony(1, 1, "F"), colony(12, 1, "F"), colony(9, 0, "F"), colony(6, -1, "F"), stock=6
    )
    assert told(sentence, Produced) == [Produced(1, 4), Produced(12, 1)]
    assert told(sentence, ExcessLost) == [ExcessLost(3, 8)]
    assert sentence.state.stock == 8


@pytest.mark.rule("card.production")
@pytest.mark.parametrize(
    ("planet", "number"),
    [
        (1, 3),
        (2, 2),
        (3, 2),
        (4, 3),
        (5, 2),
        (6, 4),
        (7, 1),
        (8, 1),
        (9, 3),
        (10, 1),
        (11, 0),
        (12, 0),
    ],
)
def test_each_planet_makes_what_its_card_prints_at_morale_1(planet: int, number: int):
    assert made(planet, 1) == number
    assert made(planet, 1, "F") == number + 1


@pytest.mark.rule("card.no-production", "collect.no-production")
@pytest.mark.parametrize("planet", range(1, 13))
def test_at_morale_0_there_is_no_production_and_no_bonus(planet: int):
    assert made(planet, 0, "F") == 0


@pytest.mark.rule("card.zero-production", "collect.factory")
def test_a_printed_0_is_a_number_to_which_a_factory_adds():
    assert (made(12, 1), made(12, 1, "F")) == (0, 1)


@pytest.mark.rule("collect.factory")
def test_the_bonus_is_one_however_many_factories_there_are():
    assert made(1, 1, "FF", overlay=house(infra_once=False)) == 4


@pytest.mark.rule("card.no-production")
def test_read_as_half_the_other_cards_make_half_at_morale_0():
    overlay = house(zero_morale_production="half")
    assert [made(planet, 0, overlay=overlay) for planet in (6, 9, 7, 12)] == [2, 1, 0, 0]
    assert made(6, 0, "F", overlay=overlay) == 3


@pytest.mark.rule("card.production")
def test_a_club_s_card_may_print_a_number_at_morale_0():
    overlay = {"planets": {"2": {"at_0": 1}}}
    assert made(2, 0, "F", overlay=overlay) == 2


@pytest.mark.rule("collect.planets")
def test_planets_in_revolt_make_nothing():
    assert told(collecting(colony(1, -1, "F"), colony(2)), Produced) == [Produced(2, 2)]


@pytest.mark.rule("collect.limit")
def test_the_stockpile_stops_at_the_limit():
    assert collecting(colony(1, 1, "F"), stock=3).state.stock == 4
    assert collecting(colony(1, 1, "F"), stock=0).state.stock == 4
