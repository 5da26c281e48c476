"""Movement of agents and fleets: prices, ways, ends, and what may not move."""

from __future__ import annotations

from itertools import product

import pytest

from ledger.games.hegemonic.actions.building import (
    FinishBuild,
    PlaceAgent,
    PlaceEmbassy,
    PlaceFleet,
    PlaceOutpost,
    StartBuild,
)
from ledger.games.hegemonic.actions.turn import ActionUsed, CancelAction
from ledger.games.hegemonic.conflicts.moving import MoverNamed, MoveUnit
from ledger.games.hegemonic.conflicts.sequence import ConflictSkipped, SkipConflict, StartConflict
from ledger.games.hegemonic.map.placing import UnitMoved
from tests.support.hegemonic.conflicts import BLUE, RED, costs
from tests.support.hegemonic.positions import Position, allowed, position, told

INFILTRATE, STRIKE = StartConflict("politicize.infiltrate"), StartConflict("martialize.strike")


def envoy(**terms) -> Position:
    """V10: Blue's agent and embassy at home, S1d."""
    spot = position(4, **terms).home(BLUE, "S1d").tile("S2a", "S2b", "S2d", political=1)
    return spot.has(BLUE, embassies=["S1d"], agents=["S1d"]).turn(BLUE, "politicize")


def agent(*path: str) -> MoveUnit:
    return MoveUnit("agent", 0, path)


def fleet(*path: str) -> MoveUnit:
    return MoveUnit("fleet", 0, path)


@pytest.mark.rule("move.agent", "move.agent-cost", "move.when", "move.cost-kept")
@pytest.mark.rule("build.range", "build.chain", "build.agent", "card.politicize", "action.chain")
def test_v10_politicize_move_and_build():
    sentence = envoy().caps(0, 16).given().when(BLUE, INFILTRATE).when(BLUE, agent("S2a"))
    assert told(sentence, UnitMoved) == [UnitMoved(BLUE, "agent", 0, ("S1d", "S2a"))]
    assert told(sentence, ConflictSkipped, ActionUsed) == [ConflictSkipped(BLUE), ActionUsed(BLUE)]
    sentence.holds("caps", seat_1=14).when(BLUE, StartBuild())
    for sector in ("S2a", "S2b", "S2d"):
        sentence.when(BLUE, PlaceEmbassy(sector))
    sentence.when(BLUE, PlaceAgent(1, "S2d")).when(BLUE, FinishBuild())
    sentence.holds("caps", seat_1=0)
    assert sentence.state.houses[BLUE].built("political") == 4


@pytest.mark.rule("build.range")
def test_v10_without_the_move_the_embassy_is_out_of_range():
    sentence = envoy().caps(0, 16).given().when(BLUE, StartBuild())
    sentence.when(BLUE, PlaceEmbassy("S2a")).refused("out_of_range", "build.range")


@pytest.mark.rule("err.06", "move.agent-cost")
def test_err_06_agents_pay_one_cap_a_border():
    spot = envoy(overlay=costs("move.agent-border", 1)).caps(0, 15)
    spot.given().when(BLUE, INFILTRATE).when(BLUE, agent("S2a")).holds("caps", seat_1=14)


@pytest.mark.rule("move.fleet", "move.fleet-cost", "card.martialize", "build.fleet", "build.range")
def test_v12_martialize_move_and_build():
    spot = position(4).home(RED, "S1d").tile("S1b", martial=3).tile("K3", martial=2)
    spot.tile("K4", martial=1).has(RED, outposts={"S1d": 1}, fleets=["S1d"]).caps(20)
    sentence = spot.turn(RED, "martialize").given().when(RED, STRIKE).when(RED, fleet("S1b"))
    sentence.holds("caps", seat_0=19).when(RED, StartBuild())
    for sector in ("S1b", "S1b"):
        sentence.when(RED, PlaceOutpost(sector))
    sentence.when(RED, PlaceOutpost("K3")).refused("out_of_range")
    for sector in ("S1b", "K3", "K3", "K4"):
        sentence.when(RED, PlaceOutpost(sector))
    sentence.when(RED, PlaceFleet(1, "K4")).refused("unaffordable")
    sentence.holds("caps", seat_0=0)
    assert sentence.state.houses[RED].built("martial") == 7


# --- agents ---------------------------------------------------------------------------------------


@pytest.mark.rule("move.agent-cost", "move.agent-path")
@pytest.mark.parametrize(
    ("end", "price"), [("S1a", 0), ("S2a", 2), ("K1", 2), ("K4", 2), ("S4b", 4)]
)
def test_an_agent_pays_for_each_border_on_the_way_that_crosses_fewest(end: str, price: int):
    sentence = envoy().tile(end).caps(0, 9).given().when(BLUE, INFILTRATE)
    sentence.when(BLUE, agent(end)).holds("caps", seat_1=9 - price)


