"""A takeover: bases take the place of bases."""

from __future__ import annotations

from itertools import product

import pytest

from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.takeover import FillTaken, LocationsLeft, PlaceTaken
from ledger.games.hegemonic.map.placing import BaseMoved, BasePlaced, UnitReturned
from tests.support.hegemonic.conflicts import (
    BLUE,
    GREEN,
    INVADE,
    LEVERAGE,
    RED,
    YELLOW,
    draws,
    fight,
    invasion,
    leverage,
)
from tests.support.hegemonic.positions import Position, allowed, house, position, told


@pytest.mark.rule("step4.attacker-takeover", "step4.takeover-count", "step4.takeover-free")
def test_v14a_the_embassy_is_replaced_and_the_agent_is_not():
    sentence = fight(leverage(), LEVERAGE).holds("caps", seat_2=5)
    assert told(sentence, BasePlaced) == [BasePlaced(YELLOW, "embassy", "S4a")]
    assert told(sentence, UnitReturned) == [UnitReturned(BLUE, "agent", 0, "S4a")]
    assert sentence.state.houses[YELLOW].embassies == ["S1d", "S4a"]
    assert sentence.state.houses[YELLOW].agents == ["", "", ""]
    assert sentence.state.houses[BLUE].embassies == ["S5d", "S4d"]


@pytest.mark.rule("step4.takeover-count")
def test_v16b_two_complexes_are_replaced_by_two():
    sentence = draws(fight(invasion(), INVADE, "S5d"), RED, "S6a").holds("caps", seat_0=4)
    assert told(sentence, BasePlaced) == [BasePlaced(RED, "complex", "S5d")] * 2
    assert sentence.state.houses[RED].complexes == {"S5d": 2}
    assert "S5d" not in sentence.state.houses[YELLOW].complexes


def short(built: int = 13, **terms) -> Position:
    """V16, with one or two complexes of Red's too few on its player board."""
    spot = invasion(**terms).tile("S2a", "S2b", "S1b", industrial=3)
    spot.tile("S1a", "S3b", industrial=2)
    spot.has(RED, complexes={"S2a": 3, "S2b": 3, "S1b": 3, "S1a": 2, "S3b": 2})
    spot.has(RED, complexes={"S2d": built - 13})
    if built == 13:
        del spot.galaxy.houses[RED].complexes["S2d"]
    return spot


def taken(spot: Position):
    return draws(fight(spot, INVADE, "S5d"), RED, "S6a")


@pytest.mark.rule("step4.takeover-short", "step4.takeover-free")
def test_as_many_bases_as_are_left_are_placed_and_the_rest_may_be_moved_in():
    sentence = taken(short(14)).asks(RED, key="r2/p3/s0/a1/place")
    assert told(sentence, BasePlaced) == [BasePlaced(RED, "complex", "S5d")]
    many = PlaceTaken(("S2a", "S2a"))
    sentence.when(RED, many).refused("too_many_bases", "step4.takeover-short", missing=1)
    sentence.when(RED, PlaceTaken(("K6",))).refused("no_such_bases", "step4.takeover-short")
    sentence.when(RED, PlaceTaken(("S5d",))).refused("no_such_bases")
    sentence.when(RED, PlaceTaken(("S2d",)))
    assert told(sentence, BaseMoved, LocationsLeft) == [BaseMoved(RED, "complex", "S2d", "S5d")]
    sentence.holds("caps", seat_0=4)
    assert sentence.state.houses[RED].complexes["S5d"] == 2


@pytest.mark.rule("step4.takeover-short")
def test_locations_that_are_not_filled_stay_empty():
    sentence = taken(short(15)).when(RED, PlaceTaken(("S2a",)))
    assert told(sentence, BasePlaced, LocationsLeft) == [LocationsLeft(RED, "S5d", 1)]
    assert sentence.state.houses[RED].complexes["S5d"] == 1
    empty = taken(short(15)).when(RED, PlaceTaken())
    assert told(empty, BaseMoved, LocationsLeft) == [LocationsLeft(RED, "S5d", 2)]
    enough = taken(short(13))
    assert told(enough, BasePlaced) == [BasePlaced(RED, "complex", "S5d")] * 2


