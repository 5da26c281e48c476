"""Conflicts that the tests of its chapters start from: the worked examples of the book.

fight(leverage()) .. the declaration of the example, and its first step
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.games.hegemonic.conflicts.cleanup import CleanUp
from ledger.games.hegemonic.conflicts.committing import CommitTechnology
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.kernel.records import Decision, Fact, Seat
from tests.support.given import Given
from tests.support.hegemonic.positions import Position, position, told

RED, BLUE, YELLOW, GREEN = 0, 1, 2, 3
EVEN = ("I1a-3", "P1a-3", "M1a-3")  # cards worth 3 of each type


def survives(what: str) -> dict[str, Any]:
    """An overlay by which pieces survive a draw."""
    return {"fates": {what: {"fate": "survive"}}}


def costs(name: str, value: int) -> dict[str, Any]:
    """An overlay of a figure."""
    return {"figures": {name: {"value": value}}}


def leverage(*, gates: bool = True, **terms: Any) -> Position:
    """V14: Yellow's complexes at S2b against Blue's embassy and agent at S4a, to take over."""
    spot = position(4, **terms).home(YELLOW, "S1d").home(BLUE, "S4d")
    spot.tile("S4a", faction="green", political=2, industrial=1)
    spot.tile("S5d", faction="green", political=2).tile("S2b", industrial=3)
    links = [("S2b", "S4a")] if gates else []
    spot.has(YELLOW, complexes={"S2b": 3, "S4a": 1, "S2a": 2, "S2d": 1, "S1d": 1}, gates=links)
    spot.has(YELLOW, embassies=["S1d"], outposts={"S1d": 1})
    spot.has(BLUE, embassies=["S4a", "S5d", "S4d"], agents=["S4a"])
    return spot.caps(9, 9, 9, 9).turn(YELLOW, "subvert")


LEVERAGE = ("subvert.industrial-political", Declare(BLUE, "S4a", "S2b"))


def sabotage(**terms: Any) -> Position:
    """V15: Blue's agent at S3d against Red's outposts and fleet there, to destroy."""
    spot = position(4, **terms).home(BLUE, "S4d").home(RED, "S1d").tile("S3d", martial=3)
    spot.tile("S5d", faction="orange", political=3)
    spot.tile("S6d", "S2d", faction="orange", political=2)
    spot.has(BLUE, embassies=["S5d", "S6d", "S2d", "S4d"], agents=["S3d"])
    spot.has(RED, outposts={"S3d": 3, "S3b": 2, "S4a": 1, "S1d": 1}, fleets=["S3d", "S1d"])
    return spot.caps(9, 9, 9, 9).turn(BLUE, "assault")


SABOTAGE = ("assault.sabotage-martial", Declare(RED, "S3d", units=(0,)))


def invasion(card: str = "subvert", **terms: Any) -> Position:
    """V16: Red's fleet, beside S5d, against Yellow's complexes there."""
    spot = position(4, **terms).home(RED, "S2d").home(YELLOW, "S3d").tile("S6a", martial=3)
    spot.tile("S5d", industrial=2).tile("S5c")
    spot.has(RED, outposts={"S6a": 3, "S6b": 2, "S6d": 1, "K6": 1, "S2d": 1}, fleets=["S5c", "S6a"])
    spot.has(YELLOW, complexes={"S5d": 2, "S5b": 3, "S5a": 2, "S5e": 1, "S3d": 1})
    return spot.caps(9, 9, 9, 9).turn(RED, card)


INVADE = ("subvert.invade-industrial", Declare(YELLOW, "S5d", units=(0,)))
RAZE = ("assault.raze-industrial", Declare(YELLOW, "S5d", units=(0,)))


def siege(seats: int = 4, **terms: Any) -> Position:
    """V17: Red's fleet, beside S4e, against Blue's agent there; Yellow has embassies to lend."""
    spot = position(seats, **terms).home(RED, "S1d").home(YELLOW, "S6b").tile("S3b", martial=3)
    spot.tile("S6d", faction="orange", political=3).tile("S2d", faction="orange", political=2)
    spot.tile("S5d", faction="orange", political=2).tile("S5a", faction="orange", political=1)
    spot.tile("S4d")
    spot.has(RED, outposts={"S4b": 2, "S3b": 3, "K4": 1, "S1d": 1}, fleets=["S4d", "S3b"])
    spot.has(BLUE, embassies=["S6d", "S2d"], agents=["S4e"])
    spot.has(YELLOW, embassies=["S5d", "S5a", "S6b"])
    return spot.caps(9, 9, 9, 9).turn(RED, "assault")


SIEGE = ("assault.raze-political", Declare(BLUE, "S4e", units=(0,)))


def fight(spot: Position, example: tuple[str, Decision], *path: str) -> Given:
    """The conflict of an example is declared, after a move along a path."""
    pattern, declare = example
    sentence = spot.given()
    seat = sentence.state.turn.seat
    sentence.when(seat, StartConflict(pattern))
    if path:
        unit = "agent" if "sabotage" in pattern or "annex" in pattern else "fleet"
        sentence.when(seat, MoveUnit(unit, 0, path))
    return sentence.when(seat, declare)


def draws(sentence: Given, seat: Seat, *on: str) -> Given:
    """A side says what its units draw on."""
    return sentence.when(seat, ChooseDraw(on))


def play(sentence: Given, cards: Mapping[Seat, str]) -> Given:
    """Both sides play a card."""
    for seat in sentence.match.asked():
        sentence.when(seat, CommitTechnology(cards[seat]))
    return sentence


def powers(sentence: Given) -> tuple[int, int]:
    """Returns the power of attacker and defender so far."""
    contest = sentence.state.contest
    return contest.attacker.power, contest.defender.power


def cleaned(sentence: Given) -> Given:
    """Both sides put their cards to the inactive pile."""
    while sentence.state.contest is not None:
        sentence.when(sentence.match.asked()[0], CleanUp())
    return sentence


def the(sentence: Given, kind: type[Fact]) -> Any:
    """The one fact of a kind that the last decision gave."""
    (fact,) = told(sentence, kind)
    return fact
