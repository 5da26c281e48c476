"""Standings: a pure function of a tournament's state; each figure lists the items of its sum.

*Points* come from places at tables, byes, rounds missed before entering, and forfeits. At a table
the winners that the match names come first, then the higher score. A player who forfeits comes last
and gets the points of a forfeit. Tied players share the points of their places in equal parts,
rounded down. If no result was reached, all who have not forfeited share.

The tournament's tie-breaks separate equal points, one after the other; more is better:

| tie-break | is the sum of |
|---|---|
| opponents | the points of each opponent, each time; in a bye, one's own for each absent opponent |
| scores | the scores in one's matches, without forfeited ones |
| wins | 1 for each match won, alone or with others |
| met | for each opponent still tied: 1 if placed better than them, -1 if placed worse |
| lot | the first 32 bits of SHA-256(seed of the tournament, player's number in 2 bytes) |
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Annotated, Final, TypeAlias

import msgspec

from ledger.kernel.frozen import FrozenByName

from .entries import Tiebreak
from .state import Round, Seating, TournamentState

POINTS: Final = "points"


class Placed(FrozenByName, frozen=True, kw_only=True):
    """A player's place at a table."""

    player: int
    seat: int
    place: int  # the first of those shared; 0: forfeited
    shared: int  # by so many
    points: int
    score: int | None = None
    won: bool = False


