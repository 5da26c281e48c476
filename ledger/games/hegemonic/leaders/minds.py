"""Leaders that look into hands and piles: The Envoy, The Chair, The Technarch.

LD01 looks at a hand, cancels support, shows another card; LD04 orders the top of the draw pile,
draws and discards, and discards an opponent's technology; LD11 takes cards back, does research,
and advances cards above its tier.

The cards that LD04 looked at stay on top in a known order and are drawn first, without chance. The
discards are shuffled only when these and the unseen rest have both run out.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.actions.advancing import Discard, DiscardOrAdvance
from ledger.games.hegemonic.actions.discover import ResearchAction
from ledger.games.hegemonic.actions.piles import (
    AdvancedDiscarded,
    DrawTechnology,
    Piles,
    discard,
    sources_of,
)
from ledger.games.hegemonic.conflicts.committing import exchange_card
from ledger.games.hegemonic.conflicts.facts import SupportCanceled, contest_of
from ledger.games.hegemonic.conflicts.inactive import ReturnInactive
from ledger.games.hegemonic.state.components import figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open, OwnCounted
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts import cards
from ledger.parts.abilities import Use
from ledger.parts.cards import check_in_hand
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from .activation import RULE, Ability, Activate, Moment


class HandSeen(SeatFact, tag="leader.hand-seen"):
    """A player looked at the hand of another; no other player saw it."""

    irrevocable = True
    of: Open[Seat]
    cards: OwnCounted[tuple[str, ...]]


# --- LD01 The Envoy -------------------------------------------------------------------------------


class LookAtHand(Ability):
    """`leader.anytime`, `LD01` level 1: at any time, look at one other player's hand."""

    in_conflict = True
    needs = ("seat",)

    def check(self, galaxy: Galaxy, use: Use) -> None:
        other = self.other(galaxy, use)
        if not galaxy.houses[other].hand:
            raise self.untargeted("The player holds no card.", seat=other)

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        return (Activate(self.level, seat=house.seat) for house in galaxy.others(seat))

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        hand = galaxy.houses[use.said.seat].hand
        yield HandSeen(use.seat, use.said.seat, tuple(hand))


class CancelSupport(Ability):
    """`leader.anytime`, `LD01` level 2: after all answers of step 2, cancel one player's
    support.
    """

    moments = ("support-answered",)
    at_any_time = False
    needs = ("seat",)

    def check(self, galaxy: Galaxy, use: Use) -> None:
        if use.said.seat not in _supporters(galaxy):
            raise self.untargeted("The player has supported nobody.", seat=use.said.seat)

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        return (Activate(self.level, seat=one) for one in _supporters(galaxy))

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield SupportCanceled(use.said.seat)


def _supporters(galaxy: Galaxy) -> tuple[Seat, ...]:
    return tuple(one.seat for one in contest_of(galaxy).support if one.side is not None)


class ShowAnother(Ability):
    """`leader.anytime`, `LD01` level 3: after the reveal in its own conflict, show another card."""

    moments = ("cards-revealed",)
    at_any_time = False
    needs = ("card",)

    def fits(self, galaxy: Galaxy, seat: Seat, moment: Moment) -> bool:
        side = contest_of(galaxy).side_of(seat)
        return side is not None and bool(side.card)

    def check(self, galaxy: Galaxy, use: Use) -> None:
        check_in_hand(galaxy.houses[use.seat].hand, use.said.card, RULE)

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        return (Activate(self.level, card=card) for card in galaxy.houses[seat].hand)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield exchange_card(galaxy, use.seat, use.said.card)


# --- LD04 The Chair -------------------------------------------------------------------------------


class DrawTwo(Ability):
    """`leader.anytime`, `LD04` level 2: outside of conflicts, draw two cards, then discard two."""

    asks_further = True
    counts = True

    def check(self, galaxy: Galaxy, use: Use) -> None:
        _check_drawable(galaxy, use.seat)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        held = len(galaxy.houses[use.seat].hand)
        for number in range(self.amount(galaxy)):
            yield DrawTechnology(use.seat, f"{use.occasion}/{number + 1}")
        yield DiscardDown(use.seat, use.occasion, held)


