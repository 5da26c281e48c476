"""Declaring conflicts: who may attack whom with what, and the cost."""

from __future__ import annotations

from itertools import combinations

import pytest

from ledger.games.hegemonic.actions.choosing import ActionPhase
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.facts import ContestBegun
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.parts.battle import Contribution, Force
from tests.support.hegemonic.conflicts import (
    BLUE,
    GREEN,
    INVADE,
    LEVERAGE,
    RAZE,
    RED,
    SABOTAGE,
    SIEGE,
    YELLOW,
    cleaned,
    costs,
    draws,
    fight,
    invasion,
    leverage,
    sabotage,
    siege,
    the,
)
from tests.support.hegemonic.positions import Position, allowed, house, position


def facing(card: str = "assault", **terms) -> Position:
    """V13: Blue has an embassy, an agent and a fleet at S2a, where Red has an agent and a fleet."""
    spot = position(4, **terms).home(RED, "S1d").home(BLUE, "S3d").tile("S2a", political=2)
    spot.has(RED, complexes={"S1d": 1}, agents=["S2a"], fleets=["S2a"])
    spot.has(BLUE, embassies=["S2a"], agents=["S2a"], fleets=["S2a"])
    return spot.caps(9, 9, 9, 9).turn(RED, card)


def opened(spot: Position, pattern: str):
    seat = spot.galaxy.turn.seat
    return spot.given().when(seat, StartConflict(pattern))


FLEET = Declare(BLUE, "S2a", units=(0,))


@pytest.mark.rule("target.bases-and-units", "target.units-only", "target.one-sector")
@pytest.mark.rule("target.one-defender")
def test_v13_choice_of_targets():
    sentence = opened(facing(), "assault.sabotage-martial")
    sentence.when(RED, Declare(BLUE, "S2a", units=(0,), targets=(0,))).refused("whole_group")
    begun = the(sentence.when(RED, FLEET), ContestBegun)
    assert begun.defender == Force(BLUE, "martial", "S2a", 0, (0,))
    sentence = opened(facing(), "assault.raze-political")
    sentence.when(RED, Declare(BLUE, "S2a", units=(0,), targets=(0,)))
    sentence.refused("whole_group", "target.bases-and-units", bases=1)
    begun = the(sentence.when(RED, FLEET), ContestBegun)
    assert begun.defender == Force(BLUE, "political", "S2a", 1, (0,))
    spot = facing()
    spot.galaxy.houses[BLUE].embassies.clear()
    begun = the(opened(spot, "assault.raze-political").when(RED, FLEET), ContestBegun)
    assert begun.defender == Force(BLUE, "political", "S2a", 0, (0,))


@pytest.mark.rule("target.range", "cost.takeover", "cost.base-power", "cost.when", "err.05")
def test_v14_a_gate_brings_the_embassy_into_range_and_it_costs_four():
    sentence = fight(leverage(), LEVERAGE).holds("caps", seat_2=5)
    begun = the(sentence, ContestBegun)
    assert (begun.distance, begun.cost, begun.faction) == (1, 4, "green")
    assert begun.price == (Contribution("cost.takeover", "embassy", 1, "S4a", 0, 4),)
    sentence = opened(leverage(gates=False), "subvert.industrial-political")
    sentence.when(YELLOW, LEVERAGE[1]).refused("out_of_range", "target.range", range=1)
    dear = the(fight(leverage(overlay=costs("cost.takeover", 3)), LEVERAGE), ContestBegun)
    assert dear.cost == 6


@pytest.mark.rule("cost.destroy", "cost.base-power", "cost.units-free", "target.bases-and-units")
def test_v15_three_outposts_cost_three_and_the_fleet_beside_them_nothing():
    begun = the(fight(sabotage(), SABOTAGE).holds("caps", seat_1=6), ContestBegun)
    assert begun.cost == 3
    assert begun.defender == Force(RED, "martial", "S3d", 3, (0,))