@pytest.mark.rule("gate.not-for-agents", "move.agent-cost")
def test_no_gate_saves_an_agent_a_border():
    spot = envoy().has(BLUE, complexes={"S1a": 1}, gates=[("S1a", "S4b")]).caps(0, 3)
    sentence = spot.given().when(BLUE, INFILTRATE)
    sentence.when(BLUE, agent("S4b")).refused("unaffordable", "move.agent-cost", needed=4, has=3)


@pytest.mark.rule("move.end-on-tile", "move.foreign-home", "move.agent")
def test_where_an_agent_cannot_go():
    sentence = envoy().home(RED, "S4d").caps(0, 9).given().when(BLUE, INFILTRATE)
    sentence.when(BLUE, agent("S1a")).refused("no_tile", "move.end-on-tile", sector="S1a")
    sentence.when(BLUE, agent("S4d")).refused("foreign_home", "move.foreign-home")
    sentence.when(BLUE, agent("S1d")).refused("same_place", "move.end-on-tile")
    sentence.when(BLUE, agent("S9d")).refused("no_such_sector", "move.agent")
    sentence.when(BLUE, agent("S2a", "S2b")).refused("not_a_path", "move.agent")


@pytest.mark.rule("move.foreign-home")
def test_a_unit_may_move_to_its_own_home():
    spot = envoy().has(BLUE, agents=["S2a"]).caps(0, 2)
    sentence = spot.given().when(BLUE, INFILTRATE).when(BLUE, agent("S1d"))
    assert sentence.state.houses[BLUE].agents[0] == "S1d"


# --- fleets ---------------------------------------------------------------------------------------


def squadron(**terms) -> Position:
    """Red's fleet at home, S1d, with one CAP."""
    spot = position(4, **terms).home(RED, "S1d").has(RED, fleets=["S1d"])
    return spot.caps(1).turn(RED, "martialize")


@pytest.mark.rule("move.fleet", "move.fleet-cost", "move.end-on-tile")
def test_a_fleet_crosses_empty_hexes_and_ends_on_a_tile():
    sentence = squadron().tile("S2c").given().when(RED, STRIKE)
    sentence.when(RED, fleet("S1e")).refused("no_tile", "move.end-on-tile")
    sentence.when(RED, fleet("S1e", "S2c")).holds("caps", seat_0=0)
    assert told(sentence, UnitMoved) == [UnitMoved(RED, "fleet", 0, ("S1d", "S1e", "S2c"))]


@pytest.mark.rule("move.fleet")
def test_a_fleet_goes_three_hexes_from_neighbour_to_neighbour():
    spot = squadron().tile("S2b", "S2d", "S1b")
    sentence = spot.given().when(RED, STRIKE)
    too_far = fleet("S1b", "S2a", "S2d", "S2b")
    sentence.when(RED, too_far).refused("too_far", "move.fleet", hexes=4, most=3)
    sentence.when(RED, fleet("S2b")).refused("not_a_path", "move.fleet")
    sentence.when(RED, fleet()).refused("not_a_path", "move.fleet")
    sentence.when(RED, fleet("S1b", "S2a", "S2b"))
    assert sentence.state.houses[RED].fleets[0] == "S2b"


@pytest.mark.rule("move.center", "move.off-board")
def test_nothing_crosses_the_centre_or_leaves_the_boards():
    spot = squadron().tile("K4").has(RED, fleets=["K1"])
    sentence = spot.given().when(RED, STRIKE)
    sentence.when(RED, fleet("K4")).refused("not_a_path", "move.fleet")
    sentence.when(RED, fleet("", "K4")).refused("no_such_sector", "move.fleet")


@pytest.mark.rule("move.foreign-home")
def test_a_fleet_crosses_a_foreign_home_and_does_not_stay():
    spot = squadron().home(BLUE, "S1b").tile("S2a")
    sentence = spot.given().when(RED, STRIKE)
    sentence.when(RED, fleet("S1b")).refused("foreign_home", "move.foreign-home")
    sentence.when(RED, fleet("S1b", "S2a"))
    assert sentence.state.houses[RED].fleets[0] == "S2a"


@pytest.mark.rule("move.fleet-gates", "gate.adjacency")
def test_a_fleet_goes_through_anybodys_gate_as_one_hex():
    spot = squadron().has(BLUE, complexes={"S1a": 1}, gates=[("S1a", "S4b")]).tile("S4a")
    sentence = spot.given().when(RED, STRIKE).when(RED, fleet("S1a", "S4b", "S4a"))
    assert sentence.state.houses[RED].fleets[0] == "S4a"


@pytest.mark.rule("tech.singularity-ftl-drive")
def test_with_the_ftl_drive_a_fleet_goes_five_hexes_and_pays_nothing():
    spot = squadron().tile("S2b", "S3b", "K4").advanced(RED, "M2a-1")
    sentence = spot.given().when(RED, STRIKE)
    sentence.when(RED, fleet("S1b", "S2a", "S2d", "S2b", "K3", "K4")).refused("too_far", most=5)
    sentence.when(RED, fleet("S1b", "S2a", "S2d", "S2b", "K3", "S3b")).refused("too_far")
    sentence.when(RED, fleet("S1b", "S2a", "S2b", "K3", "S3b")).holds("caps", seat_0=1)


