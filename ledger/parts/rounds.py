"""Rounds, turns and phases: facts that move the markers. A game adds what ends with them.

class PhaseBegun(rounds.PhaseBegun, tag="round.phase-begun"):
'''`round.tracker`: the marker shows the next phase.'''
"""

from __future__ import annotations

from typing import Any

from ledger.kernel.audience import Open
from ledger.kernel.records import Fact


class RoundBegun(Fact):
    """A round began; no phase has begun yet."""

    round: Open[int]

    def apply(self, state: Any) -> None:
        state.round, state.phase = self.round, 0


class TurnBegun(Fact):
    """A turn began."""

    turn: Open[int]

    def apply(self, state: Any) -> None:
        state.turn = self.turn


class PhaseBegun(Fact):
    """A phase began."""

    phase: Open[int]

    def apply(self, state: Any) -> None:
        state.phase = self.phase
