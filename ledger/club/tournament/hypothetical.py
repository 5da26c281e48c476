"""Compares the standings with those if some matches had ended otherwise.

Only results read from logs are replaced. Decisions of the organizer (corrections, forfeits) stay,
and so does the result of a match that has no other one.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ledger.kernel.frozen import FrozenByName
from ledger.kernel.ruleset import Result

from .standings import POINTS, Standings, standings
from .state import Round, Seating, TournamentState


class Moved(FrozenByName, frozen=True, kw_only=True):
    """A player's rank and points in both standings."""

    player: int
    name: str
    rank: int
    rank_then: int
    points: int
    points_then: int


class HypotheticalStandings(FrozenByName, frozen=True, kw_only=True):
    """The standings before and after."""

    rows: tuple[Moved, ...]  # in the order in which they would be
    changed: tuple[str, ...]  # matches whose result is another
    kept: tuple[str, ...]  # matches of which there is none, so that theirs stays
    decided: tuple[str, ...]  # matches of which the organizer has said how they ended


def compute_hypothetical(
    state: TournamentState, results: Mapping[str, Result | None]
) -> HypotheticalStandings:
    """Computes standings with these results by match; None means that a match would have no
    result.
    """
    changed: list[str] = []
    kept: list[str] = []
    decided: list[str] = []

    def seating(table: Seating) -> Seating:
        read = table.read
        if read is None or table.match not in results:
            return table
        if table.corrected is not None:
            decided.append(table.match)
            return table
        result = results[table.match]
        if result is None:
            kept.append(table.match)
            return table
        winners, scores = tuple(result.winners), tuple(result.scores)
        if (winners, scores) == (read.winners, read.scores):
            return table
        changed.append(table.match)
        other = msgspec.structs.replace(read, winners=winners, scores=scores)
        return msgspec.structs.replace(table, read=other)

    def round_(found: Round) -> Round:
        return msgspec.structs.replace(found, tables=tuple(map(seating, found.tables)))

    after = msgspec.structs.replace(state, rounds=tuple(map(round_, state.rounds)))
    return HypotheticalStandings(
        rows=tuple(_list_moves(standings(state), standings(after))),
        changed=tuple(changed),
        kept=tuple(kept),
        decided=tuple(decided),
    )


def _list_moves(before: Standings, after: Standings) -> list[Moved]:
    was = {row.player: row for row in before.rows}
    return [
        Moved(
            player=row.player,
            name=row.name,
            rank=was[row.player].rank,
            rank_then=row.rank,
            points=was[row.player].value(POINTS),
            points_then=row.value(POINTS),
        )
        for row in after.rows
    ]
