"""Hexes by axial coordinates: directions, neighbours, distance, and printed rows and columns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final, Literal, TypeAlias, TypeVar

Hex: TypeAlias = tuple[int, int]
Layout: TypeAlias = Literal["flat-top", "even-rows-right", "odd-rows-right"]
Name = TypeVar("Name", bound=Hashable)

# The six directions, each a sixth of a turn further.
DIRECTIONS: Final[tuple[Hex, ...]] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def step(place: Hex, direction: int, steps: int = 1) -> Hex:
    """Returns the hex that many steps away in a direction."""
    dq, dr = DIRECTIONS[direction % len(DIRECTIONS)]
    return place[0] + dq * steps, place[1] + dr * steps


def ring(place: Hex) -> tuple[Hex, ...]:
    """Returns the six hexes around one."""
    return tuple(step(place, direction) for direction in range(len(DIRECTIONS)))


def measure(one: Hex, other: Hex) -> int:
    """Returns the least number of steps between two hexes."""
    (x, y), (u, v) = one, other
    return (abs(x - u) + abs(y - v) + abs(x + y - u - v)) // 2


def axial_of(row: int, column: int, layout: str) -> Hex:
    """Returns the axial coordinates of a hex that is printed in rows and columns, from 0."""
    if layout == "flat-top":  # columns stand upright, every second one half a hex lower
        return row - (column - column % 2) // 2, column
    pushed = row % 2 if layout == "even-rows-right" else -(row % 2)
    return column - (row - pushed) // 2, row


def neighbours_of(named: Mapping[Hex, Name]) -> dict[Name, tuple[Name, ...]]:
    """Returns the neighbours of each named hex, among the named ones."""
    return {
        name: tuple(named[other] for other in ring(place) if other in named)
        for place, name in named.items()
    }