class FigureItem(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a figure."""

    what: str
    value: int
    round: int = 0
    table: int = 0
    player: Annotated[int, msgspec.Meta(description="the other one")] = 0


class Figure(FrozenByName, frozen=True, kw_only=True):
    """A number, and the items it is the sum of."""

    by: str
    value: int
    items: tuple[FigureItem, ...]


class StandingsRow(FrozenByName, frozen=True, kw_only=True):
    """A player in the standings."""

    rank: int
    player: int
    name: str
    active: bool
    figures: tuple[Figure, ...]  # the points first

    def value(self, by: str) -> int:
        return next(one.value for one in self.figures if one.by == by)


class Standings(FrozenByName, frozen=True, kw_only=True):
    """The ranked players, the best first."""

    rounds: int  # that are counted
    approved: bool  # whether every result that counts was approved
    final: bool
    tiebreaks: tuple[str, ...]
    rows: tuple[StandingsRow, ...]


Items: TypeAlias = dict[int, list[FigureItem]]
PlayersItem: TypeAlias = tuple[int, FigureItem]  # the player has it in a figure
Where: TypeAlias = tuple[int, int]  # round and table


def standings(state: TournamentState, rounds: int | None = None) -> Standings:
    """Returns the standings after so many rounds; by default after all paired ones."""
    return _Reckoning(state, rounds).standings()


def points_of(state: TournamentState) -> dict[int, int]:
    return {row.player: row.value(POINTS) for row in standings(state).rows}


def pack_standings(found: Standings) -> bytes:
    """Encodes standings: equal standings give equal bytes."""
    return msgspec.json.encode(found)


def placing(table: Seating, worth: tuple[int, ...], forfeit: int = 0) -> list[Placed]:
    """Returns each seat's place; [] while the table has no result."""
    if not table.settled:
        return []
    out, result = table.forfeiting, table.result
    winners = () if result is None else result.winners
    scores = () if result is None else result.scores

    def key(seat: int) -> tuple[bool, int]:
        return (seat in winners, scores[seat] if scores else 0)

    seats = [seat for seat, player in enumerate(table.players) if player not in out]
    found = [
        Placed(player=player, seat=seat, place=0, shared=0, points=forfeit)
        for seat, player in enumerate(table.players)
        if player in out
    ]
    for seat in seats:
        place = sum(key(other) > key(seat) for other in seats)
        shared = sum(key(other) == key(seat) for other in seats)
        points = sum(worth[place : place + shared]) // shared
        found.append(
            Placed(
                player=table.players[seat],
                seat=seat,
                place=place + 1,
                shared=shared,
                points=points,
                score=scores[seat] if scores else None,
                won=seat in winners,
            )
        )
    return sorted(found, key=lambda one: one.seat)


def meetings(rounds: tuple[Round, ...]) -> Iterator[tuple[Round, Seating, int, int]]:
    """Yields each pair of players that met, with round and table; absent players meet no one."""
    for found in rounds:
        for table in found.tables:
            there = sorted(set(table.players) - set(table.absent))
            for one, other in combinations(there, 2):
                yield found, table, one, other


class _Reckoning:
    """Computes the figures of all players."""

    def __init__(self, state: TournamentState, rounds: int | None) -> None:
        self.state = state
        self.rounds = state.rounds if rounds is None else state.rounds[:rounds]
        self.whole = len(self.rounds) == len(state.rounds)
        self.placed: dict[Where, dict[int, Placed]] = {
            (found.number, table.number): {
                one.player: one
                for one in placing(
                    table, state.made.points_at(len(table.players)), state.made.forfeit
                )
            }
            for found in self.rounds
            for table in found.tables
        }
        self.points = self._by_player(self._points())
        self.totals = {player: _sum(items) for player, items in self.points.items()}

    def standings(self) -> Standings:
        """Ranks the players: each tie-break splits the groups that are still tied."""
        figures: dict[int, list[Figure]] = {
            player: [Figure(by=POINTS, value=_sum(items), items=tuple(items))]
            for player, items in self.points.items()
        }
        groups = _split_groups([sorted(self.state.players)], self.totals)
        for by in self.state.made.tiebreaks:
            items = self._broken(by, groups)
            for player, of in items.items():
                figures[player].append(Figure(by=by, value=_sum(of), items=tuple(of)))
            groups = _split_groups(groups, {player: _sum(of) for player, of in items.items()})
        rows, rank = list[StandingsRow](), 1
        for group in groups:
            players = [self.state.players[number] for number in group]
            rows += [
                StandingsRow(
                    rank=rank,
                    player=one.number,
                    name=one.name,
                    active=one.active,
                    figures=tuple(figures[one.number]),
                )
                for one in players
            ]
            rank += len(group)
        tables = [table for found in self.rounds for table in found.tables]
        return Standings(
            rounds=len(self.rounds),
            approved=all(one.approved for one in tables),
            final=self.state.ended and self.whole,
            tiebreaks=tuple(self.state.made.tiebreaks),
            rows=tuple(rows),
        )

    def _by_player(self, found: Iterable[PlayersItem]) -> Items:
        items: Items = {player: [] for player in self.state.players}
        for player, item in found:
            items[player].append(item)
        return items

    def _points(self) -> Iterator[PlayersItem]:
        for player in self.state.players.values():
            for number, points in player.granted:
                if number <= len(self.rounds) or self.whole:
                    yield player.number, _item("missed", points, (number, 0))
        for found in self.rounds:
            for number in found.byes:
                yield number, _item("bye", self.state.made.bye, (found.number, 0))
            for table in found.tables:
                where = (found.number, table.number)
                for one in self.placed[where].values():
                    yield one.player, _item(place_of(one), one.points, where)

    def _broken(self, by: Tiebreak, groups: list[list[int]]) -> Items:
        ways: Mapping[Tiebreak, Callable[[], Iterator[PlayersItem]]] = {
            "opponents": self._opponents,
            "scores": self._scores,
            "wins": self._wins,
            "met": lambda: self._met(groups),
            "lot": self._lot,
        }
        return self._by_player(ways[by]())

    def _opponents(self) -> Iterator[PlayersItem]:
        for where, player, met in self._encounters():
            yield player, _item("opponent", self.totals[met], where, met)
        others = self.state.made.seats - 1
        for found in self.rounds:
            for number in found.byes:
                yield number, _item("bye", self.totals[number] * others, (found.number, 0))

    def _scores(self) -> Iterator[PlayersItem]:
        for where, there in self.placed.items():
            for one in there.values():
                if one.score is not None:
                    yield one.player, _item("score", one.score, where)

    def _wins(self) -> Iterator[PlayersItem]:
        for where, there in self.placed.items():
            for one in there.values():
                if one.won:
                    yield one.player, _item("win", 1, where)

    def _met(self, groups: list[list[int]]) -> Iterator[PlayersItem]:
        group_of = {player: at for at, group in enumerate(groups) for player in group}
        for where, player, met in self._encounters():
            there = self.placed[where]
            if there and group_of[player] == group_of[met]:
                mine, theirs = there[player].place or 99, there[met].place or 99
                yield player, _item("met", (mine < theirs) - (mine > theirs), where, met)

    def _lot(self) -> Iterator[PlayersItem]:
        for player in self.state.players:
            lot = hashlib.sha256(self.state.made.seed + player.to_bytes(2, "big")).digest()
            yield player, _item("lot", int.from_bytes(lot[:4], "big"))

    def _encounters(self) -> Iterator[tuple[Where, int, int]]:
        """Yields each meeting twice: for the one player, and for the other."""
        for found, table, one, other in meetings(self.rounds):
            where = (found.number, table.number)
            yield where, one, other
            yield where, other, one


def _item(what: str, value: int, where: Where = (0, 0), player: int = 0) -> FigureItem:
    return FigureItem(what=what, value=value, round=where[0], table=where[1], player=player)


def place_of(one: Placed) -> str:
    if not one.place:
        return "forfeit"
    last = one.place + one.shared - 1
    return f"place {one.place}" if one.shared == 1 else f"places {one.place} to {last} shared"


def _sum(items: list[FigureItem]) -> int:
    return sum(one.value for one in items)


def _split_groups(groups: list[list[int]], values: Mapping[int, int]) -> list[list[int]]:
    """Splits groups by a value, the higher first; ties stay together, ordered by number."""
    found: list[list[int]] = []
    for group in groups:
        kinds = sorted({values[one] for one in group}, reverse=True)
        found += [[one for one in group if values[one] == value] for value in kinds]
    return found
