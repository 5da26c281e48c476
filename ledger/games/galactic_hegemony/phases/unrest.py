"""Phase 2, Revolt actions: planets in revolt lose what was built on them."""

from __future__ import annotations

from ledger.games.galactic_hegemony.state.board import Board, Phase
from ledger.games.galactic_hegemony.state.components import INFRASTRUCTURE
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings

from .tracks import REVOLTS, PhaseBegun


class InfrastructureLost(Fact, tag="unrest.infrastructure-lost"):
    """A planet in revolt lost a piece of infrastructure."""

    planet: Open[int]
    kind: Open[str]

    def apply(self, board: Board) -> None:
        colony = board.of(self.planet)
        setattr(colony, self.kind, colony.built(self.kind) - 1)


class RevoltActions(Phase):
    """`revolt.infrastructure-loss`: each planet in revolt loses one piece each turn.

    `revolt.infrastructure-same-turn`: it loses one also in the turn in which it falls.
    """

    def play(self, board: Board) -> Happenings:
        """Takes planets by number, which makes no difference."""
        in_revolt = [colony for colony in board.colonies if colony.in_revolt]
        if not in_revolt:
            return
        yield PhaseBegun(REVOLTS)
        for colony in in_revolt:
            if colony.fell < board.turn or board.reads("loss-same-turn"):
                yield LoseInfrastructure(colony.planet)


class LoseInfrastructure(Phase):
    """`revolt.infrastructure-order`: the shipyard if it is there, else the factory, else the civil.

    `revolt.infrastructure-none`: if nothing is built nothing is lost.
    """

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        """Loses the first piece in the order that is there."""
        colony = board.of(self.planet)
        order = sorted(INFRASTRUCTURE.of(board).values(), key=lambda kind: kind.lost)
        for kind in order:
            if colony.built(kind.id):
                yield InfrastructureLost(self.planet, kind.id)
                return
