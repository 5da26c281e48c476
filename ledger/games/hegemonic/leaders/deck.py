"""Leaders, The Chair at the draw pile: the player looks at the top cards and orders them.

The cards it looked at stay on top in a known order and are drawn first, without chance. The
discards are shuffled only when these and the unseen rest have both run out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open, OwnCounted
from ledger.kernel.chance import ChanceQuestion, Dealt, Draw
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.abilities import Use
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from .ability import RULE, Ability


class OrderDeck(Decision, tag="leader.order-deck"):
    """Put the cards that you looked at back in this order, the first on top."""

    cards: OwnCounted[tuple[str, ...]]


class TopSeen(SeatFact, tag="leader.top-seen"):
    """A player looked at cards of the draw pile that no player had seen."""

    irrevocable = True
    cards: OwnCounted[tuple[str, ...]]
    epoch: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """The cards are on top, below those that were known already."""
        galaxy.cards.take(self.cards, self.epoch)
        galaxy.on_top += self.cards
        galaxy.seen_by = (self.seat,)


class DeckOrdered(SeatFact, tag="leader.deck-ordered"):
    """A player put cards back on the draw pile; only it knows the order."""

    cards: OwnCounted[tuple[str, ...]]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.on_top[: len(self.cards)] = self.cards


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


class LookFurther(ChanceQuestion):
    """`general.chance`: chance decides the next cards below the known ones."""

    seat: Open[Seat]
    occasion: Open[str]
    count: Open[int]  # how many are looked at, those that are known included

    def address(self, galaxy: Galaxy) -> str:
        return f"{self.occasion}/top"

    def wish(self, galaxy: Galaxy) -> Draw:
        return Draw(galaxy.cards, self.count - len(galaxy.on_top), to=self.seat)

    def fallen(self, galaxy: Galaxy, answer: Dealt) -> Happenings:
        yield TopSeen(self.seat, answer.cards, answer.epoch)


class PutInOrder(SeatStep):
    """`leader.choose`: the player puts the cards back on the pile in an order of its choice."""

    occasion: Open[str]
    count: Open[int]

    def run(self, galaxy: Galaxy) -> Happenings:
        """A single card has only one order."""
        if self.count > 1:
            yield ChooseOrder(self.seat, self.occasion, self.count)


class ChooseOrder(SeatQuestion):
    """`leader.choose`: the player chooses the order of the cards that it looked at."""

    answers = (OrderDeck,)
    occasion: Open[str]
    count: Open[int]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/order"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: OrderDeck) -> bool:
        if sorted(decision.cards) != sorted(galaxy.on_top[: self.count]):
            message = "These are not the cards that the player looked at."
            raise Refused("other_cards", RULE, message, {"count": self.count})
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> Iterator[OrderDeck]:
        """Lists every order, first the present one."""
        return (OrderDeck(order) for order in permutations(galaxy.on_top[: self.count]))

    def decide(self, galaxy: Galaxy, seat: Seat, decision: OrderDeck) -> Happenings:
        yield DeckOrdered(seat, decision.cards)
