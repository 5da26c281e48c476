"""Audits a match, or a tournament with all its matches, as the store has them.

The audit of a running match covers what a spectator, or a seat, may know. Of a closed match
the service audits everything: the report has verdicts and sums, and no hand of cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from ledger.club.table import MatchTable, TableEntry
from ledger.club.table import book_of as table_book
from ledger.club.tournament.audit import BookAudit
from ledger.club.tournament.entries import AnyEntry, book_of, refused
from ledger.club.tournament.state import Tournament
from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.log.books import Book
from ledger.log.read.history import History
from ledger.log.stores.protocol import Snapshot, Store, Unavailable
from replays.audit.auditor import ServiceRecords, audit_history
from replays.audit.clocks import TableTerms
from replays.audit.document import Audit, packed
from services.matches.tournaments import audited

SNAPSHOTS_MAX: Final = 200  # of one match; they thin out as it grows
Progress = Callable[[int, int], object]


def snapshots_of(store: Store, history: History) -> Iterator[Snapshot]:
    """Yields the snapshots that could be read for a match, the newest first."""
    most = history.tip.version
    for _ in range(SNAPSHOTS_MAX):
        found = store.snapshot(history.match, most, None, history.rules.source)
        if found is None:
            return
        yield found
        most = found.version - 1


def clock_terms(store: Store, match: str) -> TableTerms:
    """Returns the clock terms in a table's book; none if the book has no terms."""
    book: Book[MatchTable] = Book(store, table_book(match), TableEntry, MatchTable, lambda: 0)
    try:
        table = book.read()
    except (Unavailable, ValueError):  # matches in files have no tables
        return TableTerms(None)
    return TableTerms(None if table.laid is None else table.laid.clock, table.stops)


def beside(store: Store, history: History) -> ServiceRecords:
    """Returns the store's other records of a match: snapshots and clock terms."""
    return ServiceRecords(
        snapshots=tuple(snapshots_of(store, history)), clocks=clock_terms(store, history.match)
    )


def audit_of(
    store: Store, history: History, viewer: Viewer | str, progress: Progress | None = None
) -> Audit:
    return audit_history(history, viewer, beside(store, history), progress)


def eyes_for(history: History) -> str | None:
    """Returns the viewpoint of a service audit: all for a closed match, else a spectator's."""
    return "all" if history.life.closed else None


# --- tournaments ----------------------------------------------------------------------------------


class MatchLine(msgspec.Struct, kw_only=True):
    """A match of a tournament, with the result of its audit."""

    round: int
    table: int
    match: str
    events: int
    head: str
    verdict: str
    failed: list[str]
    sha256: str  # of the audit, as it is had for this match
    result: object = None


class TournamentAudit(msgspec.Struct, kw_only=True):
    """A tournament's audit: its book, its standings computed again, and all its matches."""

    format: str = "hegemon-tournament-audit"
    version: int = 1
    tournament: str
    title: str
    verdict: str  # ok | failed
    book: BookAudit
    matches: list[MatchLine]


class Played(msgspec.Struct, frozen=True):
    round: int
    table: int
    match: str


def played_in(store: Store, tournament: str) -> tuple[str, list[Played]]:
    """Returns a tournament's title, and its matches by round and table."""
    book: Book[Tournament] = Book(store, book_of(tournament), AnyEntry, Tournament, lambda: 0)
    state = book.read().state
    if state is None:
        return "", []
    found = [
        Played(number, table.number, table.match)
        for number, round_ in enumerate(state.rounds, 1)
        for table in round_.tables
        if table.match
    ]
    return state.made.title, found


def check_is_there(store: Store, tournament: str) -> None:
    """Refuses a tournament that does not exist."""
    try:
        title, _ = played_in(store, tournament)
    except ValueError:  # no book can have this name
        title = ""
    if not title:
        raise refused("no_such_tournament", {"tournament": tournament[:40]})


def match_line(played: Played, audit: Audit) -> MatchLine:
    return MatchLine(
        round=played.round,
        table=played.table,
        match=played.match,
        events=audit.events,
        head=audit.head,
        verdict=audit.verdict,
        failed=[check.name for check in audit.failed],
        sha256=hashlib.sha256(packed(audit)).hexdigest(),
        result=audit.result,
    )


def _line_of(played: Played, audit_match: Callable[[str], Audit]) -> MatchLine:
    try:
        return match_line(played, audit_match(played.match))
    except Unavailable:
        raise
    except Exception as reason:  # noqa: BLE001 - one log that cannot be read is a finding
        return MatchLine(
            round=played.round,
            table=played.table,
            match=played.match,
            events=0,
            head="",
            verdict=f"UNREADABLE: {type(reason).__name__}",
            failed=["chain"],
            sha256="",
        )


def tournament_audit(
    store: Store,
    tournament: str,
    audit_match: Callable[[str], Audit] | None = None,
    progress: Progress | None = None,
) -> TournamentAudit:
    """Returns the report on a tournament; `audit_match` supplies audits made already."""

    def made_here(match: str) -> Audit:
        history = History.of(store, match, ruleset)
        return audit_of(store, history, eyes_for(history))

    title, matches = played_in(store, tournament)
    lines = []
    for number, played in enumerate(matches):
        lines.append(_line_of(played, audit_match or made_here))
        if progress is not None:
            progress(number + 1, len(matches) + 1)
    book = audited(store, tournament)
    failed = bool(book.troubles) or any(line.failed for line in lines)
    return TournamentAudit(
        tournament=tournament,
        title=title,
        verdict="failed" if failed else "ok",
        book=book,
        matches=lines,
    )
