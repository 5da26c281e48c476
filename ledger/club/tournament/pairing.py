"""Pairing: draws tables of any size; anyone can repeat a draw from its seed.

1. The *sizes* of the tables: as few byes as possible, then as few empty places as possible, and
   those at different tables (by the sum of the squares of missing players), then as few tables as
   possible.
2. The *order*: by points, the most first; ties by a lot drawn from the seed. `random` ignores
   points; `fixed` draws no lots either: the players' numbers are the order.
3. The *byes*: players with the fewest byes so far, among them the last in the order.
4. The *tables*. Of all ways to seat the others, one with the fewest *rematches* (for each pair at a
   table, how often the two have met before), and among those one with a small *spread* (for each
   pair at a table, the square of the difference of their points).
5. The *seats* of a table: players who have sat furthest back so far sit first; ties by the order.

A search of all ways proves the fewest rematches, if it takes at most `STEPS_MAX` steps. Otherwise
the fewest found count, and the draw says so (`exact`). The spread is the smallest that repeated
exchanges of two players reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, islice, product
from typing import Final, NamedTuple, TypeAlias

from ledger.kernel.chance import Stream

from .entries import Method, make_refusal

STEPS_MAX: Final = 250_000  # of the search for fewer rematches
TRIES_MAX: Final = 200_000  # exchanges that are looked at
Met: TypeAlias = Mapping[tuple[int, int], int]  # how often two have met, the smaller number first
Way: TypeAlias = list[list[int]]  # tables of places in the order


class Entrant(NamedTuple):
    """A player to be paired."""

    number: int
    points: int = 0
    byes: int = 0
    back: int = 0  # the sum of the seats they have sat on, the first being 0


class PairingDraw(NamedTuple):
    """A pairing by player numbers; each table in the order of its seats."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    rematches: int
    spread: int
    exact: bool


def pair(
    entrants: Sequence[Entrant],
    met: Met,
    sizes: Sequence[int],
    method: Method,
    seed: bytes,
) -> PairingDraw:
    """Draws a round. `sizes` are the allowed table sizes, the full one first."""
    order = order_entrants(entrants, method, seed)
    wanted = table_sizes(len(order), sizes)
    if not wanted:
        raise make_refusal("too_few_players", {"players": len(order), "sizes": list(sizes)})
    byes = bye_places(order, len(order) - sum(wanted))
    playing = [one for place, one in enumerate(order) if place not in byes]
    room = _Room(playing, met, method)
    way, exact = room.best(wanted)
    cost = room.cost(way)
    seated = sorted((sorted(table) for table in way), key=lambda table: table[0])
    return PairingDraw(
        tables=tuple(tuple(playing[one].number for one in room.seated(table)) for table in seated),
        byes=tuple(order[place].number for place in byes),
        rematches=cost[0],
        spread=cost[1],
        exact=exact,
    )


def order_entrants(entrants: Sequence[Entrant], method: Method, seed: bytes) -> list[Entrant]:
    """Returns the order in which players are seated."""
    by_number = sorted(entrants)
    if method == "fixed":
        return by_number
    lot = shuffle_entrants(by_number, seed)
    return lot if method == "random" else sorted(lot, key=lambda one: -one.points)


def shuffle_entrants(entrants: Sequence[Entrant], seed: bytes) -> list[Entrant]:
    left, stream = list(entrants), Stream.named(seed, "tournament/pairing/1")
    return [left.pop(stream.below(len(left))) for _ in range(len(left))]


def table_sizes(players: int, sizes: Sequence[int]) -> list[int]:
    """Returns the sizes of the tables, the largest first; [] if the players fit none."""
    full = sizes[0]
    ways: list[tuple[int, list[int]] | None] = [(0, [])]  # by players: what is missing, the tables
    for count in range(1, players + 1):
        found = [
            (before[0] + (full - size) ** 2, sorted([*before[1], size], reverse=True))
            for size in sizes
            if size <= count and (before := ways[count - size]) is not None
        ]
        ways.append(min(found, key=lambda way: (way[0], len(way[1])), default=None))
    return next(way[1] for way in reversed(ways) if way is not None)


def bye_places(order: Sequence[Entrant], count: int) -> list[int]:
    """Returns the places in the order that get a bye."""
    last_first = sorted(range(len(order)), key=lambda place: (order[place].byes, -place))
    return sorted(last_first[:count])


class _OutOfSteps(Exception):
    """Raised when the search takes too long."""


