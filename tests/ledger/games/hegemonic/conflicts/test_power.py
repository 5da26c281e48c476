"""Power: what each piece adds, in the worked examples of the book."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.conflicts.power import (
    base_power,
    lenders,
    of_agents,
    of_complexes,
    of_embassy,
    of_fleets,
    of_gates,
    of_outposts,
)
from ledger.parts.battle import Contribution, total
from tests.support.hegemonic.positions import Position, position

RED, BLUE, YELLOW = 0, 1, 2


@pytest.mark.rule("power.complex", "power.embassy", "power.home-embassy", "power.outpost")
def test_v08_power_figures():
    spot = position(4).home(RED, "S1d").tile("S2a", industrial=3)
    spot.tile("S2b", faction="orange", political=3).tile("S2c", martial=3)
    spot.has(RED, complexes={"S2a": 2}, embassies=["S1d", "S2b"], outposts={"S2c": 3})
    galaxy = spot.has(BLUE, complexes={"S2a": 1}).galaxy
    assert base_power(galaxy, RED, "industrial", "S2a") == 2
    assert base_power(galaxy, BLUE, "industrial", "S2a") == 1
    assert base_power(galaxy, RED, "political", "S2b") == 3
    assert base_power(galaxy, RED, "political", "S1d") == 0
    assert base_power(galaxy, RED, "martial", "S2c") == 3


def leverage(*, gates: bool = True, **terms) -> Position:
    """V14: Yellow's complexes against Blue's embassy at S4a."""
    spot = position(4, **terms).home(YELLOW, "S1d").home(BLUE, "S4d")
    spot.tile("S4a", faction="green", political=2, industrial=1)
    spot.tile("S5d", faction="green", political=2).tile("S2b", industrial=3)
    links = [("S2b", "S4a")] if gates else []
    spot.has(YELLOW, complexes={"S2b": 3, "S4a": 1, "S2a": 2, "S2d": 1, "S1d": 1}, gates=links)
    return spot.has(BLUE, embassies=["S4a", "S5d", "S4d"], agents=["S4a"])


@pytest.mark.rule("step1.complex", "step1.embassy", "gate.adjacency")
def test_v14_industrial_against_political():
    galaxy = leverage().galaxy
    attack = list(of_complexes(galaxy, YELLOW, "S2b"))
    assert [(one.sector, one.distance, one.amount) for one in attack] == [
        ("S2b", 0, 3), ("S4a", 1, 1), ("S2a", 1, 2), ("S2d", 1, 1),
    ]  # fmt: skip
    assert total(attack) == 7
    assert list(of_embassy(galaxy, BLUE, "S4a")) == [
        Contribution("step1.embassy", "embassy", 1, "S4a", 0, 2),
        Contribution("step1.embassy", "embassy", 1, "S5d", 0, 2),
        Contribution("step1.embassy", "agent", 1, "S4a", 0, 1),
    ]


@pytest.mark.rule("opt.wild-conflict")
def test_a_wild_home_embassy_adds_one_to_every_faction():
    galaxy = leverage(options={"opt.wild": True}).galaxy
    assert total(of_embassy(galaxy, BLUE, "S4a")) == 6


@pytest.mark.rule("step1.gate")
def test_gates_are_defended_by_the_complexes_that_reach_them():
    assert total(of_gates(leverage().galaxy, YELLOW, "S4a")) == 4


@pytest.mark.rule("tech.dyson-sphere-assembly")
def test_with_dyson_spheres_each_gate_half_in_the_sector_adds_one():
    galaxy = leverage().advanced(YELLOW, "I2a-1").galaxy
    assert total(of_complexes(galaxy, YELLOW, "S2b")) == 8
    assert total(of_complexes(galaxy, YELLOW, "S2a")) == 2 + 3 + 1


@pytest.mark.rule("step1.agent", "step1.outpost", "power.fleet")
def test_v15_political_against_martial():
    spot = position(4).home(BLUE, "S4d").home(RED, "S1d").tile("S3d", martial=3)
    spot.tile("S5d", faction="orange", political=3)
    spot.tile("S6d", "S2d", faction="orange", political=2)
    spot.has(BLUE, embassies=["S5d", "S6d", "S2d", "S4d"], agents=["S3d"])
    spot.has(RED, outposts={"S3d": 3, "S3b": 2, "S4a": 1, "S1d": 1}, fleets=["S3d", "S1d"])
    assert total(of_agents(spot.galaxy, BLUE, (0,), "S3d", "orange")) == 8
    defence = list(of_outposts(spot.galaxy, RED, "S3d"))
    assert [(one.piece, one.sector, one.amount) for one in defence] == [
        ("outpost", "S3d", 3), ("outpost", "S3b", 2), ("outpost", "S4a", 1), ("fleet", "S3d", 2),
    ]  # fmt: skip


@pytest.mark.rule("step1.fleet", "step1.fleet-none", "step1.complex")
def test_v16_martial_against_industrial():
    spot = position(4).home(RED, "S2d").home(YELLOW, "S3d").tile("S6a", martial=3)
    spot.tile("S5d", industrial=2)
    spot.has(
        RED,
        outposts={"S6a": 3, "S6b": 2, "S6d": 1, "K6": 1, "S2d": 1},
        fleets=["S5d", "S6a"],
    )
    spot.has(YELLOW, complexes={"S5d": 2, "S5b": 3, "S5a": 2, "S5e": 1, "S3d": 1})
    galaxy = spot.galaxy
    assert "S6a" in lenders(galaxy, RED, "S5d")
    assert total(of_outposts(galaxy, RED, "S6a", (0,))) == 9
    assert total(of_fleets(galaxy, RED, (0,), "S5d", "S6a")) == 11
    assert total(of_fleets(galaxy, RED, (0,), "S5d", "")) == 2
    assert total(of_complexes(galaxy, YELLOW, "S5d")) == 8


@pytest.mark.rule("step1.fleet", "step1.agent", "step1.outpost")
def test_v17_martial_against_political():
    spot = position(4).home(RED, "S1d").tile("S3b", martial=3)
    spot.tile("S6d", faction="orange", political=3).tile("S2d", faction="orange", political=2)
    spot.has(RED, outposts={"S4b": 2, "S3b": 3, "K4": 1, "S1d": 1}, fleets=["S4e", "S3b"])
    spot.has(BLUE, embassies=["S6d", "S2d"], agents=["S4e"])
    galaxy = spot.galaxy
    assert lenders(galaxy, RED, "S4e") == ["S4b"]
    assert total(of_fleets(galaxy, RED, (0,), "S4e", "S4b")) == 8
    assert total(of_agents(galaxy, BLUE, (0,), "S4e", "orange")) == 6


@pytest.mark.rule("step1.fleet-no-double")
def test_a_fleet_that_fights_is_not_counted_again_beside_its_stack():
    galaxy = position(4).has(RED, outposts={"S3b": 1}, fleets=["S3b", "S3b"]).galaxy
    assert total(of_fleets(galaxy, RED, (0,), "S3b", "S3b")) == 1 + 1 + 1


@pytest.mark.rule("tech.hyper-cannon-batteries", "tech.nano-accelerants")
def test_units_that_count_give_one_more_with_their_technology():
    spot = position(4).has(RED, outposts={"S3b": 1}, fleets=["S3b", "S3b"], agents=["S3b"])
    galaxy = spot.advanced(RED, "M2b-1", "P2a-1").galaxy
    assert total(of_fleets(galaxy, RED, (0,), "S3b", "S3b")) == (1 + 1) + 1 + (1 + 1)
    assert total(of_agents(galaxy, RED, (0,), "S3b", "")) == 2


@pytest.mark.rule("power.types")
def test_each_kind_of_power_has_its_base():
    spot = position(4).tile("S2a", faction="orange", political=2, industrial=1)
    galaxy = spot.has(RED, complexes={"S2a": 1}, embassies=["S2a"], outposts={"S2b": 3}).galaxy
    found = {
        type_: [base_power(galaxy, RED, type_, at) for at in ("S2a", "S2b")]
        for type_ in ("industrial", "political", "martial")
    }
    assert found == {"industrial": [1, 0], "political": [2, 0], "martial": [0, 3]}


@pytest.mark.rule("range.power-needs-range", "step1.home")
def test_what_is_out_of_range_lends_nothing_but_embassies_do_from_anywhere():
    spot = position(4).home(RED, "S1d").tile("S1a", industrial=2)
    spot.tile("S4e", "K4", faction="green", political=2)
    spot.has(RED, complexes={"S1a": 2, "S1d": 1, "S6c": 3}, embassies=["S4e", "K4"])
    galaxy = spot.galaxy
    assert [(one.sector, one.distance) for one in of_complexes(galaxy, RED, "S1a")] == [
        ("S1a", 0), ("S1d", 1),
    ]  # fmt: skip
    assert galaxy.chart.steps("S1a")["S6c"] == 3
    assert galaxy.chart.steps("K4")["S4e"] > 1
    assert [one.sector for one in of_embassy(galaxy, RED, "K4")] == ["S4e", "K4"]
