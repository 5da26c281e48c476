"""A sealed round: several seats answer in secret, and nobody sees an answer before all have.

    class ChooseActions(SealedQuestion):
        '''`action.choose`: ...'''
        answers = (CommitCard,)
        waiting: Open[tuple[Seat, ...]]

        def decide(self, galaxy, seat, decision):
            yield CardCommitted(seat, decision.card, self.key(galaxy, seat))
            yield from self.without(seat)

What follows the last answer is the game's next step. A fact that shows an answer is a `Revealing`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from ledger.kernel.records import Seat

from .seats import SeatFact, WaitingQuestion


class SealedQuestion(WaitingQuestion):
    """A question whose answers stay secret until every seat in `waiting` has answered."""

    sealed: ClassVar[bool] = True


class Revealing(SeatFact):
    """A fact that reveals the answer of its `seat` to the sealed question `key`, if it has one."""

    def discloses(self: Any) -> Iterable[tuple[str, Seat]]:
        return ((self.key, self.seat),) if self.key else ()
