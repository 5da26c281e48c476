"""Pairing: everybody once, legal tables, the fewest rematches, and always the same for a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.club.tournament.entries import METHODS, Method
from ledger.club.tournament.pairing import Entrant, Met, PairingDraw, pair, table_sizes
from ledger.kernel.refusals import Refused

SEEDS = st.binary(min_size=32, max_size=32)
SIZES = st.sampled_from([(2,), (3,), (4,), (4, 3), (3, 2), (4, 3, 2), (6, 5, 4), (5, 2)])


@st.composite
def rooms(draw: st.DrawFn, most: int = 30) -> tuple[list[Entrant], dict[tuple[int, int], int]]:
    """Players with points, byes and places, who have met now and then."""
    numbers = draw(st.lists(st.integers(1, 60), min_size=1, max_size=most, unique=True))
    small = st.integers(0, 4)
    entrants = [Entrant(one, draw(small) * 6, draw(small) // 2, draw(small)) for one in numbers]
    pairs = list(combinations(sorted(numbers), 2))
    met = draw(st.dictionaries(st.sampled_from(pairs), st.integers(1, 3))) if pairs else {}
    return entrants, met


def drawn(
    entrants: Sequence[Entrant],
    met: Met,
    sizes: Sequence[int],
    method: Method = "swiss",
    seed: bytes = b"s" * 32,
) -> PairingDraw | None:
    """A draw; None where there are too few for a table."""
    if len(entrants) < min(sizes):
        with pytest.raises(Refused, match="too_few_players"):
            pair(entrants, met, sizes, method, seed)
        return None
    return pair(entrants, met, sizes, method, seed)


def rematches_of(tables: Sequence[Sequence[int]], met: Met) -> int:
    return sum(
        met.get((min(a, b), max(a, b)), 0) for table in tables for a, b in combinations(table, 2)
    )


def every_way(numbers: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to seat these at tables of these sizes, the plain way."""
    if not sizes:
        yield []
        return
    for at in {sizes.index(size) for size in sizes}:
        rest = sizes[:at] + sizes[at + 1 :]
        for mates in combinations(numbers[1:], sizes[at] - 1):
            table = (numbers[0], *mates)
            left = tuple(one for one in numbers if one not in table)
            for others in every_way(left, rest):
                yield [table, *others]


@given(rooms(), SIZES, st.sampled_from(METHODS), SEEDS)
@settings(max_examples=150, deadline=None)
def test_everybody_is_there_exactly_once_and_tables_have_legal_sizes(room, sizes, method, seed):
    entrants, met = room
    found = drawn(entrants, met, sizes, method, seed)
    if found is None:
        return
    seated = [one for table in found.tables for one in table] + list(found.byes)
    assert sorted(seated) == sorted(one.number for one in entrants)
    assert {len(table) for table in found.tables} <= set(sizes)
    assert found.rematches == rematches_of(found.tables, met)


