"""Random matches at random tables: each ends, nothing is lost, everything is as it was told."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic import RULES
from ledger.kernel.terms import Terms
from tests.support.hegemonic.houses import any_table
from tests.support.hegemonic.travelling import Travel
from tests.support.laws.play import EVENTS_MAX_OF

pytestmark = pytest.mark.long

LANDING, FULL, AT_ONCE = 40, 1_000, 5


def chunks(first: int, end: int) -> list[range]:
    return [range(start, min(end, start + AT_ONCE)) for start in range(first, end, AT_ONCE)]


@pytest.mark.rule("general.chance", "general.piece-limits", "general.caps", "game.objective")
@pytest.mark.parametrize(
    "seeds",
    [
        *chunks(0, LANDING),
        *(pytest.param(seeds, marks=pytest.mark.full) for seeds in chunks(LANDING, FULL)),
    ],
    ids=str,
)
def test_random_matches_end_and_lose_nothing(seeds: range):
    journeys = [Travel(any_table(seed), seed).whole() for seed in seeds]
    assert {one.seats for one in journeys} == set(RULES.seats)
    assert max(one.events for one in journeys) <= EVENTS_MAX_OF["hegemonic"]
    assert sum(one.conflicts for one in journeys) >= len(journeys)
    assert sum(one.deals for one in journeys) >= len(journeys)
    assert all(one.refused for one in journeys)
    assert all(one.checked for one in journeys)


def test_the_tables_differ_in_all_that_can_be_chosen():
    """Among those of a landing every edition, every option and every reading is met."""
    tables = [any_table(seed).terms for seed in range(LANDING)]
    assert {terms.edition for terms in tables} == set(RULES.editions)
    met = {(name, value) for terms in tables for name, value in terms.values.items()}
    every = {(r.id, value) for r in RULES.readings.values() for value in (r.value, *r.also)}
    assert every <= met
    printed = Terms(RULES)
    cells = {use for terms in tables for use in terms.differences(printed) if use[0] == "cell"}
    assert len(cells) > LANDING
