"""The map: how large it is, which hexes are neighbours, how far it is."""

from __future__ import annotations

from collections import deque

import pytest

from ledger.games.galactic_hegemony.state.board import Hex
from ledger.games.galactic_hegemony.state.hexes import Adjacency, Galaxy, Nearness, distance
from tests.support.galactic_hegemony.positions import board_of, colony, house, table

LAYOUTS = ("even-rows-right", "odd-rows-right", "flat-top")


def steps(layout: str, start: Hex) -> dict[Hex, int]:
    """The shortest paths on the map from a hex, walked and not computed."""
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for place in Adjacency.neighbours(layout, here):
            if place not in found:
                found[place] = found[here] + 1
                queue.append(place)
    return found


@pytest.mark.rule("map.size")
def test_the_map_has_six_rows_of_ten_hexes():
    assert len(Galaxy.hexes) == len(set(Galaxy.hexes)) == 60
    assert Galaxy.has((1, 1))
    assert Galaxy.has((6, 10))
    assert not any(Galaxy.has(place) for place in ((0, 1), (7, 1), (1, 0), (1, 11)))


@pytest.mark.rule("map.distance")
@pytest.mark.parametrize(
    ("one", "other", "away"),
    [
        ((3, 5), (3, 7), 2), ((3, 5), (5, 6), 2), ((3, 5), (5, 7), 3),
        ((4, 5), (2, 4), 2), ((1, 1), (1, 10), 9), ((6, 1), (1, 10), 11),
    ],
)  # fmt: skip
def test_v34_distances(one: Hex, other: Hex, away: int):
    assert distance("even-rows-right", one, other) == away


@pytest.mark.rule("map.adjacency")
@pytest.mark.parametrize(
    ("place", "around"),
    [
        ((1, 1), {(1, 2), (2, 1)}),
        ((2, 1), {(1, 1), (1, 2), (2, 2), (3, 1), (3, 2)}),
        ((3, 5), {(2, 4), (2, 5), (3, 4), (3, 6), (4, 4), (4, 5)}),
        ((4, 5), {(3, 5), (3, 6), (4, 4), (4, 6), (5, 5), (5, 6)}),
        ((6, 10), {(5, 10), (6, 9)}),
    ],
)
def test_v35_neighbours(place: Hex, around: set[Hex]):
    found = Adjacency.neighbours("even-rows-right", place)
    assert set(found) == around
    assert len(found) == len(around)


@pytest.mark.rule("map.distance", "map.adjacency")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_distance_is_the_shortest_path_on_the_map(layout: str):
    for start in Galaxy.hexes:
        walked = steps(layout, start)
        assert walked == {place: distance(layout, start, place) for place in Galaxy.hexes}


@pytest.mark.rule("map.adjacency")
@pytest.mark.parametrize(
    ("layout", "longest"), [("even-rows-right", 12), ("odd-rows-right", 12), ("flat-top", 10)]
)
def test_the_longest_way_across(layout: str, longest: int):
    ways = [distance(layout, one, other) for one in Galaxy.hexes for other in Galaxy.hexes]
    assert max(ways) == longest


@pytest.mark.rule("map.adjacency")
def test_the_three_layouts_differ_in_who_is_whose_neighbour():
    around = {layout: set(Adjacency.neighbours(layout, (3, 5))) for layout in LAYOUTS}
    assert around["odd-rows-right"] == {(2, 5), (2, 6), (3, 4), (3, 6), (4, 5), (4, 6)}
    assert around["flat-top"] == {(2, 5), (4, 5), (2, 4), (3, 4), (2, 6), (3, 6)}
    assert len({frozenset(one) for one in around.values()}) == 3


@pytest.mark.rule("map.distance")
def test_within_two_is_two_moves_or_fewer_and_nothing_blocks_them():
    board = board_of(table(colony(1), saboteurs={1: (3, 6), 2: (3, 4)}))
    felt = {place for place in Galaxy.hexes if Nearness.within(board, (3, 5), place)}
    assert felt == {
        place for place in Galaxy.hexes if distance("even-rows-right", (3, 5), place) < 3
    }
    assert len(felt) == 19


def test_range_read_as_a_free_path_is_blocked_by_a_saboteur_on_every_hex_between():
    overlay = house(range="free-path")
    # From (3,5) to (3,7) the one hex between is (3,6); to (4,6) there are two.
    board = board_of(table(colony(1), saboteurs={1: (3, 6)}, overlay=overlay))
    assert not Nearness.within(board, (3, 5), (3, 7))
    assert Nearness.within(board, (3, 5), (4, 6))
    assert Nearness.within(board, (3, 5), (3, 6)), "next to each other nothing lies between"
    free = board_of(table(colony(1), overlay=overlay))
    assert Nearness.within(free, (3, 5), (3, 7))


@pytest.mark.rule("map.stack")
def test_spacecraft_and_saboteurs_share_a_hex():
    where = (2, 2)
    board = board_of(table(colony(1), ships=[where] * 4, saboteurs={1: where, 2: where, 3: where}))
    assert board.ships_at(where) == 4
    assert len(board.saboteurs_at(where)) == 3


@pytest.mark.rule("map.orbit")
def test_a_spacecraft_on_the_hex_of_a_planet_is_in_orbit_of_it():
    board = board_of(table(colony(1), ships=[(3, 5)]))
    assert board.ships_at(board.hex_of(1)) == 1
