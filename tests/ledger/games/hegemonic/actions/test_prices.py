"""Prices of bases and units: the figure in print, and what technologies take off it."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.building import PlaceComplex, PlaceOutpost, StartBuild
from ledger.games.hegemonic.actions.items import ItemDone, base_price, unit_price
from ledger.games.hegemonic.actions.relocating import RelocateBase
from ledger.parts.prices import Part, Price
from tests.support.hegemonic.positions import position, told


@pytest.mark.rule("build.base-cost", "board.cost")
def test_v01_the_next_bases_cost_what_stands_under_the_left_most_space():
    spot = position(4).tile("S1a", "S1b", martial=3).has(0, complexes={"S2a": 3})
    spot.tile("S3a", "S3b", "S3c", "S3d", faction="green")
    spot.has(0, embassies=["S3a", "S3b", "S3c", "S3d"], outposts={"S1a": 3, "S1b": 3, "S2b": 2})
    costs = [base_price(spot.galaxy, 0, one, "S4a") for one in ("industrial", "political")]
    costs.append(base_price(spot.galaxy, 0, "martial", "S4a"))
    assert [price.total for price in costs] == [2, 5, 5]
    assert {price.rule for price in costs} == {"build.base-cost"}


@pytest.mark.rule("build.unit-cost")
def test_a_gate_pair_costs_4_an_agent_3_a_fleet_3():
    galaxy = position(2).galaxy
    costs = [unit_price(galaxy, unit).total for unit in ("gate", "agent", "fleet")]
    assert costs == [4, 3, 3]


@pytest.mark.rule("tech.nano-fabricants")
def test_nano_fabricants_make_complexes_near_those_of_others_cheaper():
    def price(sector: str, **beside) -> Price:
        spot = position(2, **beside).home(0, "S1d").advanced(0, "I2b-1")
        spot.has(0, complexes={"S1d": 1, "S3a": 1}).has(1, complexes={"S2a": 1})
        return base_price(spot.galaxy, 0, "industrial", sector)

    printed, cheaper = Part("build.base-cost", 2), Part("tech.nano-fabricants", -1)
    assert price("S2a").parts == (printed, cheaper)
    assert price("S1b").parts == (printed, cheaper)  # next to it
    assert price("S1d").parts == (printed,)
    assert price("S3a").parts == (printed,)  # an own complex does not count
    more = {"overlay": {"figures": {"tech.nanofab": {"value": 7}}}}
    assert price("S2a", **more).parts == (printed, Part("tech.nano-fabricants", -2))
    assert price("S2a", **more).total == 0


@pytest.mark.rule("tech.nano-fabricants")
def test_nano_fabricants_in_a_build_and_only_for_who_has_them():
    def paid(*cards: str):
        spot = position(2).tile("S2a", industrial=2).advanced(0, *cards).caps(9)
        spot.has(0, complexes={"S2b": 1}).has(1, complexes={"S2a": 1}).turn(0, "industrialize")
        sentence = spot.given().when(0, StartBuild()).when(0, PlaceComplex("S2a"))
        return told(sentence, ItemDone)[0].price

    assert (paid(), paid("I2b-1"), paid("M1b-1")) == (2, 1, 2)


@pytest.mark.rule("tech.self-replicating-drones")
def test_drones_make_the_second_and_third_level_of_a_stack_cheaper():
    spot = position(2).tile("S2a", martial=3).tile("S2b", martial=1).advanced(0, "M1b-1").caps(9)
    spot.has(0, outposts={"S2a": 1}).turn(0, "martialize")
    sentence = spot.given().when(0, StartBuild())
    for sector, parts in (
        ("S2a", (Part("build.base-cost", 2), Part("tech.self-replicating-drones", -1))),
        ("S2b", (Part("build.base-cost", 3),)),
        ("S2a", (Part("build.base-cost", 3), Part("tech.self-replicating-drones", -1))),
    ):
        sentence.when(0, PlaceOutpost(sector))
        assert told(sentence, ItemDone)[0].parts == parts
    sentence.holds("caps", seat_0=9 - 1 - 3 - 2)


@pytest.mark.rule("build.relocate-cost")
def test_no_technology_makes_a_relocation_cheaper():
    stacks = {"S1a": 2, "S2a": 3, "S3a": 3, "S1b": 1, "S2b": 2, "S3b": 1}
    spot = position(3).advanced(0, "M1b-1").tile("S1a", "S2a", "S3a", martial=3)
    sentence = spot.has(0, outposts=stacks).caps(9).turn(0, "martialize").given()
    sentence.when(0, StartBuild()).when(0, RelocateBase("martial", "S3b", "S1a"))
    assert told(sentence, ItemDone) == [
        ItemDone(0, "outpost", True, 2, (Part("build.relocate-cost", 2),))
    ]
