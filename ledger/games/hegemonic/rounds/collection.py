"""Phase 1, Collection: income and rising leaders."""

from __future__ import annotations

from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import TYPES
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.tracks import Income
from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Step
from ledger.parts.seats import SeatFact

from .clock import COLLECTION, PhaseBegun

HIGHEST_LEVEL = 3


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
