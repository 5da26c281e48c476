"""Clocks: computes each seat's time from the times of events and the questions asked.

Nothing is stored: the log and the table's book always give the same result. A seat's time runs from
the event that asks it to the event in which it answers, even while others answer the same question.
It does not run while the match is paused, while the book says that clocks are stopped, or between
an event and the act that goes back to it. After going back, each seat has what it had then.

    Tick      the data of an event that clocks need; `make_tick` takes it from the log
    Clocks    takes tick after tick, and returns each seat's time left at a given time
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta

from ledger.kernel.records import Seat
from ledger.log.format.acts import Paused, Resumed, Rewound
from ledger.log.format.bodies import ActBody, AnyBody

from .table import ClockTerms


class Tick(NamedTuple):
    """The data of an event that clocks need: its time, the seats asked, and the answer in it."""

    at: int
    parent: int  # the event before it on its line
    asked: Mapping[Seat, str] = {}  # seats, each with the key of its question
    answers: tuple[Seat, str] | None = None
    timed_out: bool = False  # the clock gave the answer
    goes_back: bool = False
    pauses: bool | None = None  # True: a pause begins; False: it ends


def make_tick(body: AnyBody, asked: Mapping[Seat, str]) -> Tick:
    """Returns an event as clocks need it; `asked` are the seats asked after it."""
    act = body.act if isinstance(body, ActBody) else None
    return Tick(
        at=body.at,
        parent=body.parent,
        asked=asked,
        answers=None if isinstance(body, ActBody) else (body.seat, body.question),
        timed_out=body.by.role == "clock",
        goes_back=isinstance(act, Rewound),
        pauses=isinstance(act, Paused) if isinstance(act, Paused | Resumed) else None,
    )


class SeatClock(NamedTuple):
    """The time a seat has left."""

    seat: Seat
    left: int  # milliseconds; never less than nothing
    deadline: Annotated[
        int | None,
        Meta(description="by the server's time, if it runs; less `left` it is now there"),
    ]
    running: bool


class _Standing(NamedTuple):
    """The state of the clocks after an event."""

    at: int
    banks: tuple[int, ...]
    running: Mapping[Seat, tuple[str, int]]  # the question, and what was used up for it


class Clocks:
    def __init__(
        self, terms: ClockTerms, seats: int, stops: Sequence[tuple[int, int | None]] = ()
    ) -> None:
        """`stops` are the times that the table's book does not charge to any seat."""
        self.terms = terms
        self.stops = tuple(stops)
        self._pauses: list[tuple[int, int | None]] = []
        self._after = [_Standing(0, (terms.time,) * seats, {})]  # by version; 0: no event yet

    @property
    def version(self) -> int:
        """Returns the number of the last event taken."""
        return len(self._after) - 1

    def take(self, tick: Tick) -> None:
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
        """Returns a seat's bank after an event; a finished question is charged to it."""
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
        """Tells if the clocks are stopped now."""
        return any(until is None for _, until in (*self._pauses, *self.stops))

    def seat(self, seat: Seat, now: int) -> SeatClock:
        """Returns the time a seat has left."""
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
        return [self.seat(seat, now) for seat in range(len(self._after[-1].banks))]

    def expired(self, now: int) -> list[Seat]:
        return [one.seat for one in self.all(now) if one.running and not one.left]

    def recorded(self, seat: Seat, now: int, *, key: str) -> tuple[int, int] | None:
        """Returns the times to record with a decision: the seat's time before and after it."""
        running = self._after[-1].running.get(seat)
        if running is None:
            return None
        left = self.seat(seat, now).left
        if running[0] != key:
            return left, left  # it said something else meanwhile, and its time goes on
        if self.terms.kind == "decision":
            return left, self.terms.time
        return left, left + self.terms.increment

    def time_of(self, seat: Seat, now: int, *, key: str) -> int:
        """Returns how long the clock has run for a seat's question; 0 if it is not open."""
        standing = self._after[-1]
        open_key, used = standing.running.get(seat, ("", 0))
        return used + self._elapsed(standing.at, now) if open_key == key else 0

    def _elapsed(self, since: int, until: int) -> int:
        """Returns the milliseconds between two times during which the clocks ran."""
        return max(0, until - since) - measure_overlap((*self._pauses, *self.stops), since, until)


def measure_overlap(stretches: Iterable[tuple[int, int | None]], since: int, until: int) -> int:
    """Returns how much of a period lies in any stretch; a stretch without an end goes on."""
    total, reached = 0, since
    cut = sorted((begin, until if end is None else end) for begin, end in stretches)
    for begin, end in cut:
        first, last = max(begin, reached), min(end, until)
        if last > first:
            total += last - first
            reached = last
    return total
