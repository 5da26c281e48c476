"""Discarding or advancing: the choice that follows a draw, and the requirements for advancing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ledger.games.hegemonic.state.caps import check_price, spend
from ledger.games.hegemonic.state.components import figure, in_force
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import technology_of
from ledger.games.hegemonic.state.tracks import Tier
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.cards import CardMoved, are_each_once, check_in_hand
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from .piles import AdvancedDiscarded, DrawTechnology, NothingDrawn, Piles, discard, sources_of


class Discard(Decision, tag="tech.discard"):
    """Discard a card from your hand."""

    card: Open[str]


class Advance(Decision, tag="tech.advance"):
    """Advance a card from your hand, discarding advanced technologies to make room for it."""

    card: Open[str]
    discards: Open[tuple[str, ...]] = ()


class Keep(Decision, tag="tech.keep"):
    """Neither discard nor advance, where nothing could be drawn."""


class TechnologyAdvanced(CardMoved, tag="tech.advanced"):
    """A player advanced a technology."""

    to = "advanced"


class Kept(SeatFact, tag="tech.kept"):
    """A player neither discarded nor advanced."""


class DrawAndFinish(SeatStep):
    """`draw.hand-invariant`: a player follows every draw with a discard or an advance.

    `draw.nothing-left`: where nothing can be drawn, that is optional.
    """

    occasion: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        if any(sources_of(galaxy, self.seat)):
            yield DrawTechnology(self.seat, self.occasion)
            yield DiscardOrAdvance(self.seat, self.occasion)
            return
        yield NothingDrawn(self.seat)
        if galaxy.houses[self.seat].hand:
            yield DiscardOrAdvance(self.seat, self.occasion, optional=True)


def check_advance(galaxy: Galaxy, seat: Seat, decision: Advance, *, any_tier: bool = False) -> None:
    """Refuses a card that may not be advanced, with the first rule that fails.

    `advance.swap`: the requirement is tested before the listed cards leave, the rest after.
    `advance.slot`, `board.tech-slots`: a player has three slots, with one card in each.
    `advance.unique`: no two advanced technologies of a player are copies of one.
    `inactive.locked`: an inactive card is not in the hand.
    """
    house, evidence = galaxy.houses[seat], {"card": decision.card}
    check_in_hand(house.hand, decision.card, "advance.when")
    listed = decision.discards
    if not are_each_once(listed, house.advanced):
        message = "A player can only discard their own advanced technologies, each once."
        raise Refused("not_advanced", "advance.swap", message, evidence)
    if not any_tier and not meets_requirement(galaxy, seat, decision.card):
        message = "Neither a base nor an advanced technology meets the requirement."
        raise Refused("tier_too_low", "advance.tier-by-base", message, evidence)
    staying = [card for card in house.advanced if card not in listed]
    if in_force(galaxy, "advance.unique") and _copy_among(galaxy, decision.card, staying):
        message = "The player has already advanced a copy of this card."
        raise Refused("already_advanced", "advance.unique", message, evidence)
    if len(staying) >= figure(galaxy, "advance.slots"):
        raise Refused("no_slot", "advance.slot", "No slot is free.", evidence)
    check_price(galaxy, seat, technology_of(galaxy, decision.card).cost, "advance.cost")


def meets_requirement(galaxy: Galaxy, seat: Seat, card: str) -> bool:
    """`advance.tier-by-base`: the player has a base of the type and has reached the tier in it.

    `advance.tier-by-tech`: an advanced technology of the type, at most one tier lower, does too.
    `advance.stays`: tested when a card is advanced, and never again.

    Returns whether the card meets either test.
    """
    wanted = technology_of(galaxy, card)
    if Tier.by_bases(galaxy, seat, wanted.type) >= wanted.tier:
        return True
    held = (technology_of(galaxy, one) for one in galaxy.houses[seat].advanced)
    return any(one.type == wanted.type and one.tier >= wanted.tier - 1 for one in held)


class DiscardOrAdvance(SeatQuestion):
    """`expansion.finish`: the player discards or advances one card of its hand, new or old.

    `advance.when`: only after a draw that a rule pairs with it.
    """

    answers = (Discard, Advance, Keep)
    occasion: Open[str]
    optional: Open[bool] = False
    any_tier: Open[bool] = False  # by a leader

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/finish"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Discard | Advance | Keep) -> bool:
        """Accepts a card of the hand. To advance it, the player must meet all requirements."""
        if isinstance(decision, Keep):
            return self.optional
        if isinstance(decision, Advance):
            check_advance(galaxy, seat, decision, any_tier=self.any_tier)
        else:
            check_in_hand(galaxy.houses[seat].hand, decision.card, "expansion.finish")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        """Lists every card to discard and every way to advance one.

        The cards that make room come in slot order; a decision may use any order.
        """
        found: list[Decision] = [Discard(card) for card in galaxy.houses[seat].hand]
        found += self.legal(galaxy, seat, _advances(galaxy, seat))
        return [*found, Keep()] if self.optional else found

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Discard | Advance | Keep) -> Happenings:
        """`advance.cost`: the player pays the price first."""
        if isinstance(decision, Keep):
            yield Kept(seat)
        elif isinstance(decision, Discard):
            yield from discard(galaxy, seat, decision.card)
        else:
            price = technology_of(galaxy, decision.card).cost
            yield from spend(galaxy, seat, price, "advance.cost")
            for card in decision.discards:
                yield AdvancedDiscarded(seat, card, Piles.of(galaxy, card))
            yield TechnologyAdvanced(seat, decision.card)


def _advances(galaxy: Galaxy, seat: Seat) -> Iterator[Advance]:
    house = galaxy.houses[seat]
    for card in house.hand:
        for count in range(len(house.advanced) + 1):
            for listed in combinations(house.advanced, count):
                yield Advance(card, listed)


def _copy_among(galaxy: Galaxy, card: str, others: list[str]) -> bool:
    wanted = technology_of(galaxy, card)
    return any(technology_of(galaxy, other).id == wanted.id for other in others)
