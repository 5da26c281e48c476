"""Checks the settings of a new tournament, and fills in defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import lcm
from typing import Final

from .entries import POINTS_MAX, PointsByPlace, make_refusal

EVEN_MAX: Final = 12  # seats up to which places are shared without a rest


def check_sizes(seats: int, others: Sequence[int], known: range) -> tuple[int, ...]:
    """Returns the table sizes, the full one first; `known` are the sizes that the ruleset
    allows.
    """
    sizes = (seats, *sorted({size for size in others if size != seats}, reverse=True))
    if any(size not in known or not 2 <= size <= seats for size in sizes):
        evidence = {"sizes": list(sizes), "from": max(known.start, 2), "to": known.stop - 1}
        raise make_refusal("bad_sizes", evidence)
    return sizes


def check_places(
    sizes: Sequence[int], given: Mapping[int, Sequence[int]]
) -> tuple[PointsByPlace, ...]:
    """Returns the points for places, for each table size."""
    for size, points in given.items():
        falling = all(a >= b for a, b in pairwise(points))
        small = all(0 <= one <= POINTS_MAX for one in points)
        if size not in sizes or len(points) != size or not falling or not small:
            raise make_refusal("bad_points", {"seats": size, "points": list(points)})
    top = max((max(points) for points in given.values()), default=usual_top(sizes[0]))
    return tuple(
        PointsByPlace(seats=size, points=tuple(given.get(size) or usual_points(size, top)))
        for size in sizes
    )


def usual_top(seats: int) -> int:
    """Returns the default points for the first place, so that steps to the last are even numbers.

    Tied players can then share any places in a row without a remainder, at any table size.
    """
    return 2 * lcm(*range(1, min(seats, EVEN_MAX)))


def usual_points(seats: int, top: int) -> tuple[int, ...]:
    return tuple(top * (seats - 1 - place) // (seats - 1) for place in range(seats))


def usual_bye(places: Sequence[PointsByPlace]) -> int:
    """Returns the points of a bye: the average of a seat at a full table, so it is neutral."""
    full = places[0]
    return sum(full.points) // full.seats
