"""The inactive pile: cards that were played in conflicts, and the rules that return them."""

from __future__ import annotations

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings
from ledger.parts.seats import SeatFact, SeatStep


class InactiveReturned(SeatFact, tag="inactive.returned"):
    """A player took its inactive pile back to its hand, by a rule."""

    cards: Open[tuple[str, ...]]
    rule: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        house = galaxy.houses[self.seat]
        house.hand += self.cards
        house.inactive.clear()


class ReturnInactive(SeatStep):
    """`inactive.return-last`: the whole pile returns when the last card of the hand was played.

    Other rules return it as well; the caller names the rule.
    """

    rule: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        if cards := tuple(galaxy.houses[self.seat].inactive):
            yield InactiveReturned(self.seat, cards, self.rule)
