"""A table's book: who sits where, who knew what, and what may be written there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from ledger.club import table as tables
from ledger.club.table import (
    Blocked,
    BotSeated,
    ClocksStarted,
    ClocksStopped,
    DelegateNamed,
    LineHidden,
    Looked,
    MatchTable,
    OrderGiven,
    SeatLeft,
    SeatTaken,
    TableEntry,
    Unblocked,
    name_delegate,
)
from ledger.club.undo import UndoAnswered, UndoAsked, UndoDone, UndoWithdrawn
from ledger.kernel.refusals import Refused

SEATS = range(3)
ASKED = UndoAsked(seat=0, to=5, version=9, reason="a slip", expires=100)


def table(*entries: TableEntry, by: str = "ann") -> MatchTable:
    """A table of Ann, Bob and a bot, and what was written since."""
    found = MatchTable()
    first = (
        SeatTaken(seat=0, person="ann"),
        SeatTaken(seat=1, person="bob"),
        BotSeated(seat=2, bot="greedy"),
    )
    for number, entry in enumerate((*first, *entries), 1):
        found.take(number, number * 10, by, entry)
    return found


def code_of(attempt: Callable[[], Sequence[TableEntry]]) -> str:
    with pytest.raises(Refused) as refusal:
        attempt()
    return refusal.value.code


# --- seats ----------------------------------------------------------------------------------------


def test_who_is_replaced_has_known_what_the_seat_saw_so_far_and_nothing_more():
    there = table(DelegateNamed(seat=1, person="dan"), BotSeated(seat=1, bot="random", knew=17))
    assert there.knew == {("bob", 1): 17, ("dan", 1): 17}
    assert there.decides("bob", 1) == there.decides("dan", 1) == ""
    assert there.bot_at(1) == "random"


def test_who_knew_a_seat_may_come_back_to_it_and_to_no_other():
    there = table(BotSeated(seat=1, bot="random", knew=17), BotSeated(seat=0, bot="random", knew=2))
    assert code_of(lambda: tables.take_seat(there, 0, "bob")) == "knew_another_seat"
    assert tables.take_seat(there, 1, "bob") == [SeatTaken(seat=1, person="bob")]


def test_an_organizer_who_has_looked_sits_nowhere_and_decides_for_nobody():
    there = table(Looked(knew=17), by="judge")
    assert there.looked == {"judge": 17}
    assert there.knew == {}  # which is about those who sat there
    assert code_of(lambda: tables.take_seat(there, 0, "judge")) == "knew_another_seat"
    assert code_of(lambda: name_delegate(there, 1, "judge", "bob")) == "knew_another_seat"


def test_a_delegate_knows_the_seat_that_it_decides_for():
    there = table(DelegateNamed(seat=1, person="dan"))
    assert code_of(lambda: tables.take_seat(there, 2, "dan")) == "knew_another_seat"
    assert code_of(lambda: tables.take_seat(there, 2, "bob")) == "seated_already"
    assert tables.take_seat(there, 1, "bob") == []


def test_who_knows_another_seat_is_nobody_s_delegate():
    there = table(DelegateNamed(seat=1, person="dan"), BotSeated(seat=0, bot="random", knew=2))
    for person in ("ann", "dan"):  # who sat at seat 0, and who helps at seat 1
        there.take(9, 9, "", SeatTaken(seat=2, person="eve"))
        assert code_of(lambda who=person: name_delegate(there, 2, who, "eve")) == (
            "knew_another_seat"
        )
    assert code_of(lambda: name_delegate(there, 1, "eve", "bob")) == "knew_another_seat"
    assert name_delegate(there, 1, "fay", "bob") == [DelegateNamed(seat=1, person="fay")]
    there.take(10, 10, "", SeatTaken(seat=0, person="eve"))  # who holds two now
    there.take(11, 11, "eve", DelegateNamed(seat=0, person="fay"))
    assert name_delegate(there, 2, "fay", "eve") == [DelegateNamed(seat=2, person="fay")]


def test_a_seat_that_was_left_waits_for_somebody():
    there = table(SeatLeft(seat=1, knew=3))
    assert there.vacant() == [1]
    assert tables.take_seat(there, 1, "eve", name="Eve") == [
        SeatTaken(seat=1, person="eve", name="Eve")
    ]
    assert code_of(lambda: tables.leave_seat(table(), 1, "ann")) == "not_your_seat"
    assert code_of(lambda: tables.leave_seat(table(), 2, "")) == "not_your_seat"


def test_orders_are_the_seats_and_end_with_whoever_gave_them():
    assert tables.give_order(table(), 0, "ann", only_option=False) == []
    assert code_of(lambda: tables.give_order(table(), 0, "bob", only_option=True)) == (
        "not_your_seat"
    )
    there = table(OrderGiven(seat=0, only_option=True))
    assert there.orders == {0}
    there.take(9, 9, "", SeatTaken(seat=0, person="eve"))
    assert there.orders == frozenset()


# --- clocks and talk ------------------------------------------------------------------------------


def test_clocks_stop_once_and_start_once():
    assert tables.start_clocks(table(), 5) == []
    there = table(ClocksStopped(since=5, why="parked"))
    assert there.stops == ((5, None),)
    assert tables.stop_clocks(there, 7, "away", 9) == []
    there.take(9, 9, "", ClocksStarted(until=30))
    assert (there.stops, there.stopped_for) == (((5, 30),), "")
    there.take(10, 9, "", ClocksStarted(until=50))
    assert there.stops == ((5, 30),)
    assert len(tables.stop_clocks(there, 40, "away", 50)) == 2


def test_blocks_are_of_who_wrote_them_and_hidden_lines_are_for_all():
    there = table(Blocked(person="bob"), LineHidden(number=4, reason="rude"), by="ann")
    assert there.blocked == {"ann": frozenset({"bob"})}
    assert there.hidden == {4: "rude"}
    there.take(9, 9, "ann", Unblocked(person="bob"))
    assert there.blocked == {"ann": frozenset()}


# --- going back by consent ------------------------------------------------------------------------


def test_bots_have_no_say_and_who_asks_agrees():
    there = table(ASKED)
    [request] = there.requests
    assert tables.seats_asked(there, SEATS) == [0, 1]
    assert request.state([0, 1], 50) == "open"
    assert request.state([0], 50) == "agreed"


@pytest.mark.parametrize(
    ("then", "now", "state"),
    [
        ((), 99, "open"),
        ((), 100, "expired"),
        ((UndoAnswered(request=4, seat=1, agrees=True),), 500, "agreed"),
        ((UndoAnswered(request=4, seat=1, agrees=False),), 50, "declined"),
        ((UndoWithdrawn(request=4),), 50, "withdrawn"),
        (
            (UndoAnswered(request=4, seat=1, agrees=True), UndoDone(request=4, version=9)),
            50,
            "done",
        ),
    ],
)
def test_a_request_comes_to_what_was_answered(then: tuple[TableEntry, ...], now: int, state: str):
    there = table(ASKED, *then)
    assert there.requests[0].state([0, 1], now) == state
    again = lambda: tables.ask_undo(there, SEATS, ASKED, "ann", now)  # noqa: E731
    if state in ("open", "agreed"):
        assert code_of(again) == "undo_open"
    else:
        assert again() == [ASKED]


def test_each_seat_answers_once_and_for_itself():
    there = table(ASKED)
    yes = UndoAnswered(request=4, seat=1, agrees=True)
    assert tables.answer_undo(there, SEATS, yes, "bob", 50) == [yes]
    assert code_of(lambda: tables.answer_undo(there, SEATS, yes, "ann", 50)) == "not_your_seat"
    assert code_of(lambda: tables.answer_undo(there, SEATS, yes, "bob", 100)) == "undo_over"
    own = UndoAnswered(request=4, seat=0, agrees=False)
    assert code_of(lambda: tables.answer_undo(there, SEATS, own, "ann", 50)) == "undo_over"
    none = UndoAnswered(request=7, seat=1, agrees=True)
    assert code_of(lambda: tables.answer_undo(there, SEATS, none, "bob", 50)) == "no_such_undo"


def test_only_who_asked_takes_it_back():
    there = table(ASKED)
    assert code_of(lambda: tables.withdraw_undo(there, SEATS, 4, "bob", 50)) == "not_your_seat"
    assert tables.withdraw_undo(there, SEATS, 4, "ann", 50) == [UndoWithdrawn(request=4)]
    assert tables.finish_undo(table(ASKED, UndoDone(request=4, version=8)), 4, 8) == []
