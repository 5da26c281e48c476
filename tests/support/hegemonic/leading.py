"""Positions in which players have leaders, and one conflict that many of them act in.

SABOTAGE, on the layout for four: Blue's agent at S3d attacks Red's stack of three there.
Blue has embassies of Orange at S5d (3) and S6d (2): 1 + 5 = 6 with Orange, for 3 CAPs.
Red has 3. Yellow has an embassy of Orange at S2d (2) and one at S5a, Green one at S1a.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from tests.support.given import Given
from tests.support.hegemonic.positions import Position, falling, position

BLUE, RED, YELLOW, GREEN = 0, 1, 2, 3
FIGHT = "r2/p3/s0/a1"
HANDS = {BLUE: ("P1a-1", "P1b-1"), RED: ("M1a-1", "M1b-1")}  # P: 5 and 4; M: 5 and 4


def led(spot: Position, leaders: Mapping[int, tuple[str, int]]) -> Position:
    """These players have these leaders, at these positions."""
    for seat, (leader, level) in leaders.items():
        house = spot.galaxy.houses[seat]
        house.leader, house.level = leader, level
    return spot


def sabotage(*, options: Any = None, overlay: Any = None, **leaders: tuple[str, int]) -> Position:
    """The position above; leaders by colour: `blue=("LD09", 3)`."""
    spot = (
        position(4, options=options, overlay=overlay)
        .home(BLUE, "S4d")
        .home(RED, "S1d")
        .tile("S3d", martial=3)
    )
    spot.tile("S5d", faction="orange", political=3)
    spot.tile("S6d", "S2d", faction="orange", political=2)
    spot.tile("S5a", "S1a", faction="orange", political=1)
    spot.has(BLUE, embassies=["S5d", "S6d"], agents=["S3d", "S4d"])
    spot.has(RED, outposts={"S3d": 3})
    spot.has(YELLOW, embassies=["S2d", "S5a"]).has(GREEN, embassies=["S1a"])
    for seat, cards in HANDS.items():
        spot.hand(seat, *cards)
    names = ("blue", "red", "yellow", "green")
    led(spot, {names.index(name): card for name, card in leaders.items()})
    return spot.caps(10, 10, 10, 10).turn(BLUE, "assault")


def attacking(spot: Position, **declared: Any) -> Given:
    """Blue's agent attacks, and draws on Orange."""
    sentence = spot.given().when(BLUE, StartConflict("assault.sabotage-martial"))
    sentence.when(BLUE, Declare(RED, "S3d", **(declared or {"units": (0,)})))
    return sentence.when(BLUE, ChooseDraw(("orange",)))


def fought(sentence: Given, *, until: str = "/a2") -> Given:
    """Answers each question by its default, up to a question of this name."""
    while until not in sentence.match.key(sentence.match.asked()[0]):
        seat = sentence.match.asked()[0]
        question = sentence.match.question
        assert question is not None
        answer = question.default(sentence.state, seat)
        assert answer is not None
        falling(sentence.when(seat, answer))
    return sentence
