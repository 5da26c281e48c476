"""Facts, steps and questions by the seats they concern: one, any of them, or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings, Question, Seat, State, Step


class Circle(State):
    """A table around which the seats go clockwise. The game's state says how many there are."""

    @property
    def seats(self) -> range:
        raise NotImplementedError

    def own(self, seat: Seat) -> Any:
        """Returns what lies before a seat: its board, its house, its hand."""
        raise NotImplementedError

    def clockwise(self, first: Seat) -> tuple[Seat, ...]:
        """Returns all seats clockwise, starting with `first`."""
        count = len(self.seats)
        return tuple((first + step) % count for step in range(count))

    def counter_clockwise(self, first: Seat) -> tuple[Seat, ...]:
        """Returns all seats counter-clockwise, starting with `first`."""
        count = len(self.seats)
        return tuple((first - step) % count for step in range(count))


class SeatFact(Fact):
    """A fact about one seat. The seat is its first field."""

    seat: Open[Seat]


class SeatStep(Step):
    """A step that concerns one seat. The seat is its first field."""

    seat: Open[Seat]


# --- questions ------------------------------------------------------------------------------------


class ListedQuestion(Question):
    """A question that allows the answers that it lists, and no others."""

    def allows(self, state: Any, seat: Seat, decision: Any) -> bool:
        return decision in self.options(state, seat)


class TableQuestion(ListedQuestion):
    """A question about which the table agrees: any seat may answer for all."""

    def asks(self, state: Any) -> tuple[Seat, ...]:
        return tuple(state.seats)


class SeatQuestion(ListedQuestion):
    """A question that one seat answers. The seat is its first field."""

    seat: Open[Seat]

    def asks(self, state: Any) -> tuple[Seat, ...]:
        return (self.seat,)


class StandingQuestion(Question):
    """A question that every seat may answer at any time, until the match is over."""

    def asks(self, state: Any) -> tuple[Seat, ...]:
        return tuple(state.seats)

    def standing_open(self, state: Any) -> bool:
        return not state.over


class WaitingQuestion(ListedQuestion):
    """A question that stays open until every seat in `waiting` has answered."""

    if TYPE_CHECKING:
        # Each question declares it itself, so that its fields keep their order in stored bytes.
        waiting: Open[tuple[Seat, ...]]

    def asks(self, state: Any) -> tuple[Seat, ...]:
        return self.waiting

    def without(self, seat: Seat) -> Happenings:
        """Yields the question for the seats that have still to answer, if any."""
        if waiting := tuple(other for other in self.waiting if other != seat):
            yield msgspec.structs.replace(self, waiting=waiting)
