"""Technology cards drawn and discarded: the draw pile, the discards and the advanced cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.games.hegemonic.state.galaxy import ONE_PILE, Galaxy
from ledger.games.hegemonic.state.technologies import technology_of
from ledger.kernel.audience import Open
from ledger.kernel.chance import Dealt
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts import cards
from ledger.parts.cards import DrawPile
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep
from ledger.parts.standing import AnswerCounted, AnyTime

DECK, DISCARDS, ADVANCED = "deck", "discard", "advanced"
SOURCES: Final = (DECK, DISCARDS, ADVANCED)


class DrawCard(Decision, tag="tech.draw"):
    """Draw a card from a source: `deck`, `discard` (of a pile), `advanced` (a card)."""

    source: Open[str]
    card: Open[str] = ""
    pile: Open[str] = ONE_PILE


# --- facts ----------------------------------------------------------------------------------------


class CardDrawn(cards.CardDrawn, tag="tech.drawn"):
    """A card was drawn from the pile; only the player who drew it knows which."""


class TopCardDrawn(cards.KnownDrawn, tag="tech.top-drawn"):
    """A card was drawn that a leader had already looked at, so chance decides nothing."""


class DiscardTaken(cards.DiscardTaken, tag="tech.discard-taken"):
    """The top card of a discard pile was drawn."""


class AdvancedTaken(cards.CardMoved, tag="tech.advanced-taken"):
    """An advanced technology was drawn back to the hand; its slot is free."""

    held, to = "advanced", "hand"


class NothingDrawn(SeatFact, tag="tech.nothing-drawn"):
    """There was nothing to draw."""


class CardDiscarded(cards.CardDiscarded, tag="tech.discarded"):
    """A card was discarded from a hand, face up."""


class AdvancedDiscarded(cards.CardDiscarded, tag="tech.advanced-discarded"):
    """An advanced technology was discarded, face up."""

    held = "advanced"


class PilesReshuffled(cards.Reshuffled, tag="tech.reshuffled"):
    """The discards were shuffled into a new draw pile."""


# --- the piles ------------------------------------------------------------------------------------


class Piles:
    """`draw.discard`: discards lie face up; `opt.piles-discard`: each on the pile of its type.

    `draw.reshuffle`: the discards become the draw pile. `opt.piles-reshuffle`: all piles are
    shuffled together.
    """

    @staticmethod
    def of(galaxy: Galaxy, card: str) -> str:
        return technology_of(galaxy, card).type if galaxy.reads("opt.piles") else ONE_PILE

    @staticmethod
    def run_out(galaxy: Galaxy) -> Happenings:
        """`draw.reshuffle`: by a reading, the pile is renewed as soon as it has run out."""
        run_out = not galaxy.draw_pile and any(galaxy.discards.values())
        if run_out and galaxy.reads("draw.reshuffle") == "when-emptied":
            yield PilesReshuffled.now(galaxy)


def discard(galaxy: Galaxy, seat: Seat, card: str) -> Happenings:
    yield CardDiscarded(seat, card, Piles.of(galaxy, card))


def sources_of(galaxy: Galaxy, seat: Seat, *, research: bool = False) -> Iterator[DrawCard]:
    """`draw.sources`: the draw pile, the top of the discards, or the player's advanced cards.

    `draw.always-any`: a card may come from all of them wherever it is drawn, except that RESEARCH
    names fewer (`discover.research-sources`). `draw.nothing-left`: an empty source cannot be
    chosen. `opt.piles-draw`: of three discard piles, the top of any of them can be drawn.

    Yields every way to draw a card now.
    """
    tops = DrawPile().tops(galaxy)
    if galaxy.draw_pile or tops:
        yield DrawCard(DECK)
    if tops and (not research or galaxy.reads("research.discard-pile")):
        yield from (DrawCard(DISCARDS, pile=pile) for pile, _ in tops)
    yield from (DrawCard(ADVANCED, card) for card in galaxy.houses[seat].advanced)


# --- drawing --------------------------------------------------------------------------------------


class DrawTechnology(SeatStep):
    """`draw.sources`: a player draws a card from a source of its choice.

    A single source is used without a question. With none, nothing is drawn
    (`draw.nothing-left`).
    """

    occasion: Open[str]  # the key of what the card is drawn in
    research: Open[bool] = False

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks only where there is a choice."""
        sources = list(sources_of(galaxy, self.seat, research=self.research))
        if not sources:
            yield NothingDrawn(self.seat)
        elif len(sources) == 1:
            yield from drawing(galaxy, self.seat, sources[0], self.occasion)
        else:
            yield ChooseSource(self.seat, self.occasion, self.research)


