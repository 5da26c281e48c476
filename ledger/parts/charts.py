"""Charts: how far it is on a map whose places may be linked by what stands on them, as by gates.

Ground (the map as laid) ─┬─▶ Chart, with some links
                          └─▶ Chart, with others ...   each computes its distances once
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from .graph import Distances, count_crossings, join

Around: TypeAlias = Mapping[str, tuple[str, ...]]
From: TypeAlias = Callable[[str], Mapping[str, int]]


class Ground:
    """Places beside each other, and the region of each: what charts of the same map share."""

    def __init__(self, beside: Around, regions: Mapping[str, str]) -> None:
        self.beside = beside
        self.regions = regions
        self.distances = Distances(beside)
        self.crossings: dict[str, dict[str, int]] = {}


class Chart:
    """A ground with links. Places to which no way leads are not among the distances of one."""

    def __init__(self, ground: Ground, links: Iterable[tuple[str, str]]) -> None:
        self.ground = ground
        self.beside = ground.beside
        self.joined: Around = join(ground.beside, links)  # linked places beside each other too
        self.hexes: From = ground.distances.__getitem__  # without the links
        self.steps: From = Distances(self.joined).__getitem__  # a link is one step

    def borders(self, start: str) -> Mapping[str, int]:
        """Returns the fewest borders between regions to cross to each place; no link saves one."""
        known, regions = self.ground.crossings, self.ground.regions
        if start not in known:
            known[start] = count_crossings(
                self.beside, start, lambda here, there: regions[here] != regions[there]
            )
        return known[start]
