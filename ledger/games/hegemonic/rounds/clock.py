"""Rounds and phases: the position of the marker on the centre sector. It moves without
decisions.
"""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.parts import rounds

COLLECTION, EXPANSION, FIRST_ACTIONS, LAST_ACTIONS, ARBITRATION = 1, 2, 3, 5, 6
ACTION_PHASES: Final = (3, 4, 5)


class RoundBegun(rounds.RoundBegun, tag="round.begun"):
    """A round began. Extra retention that a leader allowed in the last round ends."""

    def apply(self, galaxy: Galaxy) -> None:
        super().apply(galaxy)
        for house in galaxy.houses:
            house.retained = 0


class PhaseBegun(rounds.PhaseBegun, tag="round.phase-begun"):
    """`round.tracker`: the marker shows the next phase; all counts per phase start anew."""

    def apply(self, galaxy: Galaxy) -> None:
        super().apply(galaxy)
        for house in galaxy.houses:
            house.attacked.clear()
            house.drawn_on.clear()
            house.passed.clear()
            house.order = None
