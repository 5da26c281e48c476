"""Readings: every value of every one is played, and the table shows the difference.

The situations are in rounds.py and conflicts.py of tests/support/hegemonic/readings.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from ledger.games.hegemonic import RULES
from ledger.kernel.readings import Value
from ledger.kernel.refusals import Refused
from tests.support.hegemonic.positions import terms_of
from tests.support.hegemonic.readings import conflicts, rounds
from tests.support.hegemonic.readings.cases import PLAYED, by

VALUES = [(name, value) for name, one in PLAYED.items() for value, _ in one.shown]


@pytest.mark.parametrize(("reading", "value"), VALUES)
def test_a_value_is_played_and_shows_what_it_means(reading: str, value: Value):
    expected = next(shown for one, shown in PLAYED[reading].shown if one == value)
    assert PLAYED[reading].situation(**by(reading, value)) == expected


@pytest.mark.parametrize("reading", RULES.readings)
def test_the_values_that_are_played_are_those_of_the_reading(reading: str):
    one = RULES.readings[reading]
    played = [value for value, _ in PLAYED[reading].shown]
    assert [(type(value), value) for value in played] == [
        (type(value), value) for value in (one.value, *one.also)
    ]


@pytest.mark.parametrize("reading", PLAYED)
def test_no_two_values_of_a_reading_show_the_same(reading: str):
    shown = [what for _, what in PLAYED[reading].shown]
    assert len(shown) > 1
    assert [pair for pair in combinations(shown, 2) if pair[0] == pair[1]] == []


def test_every_reading_is_played():
    assert set(PLAYED) == set(RULES.readings)
    assert {one.situation.__module__ for one in PLAYED.values()} == {
        rounds.__name__, conflicts.__name__,
    }  # fmt: skip


@pytest.mark.parametrize("reading", RULES.readings)
def test_what_is_no_value_of_a_reading_is_refused_in_one_line(reading: str):
    with pytest.raises(Refused) as refused:
        terms_of(**by(reading, "as-we-like-it"))
    assert refused.value.code == "bad_value"
    assert "\n" not in refused.value.sentence()
