"""Checks that are tried, and counts that must not change."""

from __future__ import annotations

from ledger.kernel.refusals import Refused
from ledger.parts.conserved import count_beyond, count_missing
from ledger.parts.refusals import passes


def test_a_check_passes_unless_it_refuses():
    def check(number: int, *, most: int) -> None:
        if number > most:
            raise Refused("too_many", "test.most")

    assert passes(check, 2, most=2)
    assert not passes(check, 3, most=2)


def test_what_lies_nowhere_is_missing_and_what_lies_twice_is_too_much():
    assert count_missing("ABCD", ["A"], {"B"}, 2) == 0
    assert count_missing("ABCD", ["A"], 1) == 2
    assert count_missing("AB", ["A", "B"], ["B"]) == -1
    assert count_missing({"A": 3, "B": 2}, {"A": 2}, {"A": 1, "B": 1}) == 1
    assert count_missing({"A": "a row", "B": "another"}, ["A"]) == 1


def test_pieces_beyond_their_limits_are_counted_and_free_room_makes_up_for_none():
    assert count_beyond([(3, 2), (0, 5), (4, 4)]) == 1
