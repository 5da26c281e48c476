"""Rounds: six phases, and then the next round, until the game ends.

1 collection   2 expansion   3, 4, 5 actions   6 arbitration, scoring, the end
"""

from __future__ import annotations

from ledger.games.hegemonic.actions.choosing import ActionPhase
from ledger.games.hegemonic.deals.negotiation import ExpireOffers
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.records import Happenings, Step

from .arbitration import Arbitration
from .clock import ACTION_PHASES, RoundBegun
from .collection import Collection
from .ending import CheckEnd
from .expansion import Expansion
from .scoring import Scoring


class Round(Step):
    """`round.phases`: six phases in fixed order.

    `round.lockstep`: everyone finishes a phase before anyone begins the next.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        yield RoundBegun(galaxy.round + 1)
        for phase in (Collection(), Expansion(), *map(ActionPhase, ACTION_PHASES), Arbitration()):
            yield phase
            yield ExpireOffers()
        yield Scoring()
        yield CheckEnd()
        yield NextRound()


class NextRound(Step):
    """`round.phases`: another round, unless the winner has been declared."""

    def run(self, galaxy: Galaxy) -> Happenings:
        if not galaxy.over:
            yield Round()
