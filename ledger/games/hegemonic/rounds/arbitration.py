"""Phase 6, Arbitration: inactive cards return, an arbiter is found, CAPs are cut to the limit.

Arbitration ─▶ ReturnInactive ... ─▶ FindArbiter ─▶ Retain ──────────▶ CutAll
                                     │ a tie        │ CAPs may be given
                                     [ChooseArbiter] [ConfirmTransfers]
"""

from __future__ import annotations

from typing import ClassVar

from ledger.games.hegemonic.conflicts.inactive import ReturnInactive
from ledger.games.hegemonic.leaders.activation import Window
from ledger.games.hegemonic.state.caps import caps_of, spend
from ledger.games.hegemonic.state.components import in_force
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.tracks import Retention
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Disturbs, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused

from .clock import ARBITRATION, PhaseBegun


class ChooseNextArbiter(Decision, tag="arbitration.choose-arbiter"):
    """Say who of those with most CAPs is the next arbiter."""

    seat: Open[Seat]


class Confirm(Decision, tag="arbitration.confirm"):
    """Be done with giving CAPs away in this round."""

    disturbs: ClassVar[Disturbs] = Disturbs.TOUCHED


# --- facts ----------------------------------------------------------------------------------------


class CapsCompared(Fact, tag="arbitration.compared"):
    """The CAPs of all were compared; how many each has is not told where they are hidden."""

    richest: Open[tuple[Seat, ...]]
    caps: Open[tuple[int, ...]]  # in seat order


class ArbiterFound(Fact, tag="arbitration.arbiter-found"):
    """Somebody is the arbiter from now on, a new one or the same."""

    seat: Open[Seat]
    rule: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """The token goes there."""
        galaxy.arbiter = self.seat


class TransfersConfirmed(Fact, tag="arbitration.confirmed"):
    """A player is done with giving CAPs away."""

    seat: Open[Seat]


class RetentionCut(Fact, tag="arbitration.cut"):
    """A player has more CAPs than it may keep; the transfer of the surplus follows."""

    seat: Open[Seat]
    limit: Open[int]
    amount: Open[int]


# --- the sequence ---------------------------------------------------------------------------------


class Arbitration(Step):
    """`arb.sequence`: inactive piles return, a new arbiter, CAPs are cut to retention.

    `inactive.return-arbitration`: every inactive pile goes back to its hand as the phase begins.
    Scoring and the test of the end follow.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """In this order."""
        yield PhaseBegun(ARBITRATION)
        for seat in galaxy.seats:
            yield ReturnInactive(seat, "inactive.return-arbitration")
        yield FindArbiter()
        yield Retain()


class FindArbiter(Step):
    """`arb.most-caps`: who has most CAPs as the phase begins is the arbiter, the old one included.

    `learn.arbiter`: in the Learning Game the next player counter-clockwise, whatever each has.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Where there is no choice nobody is asked."""
        if galaxy.reads("learning"):
            yield ArbiterFound(galaxy.counter_clockwise(galaxy.arbiter)[1], "learn.arbiter")
            return
        held = tuple(caps_of(galaxy, seat) for seat in galaxy.seats)
        richest = tuple(seat for seat in galaxy.seats if held[seat] == max(held))
        yield CapsCompared(richest, held if galaxy.reads("info.caps") == "open" else ())
        if len(richest) == 1:
            yield ArbiterFound(richest[0], "arb.most-caps")
            return
        eligible = Tied.eligible(galaxy, richest)
        if len(eligible) == 1:
            yield ArbiterFound(eligible[0], "arb.tie-incumbent")
        else:
            yield ChooseArbiter(richest)


class Tied:
    """`arb.tie-incumbent`: an arbiter among those with most gives the token to another of them."""

    @staticmethod
    def eligible(galaxy: Galaxy, richest: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """By a reading the arbiter may keep it."""
        if galaxy.arbiter not in richest or galaxy.reads("arb.tie-incumbent") == "may-keep":
            return richest
        return tuple(seat for seat in richest if seat != galaxy.arbiter)


class ChooseArbiter(Question):
    """`arb.tie`: with several at the top, the arbiter chooses among them.

    `arbiter.successor`: that is a privilege of the arbiter's. Who was at the top as the phase began
    counts; CAPs that are given meanwhile change nothing.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (ChooseNextArbiter,)
    richest: Open[tuple[Seat, ...]]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """The arbiter of the round that ends."""
        return (galaxy.arbiter,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """By the phase."""
        return f"{galaxy.when}/arbiter"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: ChooseNextArbiter) -> bool:
        """One of those with most, and not always oneself."""
        evidence = {"seat": decision.seat, "richest": list(self.richest)}
        if decision.seat not in self.richest:
            message = "The player is not among those with most CAPs."
            raise Refused("not_richest", "arb.tie", message, evidence)
        if decision.seat not in Tied.eligible(galaxy, self.richest):
            message = "An arbiter who is tied gives the token to another."
            raise Refused("must_pass_on", "arb.tie-incumbent", message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseNextArbiter]:
        """Each of them."""
        return [ChooseNextArbiter(other) for other in Tied.eligible(galaxy, self.richest)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseNextArbiter) -> Happenings:
        """The token is handed over."""
        yield ArbiterFound(decision.seat, "arb.tie")


# --- retention ------------------------------------------------------------------------------------


class Retain(Step):
    """`arb.retention`: every player discards CAPs down to its limit, all together.

    `learn.no-retention`: nobody in the Learning Game.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Before, every player has said that it is done with giving CAPs away, where it may."""
        if galaxy.reads("learning") or not in_force(galaxy, "retention.on"):
            return
        if galaxy.reads("deal.caps") == "any-time":
            yield ConfirmTransfers(tuple(galaxy.seats))
        for seat in galaxy.clockwise(galaxy.arbiter):
            yield Window("before-retention", seat)
        yield CutAll()


class ConfirmTransfers(Question):
    """`arb.caps-between`: CAPs may be given until every player has confirmed; then all are cut.

    So nobody can be given CAPs behind its own cut.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (Confirm,)
    waiting: Open[tuple[Seat, ...]]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """Those who have not confirmed, in any order."""
        return self.waiting

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """By the phase."""
        return f"{galaxy.when}/confirm"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Confirm) -> bool:
        """Once each."""
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Confirm]:
        """There is no other answer: it is about when."""
        return [Confirm()]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Confirm) -> Happenings:
        """The question stays open for the others."""
        yield TransfersConfirmed(seat)
        if still := tuple(other for other in self.waiting if other != seat):
            yield ConfirmTransfers(still)


class CutAll(Step):
    """`arb.retention`: what is above the limit goes back to the bank.

    The limit is that of the player board (`board.retention`); without a base there is none.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """In seat order; none of them changes another's."""
        for seat in galaxy.seats:
            limit = Retention.limit(galaxy, seat)
            if limit is None or caps_of(galaxy, seat) <= limit:
                continue
            surplus = caps_of(galaxy, seat) - limit
            yield RetentionCut(seat, limit, surplus)
            yield from spend(galaxy, seat, surplus, "arb.retention")
