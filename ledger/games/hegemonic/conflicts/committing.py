"""Conflict, step 3: attacker and defender each add a technology card, chosen in secret.

PlayTechnologies ─▶ CommitBoth ─▶ CommitTechnologies (sealed) ─▶ RevealTechnologies
└ Learning Game: TurnTopCard, TurnTopCard (chance)
"""

from __future__ import annotations

from typing import Final

from ledger.games.hegemonic.actions.piles import Piles, PilesReshuffled
from ledger.games.hegemonic.conflicts.inactive import ReturnInactive
from ledger.games.hegemonic.leaders.activation import Window
from ledger.games.hegemonic.state.components import CARDS
from ledger.games.hegemonic.state.contest import Side
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open, Own
from ledger.kernel.chance import Drawn
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.battle import Contribution
from ledger.parts.cards import DrawPile, TurnUp, check_in_hand
from ledger.parts.sealed import Revealing, SealedQuestion
from ledger.parts.seats import SeatFact, SeatStep

from .facts import StepBegun, contest_of, side_of

HELD_BACK: Final = "held back"


class CommitTechnology(Decision, tag="conflict.commit-card"):
    """Choose a technology card of your hand, face down; or none, where a reading allows it."""

    card: Own[str] = ""


# --- facts ----------------------------------------------------------------------------------------


class TechnologyCommitted(SeatFact, tag="conflict.card-committed"):
    """A side placed a technology card face down."""

    card: Own[str]
    key: Open[str]  # of the answer; none where there was nothing to choose

    def apply(self, galaxy: Galaxy) -> None:
        """A side that holds back lays down a card for show, so that the choice stays secret."""
        house, side = galaxy.houses[self.seat], side_of(galaxy, self.seat)
        house.committed, house.has_committed = self.card or house.hand[0], True
        house.hand.remove(house.committed)
        side.answered, side.sealed = self.key, () if self.card else (HELD_BACK,)


class TechnologyRevealed(Revealing, tag="conflict.card-revealed"):
    """A side's technology card was shown and adds its power."""

    irrevocable = True
    card: Open[str]
    contribution: Open[Contribution]
    key: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        house, side = galaxy.houses[self.seat], side_of(galaxy, self.seat)
        house.committed, house.has_committed = "", False
        _show(side, self.card, self.contribution)


class NothingPlayed(Revealing, tag="conflict.nothing-played"):
    """A side added no technology card."""

    key: Open[str] = ""

    def apply(self, galaxy: Galaxy) -> None:
        """Returns to the hand a card that was laid down for show."""
        house = galaxy.houses[self.seat]
        if house.has_committed:
            house.hand.insert(0, house.committed)
        house.committed, house.has_committed = "", False
        side_of(galaxy, self.seat).sealed = ()


class TopCardTurned(SeatFact, tag="conflict.top-card-turned"):
    """The top card of the draw pile was turned up for a side."""

    irrevocable = True
    card: Open[str]
    contribution: Open[Contribution]
    epoch: Open[int | None]  # none where a leader had looked at it

    def apply(self, galaxy: Galaxy) -> None:
        DrawPile().take(galaxy, (self.card,), self.epoch)
        _show(side_of(galaxy, self.seat), self.card, self.contribution)


class CardExchanged(SeatFact, tag="conflict.card-exchanged"):
    """A side took its card back and showed another one of its hand instead."""

    back: Open[str]
    card: Open[str]
    contributions: Open[tuple[Contribution, ...]]  # what is taken away, and what is added

    def apply(self, galaxy: Galaxy) -> None:
        house, side = galaxy.houses[self.seat], side_of(galaxy, self.seat)
        house.hand.remove(self.card)
        house.hand.append(self.back)
        _show(side, self.card, *self.contributions)


def _show(side: Side, card: str, *contributions: Contribution) -> None:
    side.card = card
    side.add(*contributions)


# --- the step -------------------------------------------------------------------------------------


def value_card(galaxy: Galaxy, side: Side, card: str, rule: str = "step3.value") -> Contribution:
    """`step3.value`: a card adds its figure for the type of power that the side fights with.

    Returns the contribution as listed.
    """
    amount: int = getattr(CARDS.of(galaxy)[card], side.type)
    return Contribution(rule, card, 1, "", 0, amount)


