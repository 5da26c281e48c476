"""Phase 5, Collect resources: the production of the hegemony's planets."""

from __future__ import annotations

from ledger.games.galactic_hegemony.state.board import Board, Colony, Phase
from ledger.games.galactic_hegemony.state.components import PLANETS
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings

from .tracks import COLLECTING, PhaseBegun, gain


class Produced(Fact, tag="collect.produced"):
    """A planet produced resources, including its factory's bonus."""

    planet: Open[int]
    amount: Open[int]


class CollectResources(Phase):
    """`collect.planets`: every planet of the hegemony makes what its card shows at its morale.

    `collect.limit`: the stockpile stops at the limit; the rest is lost.
    """

    def play(self, board: Board) -> Happenings:
        """Adds up the production of all planets, then stores it."""
        yield PhaseBegun(COLLECTING)
        total = 0
        for colony in board.colonies:
            if not colony.in_revolt and (amount := Production.of(board, colony)):
                yield Produced(colony.planet, amount)
                total += amount
        yield from gain(board, total, "collect.planets")


class Production:
    """`card.production`: the card prints a number for each morale.

    `card.zero-production`: a 0 is a number, and a factory adds to it (`collect.factory`).
    `card.no-production`: without a printed number there is no bonus (`collect.no-production`).
    """

    @staticmethod
    def of(board: Board, colony: Colony) -> int:
        """Returns the production of a planet that is not in revolt."""
        printed = Production.printed(board, colony)
        return 0 if printed is None else printed + int(colony.factory > 0)

    @staticmethod
    def printed(board: Board, colony: Colony) -> int | None:
        """Returns the printed number; None for No Production."""
        card = PLANETS.of(board)[str(colony.planet)]
        if colony.morale == 1:
            return card.at_1
        if card.at_0 is None and board.reads("zero-morale-production") == "half":
            return None if card.at_1 is None else card.at_1 // 2
        return card.at_0
