"""Clocks from the times of events alone: what runs, what is given back, what is recorded."""

from __future__ import annotations

import random

import pytest

from ledger.club.clocks import Clocks, Tick, measure_overlap
from ledger.club.table import ClockTerms

EACH = ClockTerms(kind="decision", time=60)
BANK = ClockTerms(kind="bank", time=100, increment=10)


def after(terms: ClockTerms, *ticks: Tick, stops: object = ()) -> Clocks:
    """The clocks of two seats after some events, each the child of the one before it."""
    clocks = Clocks(terms, 2, stops)  # type: ignore[arg-type]
    for number, tick in enumerate(ticks):
        clocks.take(tick._replace(parent=number) if tick.parent < 0 else tick)
    return clocks


def tick(at: int, asked: dict[int, str] | None = None, **more: object) -> Tick:
    return Tick(at, parent=-1, asked=asked or {}, **more)  # type: ignore[arg-type]


def test_nobody_is_charged_who_is_not_asked():
    clocks = after(BANK, tick(1000), tick(2000, {0: "a"}))
    assert clocks.seat(1, 2050) == (1, 100, None, False)
    assert clocks.seat(0, 2050) == (0, 50, 2100, True)
    assert clocks.expired(2099) == []
    assert clocks.expired(2100) == [0]
    assert clocks.seat(0, 9000).left == 0


def test_a_bank_pays_for_each_question_and_gets_its_increment_with_the_answer():
    clocks = after(BANK, tick(0, {0: "a"}), tick(30, {1: "b"}, answers=(0, "a")))
    assert clocks.seat(0, 500).left == 80
    assert clocks.seat(1, 50).left == 80
    clocks.take(Tick(90, 2, {0: "c"}, answers=(1, "b")))
    assert [one.left for one in clocks.all(90)] == [80, 50]


def test_a_time_out_gets_no_increment_and_a_bank_is_never_below_nothing():
    clocks = after(BANK, tick(0, {0: "a"}), tick(130, {0: "b"}, answers=(0, "a"), timed_out=True))
    assert clocks.seat(0, 130) == (0, 0, 130, True)


def test_for_each_decision_there_is_as_much_again():
    clocks = after(EACH, tick(0, {0: "a"}), tick(50, {0: "b"}, answers=(0, "a")))
    assert clocks.seat(0, 70).left == 40


def test_what_others_do_meanwhile_does_not_wind_a_clock_up():
    clocks = after(EACH, tick(0, {0: "a", 1: "a1"}), tick(20, {0: "a"}, answers=(1, "a1")))
    assert clocks.seat(0, 50).left == 10
    clocks.take(Tick(50, 2, {0: "a"}, answers=(0, "deal/s0/1")))  # a standing decision of its own
    assert clocks.seat(0, 55).left == 5


def test_in_a_sealed_question_each_seat_has_its_own_clock():
    clocks = after(BANK, tick(0, {0: "w", 1: "w"}), tick(40, {1: "w"}, answers=(0, "w")))
    assert clocks.seat(0, 90) == (0, 70, None, False)
    assert clocks.seat(1, 90) == (1, 10, 100, True)


def test_a_pause_stops_all_clocks_and_play_goes_on_with_what_was_left():
    clocks = after(EACH, tick(0, {0: "a"}), tick(10, {0: "a"}, pauses=True))
    assert clocks.seat(0, 500) == (0, 50, None, False)
    clocks.take(Tick(1000, 2, {0: "a"}, pauses=False))
    assert clocks.seat(0, 1020) == (0, 30, 1050, True)


def test_time_that_the_book_gives_back_is_nobodys():
    clocks = after(EACH, tick(0, {0: "a"}), stops=[(10, 110)])
    assert clocks.seat(0, 120) == (0, 40, 160, True)
    held = after(EACH, tick(0, {0: "a"}), stops=[(10, None)])
    assert held.seat(0, 10**6) == (0, 50, None, False)
    twice = after(EACH, tick(0, {0: "a"}), stops=[(10, 60), (40, 110)])
    assert twice.seat(0, 120).left == 40


def test_after_a_rewind_each_seat_has_what_it_had_there():
    clocks = after(
        BANK,
        tick(0, {0: "a"}),
        tick(30, {1: "b"}, answers=(0, "a")),
        tick(90, {0: "c"}, answers=(1, "b")),
    )
    clocks.take(Tick(1000, 2, {1: "b"}, goes_back=True))
    assert clocks.seat(0, 1000).left == 80
    assert clocks.seat(1, 1010) == (1, 90, 1100, True)


def test_a_pause_is_not_undone_by_a_rewind():
    clocks = after(EACH, tick(0, {0: "a"}), tick(10, {1: "b"}), tick(20, {1: "b"}, pauses=True))
    clocks.take(Tick(30, 1, {0: "a"}, goes_back=True))
    assert clocks.stopped
    clocks.take(Tick(100, 4, {0: "a"}, pauses=False))
    assert clocks.seat(0, 110).left == 50


def test_a_decision_is_recorded_with_what_was_left_before_and_after_it():
    bank = after(BANK, tick(0, {0: "a"}))
    assert bank.recorded(0, 30, key="a") == (70, 80)
    assert bank.recorded(0, 30, key="deal/s0/1") == (70, 70)
    assert bank.recorded(1, 30, key="a") is None
    assert after(EACH, tick(0, {0: "a"})).recorded(0, 30, key="a") == (30, 60)


@pytest.mark.parametrize("seed", range(20))
def test_what_stretches_cover_is_what_counting_says(seed: int):
    rng = random.Random(seed)
    stretches = [(rng.randrange(50), rng.choice([None, rng.randrange(50)])) for _ in range(4)]
    since, until = sorted((rng.randrange(50), rng.randrange(50)))
    counted = sum(
        any(begin <= at < (until if end is None else end) for begin, end in stretches)
        for at in range(since, until)
    )
    assert measure_overlap(stretches, since, until) == counted
