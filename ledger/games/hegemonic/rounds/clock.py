"""Rounds and phases: the position of the marker on the centre sector. It moves without
decisions.
"""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact

COLLECTION, EXPANSION, FIRST_ACTIONS, LAST_ACTIONS, ARBITRATION = 1, 2, 3, 5, 6
ACTION_PHASES: Final = (3, 4, 5)


class RoundBegun(Fact, tag="round.begun"):
    """A round began. Extra retention that a leader allowed in the last round ends."""

    round: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.round, galaxy.phase = self.round, 0
        for house in galaxy.houses:
            house.retained = 0


class PhaseBegun(Fact, tag="round.phase-begun"):
    """`round.tracker`: the marker shows the next phase; all counts per phase start anew."""

    phase: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.phase = self.phase
        for house in galaxy.houses:
            house.attacked.clear()
            house.drawn_on.clear()
            house.passed.clear()
            house.order = None
