"""Geometry: neighbouring sectors and the distances between sectors.

`range.metric`: distance is the fewest steps between neighbouring sectors of boards in play, with a
tile or without; a gate is one step (`gate.adjacency`); the centre and the space off the boards
cannot be crossed (`move.center`, `move.off-board`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from ledger.parts.graph import Distances, count_crossings, join
from ledger.parts.hexmap import Hex, neighbours_of, step

Around: TypeAlias = Mapping[str, tuple[str, ...]]
From: TypeAlias = Callable[[str], Mapping[str, int]]

CENTER: Final[Hex] = (0, 0)
CHARTS_KEPT: Final = 256  # of so many maps, each with its gates, the distances are remembered
CENTER_ID: Final = ""  # as a place on the way, where a reading lets range be counted across it


class Ground:
    """The map that the boards make, without gates."""

    def __init__(self, places: tuple[tuple[str, int, int], ...], boards: Mapping[str, str]) -> None:
        at: dict[Hex, str] = {(q, r): sector for sector, q, r in places}
        self.boards = boards
        self.beside: Around = neighbours_of(at)
        self.beside_center: Around = neighbours_of({CENTER: CENTER_ID, **at})
        self.hexes = Distances(self.beside)
        self.borders: dict[str, dict[str, int]] = {}


class Chart:
    """A ground with the shortcuts of the gates. Distances are computed once."""

    def __init__(self, ground: Ground, links: Iterable[tuple[str, str]]) -> None:
        self.boards = ground.boards
        self.beside = ground.beside
        self.joined: Around = join(ground.beside, links)  # gates' halves beside each other too
        # How far every sector is from one, without gates (`gate.no-shortcut`); those to which no
        # way leads are not among them.
        self.hexes: From = ground.hexes.__getitem__
        self.steps: From = Distances(self.joined).__getitem__  # gates counted as one step
        across = join(ground.beside_center, links)
        self.steps_across: From = Distances(across).__getitem__  # and the centre on the way
        self._borders = ground.borders

    def borders(self, start: str) -> Mapping[str, int]:
        """Returns the fewest borders between boards to cross to each sector (`move.agent-path`).

        `gate.not-for-agents`: no gate saves a crossing.
        """
        if start not in self._borders:
            boards = self.boards
            self._borders[start] = count_crossings(
                self.beside, start, lambda here, there: boards[here] != boards[there]
            )
        return self._borders[start]


@lru_cache(maxsize=CHARTS_KEPT)
def chart_of(
    places: tuple[tuple[str, int, int], ...],
    boards: tuple[str, ...],
    links: tuple[tuple[str, str], ...],
) -> Chart:
    """Returns the chart of sectors, boards and gates. Matches with the same map share it."""
    return Chart(_ground_of(places, boards), links)


@lru_cache(maxsize=CHARTS_KEPT)
def _ground_of(places: tuple[tuple[str, int, int], ...], boards: tuple[str, ...]) -> Ground:
    """Returns the ground that all charts of the same boards share, whatever their gates."""
    names = (sector for sector, _, _ in places)
    return Ground(places, dict(zip(names, boards, strict=True)))


def shape(anchor: Hex, rotation: int, along: int, across: int) -> Hex:
    """Returns a hex of a galaxy board: `along` steps on its longer row, then `across` steps."""
    return step(step(anchor, rotation, along), rotation + 1, across)
