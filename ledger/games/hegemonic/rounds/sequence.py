"""Rounds: six phases, and then the next round, until the game ends. Here are the first two.

1 collection: income, rising leaders   2 expansion: turn a tile, place one, draw, finish
3, 4, 5 actions   6 arbitration, scoring, the end
"""

from __future__ import annotations

from ledger.games.hegemonic.actions.advancing import DrawAndFinish
from ledger.games.hegemonic.actions.choosing import ActionPhase
from ledger.games.hegemonic.deals.negotiation import ExpireOffers
from ledger.games.hegemonic.map.tiles import PlaceFromPool, TurnTile
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import TYPES, in_force
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.tracks import Income
from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Step
from ledger.parts.seats import SeatFact, SeatStep

from .arbitration import Arbitration
from .clock import ACTION_PHASES, COLLECTION, EXPANSION, PhaseBegun, RoundBegun
from .ending import CheckEnd
from .scoring import Scoring

HIGHEST_LEVEL = 3


# --- phase 1, collection --------------------------------------------------------------------------


class IncomeCollected(SeatFact, tag="collection.income"):
    """The income of a player's three tracks; the transfer follows."""

    industrial: Open[int]
    political: Open[int]
    martial: Open[int]


class LeaderRose(SeatFact, tag="collection.leader-rose"):
    """A leader card slid one level up."""

    level: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].level = self.level


class Collection(Step):
    """`collection.income`: every player gains the sum of its three incomes, all at once.

    `collection.leaders`: every leader card slides up too.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        yield PhaseBegun(COLLECTION)
        for seat in galaxy.seats:
            incomes = [Income.of(galaxy, seat, type_) for type_ in TYPES]
            yield IncomeCollected(seat, *incomes)
            yield from gain(galaxy, seat, sum(incomes), "collection.income")
        yield LeadersRise()


class LeadersRise(Step):
    """`leader.advance`: one level each collection phase; `leader.hold`: a card stays at the
    third.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        for house in galaxy.houses:
            if house.leader and house.level < HIGHEST_LEVEL:
                yield LeaderRose(house.seat, house.level + 1)


# --- phase 2, expansion ---------------------------------------------------------------------------


class ExpansionSkipped(SeatFact, tag="expansion.skipped"):
    """A player's whole turn was left out because the stack is empty."""


class Expansion(Step):
    """`expansion.order`: each player takes one full turn, clockwise from the arbiter."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """`arbiter.expansion`: the arbiter is first."""
        yield PhaseBegun(EXPANSION)
        yield from map(ExpansionTurn, galaxy.clockwise(galaxy.arbiter))


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


# --- rounds ---------------------------------------------------------------------------------------


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
