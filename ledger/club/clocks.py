"""Clocks: how much time each seat has, from the times of the events and who was asked when.

Nothing is kept: whoever has the log and the table's book computes the same. A seat's time runs from
the event that asks it to the event in which it answers, wherever others answer the same question;
it does not run while the match is paused, while the book says that clocks had stopped, and between
an event and the act that goes back to it. Each seat then has again what it had after that event.

    Tick      an event, as far as clocks care
    Clocks    takes tick after tick, and says what each seat has left at a time
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ledger.kernel.records import Seat

from .table import ClockTerms


class Tick(NamedTuple):
    """One event: when it came, whom it leaves asked, and who answered what in it."""

    at: int
    parent: int  # the event before it on its line
    asked: Mapping[Seat, str] = {}  # seats, each with the key of its question
    answers: tuple[Seat, str] | None = None
    timed_out: bool = False  # the clock gave the answer
    goes_back: bool = False
    pauses: bool | None = None  # True: a pause begins; False: it ends


class SeatClock(NamedTuple):
    """What a seat has left."""

    seat: Seat
    left: int  # milliseconds; never less than nothing
    deadline: int | None  # when it will have run down, if it runs
    running: bool


class _Standing(NamedTuple):
    """How the clocks stood after an event."""

    at: int
    banks: tuple[int, ...]
    running: Mapping[Seat, tuple[str, int]]  # the question, and what was used up for it


class Clocks:
    """The clocks of one match."""

    def __init__(
        self, terms: ClockTerms, seats: int, stops: Sequence[tuple[int, int | None]] = ()
    ) -> None:
        """`stops` are the times that the table's book says nobody is charged for."""
        self.terms = terms
        self.stops = tuple(stops)
        self._pauses: list[tuple[int, int | None]] = []
        self._after = [_Standing(0, (terms.time,) * seats, {})]  # by version; 0: no event yet

    @property
    def version(self) -> int:
        """The last event that was taken."""
        return len(self._after) - 1

    def take(self, tick: Tick) -> None:
        """Take the next event."""
        before = self._after[tick.parent]
        spent = 0 if tick.goes_back else self._elapsed(before.at, tick.at)
        used = {seat: (key, ms + spent) for seat, (key, ms) in before.running.items()}
        running = {
            seat: used[seat] if used.get(seat, ("", 0))[0] == key else (key, 0)
            for seat, key in tick.asked.items()
            if seat >= 0
        }
        banks = tuple(
            self._bank(seat, bank, used.get(seat), running.get(seat), tick)
            for seat, bank in enumerate(before.banks)
        )
        self._after.append(_Standing(tick.at, banks, running))
        if tick.pauses is True and not (self._pauses and self._pauses[-1][1] is None):
            self._pauses.append((tick.at, None))
        elif tick.pauses is False and self._pauses and self._pauses[-1][1] is None:
            self._pauses[-1] = (self._pauses[-1][0], tick.at)

    def _bank(
        self,
        seat: Seat,
        bank: int,
        used: tuple[str, int] | None,
        running: tuple[str, int] | None,
        tick: Tick,
    ) -> int:
        """What is in a seat's bank after an event: a question that is over is paid for."""
        if self.terms.kind == "decision" or used is None:
            return bank
        answered = tick.answers == (seat, used[0])
        if not answered and running is not None and running[0] == used[0]:
            return bank  # the same question goes on
        bank = max(0, bank - used[1])
        return bank + self.terms.increment if answered and not tick.timed_out else bank

    # --- what is left --------------------------------------------------------------------------

    @property
    def stopped(self) -> bool:
        """Whether no clock runs now."""
        return any(until is None for _, until in (*self._pauses, *self.stops))

    def seat(self, seat: Seat, now: int) -> SeatClock:
        """What one seat has left at a time."""
        standing = self._after[-1]
        bank = standing.banks[seat]
        if seat not in standing.running:
            return SeatClock(seat, bank, None, running=False)
        used = standing.running[seat][1] + self._elapsed(standing.at, max(now, standing.at))
        left = max(0, bank - used)
        if self.stopped:
            return SeatClock(seat, left, None, running=False)
        return SeatClock(seat, left, now + bank - used, running=True)

    def all(self, now: int) -> list[SeatClock]:
        """What all seats have left."""
        return [self.seat(seat, now) for seat in range(len(self._after[-1].banks))]

    def expired(self, now: int) -> list[Seat]:
        """The seats whose time has run down."""
        return [one.seat for one in self.all(now) if one.running and not one.left]

    def recorded(self, seat: Seat, now: int, *, key: str) -> tuple[int, int] | None:
        """What stands with a decision: the seat's time before it and after it."""
        running = self._after[-1].running.get(seat)
        if running is None:
            return None
        left = self.seat(seat, now).left
        if running[0] != key:
            return left, left  # it said something else meanwhile, and its time goes on
        if self.terms.kind == "decision":
            return left, self.terms.time
        return left, left + self.terms.increment

    def _elapsed(self, since: int, until: int) -> int:
        """The milliseconds between two times in which the clocks ran."""
        return max(0, until - since) - covered((*self._pauses, *self.stops), since, until)


def covered(stretches: Iterable[tuple[int, int | None]], since: int, until: int) -> int:
    """How much of a time lies in any of these stretches; one without an end goes on."""
    total, reached = 0, since
    cut = sorted((begin, until if end is None else end) for begin, end in stretches)
    for begin, end in cut:
        first, last = max(begin, reached), min(end, until)
        if last > first:
            total += last - first
            reached = last
    return total
