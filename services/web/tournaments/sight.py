"""A caller's knowledge of a tournament.

Viewers who see its matches later also see the end of a match later: results, corrections,
forfeits, and seats with a decision to make. They see it as soon as the log it rests on is open,
at the latest when the match or the round is closed. Those who run the tournament see everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any, Final, TypeAlias

import msgspec

from ledger.club.tournament.entries import (
    Forfeited,
    Reminded,
    ResultApproved,
    ResultCorrected,
    ResultRead,
)
from ledger.club.tournament.state import Round, Seating, TournamentState
from ledger.kernel.refusals import Refused
from services.matches.cache import CannotRead
from services.matches.club import Caller
from services.web.app.parts import match_cache
from services.web.matches.view import find_public_end

Place: TypeAlias = tuple[int, int]  # a round, and a table of it

_AT_A_TABLE: Final = (Forfeited, ResultApproved, ResultCorrected, ResultRead)


def runs_it(state: TournamentState, who: Caller | None) -> bool:
    return who is not None and (who.person.organizer or who.person.id == state.made.host)


def unknown_to(state: TournamentState, who: Caller | None) -> frozenset[Place]:
    """Returns the tables whose state a caller may not know yet."""
    if not state.made.delay or runs_it(state, who):
        return frozenset()
    return frozenset(
        (found.number, table.number)
        for found in state.rounds
        for table in found.tables
        if not found.closed and table.match and not _is_known(table, who)
    )


def _is_known(table: Seating, who: Caller | None) -> bool:
    try:
        with match_cache().opened(table.match) as opened:
            if who is not None and opened.table.seats_of(who.person.id):
                return True
            last = find_public_end(opened.table, opened.history, opened.good)
            return last == opened.history.tip.version
    except (CannotRead, Refused):
        return False  # until the round is closed


def as_known(state: TournamentState, unknown: frozenset[Place]) -> TournamentState:
    """Returns a tournament without the results of the given tables."""
    if not unknown:
        return state
    rounds = tuple(_without(found, unknown) for found in state.rounds)
    return msgspec.structs.replace(state, rounds=rounds)


def _without(found: Round, unknown: frozenset[Place]) -> Round:
    tables = tuple(
        Seating(number=one.number, players=one.players, match=one.match)
        if (found.number, one.number) in unknown
        else one
        for one in found.tables
    )
    return msgspec.structs.replace(found, tables=tables)


def list_known_entries(
    entries: Iterable[tuple[int, int, str, Any]], unknown: frozenset[Place]
) -> list[tuple[int, int, str, Any]]:
    """Returns a book's entries up to the first that says more than the caller may know."""
    rounds = {number for number, _ in unknown}

    def is_known(entry: tuple[int, int, str, Any]) -> bool:
        what = entry[3]
        if isinstance(what, _AT_A_TABLE):
            return (what.round, what.table) not in unknown
        return not isinstance(what, Reminded) or what.round not in rounds

    return list(takewhile(is_known, entries))
