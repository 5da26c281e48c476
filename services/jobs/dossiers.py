"""The job that assembles dossiers: the evidence for a dispute, for one reader.

The result's name covers everything it depends on: the log up to the event that filed the
dispute, the viewpoint, the seats that consent to show their private talk, and the program.
The claim and the talk are read from their books: no job argument holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from redis import Redis

from ledger.club.claims import ClaimFiled
from ledger.club.table import MatchTable, TableEntry
from ledger.club.table import book_of as table_book
from ledger.club.table import refused as table_refused
from ledger.club.talk import talk
from ledger.games import ruleset
from ledger.log.books import Book
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from ledger.log.write.lifecycle import refused
from replays.dossier.builder import Evidence, ModeratedMessage, dossier_of
from replays.dossier.document import packed

from .names import Progress
from .replays import OtherLog, program, viewer_of
from .results import DAY, PASSING_SECONDS, ResultStore, name_of

KIND: Final = "dossier"


class WantedDossier(msgspec.Struct, frozen=True, kw_only=True):
    """A dossier, by everything it depends on."""

    match: str
    dispute: str
    version: int  # the event that filed it
    head: str
    viewer: str  # as an address names it: spectator, a seat's number, all
    consents: tuple[int, ...] = ()
    program: str = ""

    @property
    def name(self) -> str:
        return name_of(KIND, msgspec.to_builtins(self))


def work(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Assembles a dossier; the work of a job."""
    from services.run.settings import read_settings
    from services.run.stores import told_store

    wanted = msgspec.convert(arguments, WantedDossier)
    shelf = ResultStore(server)
    if shelf.packed(wanted.name) is not None:
        return  # another has made it in the meantime
    store = told_store(read_settings())
    assert store is not None, "a worker has a ledger"
    seconds = DAY if wanted.program == program() else PASSING_SECONDS
    try:
        shelf.put(wanted.name, made(store, wanted, progress), seconds)
    finally:
        store.line.close()
        store.cache.close()


def made(store: Store, wanted: WantedDossier, progress: Progress = lambda _, __: None) -> bytes:
    """Assembles a dossier from the log and the table's book."""
    history = History.of(store, wanted.match, ruleset)
    last = wanted.version
    if history.tip.version < last or history.events[last - 1].head.hex() != wanted.head:
        raise OtherLog(f"event {last} of {wanted.match} is not what it was")
    evidence = evidence_of(store, wanted.match, wanted.dispute, frozenset(wanted.consents))
    return packed(dossier_of(history, evidence, viewer_of(wanted.viewer), progress))


def evidence_of(store: Store, match: str, dispute: str, consents: frozenset[int]) -> Evidence:
    """Returns the evidence outside the log as it was when a dispute was filed."""
    table = MatchTable()
    for number, at, by, entry in entries_of(store, match):
        table.take(number, at, by, entry)
        if isinstance(entry, ClaimFiled) and entry.dispute == dispute:
            lines = talk(store, match, 1, entry.talk) if entry.talk else ()
            heard = [ModeratedMessage(line.said, line.number in table.hidden) for line in lines]
            return Evidence(entry, heard, consents)
    raise refused("no_such_dispute", {"dispute": dispute[:80]})


def entries_of(store: Store, match: str) -> list[tuple[int, int, str, Any]]:
    """Returns the entries of a table's book. A store in files has none."""
    book: Book[MatchTable] = Book(store, table_book(match), TableEntry, MatchTable, lambda: 0)
    try:
        return book.entries()
    except ValueError:
        raise table_refused("no_table", {"match": match[:80]}) from None