class ChooseSource(SeatQuestion):
    """`draw.sources`: the player chooses where a card is drawn from."""

    answers = (DrawCard,)
    occasion: Open[str]
    research: Open[bool] = False

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/draw"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: DrawCard) -> bool:
        """Refuses a source that is empty or closed now."""
        if decision not in self.options(galaxy, seat):
            evidence = {"source": decision.source, "card": decision.card, "pile": decision.pile}
            closed = self.research and decision in sources_of(galaxy, seat)
            rule = "discover.research-sources" if closed else "draw.sources"
            raise Refused("no_such_source", rule, "No card can be drawn from there.", evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[DrawCard]:
        return list(sources_of(galaxy, seat, research=self.research))

    def decide(self, galaxy: Galaxy, seat: Seat, decision: DrawCard) -> Happenings:
        yield from drawing(galaxy, seat, decision, self.occasion)


def drawing(galaxy: Galaxy, seat: Seat, decision: DrawCard, occasion: str) -> Happenings:
    """Yields the facts of drawing from the chosen source.

    `draw.reshuffle`: if a card must come from an empty pile, the discards are shuffled first.
    """
    if decision.source == DISCARDS:
        yield DiscardTaken(seat, galaxy.discards[decision.pile][-1], decision.pile)
    elif decision.source == ADVANCED:
        yield AdvancedTaken(seat, decision.card)
    elif galaxy.on_top:
        yield TopCardDrawn(seat, galaxy.on_top[0])
        yield from Piles.run_out(galaxy)
    else:
        if not galaxy.cards.size():
            yield PilesReshuffled.now(galaxy)
        yield DrawFromPile(seat, occasion)


class DrawFromPile(cards.DealHand):
    """`draw.sources`: the top card of the draw pile, seen only by the player who draws it."""

    occasion: Open[str]

    def address(self, galaxy: Galaxy) -> str:
        return f"{self.occasion}/card"

    def fallen(self, galaxy: Galaxy, answer: Dealt) -> Happenings:
        yield CardDrawn(self.seat, answer.cards[0], answer.epoch)
        yield from Piles.run_out(galaxy)


# --- discarding an advanced technology at any time ------------------------------------------------


class DiscardAdvanced(Decision, tag="tech.discard-advanced"):
    """Discard an advanced technology of your own."""

    card: Open[str]


class StandingDiscardCounted(AnswerCounted, tag="tech.discard-counted"):
    """A player discarded an advanced technology out of turn; the count forms the next key."""

    named = "discard"


class DiscardAtAnyTime(AnyTime):
    """`advance.discard-anytime`: a player may discard one of its advanced technologies for free.

    This holds in the middle of a conflict too: what has been counted stays counted.
    """

    answers = (DiscardAdvanced,)
    named = "discard"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: DiscardAdvanced) -> bool:
        if decision.card not in galaxy.houses[seat].advanced:
            evidence = {"card": decision.card}
            message = "The player has no such advanced technology."
            raise Refused("not_advanced", "advance.discard-anytime", message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> Iterable[DiscardAdvanced]:
        return [DiscardAdvanced(card) for card in galaxy.houses[seat].advanced]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: DiscardAdvanced) -> Happenings:
        yield StandingDiscardCounted(seat)
        yield AdvancedDiscarded(seat, decision.card, Piles.of(galaxy, decision.card))
