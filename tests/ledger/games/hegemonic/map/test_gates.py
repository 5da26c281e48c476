"""Quantum gates: where a pair may be put, newly or again, and what it is good for."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.building import PlaceComplex, StartBuild
from ledger.games.hegemonic.actions.items import ItemDone
from ledger.games.hegemonic.conflicts.power import base_power
from ledger.games.hegemonic.map.gates import PlaceGate, RelocateGate
from ledger.games.hegemonic.map.placing import BaseReturned, GatePlaced
from ledger.games.hegemonic.map.reach import Distance, Reach
from ledger.parts.prices import Part
from tests.support.hegemonic.positions import Position, position, told


def build(spot: Position, caps: int = 50):
    return spot.caps(caps).turn(0, "industrialize").given().when(0, StartBuild())


def sites(*, complexes: int = 1, **terms) -> Position:
    """A complex at S4b; industrial locations at distances 1 (S4d), 2 (K6) and 3 (S6a) of it."""
    spot = position(4, **terms).tile("K6", "S6a", "S4d", industrial=1)
    spot.has(0, complexes={"S4b": 1})
    for sector in ("S2a", "S2b", "S2c", "S2d", "S2e")[: (complexes - 1 + 2) // 3]:
        left = complexes - spot.galaxy.houses[0].built("industrial")
        spot.has(0, complexes={sector: min(3, left)})
    return spot


@pytest.mark.rule("gate.pair", "gate.first-half", "gate.second-half")
def test_one_half_at_an_own_complex_the_other_at_an_industrial_location():
    spot = sites().tile("S4a", industrial=0).has(1, complexes={"S4c": 1})
    sentence = build(spot)
    sentence.when(0, PlaceGate(0, "S4d", "S4b")).refused("no_own_complex", "gate.first-half")
    sentence.when(0, PlaceGate(0, "S4c", "S4b")).refused("no_own_complex", "gate.first-half")
    sentence.when(0, PlaceGate(0, "S4b", "S4a")).refused("no_location", "gate.second-half")
    sentence.when(0, PlaceGate(0, "S4b", "S4e")).refused("no_tile", "gate.second-half")
    sentence.when(0, PlaceGate(0, "S4b", "S0")).refused("no_such_sector", "gate.second-half")
    sentence.when(0, PlaceGate(0, "", "S4b")).refused("no_such_sector", "gate.first-half")
    sentence.when(0, PlaceGate(0, "S4b", "S4c"))  # another player's complex stands there
    assert told(sentence, GatePlaced) == [GatePlaced(0, 0, "S4b", "S4c")]
    assert sentence.state.houses[0].gates[0].sectors == ("S4b", "S4c")
    sentence.holds("caps", seat_0=46)


AWAY = {2: "S4e", 3: "S5c", 4: "S5d", 5: "S5e", 6: "S6c"}  # from S4c, by distance


@pytest.mark.rule("gate.distance", "tech.mass-translation-relay")
@pytest.mark.parametrize("cards", [(), ("I1b-1",)])
@pytest.mark.parametrize(("complexes", "limit"), [(1, 2), (5, 2), (6, 3), (10, 3), (11, 4)])
def test_how_far_apart_by_the_industrial_tier(complexes: int, limit: int, cards):
    spot = position(4).advanced(0, *cards).tile("S4c", "S1a", "S1b", "S2a", industrial=2)
    spot.tile("S2b", "S2c", "S2d", "S2e", industrial=1)
    where = ["S4c", "S1a", "S1b", "S2a"] * 2 + ["S2b", "S2c", "S2d"]
    spot.has(0, complexes={at: where[:complexes].count(at) for at in where[:complexes]})
    far = limit + len(cards)
    sentence = build(spot.tile(AWAY[far], AWAY[far + 1], industrial=1))
    sentence.when(0, PlaceGate(0, "S4c", AWAY[far + 1]))
    sentence.refused("too_far_apart", "gate.distance", distance=far + 1, limit=far)
    sentence.when(0, PlaceGate(0, "S4c", AWAY[far]))
    assert told(sentence, GatePlaced) == [GatePlaced(0, 0, "S4c", AWAY[far])]


@pytest.mark.rule("gate.distance")
def test_the_halves_stand_in_different_sectors():
    build(sites()).when(0, PlaceGate(0, "S4b", "S4b")).refused("same_sector", "gate.distance")


@pytest.mark.rule("gate.no-shortcut", "gate.adjacency")
def test_gates_that_stand_do_not_shorten_the_way_of_another():
    sentence = build(sites()).when(0, PlaceGate(0, "S4b", "K6"))
    assert Distance.of(sentence.state, "S4b", "S6a") == 2
    sentence.when(0, PlaceGate(1, "S4b", "S6a"))
    sentence.refused("too_far_apart", "gate.distance", distance=3, limit=2)


@pytest.mark.rule("gate.foreign-home", "gate.first-half", "gate.second-half")
def test_no_half_in_another_players_home():
    spot = sites().home(1, "S4a")
    sentence = build(spot)
    sentence.when(0, PlaceGate(0, "S4b", "S4a")).refused("foreign_home", "gate.foreign-home")
    spot = position(4).home(0, "S4a").tile("S4b", industrial=1)
    sentence = build(spot.has(0, complexes={"S4a": 1}))
    sentence.when(0, PlaceGate(0, "S4a", "S4b"))
    assert told(sentence, GatePlaced) == [GatePlaced(0, 0, "S4a", "S4b")]


@pytest.mark.rule("build.unit-limit", "gate.pair", "build.unit-cost")
def test_three_pairs_and_each_must_be_paid():
    sentence = build(sites().has(0, gates=[("S4b", "S4d")]), 7)
    sentence.when(0, PlaceGate(0, "S4b", "K6")).refused("unit_placed", "build.unit-limit", left=2)
    for number in (-1, 3):
        sentence.when(0, PlaceGate(number, "S4b", "K6"))
        sentence.refused("no_such_unit", "build.unit-limit")
    sentence.when(0, PlaceGate(1, "S4b", "K6")).when(0, PlaceGate(2, "S4b", "S4d"))
    sentence.refused("unaffordable", "build.unit-cost", needed=4, has=3)


@pytest.mark.rule("gate.relocate")
def test_a_pair_on_the_map_is_put_elsewhere_for_the_price_of_a_new_one():
    sentence = build(sites().has(0, gates=[("S4b", "K6")]))
    sentence.when(0, RelocateGate(0, "S4b", "K6")).refused("same_place", "gate.relocate")
    sentence.when(0, RelocateGate(1, "S4b", "S4d")).refused("unit_not_placed", "gate.relocate")
    sentence.when(0, RelocateGate(3, "S4b", "S4d")).refused("no_such_unit", "gate.relocate")
    far = RelocateGate(0, "S4b", "S6a")
    sentence.when(0, far).refused("too_far_apart", "gate.distance")
    sentence.when(0, RelocateGate(0, "K6", "S4d")).refused("no_own_complex", "gate.first-half")
    sentence.when(0, RelocateGate(0, "S4b", "S4d"))  # with two pairs left on the player board
    assert told(sentence, GatePlaced, ItemDone) == [
        GatePlaced(0, 0, "S4b", "S4d"),
        ItemDone(0, "gate", True, 4, (Part("build.unit-cost", 4),)),
    ]
    assert Distance.of(sentence.state, "S4b", "K6") == 2
    sentence.when(0, RelocateGate(0, "S4b", "K6"))
    sentence.holds("caps", seat_0=42)


@pytest.mark.rule("gate.relocate")
def test_both_halves_may_change_place():
    spot = sites().tile("S3b", industrial=1).has(0, complexes={"S3b": 1}, gates=[("S4b", "K6")])
    sentence = build(spot).when(0, RelocateGate(0, "S3b", "S4d"))
    assert sentence.state.houses[0].gates[0].sectors == ("S3b", "S4d")
    assert Distance.of(sentence.state, "S4b", "K6") == 2


@pytest.mark.rule("gate.tier-loss")
def test_a_pair_outlives_the_tier_and_the_complex_that_it_needed():
    spot = sites(complexes=6)
    sentence = build(spot).when(0, PlaceGate(0, "S4b", "S6a"))
    state = sentence.state
    for sector, count in tuple(state.houses[0].complexes.items()):
        for _ in range(count):
            BaseReturned(0, "complex", sector).apply(state)
    assert state.houses[0].gates[0].sectors == ("S4b", "S6a")
    assert Distance.of(state, "S4b", "S6a") == 1


@pytest.mark.rule("gate.adjacency", "build.chain")
def test_a_gate_is_a_neighbourhood_for_every_player():
    spot = sites().has(1, gates=[("S4b", "S6a")])
    sentence = build(spot).when(0, PlaceComplex("S6a"))
    assert sentence.state.houses[0].complexes == {"S4b": 1, "S6a": 1}


@pytest.mark.rule("gate.no-power", "power.gate")
def test_gates_have_no_power_and_no_range():
    galaxy = position(4).tile("S4a", industrial=1).has(0, gates=[("S4b", "S6a")]).galaxy
    assert base_power(galaxy, 0, "industrial", "S4b") == 0
    assert not Reach.covers_by_any(galaxy, 0, "S4b")


@pytest.mark.rule("tech.mass-translation-relay")
def test_how_much_further_the_relay_reaches_is_content():
    cells = {"figures": {"tech.relay": {"value": 0}}}
    sentence = build(sites(overlay=cells).advanced(0, "I1b-1"))
    sentence.when(0, PlaceGate(0, "S4b", "S6a")).refused("too_far_apart", limit=2)
    cells = {"tiers": {"1": {"gate": 3}}}
    build(sites(overlay=cells)).when(0, PlaceGate(0, "S4b", "S6a"))
