"""The map: six rows of ten hexes, which are neighbours, and how far it is from one to another."""

from __future__ import annotations

from functools import cache
from typing import Final

from .board import Board, Hex

ROWS: Final = 6
COLUMNS: Final = 10
RANGE: Final = 2  # how far a revolt is felt
# The six neighbours of a hex in axial coordinates.
AROUND: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


class Galaxy:
    """`map.size`: 6 rows by 10 columns of hexes, addressed by d6 and d10."""

    hexes: Final = tuple(
        (row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)
    )

    @classmethod
    def has(cls, place: Hex) -> bool:
        """Whether a hex is on the map."""
        return place in cls.hexes


class Adjacency:
    """`map.adjacency`: how the rows lie against each other, which the book does not print."""

    @staticmethod
    def layout(board: Board) -> str:
        """The layout in force."""
        found: str = board.reads("hex-layout")
        return found

    @staticmethod
    @cache
    def axial(layout: str, place: Hex) -> Hex:
        """The axial coordinates of a hex."""
        row, column = place[0] - 1, place[1] - 1
        if layout == "flat-top":  # columns stand upright, every second one half a hex lower
            return row - (column - column % 2) // 2, column
        pushed = row % 2 if layout == "even-rows-right" else -(row % 2)
        return column - (row - pushed) // 2, row

    @classmethod
    @cache
    def neighbours(cls, layout: str, place: Hex) -> tuple[Hex, ...]:
        """The hexes next to one, those on the map only."""
        return tuple(other for other in Galaxy.hexes if distance(layout, place, other) == 1)


@cache
def distance(layout: str, one: Hex, other: Hex) -> int:
    """How many moves it takes at least."""
    (x, y), (u, v) = Adjacency.axial(layout, one), Adjacency.axial(layout, other)
    return (abs(x - u) + abs(y - v) + abs(x + y - u - v)) // 2


class Nearness:
    """`map.distance`: within 2 is a path of two moves or fewer, which nothing blocks."""

    @staticmethod
    def within(board: Board, one: Hex, other: Hex) -> bool:
        """Whether a revolt on one hex is felt on another."""
        layout = Adjacency.layout(board)
        away = distance(layout, one, other)
        if away < RANGE:
            return True
        return away == RANGE and (
            board.reads("range") == "distance" or _free_path(board, layout, one, other)
        )


def _free_path(board: Board, layout: str, one: Hex, other: Hex) -> bool:
    between = Adjacency.neighbours(layout, one)
    beside = Adjacency.neighbours(layout, other)
    return any(place in beside and not board.saboteurs_at(place) for place in between)


def column_of(board: Board, face: int) -> int:
    """The column that a face of the d10 names; a 0 is entered as 10."""
    return face if board.reads("d10-zero") == "tenth-column" else face % COLUMNS + 1
