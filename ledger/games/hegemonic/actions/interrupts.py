"""Leaders interrupt: a player may drop an action, not yet paid for, that a leader interrupted.

The questions of an action just opened use this module to handle `leader.resume`.
"""

from __future__ import annotations

from ledger.games.hegemonic.action import turn_of
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Question, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.seats import SeatFact

from .turn import ActionTakenBack

INTERRUPTIBLE = ("build", "conflict")  # what is declared before anything is paid in it


class Resume(Decision, tag="leader.resume"):
    """Go on with the action that a leader has interrupted, or drop it and choose another."""

    go_on: Open[bool]


class ActionInterrupted(SeatFact, tag="leader.action-interrupted"):
    """Another player's leader interrupted a player's action before anything was paid."""

    def apply(self, galaxy: Galaxy) -> None:
        turn_of(galaxy).interrupted = True


class ActionResumed(SeatFact, tag="leader.action-resumed"):
    """A player goes on with an interrupted action."""

    def apply(self, galaxy: Galaxy) -> None:
        """Counts the resumption, which renames the question."""
        turn_of(galaxy).interrupted = False
        turn_of(galaxy).resumed += 1


class Interrupted:
    """`leader.interrupt-unpaid`: the interrupted player goes on, or drops the action.

    `leader.interrupt-paid`: a paid action and a conflict that has begun are completed.
    """

    @staticmethod
    def open(galaxy: Galaxy) -> bool:
        """Returns whether the player could still drop the open action."""
        turn = galaxy.turn
        if turn is None or turn.action not in INTERRUPTIBLE:
            return False
        return not turn.done and galaxy.contest is None

    @staticmethod
    def check(galaxy: Galaxy) -> None:
        """Refuses the answer if nothing was interrupted, or something was paid or done."""
        turn = turn_of(galaxy)
        if not Interrupted.open(galaxy):
            message = "The player has paid or acted in this action, so it must be completed."
            raise Refused("action_begun", "leader.interrupt-paid", message, {"done": turn.done})
        if not turn.interrupted:
            message = "No leader has interrupted this action."
            raise Refused("not_interrupted", "leader.interrupt-unpaid", message)

    @staticmethod
    def options(galaxy: Galaxy) -> list[Decision]:
        """Lists both answers while the player has a choice."""
        pending = turn_of(galaxy).interrupted and Interrupted.open(galaxy)
        return [Resume(go_on=True), Resume(go_on=False)] if pending else []

    @staticmethod
    def key(galaxy: Galaxy) -> str:
        """Returns a suffix that distinguishes the key of a resumed question from earlier ones."""
        resumed = turn_of(galaxy).resumed
        return f"/resumed/{resumed}" if resumed else ""

    @staticmethod
    def decide(seat: Seat, decision: Resume, question: Question) -> Happenings:
        """Asks the same question again, or takes the action back."""
        if decision.go_on:
            yield ActionResumed(seat)
            yield question
        else:
            yield ActionTakenBack(seat)
