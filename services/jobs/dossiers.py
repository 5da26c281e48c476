"""The job that assembles dossiers: the evidence for a dispute, for one reader.

A dossier depends on the log up to the event that filed the dispute, and on the seats that consent
to show their private talk. The claim and the talk are read from their books: no job argument holds
them.
"""

from __future__ import annotations

from typing import ClassVar

from ledger.club.claims import ClaimFiled
from ledger.club.table import MatchTable, TableEntry
from ledger.club.table import book_of as table_book
from ledger.club.table import make_refusal as table_refused
from ledger.club.talk import talk
from ledger.log.books import Book
from ledger.log.stores.protocol import Store
from ledger.log.write.lifecycle import make_refusal
from replays.dossier.builder import Evidence, ModeratedMessage, dossier_of
from replays.dossier.document import pack_dossier
from replays.walk import Progress

from .results import WantedOfMatch, unseen


class WantedDossier(WantedOfMatch, frozen=True, kw_only=True):
    """The dossier of a dispute. Its last event is the one that filed it."""

    kind: ClassVar[str] = "dossier"
    dispute: str
    consents: tuple[int, ...] = ()

    def make(self, store: Store, progress: Progress = unseen) -> bytes:
        history = self.history(store)
        evidence = evidence_of(store, self.match, self.dispute, frozenset(self.consents))
        return pack_dossier(dossier_of(history, evidence, self.eyes, progress))


def evidence_of(store: Store, match: str, dispute: str, consents: frozenset[int]) -> Evidence:
    """Returns the evidence outside the log as it was when a dispute was filed."""
    book: Book[MatchTable] = Book(store, table_book(match), TableEntry, MatchTable, lambda: 0)
    try:
        entries = book.entries()
    except ValueError:  # a store in files has none
        raise table_refused("no_table", {"match": match[:80]}) from None
    table = MatchTable()
    for number, at, by, entry in entries:
        table.take(number, at, by, entry)
        if isinstance(entry, ClaimFiled) and entry.dispute == dispute:
            lines = talk(store, match, 1, entry.talk) if entry.talk else ()
            heard = [ModeratedMessage(line.said, line.number in table.hidden) for line in lines]
            return Evidence(entry, heard, consents)
    raise make_refusal("no_such_dispute", {"dispute": dispute[:80]})
