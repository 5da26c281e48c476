"""Geometry: neighbouring sectors and the distances between sectors.

`range.metric`: distance is the fewest steps between neighbouring sectors of boards in play, with a
tile or without; a gate is one step (`gate.adjacency`); the centre and the space off the boards
cannot be crossed (`move.center`, `move.off-board`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

Hex: TypeAlias = tuple[int, int]  # axial coordinates
Around: TypeAlias = Mapping[str, tuple[str, ...]]
From: TypeAlias = Callable[[str], Mapping[str, int]]

# The six directions, each a sixth of a turn further.
DIRECTIONS: Final[tuple[Hex, ...]] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
CENTER: Final[Hex] = (0, 0)
CHARTS_KEPT: Final = 256  # of so many maps, each with its gates, the distances are remembered
CENTER_ID: Final = ""  # as a place on the way, where a reading lets range be counted across it


def towards(place: Hex, direction: int, steps: int = 1) -> Hex:
    """Returns the hex that many steps away in a direction."""
    dq, dr = DIRECTIONS[direction % len(DIRECTIONS)]
    return place[0] + dq * steps, place[1] + dr * steps


def hexes_around(place: Hex) -> tuple[Hex, ...]:
    return tuple(towards(place, direction) for direction in range(len(DIRECTIONS)))


class Ground:
    """The map that the boards make, without gates."""

    def __init__(self, places: tuple[tuple[str, int, int], ...], boards: Mapping[str, str]) -> None:
        at: dict[Hex, str] = {(q, r): sector for sector, q, r in places}
        self.boards = boards
        self.beside: Around = _beside(at)
        self.beside_center: Around = _beside({CENTER: CENTER_ID, **at})
        self.hexes = _Distances(self.beside)
        self.borders: dict[str, dict[str, int]] = {}


class Chart:
    """A ground with the shortcuts of the gates. Distances are computed once."""

    def __init__(self, ground: Ground, links: Iterable[tuple[str, str]]) -> None:
        self.boards = ground.boards
        self.beside = ground.beside
        self.joined: Around = _joined(ground.beside, links)  # gates' halves beside each other too
        # How far every sector is from one, without gates (`gate.no-shortcut`); those to which no
        # way leads are not among them.
        self.hexes: From = ground.hexes.__getitem__
        self.steps: From = _Distances(self.joined).__getitem__  # gates counted as one step
        across = _joined(ground.beside_center, links)
        self.steps_across: From = _Distances(across).__getitem__  # and the centre on the way
        self._borders = ground.borders

    def borders(self, start: str) -> Mapping[str, int]:
        """Returns the fewest borders between boards to cross to each sector (`move.agent-path`).

        `gate.not-for-agents`: no gate saves a crossing.
        """
        if start not in self._borders:
            self._borders[start] = self._crossings(start)
        return self._borders[start]

    def _crossings(self, start: str) -> dict[str, int]:
        found = {start: 0}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for there in self.beside[here]:
                crossed = int(self.boards[here] != self.boards[there])
                cost = found[here] + crossed
                if cost < found.get(there, cost + 1):
                    found[there] = cost
                    # Nearest first: what costs nothing is looked at before what costs a border.
                    (waiting.append if crossed else waiting.appendleft)(there)
        return found


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


class _Distances(dict[str, Mapping[str, int]]):
    """Distances from each sector to all others, computed on first use."""

    def __init__(self, around: Around) -> None:
        super().__init__()
        self._around = around

    def __missing__(self, start: str) -> Mapping[str, int]:
        found = {start: 0}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for there in self._around[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    waiting.append(there)
        self[start] = found
        return found


def _beside(at: Mapping[Hex, str]) -> dict[str, tuple[str, ...]]:
    return {
        sector: tuple(at[other] for other in hexes_around(place) if other in at)
        for place, sector in at.items()
    }


def _joined(beside: Around, links: Iterable[tuple[str, str]]) -> Around:
    joined = dict(beside)
    for one, other in links:
        for here, there in ((one, other), (other, one)):
            if there not in joined[here]:
                joined[here] = (*joined[here], there)
    return joined


def shape(anchor: Hex, rotation: int, along: int, across: int) -> Hex:
    """Returns a hex of a galaxy board: `along` steps on its longer row, then `across` steps."""
    return towards(towards(anchor, rotation, along), rotation + 1, across)
