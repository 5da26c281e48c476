"""Conflict actions: the attack patterns of the cards, and the five steps in their order."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.resolving import EndTurn
from ledger.games.hegemonic.actions.turn import ActionTakenBack, ActionUsed, CancelAction
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.facts import ContestBegun, ContestEnded, StepBegun
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.sequence import ConflictSkipped, StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.leaders.activation import Activate, Resume
from tests.support.hegemonic.conflicts import (
    BLUE,
    LEVERAGE,
    RED,
    YELLOW,
    fight,
    leverage,
    powers,
    the,
)
from tests.support.hegemonic.positions import Position, house, position, told

PATTERNS = {
    "industrialize.takeover": ("takeover", "industrial", "industrial"),
    "politicize.infiltrate": ("takeover", "political", "political"),
    "martialize.strike": ("takeover", "martial", "martial"),
    "assault.industrial-political": ("destroy", "industrial", "political"),
    "assault.industrial-martial": ("destroy", "industrial", "martial"),
    "assault.sabotage-industrial": ("destroy", "political", "industrial"),
    "assault.sabotage-martial": ("destroy", "political", "martial"),
    "assault.raze-industrial": ("destroy", "martial", "industrial"),
    "assault.raze-political": ("destroy", "martial", "political"),
    "subvert.industrial-political": ("takeover", "industrial", "political"),
    "subvert.industrial-martial": ("takeover", "industrial", "martial"),
    "subvert.annex-industrial": ("takeover", "political", "industrial"),
    "subvert.annex-martial": ("takeover", "political", "martial"),
    "subvert.invade-industrial": ("takeover", "martial", "industrial"),
    "subvert.invade-political": ("takeover", "martial", "political"),
}
OWN_TYPE = {
    "assault.industrial-industrial": ("destroy", "industrial", "industrial"),
    "assault.sabotage-political": ("destroy", "political", "political"),
    "assault.raze-martial": ("destroy", "martial", "martial"),
}


def melee(card: str, **terms) -> Position:
    """Red and Blue meet at S2a, with pieces of every type."""
    spot = position(2, **terms).home(RED, "S1d").home(BLUE, "S3d")
    spot.tile("S2a", faction="orange", political=1, industrial=2, martial=1)
    spot.has(RED, complexes={"S2a": 1}, agents=["S2a"], fleets=["S2a"])
    spot.has(BLUE, complexes={"S2a": 1}, embassies=["S2a"], outposts={"S2a": 1})
    return spot.caps(9, 9).turn(RED, card)


def attack(pattern: str) -> Declare:
    """With what the pattern attacks with, at S2a."""
    attacker = {**PATTERNS, **OWN_TYPE}[pattern][1]
    if attacker == "industrial":
        return Declare(BLUE, "S2a", "S2a")
    return Declare(BLUE, "S2a", units=(0,))


@pytest.mark.rule("card.assault", "card.subvert", "pattern.one-per-action")
@pytest.mark.rule("pattern.industrialize.takeover", "pattern.politicize.infiltrate")
@pytest.mark.rule("pattern.martialize.strike", "pattern.assault.industrial-political")
@pytest.mark.rule("pattern.assault.industrial-martial", "pattern.assault.sabotage-industrial")
@pytest.mark.rule("pattern.assault.sabotage-martial", "pattern.assault.raze-industrial")
@pytest.mark.rule("pattern.assault.raze-political", "pattern.subvert.industrial-political")
@pytest.mark.rule("pattern.subvert.industrial-martial", "pattern.subvert.annex-industrial")
@pytest.mark.rule("pattern.subvert.annex-martial", "pattern.subvert.invade-industrial")
@pytest.mark.rule("pattern.subvert.invade-political")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_says_what_attacks_what_and_what_becomes_of_it(pattern: str):
    action, attacker, target = PATTERNS[pattern]
    sentence = melee(pattern.partition(".")[0]).given().when(RED, StartConflict(pattern))
    begun = the(sentence.when(RED, attack(pattern)), ContestBegun)
    assert (begun.pattern, begun.action) == (pattern, action)
    assert (begun.attacker.type, begun.defender.type) == (attacker, target)
    assert begun.cost == {"destroy": 1, "takeover": 2}[action]
    sentence.holds("caps", seat_0=9 - begun.cost)


@pytest.mark.rule("pattern.one-per-action")
@pytest.mark.parametrize("pattern", OWN_TYPE)
def test_by_a_reading_assault_strikes_at_the_own_type_too(pattern: str):
    sentence = melee("assault").given()
    sentence.when(RED, StartConflict(pattern)).refused("own_type", "pattern.one-per-action")
    assert StartConflict(pattern) not in sentence.match.options(RED)
    read = melee("assault", overlay=house(patterns__same_type_destroy="on")).given()
    begun = the(read.when(RED, StartConflict(pattern)).when(RED, attack(pattern)), ContestBegun)
    assert (begun.action, begun.attacker.type, begun.defender.type) == OWN_TYPE[pattern]


@pytest.mark.rule("pattern.one-per-action", "action.two")
def test_a_pattern_of_another_card_or_of_none_is_refused():
    sentence = melee("assault").given()
    for pattern in ("subvert.annex-martial", "assault.dance"):
        sentence.when(RED, StartConflict(pattern))
        sentence.refused("no_such_pattern", "pattern.one-per-action", card="assault")
    offered = [one for one in sentence.match.options(RED) if isinstance(one, StartConflict)]
    assert [one.pattern for one in offered] == [one for one in PATTERNS if one[:2] == "as"]
    sentence = melee("discover").given()
    sentence.when(RED, StartConflict("assault.raze-political")).refused("not_on_card", "action.two")


@pytest.mark.rule("move.optional")
def test_what_can_neither_move_nor_attack_is_not_opened():
    spot = position(2).home(RED, "S1d").has(RED, complexes={"S1d": 1}).caps(9).turn(RED, "assault")
    sentence = spot.given()
    sentence.when(RED, StartConflict("assault.industrial-martial"))
    sentence.refused("nothing_possible", "move.optional", pattern="assault.industrial-martial")
    sentence.when(RED, StartConflict("assault.raze-political")).refused("nothing_possible")


@pytest.mark.rule("pattern.one-per-action", "action.conflict-now")
def test_each_conflict_is_an_action_and_the_next_may_have_another_pattern():
    sentence = melee("assault").given()
    sentence.when(RED, StartConflict("assault.industrial-martial"))
    sentence.asks(RED, key="r2/p3/s0/a1/declare")
    sentence.when(RED, attack("assault.industrial-martial"))
    assert told(sentence, ContestEnded, ActionUsed) == [
        ContestEnded("r2/p3/s0/a1"), ActionUsed(RED),
    ]  # fmt: skip
    assert sentence.state.contest is None
    sentence.when(RED, StartConflict("assault.raze-industrial"))
    sentence.asks(RED, key="r2/p3/s0/a2/move")
    sentence.when(RED, attack("assault.raze-industrial"))
    assert sentence.state.turn is None


@pytest.mark.rule("conflict.steps")
def test_a_conflict_has_five_steps_in_order():
    sentence = fight(leverage(), LEVERAGE)
    told_ = [type(one).__name__ for one in sentence.facts]
    assert [one.step for one in told(sentence, StepBegun)] == [2, 3, 4, 5]
    order = ("ContestBegun", "StartingPowerCounted", "SupportDeclined", "NothingPlayed", "Compared")
    places = [told_.index(one) for one in (*order, "ContestEnded")]
    assert places == sorted(places)


@pytest.mark.rule("conflict.steps", "step1.order")
def test_a_conflict_is_named_by_its_action():
    spot = melee("martialize").has(RED, outposts={"S2d": 2})
    sentence = spot.given().when(RED, StartConflict("martialize.strike"))
    sentence.when(RED, attack("martialize.strike")).asks(RED, key="r2/p3/s0/a1/draw/s0")
    assert sentence.state.contest.key == "r2/p3/s0/a1"
    sentence.when(RED, CancelAction()).refused("wrong_answer")
    sentence.when(RED, EndTurn()).refused("wrong_answer")
    sentence.when(BLUE, ChooseDraw()).refused("not_asked", "step1.agent")


@pytest.mark.rule("conflict.side-type")
def test_the_two_sides_fight_with_the_power_of_their_own_pieces():
    sentence = fight(leverage().hand(YELLOW, "I1a-3", "I1a-1").hand(BLUE, "P1a-3"), LEVERAGE)
    contest = sentence.state.contest
    assert (contest.attacker.type, contest.defender.type) == ("industrial", "political")
    assert powers(sentence) == (7, 5)


# --- leaders --------------------------------------------------------------------------------------


def interrupted():
    """Blue's leader acts between the opening of Red's action and whatever Red does in it."""
    spot = melee("martialize", options={"opt.leaders": "chosen"})
    spot.galaxy.houses[BLUE].leader, spot.galaxy.houses[BLUE].level = "LD02", 3
    sentence = spot.given().when(RED, StartConflict("martialize.strike"))
    sentence.when(RED, Resume(go_on=True)).refused("not_interrupted", "leader.interrupt-unpaid")
    return sentence.when(BLUE, Activate(1)).asks(RED, key="r2/p3/s0/a1/move")


@pytest.mark.rule("leader.interrupt-unpaid", "leader.interrupt-paid")
def test_a_conflict_action_that_a_leader_interrupts_is_gone_on_with_or_dropped():
    dropped = interrupted().when(RED, Resume(go_on=False))
    assert told(dropped, ActionTakenBack, ActionUsed) == [ActionTakenBack(RED)]
    sentence = interrupted()
    assert Resume(go_on=False) in sentence.match.options(RED)
    sentence.when(RED, Resume(go_on=True)).asks(RED, key="r2/p3/s0/a1/move/resumed/1")
    sentence.when(RED, attack("martialize.strike"))
    assert sentence.state.turn.used == 1


@pytest.mark.rule("leader.choose", "target.once-per-phase")
def test_what_moved_after_an_attack_may_wait_for_a_leader_that_lets_it_attack_again():
    def moved(leader: str):
        spot = melee("martialize", options={"opt.leaders": "chosen"}).tile("S2b", martial=1)
        spot.has(RED, fleets=["S2b"])
        spot.galaxy.houses[RED].attacked.append("fleet 0")
        spot.galaxy.houses[RED].leader, spot.galaxy.houses[RED].level = leader, 3
        sentence = spot.given().when(RED, StartConflict("martialize.strike"))
        return sentence.when(RED, MoveUnit("fleet", 0, ("S2a",)))

    assert told(moved(""), ConflictSkipped) == [ConflictSkipped(RED)]
    sentence = moved("LD05").asks(RED, key="r2/p3/s0/a1/declare")
    sentence.when(RED, attack("martialize.strike")).refused("has_attacked")
    sentence.when(RED, Activate(2, piece="fleet", number=0))
    sentence.when(RED, attack("martialize.strike"))
    assert told(sentence, ContestBegun)
