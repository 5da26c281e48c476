"""Rounds and phases: what the marker on the centre sector shows. Nobody decides about it."""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact

COLLECTION, EXPANSION, FIRST_ACTIONS, LAST_ACTIONS, ARBITRATION = 1, 2, 3, 5, 6
ACTION_PHASES: Final = (3, 4, 5)


class RoundBegun(Fact, tag="round.begun"):
    """A round began; what a leader has allowed to retain in the last one is over."""

    round: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """Count it."""
        galaxy.round, galaxy.phase = self.round, 0
        for house in galaxy.houses:
            house.retained = 0


class PhaseBegun(Fact, tag="round.phase-begun"):
    """`round.tracker`: the marker shows another phase; what holds once a phase begins anew."""

    phase: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """Nothing has attacked, and nothing has been drawn on, in this phase."""
        galaxy.phase = self.phase
        for house in galaxy.houses:
            house.attacked.clear()
            house.drawn_on.clear()
            house.passed.clear()
            house.order = None
