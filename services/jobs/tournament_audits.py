"""The job that audits a tournament with all its matches.

Each match is a short job of its own, so that all workers share them, and a match done stays done
if a worker dies. The report is made from their results.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from typing import ClassVar, Literal

import msgspec

from ledger.club.tournament.audit import BookAudit
from ledger.club.tournament.entries import AnyEntry, book_of, make_refusal
from ledger.club.tournament.state import Tournament
from ledger.games import ruleset
from ledger.log.books import Book
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store, Unavailable
from replays.audit.document import Audit, pack_document
from replays.walk import Progress
from services.matches.tournaments import audit_book

from .audits import WantedAudit, audit_of, eyes_for, service_audit
from .results import ResultStore, Wanted, program, unseen


class WantedOfTournament(Wanted, frozen=True, kw_only=True):
    """The report on a tournament, by its book and the audits of its matches."""

    kind: ClassVar[str] = "tournament_audit"
    tournament: str
    entry: int  # the last entry of its book
    head: str  # of that entry
    matches: tuple[WantedAudit, ...]

    def make(self, store: Store, progress: Progress = unseen) -> bytes:
        """Makes the report from the logs alone."""
        return self.make_from(None, store, progress)

    def make_from(self, results: ResultStore | None, store: Store, progress: Progress) -> bytes:
        """Makes the report; audits here the matches without a stored audit."""
        by_match = {wanted.match: wanted for wanted in self.matches}

        def audit_match(match: str) -> Audit:
            wanted = by_match[match]
            found = None if results is None else results.packed(wanted.name)
            if found is None:
                return wanted.audit(store)
            return msgspec.json.decode(gzip.decompress(found), type=Audit)

        return pack_document(tournament_audit(store, self.tournament, audit_match, progress))


def make_tournament_request(
    store: Store, tournament: str, entry: int, head: str
) -> WantedOfTournament:
    """Returns the request for a report on a tournament as it is now."""
    _, matches = list_played(store, tournament)
    return WantedOfTournament(
        tournament=tournament,
        entry=entry,
        head=head,
        matches=tuple(service_audit(store, played.match) for played in matches),
        program=program(),
    )


class Played(msgspec.Struct, kw_only=True):
    """A match of a tournament."""

    round: int
    table: int
    match: str


class MatchLine(Played, kw_only=True):
    """A match of a tournament, with the result of its audit."""

    events: int
    head: str
    verdict: str
    failed: list[str]
    sha256: str  # of the audit, as it is had for this match
    result: object = None


class TournamentAudit(msgspec.Struct, kw_only=True):
    """A tournament's audit: its book, its standings computed again, and all its matches."""

    format: Literal["hegemon-tournament-audit"] = "hegemon-tournament-audit"
    version: int = 1
    tournament: str
    title: str
    verdict: Literal["ok", "failed"]
    book: BookAudit
    matches: list[MatchLine]


def list_played(store: Store, tournament: str) -> tuple[str, list[Played]]:
    """Returns a tournament's title, and its matches by round and table."""
    book: Book[Tournament] = Book(store, book_of(tournament), AnyEntry, Tournament, lambda: 0)
    state = book.read().state
    if state is None:
        return "", []
    found = [
        Played(round=number, table=table.number, match=table.match)
        for number, round_ in enumerate(state.rounds, 1)
        for table in round_.tables
        if table.match
    ]
    return state.made.title, found


def check_is_there(store: Store, tournament: str) -> None:
    """Refuses a tournament that does not exist."""
    try:
        title, _ = list_played(store, tournament)
    except ValueError:  # no book can have this name
        title = ""
    if not title:
        raise make_refusal("no_such_tournament", {"tournament": tournament[:40]})


def _line_of(played: Played, audit_match: Callable[[str], Audit]) -> MatchLine:
    where = msgspec.structs.asdict(played)
    try:
        audit = audit_match(played.match)
    except Unavailable:
        raise
    except Exception as reason:  # noqa: BLE001 - one log that cannot be read is a finding
        verdict = f"UNREADABLE: {type(reason).__name__}"
        return MatchLine(**where, events=0, head="", verdict=verdict, failed=["chain"], sha256="")
    return MatchLine(
        **where,
        events=audit.events,
        head=audit.head,
        verdict=audit.verdict,
        failed=[check.name for check in audit.failed],
        sha256=hashlib.sha256(pack_document(audit)).hexdigest(),
        result=audit.result,
    )


def tournament_audit(
    store: Store,
    tournament: str,
    audit_match: Callable[[str], Audit] | None = None,
    progress: Progress = unseen,
) -> TournamentAudit:
    """Returns the report on a tournament; `audit_match` supplies audits made already."""

    def made_here(match: str) -> Audit:
        history = History.of(store, match, ruleset)
        return audit_of(store, history, eyes_for(history))

    title, matches = list_played(store, tournament)
    lines = []
    for number, played in enumerate(matches):
        lines.append(_line_of(played, audit_match or made_here))
        progress(number + 1, len(matches) + 1)
    book = audit_book(store, tournament)
    failed = bool(book.troubles) or any(line.failed for line in lines)
    return TournamentAudit(
        tournament=tournament,
        title=title,
        verdict="failed" if failed else "ok",
        book=book,
        matches=lines,
    )
