"""Tracks: the space of a marker, and the spaces that pieces have left."""

from __future__ import annotations

from typing import Any

from ledger.kernel.content import Row, Table
from ledger.parts.tracks import NumberedTrack


class Space(Row):
    price: int


class Board:
    """A state, as far as a table asks it."""

    def __init__(self, *names: str) -> None:
        self.rows = {name: Space(id=name, price=n) for n, name in enumerate(names, start=1)}
        self.lookup = self

    def table(self, name: str) -> dict[str, Space]:
        return self.rows


TRACK = NumberedTrack(Table("spaces", Space))


def test_a_marker_is_before_the_first_space_or_on_one():
    board: Any = Board("1", "2", "3")
    assert TRACK.reached(board, 0) is None
    assert TRACK.reached(board, 2) == TRACK.space(board, 2)
    assert [space.price for space in TRACK.passed(board, 2)] == [1, 2]
    assert list(TRACK.passed(board, 0)) == []


def test_a_table_can_list_several_tracks_by_name():
    board: Any = Board("ore-1", "ore-2", "ice-1")
    assert (TRACK.space(board, 2, "ore").price, TRACK.space(board, 1, "ice").price) == (2, 3)
