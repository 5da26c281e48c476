"""Cards: draw piles, hands and discards; dealing, drawing, reshuffling, looking at the top.

    DrawPile ─┬─ deck      cards that nobody has seen
              ├─ on_top    cards on it that a seat has looked at, the next one first
              └─ discards  cards that lie face up, in piles with names, each from the bottom

    class CardDiscarded(cards.Discarded, tag="tech.discarded"):
        '''A card was discarded from a hand, face up.'''

A fact finds the draw pile by its `source`, and what a seat holds by `held`, in `state.own(seat)`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ledger.kernel.audience import Open, Own, OwnCounted
from ledger.kernel.chance import ChanceQuestion, Dealt, Deck, Draw, Drawn
from ledger.kernel.records import Fact, Happenings, Seat
from ledger.kernel.refusals import Refused

from .seats import SeatFact, SeatQuestion


@dataclass(frozen=True)
class DrawPile:
    """A draw pile, by the names of the state's fields for it.

    All but `cards` can be "": a pile without them has no facts about known cards, or discards.
    """

    cards: str = "cards"  # the deck
    known: str = "on_top"
    seen_by: str = "seen_by"  # the seats that know what is on top
    discarded: str = "discards"

    def deck(self, state: Any) -> Deck:
        deck: Deck = getattr(state, self.cards)
        return deck

    def on_top(self, state: Any) -> list[str]:
        return getattr(state, self.known) if self.known else []

    def discards(self, state: Any) -> dict[str, list[str]]:
        return getattr(state, self.discarded) if self.discarded else {}

    def check(self, *parts: str) -> None:
        """Fails where a fact changes a part of the pile that it does without."""
        missing = [part for part in parts if not getattr(self, part)]
        assert not missing, f"the draw pile {self.cards} names no field for: {', '.join(missing)}"

    def size(self, state: Any) -> int:
        """Counts the cards that can be drawn before the discards are shuffled."""
        return self.deck(state).size() + len(self.on_top(state))

    def tops(self, state: Any) -> list[tuple[str, str]]:
        """Returns the names of the discard piles that are not empty, each with its top card."""
        return [(name, cards[-1]) for name, cards in self.discards(state).items() if cards]

    def take(self, state: Any, cards: Collection[str], epoch: int | None) -> None:
        """Takes cards that chance has drawn; without an epoch, known ones. Only facts call this."""
        if epoch is not None:
            self.deck(state).take(cards, epoch)
            return
        self.check("known")
        for card in cards:
            self.on_top(state).remove(card)


class CardFact(SeatFact):
    """A fact about cards of one seat, in the part of its own things that `held` names."""

    source: ClassVar[DrawPile] = DrawPile()
    held: ClassVar[str] = "hand"

    def holding(self, state: Any) -> list[str]:
        holding: list[str] = getattr(state.own(self.seat), self.held)
        return holding


# --- facts: from the pile to a seat ---------------------------------------------------------------


class HandDealt(CardFact):
    """A seat was dealt cards; only it sees them."""

    cards: OwnCounted[tuple[str, ...]]
    epoch: Open[int]

    def apply(self, state: Any) -> None:
        self.source.take(state, self.cards, self.epoch)
        self.holding(state).extend(self.cards)


class CardDrawn(CardFact):
    """A seat drew a card from the pile; only it knows which."""

    irrevocable = True
    card: Own[str]
    epoch: Open[int]

    def apply(self, state: Any) -> None:
        self.source.take(state, (self.card,), self.epoch)
        self.holding(state).append(self.card)


class KnownDrawn(CardFact):
    """A seat drew a card that somebody had looked at, so chance decides nothing."""

    irrevocable = True
    card: Own[str]

    def apply(self, state: Any) -> None:
        self.source.take(state, (self.card,), None)
        self.holding(state).append(self.card)


class DiscardTaken(CardFact):
    """A seat took the top card of a discard pile."""

    card: Open[str]
    pile: Open[str]

    def apply(self, state: Any) -> None:
        self.source.check("discarded")
        top = self.source.discards(state)[self.pile].pop()
        assert top == self.card, f"{top} lies on {self.card}"
        self.holding(state).append(self.card)


# --- facts: from a seat, and back to the pile -----------------------------------------------------


class CardMoved(CardFact):
    """A seat moved a card, face up, from the part that `held` names to the part `to`."""

    to: ClassVar[str]
    card: Open[str]

    def apply(self, state: Any) -> None:
        self.holding(state).remove(self.card)
        getattr(state.own(self.seat), self.to).append(self.card)


class CardDiscarded(CardFact):
    """A seat discarded a card, face up."""

    card: Open[str]
    pile: Open[str]

    def apply(self, state: Any) -> None:
        self.source.check("discarded")
        self.leave(state)
        self.source.discards(state)[self.pile].append(self.card)

    def leave(self, state: Any) -> None:
        """Takes the card from where it is."""
        self.holding(state).remove(self.card)


class Reshuffled(Fact):
    """All discards were shuffled into the draw pile."""

    irrevocable = True
    source: ClassVar[DrawPile] = DrawPile()
    count: Open[int]

    @classmethod
    def now(cls, state: Any) -> Self:
        """Returns the fact, with the number of the cards that are discarded now."""
        return cls(sum(map(len, cls.source.discards(state).values())))

    def apply(self, state: Any) -> None:
        """Shuffles the piles together, whatever their names."""
        self.source.check("discarded")
        piles = self.source.discards(state).values()
        every = [card for pile in piles for card in pile]
        assert len(every) == self.count, f"{len(every)} cards were discarded"
        self.source.deck(state).shuffle_in(every)
        for pile in piles:
            pile.clear()


# --- looking at the top ---------------------------------------------------------------------------


class TopSeen(CardFact):
    """A seat looked at the next cards of the deck. They lie below those that were known already."""

    irrevocable = True
    cards: OwnCounted[tuple[str, ...]]
    epoch: Open[int]

    def apply(self, state: Any) -> None:
        self.source.check("known", "seen_by")
        self.source.take(state, self.cards, self.epoch)
        self.source.on_top(state).extend(self.cards)
        setattr(state, self.source.seen_by, (self.seat,))


class TopOrdered(CardFact):
    """A seat put cards back on the pile in an order that only it knows."""

    cards: OwnCounted[tuple[str, ...]]

    def apply(self, state: Any) -> None:
        self.source.check("known")
        self.source.on_top(state)[: len(self.cards)] = self.cards


class ChooseOrder(SeatQuestion):
    """A seat chooses the order of the cards that it has looked at: the first `count` on top."""

    rule: ClassVar[str]  # by which other cards are refused
    source: ClassVar[DrawPile] = DrawPile()
    ordered: ClassVar[type[TopOrdered]]
    if TYPE_CHECKING:
        # The game's question declares it, so that its fields keep their order in stored bytes.
        count: Open[int]

    def allows(self, state: Any, seat: Seat, decision: Any) -> bool:
        if sorted(decision.cards) != sorted(self.source.on_top(state)[: self.count]):
            message = "These are not the cards that the player looked at."
            raise Refused("other_cards", self.rule, message, {"count": self.count})
        return True

    def options(self, state: Any, seat: Seat) -> Iterator[Any]:
        """Lists every order, first the present one."""
        (order,) = self.answers
        known = self.source.on_top(state)[: self.count]
        return (order(cards=cards) for cards in permutations(known))

    def decide(self, state: Any, seat: Seat, decision: Any) -> Happenings:
        yield self.ordered(seat, decision.cards)


# --- chance ---------------------------------------------------------------------------------------


class CardsFall(ChanceQuestion):
    """Chance gives a seat cards of a deck. The game's question names the deck, address and fact."""

    deck: ClassVar[str] = "cards"  # the state's field
    where: ClassVar[str]  # the address, with a place for the seat: "setup/hand/s{}"
    told: ClassVar[Any]  # the fact: of the seat, what fell, and the epoch
    seat: Open[Seat]

    def address(self, state: Any) -> str:
        return self.where.format(self.seat)

    def wanted(self, state: Any) -> int:
        """Returns the number of cards."""
        return 1


class DealHand(CardsFall):
    """Chance deals a seat cards, which it alone sees."""

    def wish(self, state: Any) -> Draw:
        return Draw(getattr(state, self.deck), self.wanted(state), to=self.seat)

    def fallen(self, state: Any, answer: Dealt) -> Happenings:
        yield self.told(self.seat, answer.cards, answer.epoch)


class TurnUp(CardsFall):
    """Chance turns up a card for a seat."""

    def wish(self, state: Any) -> Draw:
        return Draw(getattr(state, self.deck))

    def fallen(self, state: Any, answer: Drawn) -> Happenings:
        yield self.told(self.seat, answer.cards[0], answer.epoch)


# --- checks ---------------------------------------------------------------------------------------


def check_in_hand(hand: Collection[str], card: str, rule: str) -> None:
    """Refuses a card that is not in the hand."""
    if card not in hand:
        message = "The player's hand has no such card."
        raise Refused("card_not_in_hand", rule, message, {"card": card})


def are_each_once(chosen: Sequence[str], among: Collection[str]) -> bool:
    """Returns whether these are some of the cards, none of them twice."""
    return len(set(chosen)) == len(chosen) and set(chosen) <= set(among)