class DiscardDown(SeatStep):
    """`draw.hand-invariant`: the player discards as many cards as it drew."""

    occasion: Open[str]
    held: Open[int]  # before

    def run(self, galaxy: Galaxy) -> Happenings:
        if len(galaxy.houses[self.seat].hand) > self.held:
            yield DiscardOne(self.seat, self.occasion, self.held)


class DiscardOne(SeatQuestion):
    """`draw.discard`: the player chooses a card of its hand to discard."""

    answers = (Discard,)
    occasion: Open[str]
    held: Open[int]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/discard/{len(galaxy.houses[seat].hand) - self.held}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Discard) -> bool:
        check_in_hand(galaxy.houses[seat].hand, decision.card, "draw.discard")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Discard]:
        return [Discard(card) for card in galaxy.houses[seat].hand]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Discard) -> Happenings:
        yield from discard(galaxy, seat, decision.card)
        yield DiscardDown(seat, self.occasion, self.held)


class DropTechnology(Ability):
    """`leader.anytime`, `LD04` level 3: discard an advanced technology of an opponent."""

    in_conflict = True
    needs = ("seat", "card")

    def check(self, galaxy: Galaxy, use: Use) -> None:
        other, card = self.other(galaxy, use), use.said.card
        if card not in galaxy.houses[other].advanced:
            message = "The player has no such advanced technology."
            raise Refused("not_advanced", RULE, message, {"seat": other, "card": card})

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        for house in galaxy.others(seat):
            yield from (Activate(self.level, house.seat, card) for card in house.advanced)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        card = use.said.card
        yield AdvancedDiscarded(use.said.seat, card, Piles.of(galaxy, card))


# --- LD11 The Technarch ---------------------------------------------------------------------------


class TakeInactive(Ability):
    """`leader.anytime`, `LD11` level 1: outside of conflicts, the inactive pile returns to hand."""

    def check(self, galaxy: Galaxy, use: Use) -> None:
        if not galaxy.houses[use.seat].inactive:
            raise self.untargeted("No card is inactive.")

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield ReturnInactive(use.seat, RULE)


class DoResearch(Ability):
    """`leader.anytime`, `LD11` level 2: RESEARCH without an action, outside of conflicts.

    `draw.hand-invariant`: not between a draw and its discard, and not within another RESEARCH.
    """

    asks_further = True

    def open(self, galaxy: Galaxy, seat: Seat) -> bool:
        house, turn = galaxy.houses[seat], galaxy.turn
        researching = turn is not None and turn.seat == seat and turn.action == "research"
        drawn = len(house.hand) + len(house.inactive) > figure(galaxy, "setup.hand")
        return not researching and not drawn

    def check(self, galaxy: Galaxy, use: Use) -> None:
        ResearchAction(use.seat, use.occasion).check(galaxy)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield ResearchAction(use.seat, use.occasion)


class AdvanceAny(Ability):
    """`leader.anytime`, `LD11` level 3: draw, then discard a card or advance one of any tier.

    The player pays its price (`advance.cost`); the rules on slots and copies still hold.
    """

    asks_further = True

    def check(self, galaxy: Galaxy, use: Use) -> None:
        _check_drawable(galaxy, use.seat)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield DrawTechnology(use.seat, use.occasion)
        yield DiscardOrAdvance(use.seat, use.occasion, any_tier=True)


def _check_drawable(galaxy: Galaxy, seat: Seat) -> None:
    if not any(sources_of(galaxy, seat)):
        raise Refused("no_such_source", "draw.nothing-left", "There is no card to draw.")


# --- LD04 The Chair at the draw pile --------------------------------------------------------------


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
