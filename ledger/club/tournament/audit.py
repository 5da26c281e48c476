"""The same again: every draw from its seed, every result from its match's log, and the standings.

Whoever has the book and the logs needs to believe nobody: what the organizer wrote as drawn is
drawn anew, and each result is taken from the log itself, at the event and head that the book names.
What the organizer decided otherwise (pairings by hand, forfeits, corrections) stands there as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from ledger.kernel.frozen import FrozenByName
from ledger.kernel.refusals import Refused
from ledger.log.read.history import History

from .commands import drawn_anew
from .entries import AnyEntry, ResultRead, RoundPaired
from .results import reading
from .standings import Standings, standings
from .state import State, Tournament

HistoryOf: TypeAlias = Callable[[str], History]


class Trouble(FrozenByName, frozen=True, kw_only=True):
    """An entry that is not what comes out when it is made again."""

    entry: int  # its number in the book
    what: str
    evidence: Mapping[str, Any]


class Audit(FrozenByName, frozen=True, kw_only=True):
    """What came out."""

    entries: int
    draws: int
    results: int
    troubles: tuple[Trouble, ...]
    standings: Standings | None  # from the logs' own results


def audit(entries: Iterable[tuple[int, int, str, AnyEntry]], history_of: HistoryOf) -> Audit:
    """Make everything again; entries are as a book gives them."""
    tournament, troubles = Tournament(), list[Trouble]()
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
    return Audit(
        entries=count,
        draws=draws,
        results=results,
        troubles=tuple(troubles),
        standings=None if tournament.state is None else standings(tournament.state),
    )


def _draw_troubles(number: int, state: State, entry: RoundPaired) -> Iterator[Trouble]:
    drawn = drawn_anew(state, entry.round, entry.seed)
    if (drawn.tables, drawn.byes) != (entry.tables, entry.byes):
        evidence = {"round": entry.round, "tables": drawn.tables, "byes": drawn.byes}
        yield Trouble(entry=number, what="this draw comes out otherwise", evidence=evidence)


def _from_log(
    number: int, entry: ResultRead, history_of: HistoryOf
) -> tuple[ResultRead, list[Trouble]]:
    """The result as the log has it; where it cannot be had, as the book has it, and a trouble."""
    where = {"round": entry.round, "table": entry.table, "match": entry.match}

    def trouble(what: str, **more: Any) -> list[Trouble]:
        return [Trouble(entry=number, what=what, evidence={**where, **more})]

    history = history_of(entry.match)
    if history.tip.version < entry.version:
        return entry, trouble("the log is shorter", version=history.tip.version)
    if history.events[entry.version - 1].head != entry.head:
        head = history.events[entry.version - 1].head.hex()
        return entry, trouble("the log has another head there", version=entry.version, head=head)
    try:
        found = reading(history, entry.round, entry.table, entry.version)
    except Refused as refusal:
        return entry, trouble("the log has no result there", code=refusal.code)
    if found != entry:
        return found, trouble("the log has another result", scores=found.scores)
    return found, []


def packed(found: Audit) -> bytes:
    """An audit as bytes."""
    return msgspec.json.encode(found)
