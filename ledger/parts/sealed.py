"""A sealed round: several seats answer in secret, and nobody sees an answer before all have.

    class ChooseActions(SealedQuestion):
        '''`action.choose`: ...'''
        answers = (CommitCard,)
        waiting: Open[tuple[Seat, ...]]

        def decide(self, galaxy, seat, decision):
            yield CardCommitted(seat, decision.card, self.key(galaxy, seat))
            yield from self.without(seat)

What follows the last answer is the game's next step. A fact that shows the answers names them in
`discloses`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Question, Seat


class SealedQuestion(Question):
    """A question that stays open until every seat in `waiting` has answered."""

    sealed: ClassVar[bool] = True
    if TYPE_CHECKING:
        # Each question declares it itself, so that its fields keep their order in stored bytes.
        waiting: Open[tuple[Seat, ...]]

    def asks(self, state: Any) -> tuple[Seat, ...]:
        return self.waiting

    def without(self, seat: Seat) -> Happenings:
        """Yields the question for the seats that have still to answer, if any."""
        if waiting := tuple(other for other in self.waiting if other != seat):
            yield msgspec.structs.replace(self, waiting=waiting)
