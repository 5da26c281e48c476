"""Readings of conflicts: declaring, starting power, support, cards, outcome, cleanup."""

from __future__ import annotations

from typing import Any

from ledger.games.hegemonic.conflicts.cleanup import CleanUp
from ledger.games.hegemonic.conflicts.committing import CommitTechnology
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.outcome import ChooseGates, Compared
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.conflicts.support import LendSupport
from ledger.games.hegemonic.conflicts.takeover import FillTaken, PlaceTaken
from ledger.games.hegemonic.map.placing import GateReturned
from tests.support.given import Given
from tests.support.hegemonic.conflicts import (
    BLUE,
    INVADE,
    LEVERAGE,
    RED,
    SABOTAGE,
    SIEGE,
    YELLOW,
    draws,
    fight,
    invasion,
    leverage,
    play,
    powers,
    sabotage,
    siege,
)
from tests.support.hegemonic.positions import Position, position, told
from tests.support.hegemonic.readings.cases import played, said_to
from tests.support.hegemonic.wrong.cases import in_turn
from tests.support.hegemonic.wrong.conflicts import besieged, gates_lost, short

RAZE = "assault.raze-political"


def beset(spot: Position) -> Given:
    """Red's two fleets and Blue's two agents, without an embassy, stand at S2a."""
    spot.home(RED, "S1d").home(BLUE, "S3d").tile("S2a")
    spot.has(RED, fleets=["S2a", "S2a"]).has(BLUE, agents=["S2a", "S2a"])
    return in_turn(spot, RED, "assault").when(RED, StartConflict(RAZE))


@played("patterns.same-type-destroy", ("off", "own_type"), ("on", ""))
def _(**terms: Any) -> str:
    """Fleets against fleets, with ASSAULT."""
    spot = position(2, **terms).tile("S2a").has(RED, fleets=["S2a"]).has(BLUE, fleets=["S2a"])
    return said_to(in_turn(spot, RED, "assault"), RED, StartConflict("assault.raze-martial"))


@played("conflict.multi-unit", (False, "no_attackers"), (True, ""))
def _(**terms: Any) -> str:
    """Two fleets attack together."""
    both = Declare(BLUE, "S2a", units=(0, 1))
    return said_to(beset(position(2, **terms)), RED, both)


@played("conflict.unit-group", ("all", "whole_group"), ("choose", ""))
def _(**terms: Any) -> str:
    """One of two agents is attacked."""
    one = Declare(BLUE, "S2a", units=(0,), targets=(1,))
    return said_to(beset(position(2, **terms)), RED, one)


@played("step1.order", ("attacker-first", (RED,)), ("simultaneous", (RED, BLUE)))
def _(**terms: Any) -> tuple[int, ...]:
    """Returns who is asked first in V17."""
    return fight(siege(**terms), SIEGE, "S4e").match.asked()


@played("agent.faction-uses", (1, "already_lent"), (2, ""))
def _(**terms: Any) -> str:
    """Orange, a second time in the phase."""
    spot = sabotage(**terms)
    spot.galaxy.houses[BLUE].drawn_on.append("orange")
    return said_to(fight(spot, SABOTAGE), BLUE, ChooseDraw(("orange",)))


@played("conflict.draws-per-side", ("1", "too_many_draws"), ("per-unit", ""))
def _(**terms: Any) -> str:
    """Two agents draw on two factions."""
    spot = siege(**terms).tile("S4a", faction="green", political=1).has(BLUE, embassies=["S4a"])
    spot.has(BLUE, agents=["S4e", "S4e"])
    sentence = draws(fight(spot, SIEGE, "S4e"), RED, "S4b")
    return said_to(sentence, BLUE, ChooseDraw(("orange", "green")))


@played("support.order", ("clockwise-from-attacker", (2,)), ("simultaneous", (2, 3)))
def _(**terms: Any) -> tuple[int, ...]:
    """Returns who is asked first for support."""
    return besieged("orange", **terms).match.asked()


