"""Reactions in conflicts that are fought out: who is asked when, and what it comes to."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.turn import ActionUsed
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.outcome import ChooseGates
from ledger.games.hegemonic.conflicts.reactions import Decline
from ledger.games.hegemonic.conflicts.rescues import (
    BioAdaptiveHulls,
    PhasedTeleportation,
    PredictiveAlgorithms,
    StealthFieldEmitter,
    SubliminalTelepathy,
)
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.map.placing import GateReturned
from tests.support.hegemonic.positions import Position, position, told

KEY = "r2/p3/s0/a1"


def attack(spot: Position, card: str, pattern: str, declared: Declare):
    """The first player attacks; both have CAPs, nobody has a technology card to play."""
    sentence = spot.caps(20, 20).turn(0, card).given().when(0, StartConflict(pattern))
    return sentence.when(0, declared)


@pytest.mark.rule("step4.reaction-order", "tech.subliminal-telepathy", "tech.phased-teleportation")
def test_after_a_draw_the_defender_reacts_before_the_attacker():
    spot = position(2).home(0, "S1d").home(1, "S3d").has(0, outposts={"S1d": 1}, fleets=["S2a"])
    spot.advanced(0, "M1a-1").advanced(1, "P1a-1").has(1, agents=["S2a"])
    sentence = attack(spot, "assault", "assault.raze-political", Declare(1, "S2a", units=(0,)))
    while not sentence.match.key(sentence.match.asked()[0]).startswith(f"{KEY}/react"):
        sentence.when(sentence.match.asked()[0], ChooseDraw())
    sentence.asks(1, key=f"{KEY}/react/s1/1").when(1, SubliminalTelepathy(0))
    sentence.asks(0, key=f"{KEY}/react/s0/1").when(0, PhasedTeleportation(0))
    assert told(sentence, ActionUsed) == [ActionUsed(0)]
    assert sentence.state.houses[0].fleets[0] == "S1d"
    assert sentence.state.houses[1].agents[0] == "S3d"


@pytest.mark.rule("step4.reaction-order", "tech.bio-adaptive-hulls")
def test_when_a_stack_has_fallen_one_outpost_of_it_escapes():
    spot = position(2).tile("S2a", industrial=0, martial=2).tile("S2b", industrial=3)
    spot.tile("K2", martial=1).advanced(1, "M2c-1").has(0, complexes={"S2b": 3})
    spot.has(1, outposts={"S2a": 2})
    declared = Declare(1, "S2a", origin="S2b")
    sentence = attack(spot, "assault", "assault.industrial-martial", declared)
    sentence.asks(1, key=f"{KEY}/react/s1/1")
    sentence.offers(1, BioAdaptiveHulls("K2"), Decline()).when(1, BioAdaptiveHulls("K2"))
    assert sentence.state.houses[1].outposts == {"K2": 1}
    assert sentence.state.contest is None


@pytest.mark.rule("tech.predictive-algorithms", "step4.reaction-order")
def test_a_gate_that_the_winner_names_escapes_before_the_complexes_fall():
    spot = position(2).tile("S2b", industrial=3).tile("S2a", industrial=1).advanced(1, "I1a-1")
    spot.tile("S1a", "S1b", industrial=1).has(0, complexes={"S2b": 3})
    spot.has(1, complexes={"S2a": 1, "S1a": 1}, gates=[("S2a", "S1a"), ("S2a", "S1a")])
    declared = Declare(1, "S2a", origin="S2b")
    sentence = attack(spot, "industrialize", "industrialize.takeover", declared)
    sentence.asks(0, key=f"{KEY}/gates").when(0, ChooseGates((0, 1)))
    sentence.asks(1, key=f"{KEY}/react/s1/gates/1")
    sentence.when(1, PredictiveAlgorithms(1, "S1a", "S1b"))
    sentence.when(1, Decline())
    assert told(sentence, GateReturned) == [GateReturned(1, 0)]
    gates = sentence.state.houses[1].gates
    assert [gate.sectors for gate in gates] == [(), ("S1a", "S1b"), ()]
    assert sentence.state.houses[1].complexes == {"S1a": 1}


@pytest.mark.rule("tech.stealth-field-emitter", "step4.reaction-order")
def test_after_a_won_attack_the_agent_slips_away():
    spot = position(2).home(0, "S1d").home(1, "S3d").advanced(0, "P1b-1")
    spot.tile("S2a", faction="green").has(0, embassies=["S1d", "S1a"], agents=["S2a"])
    faction = spot.galaxy.faction_at("S1a")
    spot.has(1, agents=["S2a"])
    declared = Declare(1, "S2a", units=(0,))
    sentence = attack(spot, "politicize", "politicize.infiltrate", declared)
    sentence.when(0, ChooseDraw((faction,))).when(1, ChooseDraw())
    sentence.asks(0, key=f"{KEY}/react/s0/1").when(0, StealthFieldEmitter("S1a"))
    assert sentence.state.houses[0].agents[0] == "S1a"
    assert sentence.state.houses[1].agents[0] == ""
