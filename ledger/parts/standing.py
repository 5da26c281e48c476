"""Standing questions of a seat: they are open at any time, whichever player is asked for what.

    class SellAtAnyTime(AnyTime):
        '''`market.sell`: ...'''
        named = "sell"

A fact counts the answers in `state.counts`, so that each answer has a key of its own.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from ledger.kernel.records import Seat

from .seats import SeatFact, StandingQuestion


class AnswerCounts(Protocol):
    """The part of a game's state that counts the answers to standing questions."""

    counts: dict[str, int]


def count(state: AnswerCounts, name: str, seat: Seat) -> None:
    """Increments a seat's count of a kind of standing decision; called by a fact."""
    kept = f"{name}/s{seat}"
    state.counts[kept] = state.counts.get(kept, 0) + 1


def standing_key(state: AnswerCounts, name: str, seat: Seat) -> str:
    """Returns the key of a seat's next answer to a standing question."""
    kept = f"{name}/s{seat}"
    return f"{kept}/{state.counts.get(kept, 0) + 1}"


class AnyTime(StandingQuestion):
    """A standing question with a name, by which its answers are counted."""

    named: ClassVar[str]  # in its keys

    def key(self, state: Any, seat: Seat) -> str:
        return standing_key(state, self.named, seat)


class AnswerCounted(SeatFact):
    """A seat answered a standing question; the count forms the next key."""

    named: ClassVar[str]

    def apply(self, state: Any) -> None:
        count(state, self.named, self.seat)