class _Room:
    """All players of a round, as places in the order."""

    def __init__(self, playing: Sequence[Entrant], met: Met, method: Method) -> None:
        self.playing = playing
        points = [one.points if method == "swiss" else 0 for one in playing]
        numbers = [one.number for one in playing]
        self.met = [[met.get((min(a, b), max(a, b)), 0) for b in numbers] for a in numbers]
        self.gap = [[(a - b) ** 2 for b in points] for a in points]

    def table_cost(self, table: Sequence[int]) -> tuple[int, int]:
        pairs = list(combinations(table, 2))
        return sum(self.met[a][b] for a, b in pairs), sum(self.gap[a][b] for a, b in pairs)

    def cost(self, way: Way) -> tuple[int, int]:
        each = [self.table_cost(table) for table in way]
        return sum(one[0] for one in each), sum(one[1] for one in each)

    def seated(self, table: Sequence[int]) -> list[int]:
        """Returns a table in the order of its seats."""
        return sorted(table, key=lambda place: (-self.playing[place].back, place))

    def best(self, sizes: list[int]) -> tuple[Way, bool]:
        """Returns a way to seat all, and whether it is proved to have the fewest rematches."""
        places = iter(range(len(self.playing)))
        way = self.improved([list(islice(places, size)) for size in sizes])
        exact = True
        least = self.cost(way)[0]
        search = _Search(self.met)
        try:
            for rematches in range(least):
                found = search.run(len(self.playing), tuple(sizes), rematches)
                if found is not None:
                    way = self.improved(found)
                    break
        except _OutOfSteps:
            exact = False
        return way, exact

    def improved(self, way: Way) -> Way:
        """Exchanges two players wherever that is better, until no exchange helps."""
        way = [list(table) for table in way]
        costs = [self.table_cost(table) for table in way]
        tries = 0
        better = True
        while better:
            better = False
            for one, other in combinations(range(len(way)), 2):
                for at, to in product(range(len(way[one])), range(len(way[other]))):
                    tries += 1
                    if tries > TRIES_MAX:
                        return way
                    better |= self._exchange(way, costs, (one, at), (other, to))
        return way

    def _exchange(
        self,
        way: Way,
        costs: list[tuple[int, int]],
        first: tuple[int, int],
        second: tuple[int, int],
    ) -> bool:
        (one, at), (other, to) = first, second
        here, there = list(way[one]), list(way[other])
        here[at], there[to] = there[to], here[at]
        now_here, now_there = self.table_cost(here), self.table_cost(there)
        was = (costs[one][0] + costs[other][0], costs[one][1] + costs[other][1])
        if (now_here[0] + now_there[0], now_here[1] + now_there[1]) >= was:
            return False
        way[one], way[other] = here, there
        costs[one], costs[other] = now_here, now_there
        return True


class _Search:
    """Searches for tables with at most so many rematches; the first places are seated first."""

    def __init__(self, met: list[list[int]]) -> None:
        self.met = met
        self.steps = 0
        self.hopeless: set[tuple[int, tuple[int, ...], int]] = set()

    def run(self, players: int, sizes: tuple[int, ...], rematches: int) -> Way | None:
        """Returns tables, or None if there are none."""
        return self._tables(tuple(range(players)), sizes, rematches)

    def _tables(self, left: tuple[int, ...], sizes: tuple[int, ...], may: int) -> Way | None:
        if not left:
            return []
        known = (sum(1 << place for place in left), sizes, may)
        if known in self.hopeless:
            return None
        for size in sorted(set(sizes), reverse=True):
            others = list(sizes)
            others.remove(size)
            found = self._fill([left[0]], left[1:], 0, size, tuple(others), may)
            if found is not None:
                return found
        self.hopeless.add(known)
        return None

    def _fill(
        self,
        table: list[int],
        left: tuple[int, ...],
        start: int,
        size: int,
        sizes: tuple[int, ...],
        may: int,
    ) -> Way | None:
        if len(table) == size:
            rest = self._tables(tuple(one for one in left if one not in table), sizes, may)
            return None if rest is None else [table, *rest]
        for at in range(start, len(left)):
            self.steps += 1
            if self.steps > STEPS_MAX:
                raise _OutOfSteps
            more = sum(self.met[left[at]][one] for one in table)
            if more <= may:
                found = self._fill([*table, left[at]], left, at + 1, size, sizes, may - more)
                if found is not None:
                    return found
        return None
