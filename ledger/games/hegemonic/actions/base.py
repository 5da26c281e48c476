"""The base class of actions, and the rules for taking one back."""

from __future__ import annotations

from typing import ClassVar

from ledger.games.hegemonic.state.galaxy import Galaxy, Turn
from ledger.kernel.audience import Open
from ledger.kernel.refusals import Refused
from ledger.parts.seats import SeatStep


class Action(SeatStep):
    """An action of a turn. Its decision's fields follow its own two."""

    listed: ClassVar[str]  # the name by which an action card lists it
    occasion: Open[str]  # the key of the action, by which its questions are named

    def check(self, galaxy: Galaxy) -> None:
        """Refuses what the rules forbid beyond the card and the count."""


def check_untouched(galaxy: Galaxy, rule: str) -> None:
    """`build.any-quantity`, `move.optional`: an action without effect is taken back.

    Refuses to take back an action that has had an effect.
    """
    if turn_of(galaxy).done:
        message = "The action has begun: the player cannot take it back."
        raise Refused("action_begun", rule, message, {"done": turn_of(galaxy).done})


def check_done(galaxy: Galaxy, rule: str) -> None:
    """Refuses to finish an action that has had no effect."""
    if not turn_of(galaxy).done:
        message = "The player has done nothing in this action: take it back."
        raise Refused("nothing_done", rule, message)


def turn_of(galaxy: Galaxy) -> Turn:
    assert galaxy.turn is not None, "no player is taking a turn"
    return galaxy.turn
