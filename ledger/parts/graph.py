"""Maps as graphs: places with neighbours, and how far it is from one to another.

It serves hex maps (`ledger.parts.hexmap` gives the neighbours) and maps that are just lists of
places with lanes between them. Places may be linked by what stands on them, as by gates:

    Ground (the map as laid) ─┬─▶ Chart, with some links
                              └─▶ Chart, with others ...   each computes its distances once
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Generic, TypeAlias, TypeVar

Place = TypeVar("Place", bound=Hashable)
Neighbours: TypeAlias = Mapping[Place, tuple[Place, ...]]
Around: TypeAlias = Neighbours[str]
From: TypeAlias = Callable[[str], Mapping[str, int]]


class Distances(dict[Place, Mapping[Place, int]], Generic[Place]):
    """The fewest steps from each place to all others; computed on first use.

    Places that cannot be reached are not among them.
    """

    def __init__(self, neighbours: Neighbours[Place]) -> None:
        super().__init__()
        self._neighbours = neighbours

    def __missing__(self, start: Place) -> Mapping[Place, int]:
        found = {start: 0}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for there in self._neighbours[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    waiting.append(there)
        self[start] = found
        return found


def find_paths(
    neighbours: Neighbours[Place], start: Place, most: int
) -> Iterator[tuple[Place, ...]]:
    """Yields a shortest path to each place up to `most` steps away, without the start."""
    found: dict[Place, tuple[Place, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if len(found[here]) == most:
            continue
        for there in neighbours[here]:
            if there not in found:
                found[there] = (*found[here], there)
                waiting.append(there)
                yield found[there]


def count_crossings(
    neighbours: Neighbours[Place], start: Place, crosses: Callable[[Place, Place], bool]
) -> dict[Place, int]:
    """Returns the fewest steps that cross something on the way to each place; others are free."""
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in neighbours[here]:
            crossed = int(crosses(here, there))
            cost = found[here] + crossed
            if cost < found.get(there, cost + 1):
                found[there] = cost
                # Nearest first: what costs nothing is looked at before what costs a step.
                (waiting.append if crossed else waiting.appendleft)(there)
    return found


def join(neighbours: Neighbours[Place], links: Iterable[tuple[Place, Place]]) -> Neighbours[Place]:
    """Returns the neighbours with each pair of linked places beside each other too."""
    joined = dict(neighbours)
    for link in links:
        for here, there in (link, link[::-1]):
            if there not in joined[here]:
                joined[here] = (*joined[here], there)
    return joined


# --- charts ---------------------------------------------------------------------------------------


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
