"""The map: six rows of ten hexes, their neighbours and distances."""

from __future__ import annotations

from functools import cache
from typing import Final

from ledger.parts.hexmap import axial_of, measure

from .board import Board, Hex

ROWS: Final = 6
COLUMNS: Final = 10
RANGE: Final = 2  # how far a revolt is felt


class Galaxy:
    """`map.size`: 6 rows by 10 columns of hexes, addressed by d6 and d10."""

    hexes: Final = tuple(
        (row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)
    )

    @classmethod
    def has(cls, place: Hex) -> bool:
        return place in cls.hexes


class Adjacency:
    """`map.adjacency`: the offset of the rows, which the book does not print."""

    @staticmethod
    def layout(board: Board) -> str:
        found: str = board.reads("hex-layout")
        return found

    @staticmethod
    @cache
    def axial(layout: str, place: Hex) -> Hex:
        return axial_of(place[0] - 1, place[1] - 1, layout)

    @classmethod
    @cache
    def neighbours(cls, layout: str, place: Hex) -> tuple[Hex, ...]:
        """Returns the neighbouring hexes on the map."""
        return tuple(other for other in Galaxy.hexes if distance(layout, place, other) == 1)


@cache
def distance(layout: str, one: Hex, other: Hex) -> int:
    """Returns the least number of moves between two hexes."""
    return measure(Adjacency.axial(layout, one), Adjacency.axial(layout, other))


class Nearness:
    """`map.distance`: within 2 means a path of two moves or fewer, which nothing blocks."""

    @staticmethod
    def within(board: Board, one: Hex, other: Hex) -> bool:
        """Tells if a revolt on one hex affects another."""
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
    """Returns the column for a face of the d10; a 0 is entered as 10."""
    return face if board.reads("d10-zero") == "tenth-column" else face % COLUMNS + 1