@given(rooms(), SIZES, st.sampled_from(METHODS), SEEDS, st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_the_same_seed_gives_the_same_draw_in_whatever_order_players_are_named(
    room, sizes, method, seed, random
):
    entrants, met = room
    mixed = list(entrants)
    random.shuffle(mixed)
    assert drawn(entrants, met, sizes, method, seed) == drawn(mixed, met, sizes, method, seed)


@given(rooms(most=9), st.sampled_from([(2,), (3,), (4, 3), (3, 2)]), SEEDS)
@settings(max_examples=120, deadline=None)
def test_no_other_way_has_fewer_rematches(room, sizes, seed):
    entrants, met = room
    found = drawn(entrants, met, sizes, "swiss", seed)
    if found is None:
        return
    assert found.exact
    numbers = tuple(sorted(one for table in found.tables for one in table))
    wanted = tuple(len(table) for table in found.tables)
    least = min(rematches_of(way, met) for way in every_way(numbers, wanted))
    assert found.rematches == least


@given(st.integers(0, 60), SIZES)
def test_as_few_as_can_be_sit_out(players, sizes):
    found = table_sizes(players, sizes)
    seats = sum(found)

    def seated(count: int) -> bool:
        return count == 0 or any(size <= count and seated(count - size) for size in sizes)

    assert seats <= players
    assert set(found) <= set(sizes)
    assert not any(seated(count) for count in range(seats + 1, players + 1))


@pytest.mark.parametrize(
    ("players", "sizes", "expected"),
    [
        (13, (4,), [4, 4, 4]),
        (13, (4, 3), [4, 3, 3, 3]),
        (15, (4, 3), [4, 4, 4, 3]),
        (6, (4, 3, 2), [3, 3]),
        (5, (4, 3), [4]),
        (2, (4, 3), []),
    ],
)
def test_sizes_of_tables(players, sizes, expected):
    assert table_sizes(players, sizes) == expected


@given(rooms(), SEEDS)
@settings(max_examples=80, deadline=None)
def test_a_bye_is_for_who_has_had_fewest_and_of_those_for_the_last(room, seed):
    entrants, met = room
    found = drawn(entrants, met, (4,), "swiss", seed)
    if found is None or not found.byes:
        return
    known = {one.number: one for one in entrants}
    out = [(known[one].byes, known[one].points) for one in found.byes]
    playing = [(known[one].byes, known[one].points) for table in found.tables for one in table]
    assert max(out) <= min(playing)


def test_who_is_first_plays_who_is_first_where_nobody_has_met():
    entrants = [Entrant(one, points=10 * one) for one in range(1, 13)]
    found = drawn(entrants, {}, (4,))
    assert found is not None
    assert [set(table) for table in found.tables] == [{12, 11, 10, 9}, {8, 7, 6, 5}, {4, 3, 2, 1}]
    assert (found.rematches, found.exact) == (0, True)


def test_who_sat_furthest_back_sits_first():
    entrants = [Entrant(1, back=0), Entrant(2, back=3), Entrant(3, back=1)]
    found = drawn(entrants, {}, (3,))
    assert found is not None
    assert found.tables == ((2, 3, 1),)


def test_a_fixed_pairing_asks_neither_lot_nor_points():
    one = drawn([Entrant(n, points=n) for n in range(1, 9)], {}, (4,), "fixed", b"a" * 32)
    other = drawn([Entrant(n, points=-n) for n in range(1, 9)], {}, (4,), "fixed", b"b" * 32)
    assert one == other
    assert one is not None
    assert one.tables == ((1, 2, 3, 4), (5, 6, 7, 8))


def test_a_random_pairing_asks_for_no_points_and_every_seed_is_another_lot():
    poor = [Entrant(n) for n in range(1, 9)]
    rich = [Entrant(n, points=n) for n in range(1, 9)]
    seeds = [hashlib.sha256(bytes([one])).digest() for one in range(20)]
    for seed in seeds:
        a, b = drawn(poor, {}, (4,), "random", seed), drawn(rich, {}, (4,), "random", seed)
        assert a is not None
        assert b is not None
        assert a.tables == b.tables
    assert len({drawn(poor, {}, (4,), "random", seed) for seed in seeds}) > 15


def test_sixteen_at_tables_of_four_meet_nobody_twice_in_three_rounds():
    numbers = range(1, 17)
    met: dict[tuple[int, int], int] = {}
    counts = []
    for number in range(1, 4):
        found = drawn([Entrant(one) for one in numbers], met, (4,), "random", bytes([number]) * 32)
        assert found is not None
        assert found.exact
        counts.append(found.rematches)
        for table in found.tables:
            for a, b in combinations(sorted(table), 2):
                met[a, b] = met.get((a, b), 0) + 1
    assert counts == [0, 0, 0]


def test_a_large_field_is_paired_in_time_and_says_whether_it_is_proved():
    entrants = [Entrant(one, points=one % 7) for one in range(1, 129)]
    met: dict[tuple[int, int], int] = {}
    for number in range(5):
        found = drawn(entrants, met, (4,), "swiss", bytes([number]) * 32)
        assert found is not None
        for table in found.tables:
            for a, b in combinations(sorted(table), 2):
                met[a, b] = met.get((a, b), 0) + 1
    assert found.rematches == 0
    assert found.exact
