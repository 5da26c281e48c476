"""The job that audits a match, as the store has it.

The audit of a running match covers what a spectator, or a seat, may know. Of a closed match
the service audits everything: the report has verdicts and sums, and no hand of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from ledger.club.table import MatchTable, TableEntry
from ledger.club.table import book_of as table_book
from ledger.kernel.audience import Viewer
from ledger.log.books import Book
from ledger.log.read.history import History
from ledger.log.stores.protocol import Snapshot, Store, Unavailable
from replays.audit.auditor import ServiceRecords, audit_history
from replays.audit.document import Audit, pack_document
from replays.audit.records import TableTerms
from replays.walk import Progress

from .results import WantedOfMatch, program, unseen

SNAPSHOTS_MAX: Final = 200  # of one match; they thin out as it grows
SERVICE: Final = "service"  # a viewer: as the match's own service has it audited


class WantedAudit(WantedOfMatch, frozen=True, kw_only=True):
    """The audit of a match; its viewer may be the service."""

    kind: ClassVar[str] = "audit"

    def make(self, store: Store, progress: Progress = unseen) -> bytes:
        return pack_document(self.audit(store, progress))

    def audit(self, store: Store, progress: Progress = unseen) -> Audit:
        history = self.history(store)
        eyes = eyes_for(history) if self.viewer == SERVICE else self.eyes
        return audit_of(store, history, eyes, progress)


def service_audit(store: Store, match: str) -> WantedAudit:
    """Returns the audit that the service requests for a match. `eyes_for` sets the viewpoint."""
    tip = store.tip(match)
    return WantedAudit(
        match=match,
        version=tip.version,
        head=tip.head.hex(),
        viewer=SERVICE,
        program=program(),
    )


def audit_of(
    store: Store,
    history: History,
    viewer: Viewer | str,
    progress: Callable[[int, int], object] | None = None,
) -> Audit:
    """Audits a log, with the store's other records of the match: snapshots and clock terms."""
    records = ServiceRecords(
        snapshots=tuple(snapshots_of(store, history)), clocks=clock_terms(store, history.match)
    )
    return audit_history(history, viewer, records, progress)


def eyes_for(history: History) -> str | None:
    """Returns the viewpoint of a service audit: all for a closed match, else a spectator's."""
    return "all" if history.life.closed else None


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
