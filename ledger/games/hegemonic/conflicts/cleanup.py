"""Conflict, step 5: what becomes of the technology cards that were played."""

from __future__ import annotations

from typing import ClassVar

from ledger.games.hegemonic.actions.piles import DrawCard, Piles, Sources, drawing
from ledger.games.hegemonic.state.galaxy import ONE_PILE, Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused

from .facts import StepBegun, contest_of, side_of


class CleanUp(Decision, tag="conflict.cleanup"):
    """Put the card that was played to the inactive pile; or name a source, and draw another."""

    source: Open[str] = ""  # none for the inactive pile
    card: Open[str] = ""  # of the own advanced technologies
    pile: Open[str] = ONE_PILE  # of the discards


class CardMadeInactive(Fact, tag="conflict.card-made-inactive"):
    """The card that a side had played went to its inactive pile, face up."""

    seat: Open[Seat]
    card: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """`step5.inactive`: it stays there until a rule brings it back."""
        side_of(galaxy, self.seat).card = ""
        galaxy.houses[self.seat].inactive.append(self.card)


class PlayedDiscarded(Fact, tag="conflict.card-discarded"):
    """The card that a side had played was discarded, face up."""

    seat: Open[Seat]
    card: Open[str]
    pile: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """It lies on top of its pile."""
        side_of(galaxy, self.seat).card = ""
        galaxy.discards[self.pile].append(self.card)


class Cleanup(Step):
    """`step5.order`: the attacker first, then the defender; by a reading the other way round.

    `learn.step5`: in the Learning Game both cards are discarded, the attacker's first.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Who has played no card has nothing to clean up."""
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


class CleanUpCard(Step):
    """`step5.choice`: each decides about its own card."""

    seat: Open[Seat]

    def run(self, galaxy: Galaxy) -> Happenings:
        """With nothing to draw there is no choice."""
        if any(Sources.of(galaxy, self.seat, research=False)):
            yield ChooseCleanup(self.seat)
        else:
            yield CardMadeInactive(self.seat, side_of(galaxy, self.seat).card)


class ChooseCleanup(Question):
    """`step5.choice`: the card goes to the inactive pile, or is replaced."""

    answers: ClassVar[tuple[type[Decision], ...]] = (CleanUp,)
    seat: Open[Seat]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """Who has played it."""
        return (self.seat,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """By the conflict and the side."""
        return f"{contest_of(galaxy).key}/cleanup/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: CleanUp) -> bool:
        """The inactive pile, or a source that is not empty."""
        if decision not in self.options(galaxy, seat):
            evidence = {"source": decision.source, "card": decision.card, "pile": decision.pile}
            message = "No card can be drawn from there."
            raise Refused("no_such_source", "step5.replace", message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[CleanUp]:
        """The inactive pile first."""
        sources = Sources.of(galaxy, seat, research=False)
        return [CleanUp(), *(CleanUp(one.source, one.card, one.pile) for one in sources)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: CleanUp) -> Happenings:
        """The other card is drawn before this one is discarded, so it cannot be this one."""
        if not decision.source:
            yield CardMadeInactive(seat, side_of(galaxy, seat).card)
            return
        draw = DrawCard(decision.source, decision.card, decision.pile)
        yield from drawing(galaxy, seat, draw, self.key(galaxy, seat))
        yield DiscardPlayed(seat)


class DiscardPlayed(Step):
    """`step5.replace`: after the draw, the card that was played is discarded face up."""

    seat: Open[Seat]

    def run(self, galaxy: Galaxy) -> Happenings:
        """To the pile that it belongs to."""
        card = side_of(galaxy, self.seat).card
        yield PlayedDiscarded(self.seat, card, Piles.of(galaxy, card))
