"""The inactive pile: cards that were played in conflicts, and when they come back."""

from __future__ import annotations

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings, Seat, Step


class InactiveReturned(Fact, tag="inactive.returned"):
    """A player took its inactive pile back to its hand, by a rule."""

    seat: Open[Seat]
    cards: Open[tuple[str, ...]]
    rule: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """They can be played, discarded and advanced again."""
        house = galaxy.houses[self.seat]
        house.hand += self.cards
        house.inactive.clear()


class ReturnInactive(Step):
    """`inactive.return-last`: the whole pile returns when the last card of the hand was played.

    Other rules bring it back as well; whoever asks for it says which one does.
    """

    seat: Open[Seat]
    rule: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Nothing happens where the pile is empty."""
        if cards := tuple(galaxy.houses[self.seat].inactive):
            yield InactiveReturned(self.seat, cards, self.rule)
