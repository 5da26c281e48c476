"""What somebody may know of a tournament by now.

Where its matches are seen later by who does not play in them, so is what was said of their ends:
results, corrections, forfeits, who is to decide. It is open to all as soon as the log that it rests
on is, at the latest when the match or the round is closed. Who runs the tournament sees all of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import msgspec

from ledger.club.tournament.entries import (
    Forfeited,
    Reminded,
    ResultApproved,
    ResultCorrected,
    ResultRead,
)
from ledger.club.tournament.state import Round, Seating, State
from ledger.kernel.refusals import Refused
from services.matches.club import Caller
from services.matches.tables import CannotRead
from services.web.matches.view import all_tables, known_to_all

Place: TypeAlias = tuple[int, int]  # a round, and a table of it

_AT_A_TABLE: Final = (Forfeited, ResultApproved, ResultCorrected, ResultRead)


def runs_it(state: State, who: Caller | None) -> bool:
    """Whether somebody runs a tournament."""
    return who is not None and (who.person.organizer or who.person.id == state.made.host)


def unknown_to(state: State, who: Caller | None) -> frozenset[Place]:
    """The tables of which somebody may not know yet how they stand."""
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
        with all_tables().opened(table.match) as opened:
            if who is not None and opened.table.seats_of(who.person.id):
                return True
            last = known_to_all(opened.table, opened.history, opened.good)
            return last == opened.history.tip.version
    except (CannotRead, Refused):
        return False  # until the round is closed


def as_known(state: State, unknown: frozenset[Place]) -> State:
    """A tournament without what was said of the ends of some tables."""
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


def known_entries(
    entries: Iterable[tuple[int, int, str, Any]], unknown: frozenset[Place]
) -> list[tuple[int, int, str, Any]]:
    """The entries of a book before the first that says more than somebody may know."""
    rounds = {number for number, _ in unknown}
    known = []
    for entry in entries:
        what = entry[3]
        if isinstance(what, _AT_A_TABLE) and (what.round, what.table) in unknown:
            break
        if isinstance(what, Reminded) and what.round in rounds:
            break
        known.append(entry)
    return known