@pytest.mark.rule("step4.takeover-short")
def test_the_attacking_complexes_may_move_in():
    spot = position(4).home(RED, "S1d").tile("S2a", "S2b", "S1b", "S3b", industrial=3)
    spot.has(RED, complexes={"S1b": 3, "S2a": 3, "S2b": 3, "S3b": 3, "S1d": 2, "S1a": 1})
    spot.has(BLUE, complexes={"S2d": 1}).caps(9, 9).turn(RED, "industrialize")
    attack = ("industrialize.takeover", Declare(BLUE, "S2d", "S2a"))
    sentence = fight(spot, attack).when(RED, PlaceTaken(("S2a",)))
    assert sentence.state.houses[RED].complexes["S2a"] == 2
    assert sentence.state.houses[RED].complexes["S2d"] == 1


@pytest.mark.rule("step4.takeover-short")
@pytest.mark.parametrize("cost", ["0", "leftmost"])
def test_the_moves_offered_are_the_moves_allowed(cost: str):
    sentence = taken(short(15, overlay=house(takeover__relocate_cost=cost)))
    sentence.state.accounts.move("caps", "seat.0", "bank", 2)
    sectors = [*sentence.state.houses[RED].complexes, "S5d", "K1"]
    thinkable = [PlaceTaken(one) for n in range(4) for one in product(sectors, repeat=n)]
    legal = {tuple(sorted(one.origins)) for one in thinkable if allowed(sentence, RED, one)}
    offered = [tuple(sorted(one.origins)) for one in sentence.match.options(RED)]
    assert set(offered) == legal
    assert len(offered) == len(legal) == {"0": 1 + 6 + 21, "leftmost": 1 + 6}[cost]


@pytest.mark.rule("step4.takeover-short", "err.05")
def test_by_a_reading_moving_in_costs_what_a_relocation_costs():
    spot = short(15, overlay=house(takeover__relocate_cost="leftmost"))
    sentence = taken(spot).holds("caps", seat_0=4)
    sentence.when(RED, PlaceTaken(("S2a", "S2b"))).holds("caps", seat_0=0)
    poor = taken(short(15, overlay=house(takeover__relocate_cost="leftmost")))
    poor.state.accounts.move("caps", "seat.0", "bank", 1)
    poor.when(RED, PlaceTaken(("S2a", "S2b"))).refused("unaffordable", "step4.takeover-short")


@pytest.mark.rule("step4.takeover-free")
def test_by_a_reading_locations_may_be_left_empty():
    sentence = taken(invasion(overlay=house(takeover__mandatory=False)))
    sentence.asks(RED, key="r2/p3/s0/a1/fill").offers(RED, FillTaken(2), FillTaken(1), FillTaken(0))
    sentence.when(RED, FillTaken(3)).refused("not_allowed", "step4.takeover-free")
    sentence.when(RED, FillTaken(-1)).refused("not_allowed")
    sentence.when(RED, FillTaken(1))
    assert told(sentence, BasePlaced, LocationsLeft) == [
        BasePlaced(RED, "complex", "S5d"), LocationsLeft(RED, "S5d", 1),
    ]  # fmt: skip


@pytest.mark.rule("step4.takeover-free")
def test_by_a_reading_the_bases_cost_what_the_track_says():
    sentence = taken(invasion(overlay=house(takeover__place_cost="track"))).holds("caps", seat_0=0)
    assert told(sentence, BasePlaced) == [BasePlaced(RED, "complex", "S5d")] * 2
    spot = invasion(overlay=house(takeover__place_cost="track"))
    spot.galaxy.accounts.move("caps", "seat.0", "bank", 1)
    sentence = taken(spot).holds("caps", seat_0=1)
    assert told(sentence, BasePlaced, LocationsLeft) == [
        BasePlaced(RED, "complex", "S5d"), LocationsLeft(RED, "S5d", 1),
    ]  # fmt: skip


@pytest.mark.rule("step4.attacker-takeover", "power.complex")
def test_complexes_of_others_in_the_sector_stay():
    spot = invasion().has(GREEN, complexes={})
    spot.galaxy.houses[YELLOW].complexes["S5d"] = 1
    spot.galaxy.houses[GREEN].complexes["S5d"] = 1
    sentence = taken(spot)
    assert sentence.state.houses[GREEN].complexes == {"S5d": 1}
    assert sentence.state.houses[RED].complexes == {"S5d": 1}
