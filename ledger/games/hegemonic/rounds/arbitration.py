"""Phase 6, Arbitration: inactive cards return, an arbiter is found, CAPs are cut to the limit.

Arbitration ─▶ ReturnInactive ... ─▶ FindArbiter ─▶ Retain ──────────▶ CutAll
                                     │ a tie        │ CAPs may be given
                                     [ChooseArbiter] [ConfirmTransfers]
"""

from __future__ import annotations

from ledger.games.hegemonic.conflicts.inactive import ReturnInactive
from ledger.games.hegemonic.leaders.activation import Window
from ledger.games.hegemonic.state.caps import caps_of, spend
from ledger.games.hegemonic.state.components import in_force
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.tracks import Retention
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Disturbs, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.rankings import list_most
from ledger.parts.seats import SeatFact, WaitingQuestion

from .clock import ARBITRATION, PhaseBegun


class ChooseNextArbiter(Decision, tag="arbitration.choose-arbiter"):
    """Choose the next arbiter among the players with most CAPs."""

    seat: Open[Seat]


class Confirm(Decision, tag="arbitration.confirm"):
    """Confirm that you give no more CAPs away in this round."""

    disturbs = Disturbs.TOUCHED


# --- facts ----------------------------------------------------------------------------------------


class CapsCompared(Fact, tag="arbitration.compared"):
    """The CAPs of all players were compared. The numbers are left out where CAPs are hidden."""

    richest: Open[tuple[Seat, ...]]
    caps: Open[tuple[int, ...]]  # in seat order


class ArbiterFound(SeatFact, tag="arbitration.arbiter-found"):
    """A player is the arbiter from now on; it may be the same player as before."""

    rule: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.arbiter = self.seat


class TransfersConfirmed(SeatFact, tag="arbitration.confirmed"):
    """A player confirmed that it gives no more CAPs away."""


class RetentionCut(SeatFact, tag="arbitration.cut"):
    """A player has more CAPs than it may keep; the transfer of the surplus follows."""

    limit: Open[int]
    amount: Open[int]


# --- the sequence ---------------------------------------------------------------------------------


class Arbitration(Step):
    """`arb.sequence`: inactive piles return, the next arbiter is found, CAPs are cut to retention.

    `inactive.return-arbitration`: every inactive pile goes back to its hand as the phase begins.
    Scoring and the test of the end follow.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        yield PhaseBegun(ARBITRATION)
        for seat in galaxy.seats:
            yield ReturnInactive(seat, "inactive.return-arbitration")
        yield FindArbiter()
        yield Retain()


class FindArbiter(Step):
    """`arb.most-caps`: the player with most CAPs as the phase begins is the arbiter, old or new.

    `learn.arbiter`: in the Learning Game it is the next player counter-clockwise.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks a player only where there is a choice."""
        if galaxy.reads("learning"):
            yield ArbiterFound(galaxy.counter_clockwise(galaxy.arbiter)[1], "learn.arbiter")
            return
        held = tuple(caps_of(galaxy, seat) for seat in galaxy.seats)
        richest = list_most(dict(enumerate(held)))
        yield CapsCompared(richest, held if galaxy.reads("info.caps") == "open" else ())
        if len(richest) == 1:
            yield ArbiterFound(richest[0], "arb.most-caps")
            return
        eligible = list_eligible(galaxy, richest)
        if len(eligible) == 1:
            yield ArbiterFound(eligible[0], "arb.tie-incumbent")
        else:
            yield ChooseArbiter(richest)


def list_eligible(galaxy: Galaxy, richest: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """`arb.tie-incumbent`: a tied arbiter gives the token to another of the tied players.

    Returns the possible next arbiters. A reading lets the arbiter stay.
    """
    if galaxy.arbiter not in richest or galaxy.reads("arb.tie-incumbent") == "may-keep":
        return richest
    return tuple(seat for seat in richest if seat != galaxy.arbiter)


class ChooseArbiter(Question):
    """`arb.tie`: when several players have most CAPs, the arbiter chooses among them.

    `arbiter.successor`: that choice is a privilege of the arbiter. CAPs count as they were when the
    phase began; gifts made since change nothing.
    """

    answers = (ChooseNextArbiter,)
    richest: Open[tuple[Seat, ...]]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        return (galaxy.arbiter,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{galaxy.when}/arbiter"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: ChooseNextArbiter) -> bool:
        """Accepts a player with most CAPs, and not always the arbiter itself."""
        evidence = {"seat": decision.seat, "richest": list(self.richest)}
        if decision.seat not in self.richest:
            message = "The player is not one of those with the most CAPs."
            raise Refused("not_richest", "arb.tie", message, evidence)
        if decision.seat not in list_eligible(galaxy, self.richest):
            message = "A tied arbiter must give the token to another player."
            raise Refused("must_pass_on", "arb.tie-incumbent", message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseNextArbiter]:
        return [ChooseNextArbiter(other) for other in list_eligible(galaxy, self.richest)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseNextArbiter) -> Happenings:
        yield ArbiterFound(decision.seat, "arb.tie")


# --- retention ------------------------------------------------------------------------------------


class Retain(Step):
    """`arb.retention`: all players discard CAPs down to their limits, together.

    `learn.no-retention`: nobody does in the Learning Game.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """First asks every player to confirm its gifts, if CAPs may be given at any time."""
        if galaxy.reads("learning") or not in_force(galaxy, "retention.on"):
            return
        if galaxy.reads("deal.caps") == "any-time":
            yield ConfirmTransfers(tuple(galaxy.seats))
        for seat in galaxy.clockwise(galaxy.arbiter):
            yield Window("before-retention", seat)
        yield CutAll()


class ConfirmTransfers(WaitingQuestion):
    """`arb.caps-between`: players may give CAPs until every player has confirmed; then all are cut.

    So no player can receive CAPs after its own cut.
    """

    answers = (Confirm,)
    waiting: Open[tuple[Seat, ...]]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{galaxy.when}/confirm"

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Confirm]:
        return [Confirm()]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Confirm) -> Happenings:
        yield TransfersConfirmed(seat)
        yield from self.without(seat)


class CutAll(Step):
    """`arb.retention`: each player returns the CAPs above its limit to the bank.

    The player board gives the limit (`board.retention`); without a base there is none.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Cuts in seat order; no cut affects another player's."""
        for seat in galaxy.seats:
            limit = Retention.limit(galaxy, seat)
            if limit is None or caps_of(galaxy, seat) <= limit:
                continue
            surplus = caps_of(galaxy, seat) - limit
            yield RetentionCut(seat, limit, surplus)
            yield from spend(galaxy, seat, surplus, "arb.retention")
