"""A replay of a thousand events is quick: the gate of the benchmark `viewer`."""

from __future__ import annotations

import pytest

from tests.benchmarks import viewer

ATTEMPTS = 3  # what else the machine does can spoil one measurement, not three


@pytest.mark.alone
def test_the_board_of_a_long_match_is_there_soon_and_a_step_takes_no_time(chromium):
    assert chromium
    for _ in range(ATTEMPTS):
        measured = viewer.measure()
        if measured["reached"]["gate"]:
            break
    assert measured["reached"]["gate"], measured
    assert min(measured["beside"]["rate"]) > 0
    assert measured["document"]["events"] == 1_000