@pytest.mark.rule("cost.destroy", "cost.takeover", "cost.plus-movement", "err.05")
def test_v16_two_complexes_cost_two_or_four_besides_the_move():
    sentence = fight(invasion(), INVADE, "S5d").holds("caps", seat_0=4)
    assert the(sentence, ContestBegun).cost == 4
    sentence = fight(invasion("assault"), RAZE, "S5d").holds("caps", seat_0=6)
    assert the(sentence, ContestBegun).cost == 2
    dear = invasion(overlay=costs("cost.takeover", 3))
    assert the(fight(dear, INVADE, "S5d"), ContestBegun).cost == 6


@pytest.mark.rule("cost.units-free", "target.units-only")
def test_v17_an_agent_without_an_embassy_costs_nothing_but_the_move():
    sentence = fight(siege(), SIEGE, "S4e").holds("caps", seat_0=8)
    assert the(sentence, ContestBegun).cost == 0


@pytest.mark.rule("cost.when", "general.pay-first")
def test_a_cost_that_cannot_be_paid_is_refused():
    spot = leverage()
    spot.galaxy.accounts.move("caps", "seat.2", "bank", 6)
    spot.has(BLUE, agents=["S4a", "S2b"])
    sentence = opened(spot, "subvert.industrial-political")
    sentence.when(YELLOW, LEVERAGE[1]).refused("unaffordable", "cost.takeover", needed=4, has=3)
    sentence.when(YELLOW, Declare(BLUE, "S2b", "S2b")).holds("caps", seat_2=3)


@pytest.mark.rule("tech.efficiency-paradigm")
def test_the_efficiency_paradigm_takes_one_off_and_never_more_than_the_cost():
    begun = the(fight(leverage().advanced(YELLOW, "I2c-1"), LEVERAGE), ContestBegun)
    assert begun.cost == 3
    assert begun.price[1].rule == "tech.efficiency-paradigm"
    assert begun.price[1].amount == -1
    more = leverage(overlay=costs("tech.efficiency", 7)).advanced(YELLOW, "I2c-1")
    fight(more, LEVERAGE).holds("caps", seat_2=9)
    moved = fight(siege().advanced(RED, "I2c-1"), SIEGE, "S4e")
    moved.holds("caps", seat_0=8)


# --- attackers ------------------------------------------------------------------------------------


@pytest.mark.rule("target.attacker", "target.never-attack")
def test_only_complexes_of_a_sector_or_one_unit_attack():
    sentence = opened(facing(), "assault.raze-political")
    for attack in (
        Declare(BLUE, "S2a", "S2a"),
        Declare(BLUE, "S2a", "S2a", (0,)),
        Declare(BLUE, "S2a"),
        Declare(BLUE, "S2a", units=(1,)),
        Declare(BLUE, "S2a", units=(7,)),
        Declare(BLUE, "S2a", units=(0, 0)),
    ):
        sentence.when(RED, attack).refused("no_attackers", "target.attacker")
    spot = facing().has(RED, outposts={"S1b": 1}, gates=[("S1a", "S2b")])
    spot.has(RED, complexes={"S2d": 1})
    sentence = opened(spot, "assault.industrial-political")
    for sector in ("S1b", "S1a", "S2a"):
        sentence.when(RED, Declare(BLUE, "S2a", sector)).refused("no_attackers")
    sentence.when(RED, Declare(BLUE, "S2a", "S2d", (0,))).refused("no_attackers")
    spot = facing().has(RED, outposts={"S2b": 3}, fleets=["S1d", "S1d"])
    moved = opened(spot, "assault.raze-political")
    moved.when(RED, MoveUnit("fleet", 1, ("S1b", "S2a")))
    moved.when(RED, Declare(BLUE, "S2a", "S2b")).refused("no_attackers", "target.attacker")
    assert the(moved.when(RED, Declare(BLUE, "S2a", units=(1,))), ContestBegun).attacked_with


@pytest.mark.rule("move.same-unit")
def test_the_unit_that_moved_is_the_one_that_attacks():
    spot = facing().has(RED, fleets=["S2a", "S1d"])
    sentence = opened(spot, "assault.raze-political")
    sentence.when(RED, MoveUnit("fleet", 1, ("S1b", "S2a")))
    sentence.when(RED, FLEET).refused("not_the_mover", "move.same-unit", moved=1)
    sentence.when(RED, Declare(BLUE, "S2a", units=(1,)))
    assert the(sentence, ContestBegun).attacked_with == ("fleet 1",)


