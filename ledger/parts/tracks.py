"""Tracks: spaces in a row that pieces leave from the left, or that a marker goes along.

BASES = NumberedTrack(SPACES)                       rows `martial-1`, `martial-2`, ...
space = BASES.reached(state, 3, "martial")  the space of the marker, or the last one vacated
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from ledger.kernel.content import RowT, Table
from ledger.kernel.records import State


@dataclass(frozen=True)
class NumberedTrack(Generic[RowT]):
    """Spaces that a table lists: `1`, `2`, ...; or of several tracks, each with a name."""

    spaces: Table[RowT]

    def space(self, state: State, number: int, name: str = "") -> RowT:
        """Returns a space, counted from 1."""
        return self.spaces.of(state)[f"{name}-{number}" if name else str(number)]

    def reached(self, state: State, number: int, name: str = "") -> RowT | None:
        """Returns the space with a number, or None before the first."""
        return self.space(state, number, name) if number else None

    def passed(self, state: State, number: int, name: str = "") -> Iterator[RowT]:
        """Yields the spaces up to a number."""
        return (self.space(state, one, name) for one in range(1, number + 1))
