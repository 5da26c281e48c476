"""Geometry: neighbouring sectors and the distances between sectors.

`range.metric`: distance is the fewest steps between neighbouring sectors of boards in play, with a
tile or without; a gate is one step (`gate.adjacency`); the centre and the space off the boards
cannot be crossed (`move.center`, `move.off-board`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from ledger.parts import graph
from ledger.parts.graph import Distances, From, join
from ledger.parts.hexmap import Hex, neighbours_of, step

CENTER: Final[Hex] = (0, 0)
CHARTS_KEPT: Final = 256  # of so many maps, each with its gates, the distances are remembered
CENTER_ID: Final = ""  # as a place on the way, where a reading lets range be counted across it


class Ground(graph.Ground):
    """The map that the boards make, without gates."""

    def __init__(self, places: tuple[tuple[str, int, int], ...], boards: Mapping[str, str]) -> None:
        at: dict[Hex, str] = {(q, r): sector for sector, q, r in places}
        super().__init__(neighbours_of(at), boards)
        self.beside_center = neighbours_of({CENTER: CENTER_ID, **at})


class Chart(graph.Chart):
    """A ground with the shortcuts of the gates; without them by `hexes` (`gate.no-shortcut`)."""

    def __init__(self, ground: Ground, links: Iterable[tuple[str, str]]) -> None:
        super().__init__(ground, links)
        across = join(ground.beside_center, links)
        self.steps_across: From = Distances(across).__getitem__  # and the centre on the way


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
