"""Leaders interrupt: an action that nothing was paid for yet may be dropped for another one.

The questions of an action just opened ask here what `leader.resume` means for them.
"""

from __future__ import annotations

from ledger.games.hegemonic.action import turn_of
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat
from ledger.kernel.refusals import Refused

from .turn import ActionTakenBack

INTERRUPTIBLE = ("build", "conflict")  # what is declared before anything is paid in it


class Resume(Decision, tag="leader.resume"):
    """Go on with the action that a leader has interrupted, or drop it and choose another."""

    go_on: Open[bool]


class ActionInterrupted(Fact, tag="leader.action-interrupted"):
    """A player's action was interrupted by another player's leader before anything was paid."""

    seat: Open[Seat]

    def apply(self, galaxy: Galaxy) -> None:
        """The player may go on or drop it."""
        turn_of(galaxy).interrupted = True


class ActionResumed(Fact, tag="leader.action-resumed"):
    """A player goes on with an interrupted action."""

    seat: Open[Seat]

    def apply(self, galaxy: Galaxy) -> None:
        """As if nothing had been."""
        turn_of(galaxy).interrupted = False
        turn_of(galaxy).resumed += 1


class Interrupted:
    """`leader.interrupt-unpaid`: the interrupted player goes on, or drops the action.

    `leader.interrupt-paid`: what has been paid for, and a conflict that has begun, is completed.
    """

    @staticmethod
    def open(galaxy: Galaxy) -> bool:
        """Whether the action that is open could still be dropped."""
        turn = galaxy.turn
        if turn is None or turn.action not in INTERRUPTIBLE:
            return False
        return not turn.done and galaxy.contest is None

    @staticmethod
    def check(galaxy: Galaxy) -> None:
        """Refuse to drop, or to go on with, what was not interrupted or has been paid for."""
        turn = turn_of(galaxy)
        if not Interrupted.open(galaxy):
            message = "Something has been paid or done in this action: it is completed."
            raise Refused("action_begun", "leader.interrupt-paid", message, {"done": turn.done})
        if not turn.interrupted:
            message = "No leader has interrupted this action."
            raise Refused("not_interrupted", "leader.interrupt-unpaid", message)

    @staticmethod
    def options(galaxy: Galaxy) -> list[Decision]:
        """Both, while there is a choice."""
        pending = turn_of(galaxy).interrupted and Interrupted.open(galaxy)
        return [Resume(go_on=True), Resume(go_on=False)] if pending else []

    @staticmethod
    def key(galaxy: Galaxy) -> str:
        """What tells the question of an action that was gone on with from the one before it."""
        resumed = turn_of(galaxy).resumed
        return f"/resumed/{resumed}" if resumed else ""

    @staticmethod
    def decide(seat: Seat, decision: Resume, question: Question) -> Happenings:
        """The same question again, or none."""
        if decision.go_on:
            yield ActionResumed(seat)
            yield question
        else:
            yield ActionTakenBack(seat)
