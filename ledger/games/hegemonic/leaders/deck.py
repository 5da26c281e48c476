"""Leaders, The Chair at the draw pile: the player looks at the top cards and orders them.

The cards it looked at stay on top in a known order and are drawn first, without chance. The
discards are shuffled only when these and the unseen rest have both run out.
"""

from __future__ import annotations

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open, OwnCounted
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.parts import cards
from ledger.parts.abilities import Use
from ledger.parts.seats import SeatStep

from .ability import RULE, Ability


class OrderDeck(Decision, tag="leader.order-deck"):
    """Put the cards that you looked at back in this order, the first on top."""

    cards: OwnCounted[tuple[str, ...]]


class TopSeen(cards.TopSeen, tag="leader.top-seen"):
    """A player looked at cards of the draw pile that no player had seen."""


class DeckOrdered(cards.TopOrdered, tag="leader.deck-ordered"):
    """A player put cards back on the draw pile; only it knows the order."""


class LookAtDeck(Ability):
    """`leader.anytime`, `LD04` level 1: look at the top three cards, put them back in any order."""

    in_conflict = True
    asks_further = True
    counts = True

    def check(self, galaxy: Galaxy, use: Use) -> None:
        if not galaxy.draw_pile:
            raise self.untargeted("The draw pile is empty.")

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        count = min(self.amount(galaxy), galaxy.draw_pile)
        if count > len(galaxy.on_top):
            yield LookFurther(use.seat, use.occasion, count)
        yield PutInOrder(use.seat, use.occasion, count)


class LookFurther(cards.DealHand):
    """`general.chance`: chance decides the next cards below the known ones."""

    told = TopSeen
    occasion: Open[str]
    count: Open[int]  # how many are looked at, those that are known included

    def address(self, galaxy: Galaxy) -> str:
        return f"{self.occasion}/top"

    def wanted(self, galaxy: Galaxy) -> int:
        return self.count - len(galaxy.on_top)


class PutInOrder(SeatStep):
    """`leader.choose`: the player puts the cards back on the pile in an order of its choice."""

    occasion: Open[str]
    count: Open[int]

    def run(self, galaxy: Galaxy) -> Happenings:
        """A single card has only one order."""
        if self.count > 1:
            yield ChooseOrder(self.seat, occasion=self.occasion, count=self.count)


class ChooseOrder(cards.ChooseOrder):
    """`leader.choose`: the player chooses the order of the cards that it looked at."""

    answers = (OrderDeck,)
    rule = RULE
    ordered = DeckOrdered
    occasion: Open[str]
    count: Open[int]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/order"
