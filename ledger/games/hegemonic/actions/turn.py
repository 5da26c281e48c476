"""A turn: an action is opened, used up, or taken back.

An action is a `Step` of its own chapter that a decision of the turn opens (`resolving.ACTIONS`):

    ActionOpened ─▶ the chapter's steps and questions ─▶ CloseAction ─▶ ActionUsed ─▶ NextAction
                                  │ turn.cancel-action                     ▲ not counted
                                  └─▶ ActionTakenBack ─────────────────────┘
"""

from __future__ import annotations

from ledger.games.hegemonic.actions.base import turn_of
from ledger.games.hegemonic.state.galaxy import Galaxy, Turn
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision
from ledger.parts.seats import SeatFact


class CancelAction(Decision, tag="turn.cancel-action"):
    """Take back the action just opened, as long as nothing has been done in it."""


class TurnBegun(SeatFact, tag="turn.begun"):
    """A player began to resolve its card."""

    card: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.turn = Turn(self.seat, self.card)


class TurnEnded(SeatFact, tag="turn.ended"):
    """A player's card is resolved."""

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.turn = None


class ActionOpened(SeatFact, tag="turn.action-opened"):
    """A player began an action."""

    action: Open[str]
    pattern: Open[str] = ""  # of attack, of a conflict action

    def apply(self, galaxy: Galaxy) -> None:
        turn = turn_of(galaxy)
        turn.pattern = self.pattern
        turn.action, turn.done, turn.mover = self.action, 0, None
        turn.saving, turn.interrupted, turn.resumed = None, False, 0
        turn.opened += 1


class ActionUsed(SeatFact, tag="turn.action-used"):
    """A player's action is over, and counts."""

    def apply(self, galaxy: Galaxy) -> None:
        turn = turn_of(galaxy)
        turn.action, turn.used = "", turn.used + 1


class ActionTakenBack(SeatFact, tag="turn.action-taken-back"):
    """A player took back an action that had only been opened."""

    def apply(self, galaxy: Galaxy) -> None:
        turn_of(galaxy).action = ""