# --- which unit -----------------------------------------------------------------------------------


@pytest.mark.rule("move.when", "move.same-unit")
def test_one_unit_of_the_patterns_type_moves_and_once():
    spot = squadron().tile("S1e").has(RED, agents=["S1d"], fleets=["S1d", "S1d"])
    spot.has(BLUE, outposts={"S1a": 1}).caps(9)
    sentence = spot.given().when(RED, STRIKE)
    sentence.when(RED, agent("S1a")).refused("wrong_unit", "move.when", unit="agent")
    sentence.when(RED, MoveUnit("fleet", 2, ("S1a",))).refused("no_such_unit", "move.when")
    sentence.when(RED, MoveUnit("fleet", -1, ("S1a",))).refused("no_such_unit", "move.when")
    sentence.when(RED, fleet("S1a")).asks(RED, key="r2/p3/s0/a1/declare")
    assert told(sentence, MoverNamed) == [MoverNamed(RED, "fleet", 0)]
    sentence.when(RED, MoveUnit("fleet", 1, ("S1e",))).refused("already_moved", "move.when")


@pytest.mark.rule("move.when")
def test_complexes_do_not_move():
    spot = squadron().has(RED, complexes={"S1a": 1}).has(BLUE, complexes={"S1b": 1})
    spot.caps(9).turn(RED, "industrialize")
    sentence = spot.given().when(RED, StartConflict("industrialize.takeover"))
    sentence.asks(RED, key="r2/p3/s0/a1/declare")
    sentence.when(RED, fleet("S1a")).refused("no_movement", "move.when")


@pytest.mark.rule("move.fleet-cost", "general.pay-first")
def test_a_move_that_cannot_be_paid_is_refused():
    spot = position(4).home(RED, "S1d").tile("S1a").has(RED, fleets=["S1d"], agents=["S1d"])
    sentence = spot.turn(RED, "martialize").given()
    sentence.when(RED, STRIKE).refused("nothing_possible", "move.optional")
    spot.caps(1)
    sentence = spot.given().when(RED, STRIKE)
    spot.galaxy.accounts.move("caps", "seat.0", "bank", 1)
    sentence.when(RED, fleet("S1a")).refused("unaffordable", "move.fleet-cost", needed=1, has=0)


@pytest.mark.rule("move.optional", "move.cost-kept")
def test_an_action_with_a_move_alone_counts_and_keeps_its_price():
    spot = squadron().has(BLUE, outposts={"S1a": 1}).caps(2)
    sentence = spot.given().when(RED, STRIKE)
    sentence.when(RED, SkipConflict()).refused("nothing_done", "move.optional")
    sentence.when(RED, fleet("S1a"))
    sentence.when(RED, CancelAction()).refused("action_begun", "move.optional", done=1)
    sentence.when(RED, SkipConflict()).holds("caps", seat_0=2)
    assert told(sentence, ActionUsed) == [ActionUsed(RED)]


@pytest.mark.rule("move.optional")
def test_an_action_in_which_nothing_was_done_is_taken_back():
    sentence = squadron().tile("S1a").given().when(RED, STRIKE).when(RED, CancelAction())
    assert told(sentence, ActionUsed) == []
    sentence.asks(RED, key="r2/p3/s0/a2")
    assert sentence.state.turn.used == 0


# --- options --------------------------------------------------------------------------------------


@pytest.mark.rule("move.agent", "move.fleet")
def test_the_moves_offered_are_the_moves_allowed():
    spot = position(2).home(RED, "S1d").home(BLUE, "S3d").tile("S1b", "S1e", "S2a", "K1", "K3")
    spot.has(RED, fleets=["S1d"], agents=["S1d"]).has(BLUE, gates=[("S1e", "S3b")]).caps(2)
    for card, start in (("martialize", STRIKE), ("politicize", INFILTRATE)):
        sentence = spot.turn(RED, card).given().when(RED, start)
        galaxy = sentence.state
        offered = {one.path[-1] for one in sentence.match.options(RED) if isinstance(one, MoveUnit)}
        if card == "politicize":
            ways = [(sector,) for sector in galaxy.sectors]
        else:
            ways = [
                way
                for length in (1, 2, 3, 4)
                for way in product(galaxy.sectors, repeat=length)
                if all(
                    b in galaxy.chart.joined[a] for a, b in zip(("S1d", *way), way, strict=False)
                )
            ]
        unit = "fleet" if card == "martialize" else "agent"
        legal = {w[-1] for w in ways if allowed(sentence, RED, MoveUnit(unit, 0, w))}
        assert offered == legal
        assert offered
