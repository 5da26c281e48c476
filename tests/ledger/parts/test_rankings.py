"""Rankings: who has most."""

from __future__ import annotations

from ledger.parts.rankings import list_most


def test_all_seats_with_the_greatest_value_have_most_in_their_order():
    assert list_most({2: 5, 0: 7, 1: 7}) == (0, 1)
    assert list_most({1: 0, 0: 0}) == (1, 0)
    assert list_most({}) == ()