def exchange_card(galaxy: Galaxy, seat: Seat, card: str) -> CardExchanged:
    """Returns the fact that replaces the shown card by another one."""
    side = side_of(galaxy, seat)
    old, new = (value_card(galaxy, side, one) for one in (side.card, card))
    taken = Contribution(old.rule, old.piece, -1, "", 0, -old.amount)
    return CardExchanged(seat, side.card, card, (taken, new))


class PlayTechnologies(Step):
    """`step3.commit`: both sides choose a card of their hand at once and show them together.

    `learn.step3`: in the Learning Game the top card of the draw pile is turned up for each.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Opens windows for leaders before and after the cards."""
        contest = contest_of(galaxy)
        yield StepBegun(3)
        yield Window("before-cards")
        if galaxy.reads("learning"):
            for side in contest.sides:
                yield TurnTopCard(side.seat)
        else:
            yield CommitBoth()
        yield Window("cards-revealed")


class CommitBoth(Step):
    """`step3.mandatory`: a side with a card plays one; with a single card there is no choice.

    A reading lets a side hold its card back.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        choosing = []
        for side in contest_of(galaxy).sides:
            hand = galaxy.houses[side.seat].hand
            if len(hand) == 1 and galaxy.reads("step3.mandatory"):
                yield TechnologyCommitted(side.seat, hand[0], "")
            elif hand:
                choosing.append(side.seat)
        if choosing:
            yield CommitTechnologies(tuple(choosing))
        yield RevealTechnologies()


class CommitTechnologies(SealedQuestion):
    """`step3.commit`: each side chooses a card, face down.

    `inactive.locked`: cards in the inactive pile are not in the hand.
    """

    answers = (CommitTechnology,)
    waiting: Open[tuple[Seat, ...]]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/card"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: CommitTechnology) -> bool:
        if not decision.card:
            if galaxy.reads("step3.mandatory"):
                message = "A player that has a card must play one."
                raise Refused("card_due", "step3.mandatory", message)
        else:
            check_in_hand(galaxy.houses[seat].hand, decision.card, "step3.commit")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[CommitTechnology]:
        found = [CommitTechnology(card) for card in galaxy.houses[seat].hand]
        return found if galaxy.reads("step3.mandatory") else [*found, CommitTechnology()]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: CommitTechnology) -> Happenings:
        yield TechnologyCommitted(seat, decision.card, self.key(galaxy, seat))
        yield from self.without(seat)


class RevealTechnologies(Step):
    """`step3.commit`: both sides show their cards together; a side without a card adds nothing.

    `step3.last-card`: a side that played its last card takes its inactive pile back now.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        for side in contest_of(galaxy).sides:
            card = galaxy.houses[side.seat].committed
            if card and HELD_BACK not in side.sealed:
                value = value_card(galaxy, side, card)
                yield TechnologyRevealed(side.seat, card, value, side.answered)
            else:
                yield NothingPlayed(side.seat, side.answered if card else "")
        for side in contest_of(galaxy).sides:
            if side.card and not galaxy.houses[side.seat].hand:
                yield ReturnInactive(side.seat, "inactive.return-last")


class TurnTopCard(SeatStep):
    """`learn.step3`: the top card of the draw pile; an empty pile is first refilled by a
    shuffle.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Adds nothing where no card is left anywhere."""
        if galaxy.on_top:
            yield from _turn_top_card(galaxy, self.seat, galaxy.on_top[0], None)
            return
        if not galaxy.cards.size():
            if not any(galaxy.discards.values()):
                yield NothingPlayed(self.seat)
                return
            yield PilesReshuffled.now(galaxy)
        yield FlipTopCard(self.seat)


class FlipTopCard(TurnUp):
    """`learn.step3`: chance decides which card is on top."""

    def address(self, galaxy: Galaxy) -> str:
        return f"{contest_of(galaxy).key}/flip/s{self.seat}"

    def fallen(self, galaxy: Galaxy, answer: Drawn) -> Happenings:
        yield from _turn_top_card(galaxy, self.seat, answer.cards[0], answer.epoch)


def _turn_top_card(galaxy: Galaxy, seat: Seat, card: str, epoch: int | None) -> Happenings:
    value = value_card(galaxy, side_of(galaxy, seat), card, "learn.step3")
    yield TopCardTurned(seat, card, value, epoch)
    yield from Piles.run_out(galaxy)
