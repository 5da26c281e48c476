"""Geometry and range: neighbours, distances, gates, borders, and how far pieces reach."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.map.reach import Distance, Range, Reach
from ledger.games.hegemonic.state.components import AGENT, FLEET, INDUSTRIAL, MARTIAL, TYPES
from tests.support.hegemonic.positions import house, position

# The recommended homes of each layout, and how far they are from each other.
HOME_DISTANCES = {
    2: [5],
    3: [5, 5, 5],
    4: [4, 6, 4, 4, 6, 4],
    5: [6, 6, 3, 7, 5, 5, 3, 7, 3, 8],
    6: [3, 6, 7, 6, 3, 3, 6, 7, 6, 3, 6, 7, 3, 6, 3],
}


@pytest.mark.rule("range.metric", "setup.layout-suggested")
@pytest.mark.parametrize("seats", HOME_DISTANCES)
def test_how_far_the_recommended_homes_are_from_each_other(seats: int):
    galaxy = position(seats).galaxy
    homes = galaxy.marked
    pairs = [(one, other) for n, one in enumerate(homes) for other in homes[n + 1 :]]
    assert [galaxy.chart.steps(one)[other] for one, other in pairs] == HOME_DISTANCES[seats]


@pytest.mark.rule("setup.core", "move.center")
def test_the_centre_is_no_sector_and_no_way():
    galaxy = position(4).galaxy
    assert galaxy.chart.steps("K1")["K4"] == 3
    assert Distance.of(galaxy, "K1", "K4") == 3
    assert not Distance.within(galaxy, "K1", "K4", 2)


@pytest.mark.rule("range.metric")
def test_by_a_reading_range_is_counted_across_the_centre():
    galaxy = position(4, overlay=house(range__center="open")).galaxy
    assert Distance.of(galaxy, "K1", "K4") == 2
    assert Distance.within(galaxy, "K1", "K4", 2)


@pytest.mark.rule("gate.adjacency", "gate.no-shortcut", "gate.not-for-agents")
def test_a_gate_makes_its_two_sectors_neighbours_of_all():
    spot = position(4)
    assert spot.galaxy.chart.steps("S2b")["S4a"] == 3
    galaxy = spot.has(0, gates=[("S2b", "S4a")]).galaxy
    assert Distance.of(galaxy, "S2b", "S4a") == 1
    assert galaxy.chart.hexes("S2b")["S4a"] == 3
    assert galaxy.chart.borders("S2b")["S4a"] == 2


@pytest.mark.rule("range.outpost", "range.complex", "range.embassy", "range.agent", "range.fleet")
@pytest.mark.rule("range.gate")
def test_v07_range_table():
    galaxy = position(4).galaxy
    assert Range.of_complex(galaxy) == 1
    assert [Range.of_stack(height) for height in (1, 2, 3)] == [0, 1, 2]
    assert (Range.of_unit(galaxy, 0, AGENT), Range.of_unit(galaxy, 0, FLEET)) == (0, 0)
    assert [Range.of_base(galaxy, one, 2) for one in TYPES] == [1, 1, 1]
    assert [Range.of_base(galaxy, one, 3) for one in TYPES] == [1, 1, 2]


@pytest.mark.rule("range.gate")
def test_v07_a_gate_has_no_range():
    galaxy = position(4).has(0, gates=[("S2b", "S4a")]).galaxy
    assert Reach.of_units(galaxy, 0, INDUSTRIAL) == []
    assert not Reach.covers_by_any(galaxy, 0, "S2b")


@pytest.mark.rule("range.meaning")
@pytest.mark.parametrize(("height", "covered"), [(1, 1), (2, 5), (3, 11)])
def test_a_range_covers_all_sectors_up_to_that_distance_and_its_own(height: int, covered: int):
    galaxy = position(4).has(0, outposts={"S1d": height}).galaxy
    steps = galaxy.chart.steps("S1d")
    found = [at for at in galaxy.sectors if Reach.covers(galaxy, 0, MARTIAL, at)]
    assert found == [at for at in galaxy.sectors if steps[at] <= height - 1]
    assert ("S1d" in found, len(found)) == (True, covered)


@pytest.mark.rule("tech.sentient-propaganda", "tech.psi-subversion-probes")
def test_two_technologies_extend_the_range_of_units():
    galaxy = position(4).advanced(0, "P3a-1", "M3a-1").galaxy
    assert (Range.of_unit(galaxy, 0, AGENT), Range.of_unit(galaxy, 0, FLEET)) == (1, 1)
    assert (Range.of_unit(galaxy, 1, AGENT), Range.of_unit(galaxy, 1, FLEET)) == (0, 0)


@pytest.mark.rule("move.agent-path", "move.agent-cost")
def test_the_path_with_the_fewest_borders_counts():
    chart = position(4).galaxy.chart
    assert chart.borders("S1d")["S2a"] == 1
    assert chart.borders("S1d")["K1"] == 1
    assert chart.borders("S1d")["S4d"] == 2  # by way of the core


@pytest.mark.rule("build.range", "action.in-range")
def test_a_unit_gives_range_for_building_where_it_stands():
    galaxy = position(4).home(0, "S1d").has(0, embassies=["S1d"], agents=["S2a"]).galaxy
    assert Reach.covers(galaxy, 0, "political", "S2a")
    assert not Reach.covers(galaxy, 0, "political", "S2b")
    assert Reach.covers(galaxy, 0, "political", "S1a")


@pytest.mark.rule("build.range")
def test_by_a_reading_only_bases_do():
    spot = position(4, overlay=house(build__from_units=False)).home(0, "S1d")
    galaxy = spot.has(0, embassies=["S1d"], agents=["S2a"]).galaxy
    assert not Reach.covers(galaxy, 0, "political", "S2a")
