"""Wrong decisions of Hegemonic: what is decided where, how it is wrong, and why it is refused.

Wrong("setup.place-home", "core board", homes, 0, PlaceHome("K1"),
      "core_board", "setup.home-placement", {"sector": "K1"})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance
from ledger.games.hegemonic.rounds.ending import DeclareWinners
from ledger.kernel.records import Decision, Question, Seat
from tests.support.given import Given
from tests.support.hegemonic.positions import Position

NEXT = DiscardOrAdvance(1, "next", optional=True)  # what comes after a turn that is over


@dataclass(frozen=True)
class Wrong:
    """A decision that is refused."""

    event: str  # the tag of the decision
    way: str  # how it is wrong
    standing: Callable[[], Given]
    seat: Seat
    decision: Decision
    code: str
    rule: str
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The name of its test."""
        return f"{self.event}: {self.way}"


def in_turn(spot: Position, seat: Seat, card: str, then: Question = NEXT) -> Given:
    """A player's turn, after which another player is asked something."""
    spot.turn(seat, card)
    spot.agenda.insert(0, then)
    return spot.given()


def asked(spot: Position, seat: Seat = 0) -> Given:
    """A player is asked something that nobody here cares about."""
    return spot.doing(DiscardOrAdvance(seat, "x", optional=True)).given()


def over(spot: Position) -> Given:
    """The winner has been declared."""
    return spot.at(6).doing(DeclareWinners()).given()
