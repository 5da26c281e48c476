"""Audits a tournament: repeats each draw from its seed, each result from its log, the standings.

The book and the logs suffice, so no one has to be trusted. Rounds that the organizer recorded as
drawn are drawn again. Each result is read from the log itself, at the event and head that the book
names. Decisions of the organizer (pairings by hand, forfeits, corrections) are taken as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ledger.kernel.frozen import FrozenByName
from ledger.kernel.refusals import Refused
from ledger.log.read.history import History

from .commands import redraw_round
from .entries import AnyEntry, ResultRead, RoundPaired
from .results import reading
from .standings import Standings, standings
from .state import Tournament, TournamentState

HistoryOf: TypeAlias = Callable[[str], History]


class EntryTrouble(FrozenByName, frozen=True, kw_only=True):
    """An entry that differs from its repetition."""

    entry: int  # its number in the book
    what: str
    evidence: Mapping[str, Any]


class BookAudit(FrozenByName, frozen=True, kw_only=True):
    """The outcome of an audit."""

    entries: int
    draws: int
    results: int
    troubles: tuple[EntryTrouble, ...]
    standings: Standings | None  # from the logs' own results


def audit(entries: Iterable[tuple[int, int, str, AnyEntry]], history_of: HistoryOf) -> BookAudit:
    """Repeats everything; `entries` are as a book gives them."""
    tournament, troubles = Tournament(), list[EntryTrouble]()
    count = draws = results = 0
    for number, at, by, entry in entries:
        count = number
        taken = entry
        state = tournament.state
        if isinstance(entry, RoundPaired) and state is not None:
            draws += 1
            troubles += _draw_troubles(number, state, entry)
        if isinstance(entry, ResultRead):
            results += 1
            taken, found = _from_log(number, entry, history_of)
            troubles += found
        tournament.take(number, at, by, taken)
    return BookAudit(
        entries=count,
        draws=draws,
        results=results,
        troubles=tuple(troubles),
        standings=None if tournament.state is None else standings(tournament.state),
    )


def _draw_troubles(
    number: int, state: TournamentState, entry: RoundPaired
) -> Iterator[EntryTrouble]:
    drawn = redraw_round(state, entry.round, entry.seed)
    if (drawn.tables, drawn.byes) != (entry.tables, entry.byes):
        evidence = {"round": entry.round, "tables": drawn.tables, "byes": drawn.byes}
        yield EntryTrouble(entry=number, what="a new draw gives another result", evidence=evidence)


def _from_log(
    number: int, entry: ResultRead, history_of: HistoryOf
) -> tuple[ResultRead, list[EntryTrouble]]:
    """Returns the result from the log; if there is none, the book's result and a trouble."""
    where = {"round": entry.round, "table": entry.table, "match": entry.match}

    def trouble(what: str, **more: Any) -> list[EntryTrouble]:
        return [EntryTrouble(entry=number, what=what, evidence={**where, **more})]

    history = history_of(entry.match)
    if history.tip.version < entry.version:
        return entry, trouble("the log is shorter", version=history.tip.version)
    if history.events[entry.version - 1].head != entry.head:
        head = history.events[entry.version - 1].head.hex()
        return entry, trouble(
            "the log has another head at this event", version=entry.version, head=head
        )
    try:
        found = reading(history, entry.round, entry.table, entry.version)
    except Refused as refusal:
        return entry, trouble("the log has no result at this event", code=refusal.code)
    if found != entry:
        return found, trouble("the log has another result", scores=found.scores)
    return found, []