@pytest.mark.rule("target.attacker")
def test_by_a_reading_several_units_of_a_sector_attack_together():
    spot = facing().has(RED, fleets=["S2a", "S2a", "S1d"])
    both = Declare(BLUE, "S2a", units=(0, 1))
    opened(spot, "assault.raze-political").when(RED, both).refused("no_attackers")
    read = facing(overlay=house(conflict__multi_unit=True))
    sentence = opened(read.has(RED, fleets=["S2a", "S2a", "S1d"]), "assault.raze-political")
    sentence.when(RED, Declare(BLUE, "S2a", units=(0, 2))).refused("no_attackers")
    begun = the(sentence.when(RED, both), ContestBegun)
    assert begun.attacker.units == (0, 1)
    assert sentence.state.houses[RED].attacked == ["fleet 0", "fleet 1"]


@pytest.mark.rule("target.once-per-phase")
@pytest.mark.parametrize("pattern", ["assault.raze-political", "assault.sabotage-martial"])
def test_a_unit_attacks_once_in_a_phase(pattern: str):
    spot = facing().hand(RED, "P2a-1", "P3b-1").has(RED, embassies=["S1d"])
    sentence = opened(spot, pattern)
    name = "fleet 0" if "raze" in pattern else "agent 0"
    sentence.state.houses[RED].attacked.append(name)
    sentence.when(RED, FLEET).refused("has_attacked", "target.once-per-phase", attacked=name)


@pytest.mark.rule("target.once-per-phase", "target.complex-group")
def test_the_complexes_of_a_sector_attack_once_whatever_is_added():
    spot = leverage().has(BLUE, agents=["S4a", "S2b"])
    sentence = cleaned(fight(spot, LEVERAGE))
    assert sentence.state.houses[YELLOW].attacked == ["complex S2b"]
    sentence.state.houses[YELLOW].complexes["S2b"] = 4
    sentence.when(YELLOW, StartConflict("subvert.industrial-political"))
    sentence.when(YELLOW, Declare(BLUE, "S2b", "S2b")).refused("has_attacked")
    sentence.when(YELLOW, Declare(BLUE, "S2b", "S2a"))


@pytest.mark.rule("target.defence-unlimited")
def test_the_same_pieces_are_attacked_as_often_as_others_like():
    spot = facing().hand(BLUE, "P2a-1", "P3b-1").has(RED, fleets=["S2a", "S2a"])
    spot.galaxy.houses[BLUE].embassies.clear()
    spot.has(BLUE, embassies=["S4b"], agents=["S2a", "S2a"])
    sentence = spot.given()
    for number, action in ((0, "a1"), (1, "a2")):
        sentence.when(RED, StartConflict("assault.raze-political"))
        sentence.when(RED, Declare(BLUE, "S2a", units=(number,)))
        assert the(sentence, ContestBegun).key == f"r2/p3/s0/{action}"
        draws(sentence, BLUE)
        for seat in sentence.match.asked():
            sentence.when(seat, sentence.match.options(seat)[0])
        cleaned(sentence)


# --- targets --------------------------------------------------------------------------------------


@pytest.mark.rule("target.no-self", "target.no-home", "target.one-defender")
def test_whom_and_where_nobody_attacks():
    spot = facing().has(RED, embassies=["S1b"], complexes={"S3b": 1})
    spot.has(BLUE, embassies=["S3d"], agents=["S2a", "S1a"])
    sentence = opened(spot, "assault.industrial-political")
    sentence.when(RED, Declare(RED, "S1b", "S1d")).refused("own_pieces", "target.no-self")
    sentence.when(RED, Declare(BLUE, "S3d", "S3b")).refused("home_protected", "target.no-home")
    sentence.when(RED, Declare(GREEN, "S2a", "S3b")).refused("no_target", "target.bases-and-units")
    sentence.when(RED, Declare(7, "S2a", "S3b")).refused("no_target", "target.one-sector")
    sentence.when(RED, Declare(BLUE, "X", "S3b")).refused("no_target", "target.one-sector")
    sentence.when(RED, Declare(BLUE, "S1b", "S1d")).refused("no_target", "target.bases-and-units")