@played("support.partial", (True, ""), (False, "all_or_none"))
def _(**terms: Any) -> str:
    """One of two embassies is lent."""
    return said_to(besieged("orange", **terms), YELLOW, LendSupport(BLUE, 1))


@played("support.value", ("per-sector", (8, 8)), ("location-power", (8, 9)))
def _(**terms: Any) -> tuple[int, int]:
    """V17, supported with locations of 2 and 1."""
    return powers(besieged("orange", **terms).when(YELLOW, LendSupport(BLUE, 2)))


@played("step3.mandatory", (True, "card_due"), (False, ""))
def _(**terms: Any) -> str:
    """A card is held back."""
    sentence = fight(leverage(**terms).hand(BLUE, "P1a-2", "M1a-1"), LEVERAGE)
    return said_to(sentence, BLUE, CommitTechnology())


def even(**terms: Any) -> Given:
    """V14, with cards that make it 10 : 10."""
    spot = leverage(**terms).hand(YELLOW, "I1a-3", "I1a-1").hand(BLUE, "P1a-1", "P1a-2")
    return play(fight(spot, LEVERAGE), {YELLOW: "I1a-3", BLUE: "P1a-1"})


@played("draw.winner", ("none", [None]), ("defender", [BLUE]), ("attacker", [YELLOW]))
def _(**terms: Any) -> list[int | None]:
    """Returns who has won with equal totals."""
    return [one.winner for one in told(even(**terms), Compared)]


@played("draw.gates", ("survive", 0), ("destroyed", 2))
def _(**terms: Any) -> int:
    """How many of two gates fall in a draw of V16: 14 : 14."""
    spot = invasion(**terms).has(YELLOW, gates=[("S5d", "S5b"), ("S4d", "S5d"), ("S5a", "S5e")])
    spot.hand(RED, "M3a-2", "I1a-1").hand(YELLOW, "I1b-1", "I1b-2")
    sentence = draws(fight(spot, INVADE, "S5d"), RED, "S6a")
    return len(told(play(sentence, {RED: "I1a-1", YELLOW: "I1b-1"}), GateReturned))


@played("gates.destroy", ("choice", (0, True)), ("auto", (2, False)), ("never", (0, False)))
def _(**terms: Any) -> tuple[int, bool]:
    """How many of the loser's gates fall by themselves, and whether the winner is asked."""
    sentence = gates_lost(**terms)
    question = sentence.match.question
    return len(told(sentence, GateReturned)), bool(question and ChooseGates in question.answers)


def taken(**terms: Any) -> Given:
    """V16 as a takeover that is won: two complexes to be replaced."""
    return draws(fight(invasion(**terms), INVADE, "S5d"), RED, "S6a")


@played("takeover.mandatory", (True, (2, [])), (False, (0, [2, 1, 0])))
def _(**terms: Any) -> tuple[int, list[int]]:
    """How many bases are placed at once, and how many may be."""
    sentence = taken(**terms)
    fills = [one.count for one in sentence.match.options(RED) if isinstance(one, FillTaken)]
    return sentence.state.houses[RED].complexes.get("S5d", 0), fills


@played("takeover.place-cost", ("0", 4), ("track", 0))
def _(**terms: Any) -> int:
    """Returns what is left of 9 CAPs after a move, a cost of 4, and two complexes."""
    return int(taken(**terms).state.accounts.balance("caps", "seat.0"))


@played("takeover.relocate-cost", ("0", 4), ("leftmost", 2))
def _(**terms: Any) -> int:
    """Returns what is left of the same after one complex was moved in."""
    sentence = short(**terms).when(RED, PlaceTaken(("S2a",)))
    return int(sentence.state.accounts.balance("caps", "seat.0"))


@played("cleanup.order", ("attacker-first", (YELLOW,)), ("defender-first", (BLUE,)))
def _(**terms: Any) -> tuple[int, ...]:
    """Returns who is asked first about the own card."""
    sentence = even(**terms)
    question = sentence.match.question
    assert question is not None
    assert CleanUp in question.answers
    return sentence.match.asked()
