"""RESEARCH: take the inactive pile back, discard any number of cards, draw up to the limit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ledger.games.hegemonic.conflicts.inactive import ReturnInactive
from ledger.games.hegemonic.state.components import figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.cards import are_each_once
from ledger.parts.seats import SeatQuestion, SeatStep

from .piles import DrawTechnology, discard, sources_of


class DiscardForResearch(Decision, tag="turn.research-discard"):
    """Discard these cards, the first one first, and draw up to the limit."""

    cards: Open[tuple[str, ...]]


class Research(SeatStep):
    """`discover.research`: the inactive pile returns, cards are discarded, others drawn.

    `inactive.return-research`: the whole pile returns, whatever is discarded then.
    """

    occasion: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        yield ReturnInactive(self.seat, "inactive.return-research")
        yield ChooseDiscards(self.seat, self.occasion)
        yield DrawToLimit(self.seat, self.occasion)


class ChooseDiscards(SeatStep):
    """`discover.research`: the player discards any number of cards of the hand, or none."""

    occasion: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks nothing without a card in hand."""
        if galaxy.houses[self.seat].hand:
            yield AskDiscards(self.seat, self.occasion)


class AskDiscards(SeatQuestion):
    """`discover.research`: the player chooses which cards to discard, and in which order.

    The options list every choice in the order of the hand; any other order may be given.
    """

    answers = (DiscardForResearch,)
    occasion: Open[str]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/discards"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: DiscardForResearch) -> bool:
        cards = decision.cards
        if not are_each_once(cards, galaxy.houses[seat].hand):
            message = "A player can only discard cards from their hand, each once."
            raise Refused("card_not_in_hand", "discover.research", message, {"cards": cards})
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> Iterator[DiscardForResearch]:
        hand = galaxy.houses[seat].hand
        for count in range(len(hand) + 1):
            yield from (DiscardForResearch(cards) for cards in combinations(hand, count))

    def decide(self, galaxy: Galaxy, seat: Seat, decision: DiscardForResearch) -> Happenings:
        """Discards in the order given, so that the last card is on top."""
        for card in decision.cards:
            yield from discard(galaxy, seat, card)


class DrawToLimit(SeatStep):
    """`discover.research`: cards are drawn one by one until the hand is full.

    `discover.research-sources`: they come from the draw pile or the player's advanced cards.
    """

    occasion: Open[str]
    drawn: Open[int] = 0

    def run(self, galaxy: Galaxy) -> Happenings:
        """Stops when there is nothing left to draw."""
        short = len(galaxy.houses[self.seat].hand) < figure(galaxy, "setup.hand")
        if short and any(sources_of(galaxy, self.seat, research=True)):
            number = self.drawn + 1
            yield DrawTechnology(self.seat, f"{self.occasion}/research/{number}", research=True)
            yield DrawToLimit(self.seat, self.occasion, number)