@pytest.mark.rule("target.complex-group", "target.bases-and-units")
def test_all_complexes_of_the_defender_and_its_gates_there_defend_together():
    spot = invasion().has(YELLOW, gates=[("S5d", "S5b")])
    begun = the(fight(spot, INVADE, "S5d"), ContestBegun)
    assert begun.defender == Force(YELLOW, "industrial", "S5d", 2, (0,))


@pytest.mark.rule("target.units-only")
def test_by_a_reading_some_units_without_a_base_are_chosen():
    def beset(**terms) -> Position:
        spot = facing(**terms)
        spot.galaxy.houses[BLUE].embassies.clear()
        return spot.has(BLUE, agents=["S2a", "S2a"])

    one = Declare(BLUE, "S2a", units=(0,), targets=(1,))
    opened(beset(), "assault.raze-political").when(RED, one)
    sentence = opened(beset(), "assault.raze-political")
    sentence.when(RED, one).refused("whole_group", "target.units-only")
    read = opened(beset(overlay=house(conflict__unit_group="choose")), "assault.raze-political")
    for targets in ((0, 1), (1, 0), (2,), (0, 0)):
        attack = Declare(BLUE, "S2a", units=(0,), targets=targets)
        read.when(RED, attack).refused("whole_group", "target.units-only")
    assert the(read.when(RED, one), ContestBegun).defender.units == (1,)


@pytest.mark.rule("target.range", "range.agent", "tech.sentient-propaganda")
def test_range_is_that_of_the_attacker_where_it_stands():
    far = Declare(BLUE, "S2d", units=(0,))
    sentence = opened(facing().has(BLUE, outposts={"S2d": 1}), "assault.sabotage-martial")
    sentence.when(RED, far).refused("out_of_range", "target.range", range=0)
    spot = facing().has(BLUE, outposts={"S2d": 1}).advanced(RED, "P3a-1")
    sentence = opened(spot, "assault.sabotage-martial")
    assert the(sentence.when(RED, far), ContestBegun).distance == 1


@pytest.mark.rule("target.attacker", "target.one-sector")
@pytest.mark.parametrize("reading", [{}, {"conflict__multi_unit": True}])
@pytest.mark.parametrize("pattern", ["assault.raze-political", "assault.industrial-political"])
def test_the_attacks_offered_are_the_attacks_allowed(pattern: str, reading: dict):
    readings = {**reading, "conflict__unit_group": "choose"} if reading else {}
    spot = facing(overlay=house(**readings)).tile("S1b", industrial=1)
    spot.has(GREEN, agents=["S1b", "S1b", "S2a"])
    spot.has(RED, complexes={"S1b": 1, "S2d": 1}, fleets=["S2a", "S2a", "S1b"])
    sentence = opened(spot, pattern)
    galaxy = sentence.state
    numbers = [some for count in range(4) for some in combinations(range(3), count)]
    thinkable = [
        Declare(seat, sector, origin, units, targets)
        for seat in galaxy.seats
        for sector in ("S1b", "S2a", "S2d", "S1d", "S3d")
        for origin in ("", "S1b", "S2d", "S1d", "S2a")
        for units in numbers
        for targets in numbers
    ]
    legal = {one for one in thinkable if allowed(sentence, RED, one)}
    offered = [one for one in sentence.match.options(RED) if isinstance(one, Declare)]
    assert set(offered) == legal
    assert len(offered) == len(legal) > 2


@pytest.mark.rule("target.once-per-phase", "round.tracker")
def test_what_attacked_attacks_again_in_the_next_phase():
    spot = position(2)
    spot.galaxy.houses[RED].attacked.append("fleet 0")
    assert spot.doing(ActionPhase(4)).given().state.houses[RED].attacked == []
