"""Conflict, step 5: the cleanup of the technology cards that were played."""

from __future__ import annotations

from ledger.games.hegemonic.actions.piles import DrawCard, Piles, drawing, sources_of
from ledger.games.hegemonic.state.galaxy import ONE_PILE, Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.cards import CardDiscarded
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from .facts import StepBegun, contest_of, side_of


class CleanUp(Decision, tag="conflict.cleanup"):
    """Put your played card on the inactive pile; or name a source, and draw another."""

    source: Open[str] = ""  # none for the inactive pile
    card: Open[str] = ""  # of the own advanced technologies
    pile: Open[str] = ONE_PILE  # of the discards


class CardMadeInactive(SeatFact, tag="conflict.card-made-inactive"):
    """A side's played card went to its inactive pile, face up."""

    card: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """`step5.inactive`: the card stays there until a rule brings it back."""
        side_of(galaxy, self.seat).card = ""
        galaxy.houses[self.seat].inactive.append(self.card)


class PlayedDiscarded(CardDiscarded, tag="conflict.card-discarded"):
    """A side's played card was discarded, face up."""

    def leave(self, galaxy: Galaxy) -> None:
        side_of(galaxy, self.seat).card = ""


class Cleanup(Step):
    """`step5.order`: the attacker cleans up first, then the defender; a reading reverses this.

    `learn.step5`: in the Learning Game both cards are discarded, the attacker's first.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        yield StepBegun(5)
        sides = [side for side in contest_of(galaxy).sides if side.card]
        if not sides:
            return
        if galaxy.reads("learning"):
            for side in sides:
                yield DiscardPlayed(side.seat)
            return
        if len(sides) > 1 and galaxy.reads("cleanup.order") == "defender-first":
            sides.reverse()
        for side in sides:
            yield CleanUpCard(side.seat)


class CleanUpCard(SeatStep):
    """`step5.choice`: each player decides about its own card."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """With nothing to draw, the card becomes inactive."""
        if any(sources_of(galaxy, self.seat)):
            yield ChooseCleanup(self.seat)
        else:
            yield CardMadeInactive(self.seat, side_of(galaxy, self.seat).card)


class ChooseCleanup(SeatQuestion):
    """`step5.choice`: the card goes to the inactive pile, or the player replaces it."""

    answers = (CleanUp,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/cleanup/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: CleanUp) -> bool:
        if decision not in self.options(galaxy, seat):
            evidence = {"source": decision.source, "card": decision.card, "pile": decision.pile}
            message = "No card can be drawn from there."
            raise Refused("no_such_source", "step5.replace", message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[CleanUp]:
        sources = sources_of(galaxy, seat)
        return [CleanUp(), *(CleanUp(one.source, one.card, one.pile) for one in sources)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: CleanUp) -> Happenings:
        """Draws the new card before discarding the played one, so the two cannot be the same."""
        if not decision.source:
            yield CardMadeInactive(seat, side_of(galaxy, seat).card)
            return
        draw = DrawCard(decision.source, decision.card, decision.pile)
        yield from drawing(galaxy, seat, draw, self.key(galaxy, seat))
        yield DiscardPlayed(seat)


class DiscardPlayed(SeatStep):
    """`step5.replace`: after the draw, the player discards the played card face up."""

    def run(self, galaxy: Galaxy) -> Happenings:
        card = side_of(galaxy, self.seat).card
        yield PlayedDiscarded(self.seat, card, Piles.of(galaxy, card))
