"""Phase 2, Expansion: turn a tile, place one, draw a card, discard or advance one."""

from __future__ import annotations

from ledger.games.hegemonic.actions.advancing import DrawAndFinish
from ledger.games.hegemonic.map.tiles import PlaceFromPool, TurnTile
from ledger.games.hegemonic.state.components import in_force
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.records import Happenings, Step
from ledger.parts.seats import SeatFact, SeatStep

from .clock import EXPANSION, PhaseBegun


class ExpansionSkipped(SeatFact, tag="expansion.skipped"):
    """A player's whole turn was left out because the stack is empty."""


class Expansion(Step):
    """`expansion.order`: each player takes one full turn, clockwise from the arbiter."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """`arbiter.expansion`: the arbiter is first."""
        yield PhaseBegun(EXPANSION)
        for seat in galaxy.clockwise(galaxy.arbiter):
            yield ExpansionTurn(seat)


class ExpansionTurn(SeatStep):
    """`expansion.order`: A turn a tile, B place one, C draw a card, D discard or advance one.

    `expansion.draw`: step C draws from any source and is not left out while there is one.

    `expansion.flip-empty`: with an empty stack step A is left out, or under a reading all of them;
    but not all where an empty stack does not end the game (`opt.long-end`): only placing does.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        occasion = f"{galaxy.when}/s{self.seat}"
        if not galaxy.stack and self._left_out(galaxy):
            yield ExpansionSkipped(self.seat)
            return
        yield TurnTile(occasion)
        yield PlaceFromPool(self.seat, occasion)
        yield DrawAndFinish(self.seat, occasion)

    def _left_out(self, galaxy: Galaxy) -> bool:
        if galaxy.reads("expansion.empty") != "skip-turn":
            return False
        return in_force(galaxy, "end.stack") and not galaxy.reads("opt.long")
