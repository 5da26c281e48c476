"""Reminders: an organizer notes which players must decide, and they are notified.

The entry names players. As with a turn, the reminder goes to the people who decide for the
player's seat now.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from ledger.club.table import MatchTable
from ledger.club.tournament.entries import AnyEntry, Reminded, book_of
from ledger.club.tournament.state import Seating, Tournament, TournamentState
from ledger.club.webhooks import Webhook, Webhooks
from ledger.kernel.records import Seat
from ledger.log.books import Book
from ledger.log.stores.protocol import Store
from services.webhooks.retries import Delivery

from .notices import Notice, concerned

KEPT_MAX: Final = 64  # books of tournaments in memory


class Noted(NamedTuple):
    tournament: str
    entry: int


class Reminders:
    """Turns reminders in the books of tournaments into deliveries."""

    def __init__(
        self,
        store: Store,
        table_of: Callable[[str], MatchTable],
        clock: Callable[[], int],
        site: str,
    ) -> None:
        """`table_of` returns the table of a match."""
        self._store = store
        self._table_of = table_of
        self._clock = clock
        self._site = site
        self._books: OrderedDict[str, Book[Tournament]] = OrderedDict()

    def deliveries(self, noted: Noted, hooks: Webhooks) -> Iterator[Delivery]:
        """Yields an entry's deliveries. A reminder is written alone, so it is the last of its
        batch.
        """
        book = self._book(noted.tournament)
        for number, at, _, entry in book.entries(noted.entry)[:1]:
            state = book.read().state
            if isinstance(entry, Reminded) and number == noted.entry and state is not None:
                for table, seat in waited_for(state, entry):
                    sitting = self._table_of(table.match)
                    for person, _ in concerned(sitting, Notice("reminder", seat)):
                        for hook in hooks.told(person, "reminder", at):
                            yield self._delivery(hook, noted, at, entry.round, table, seat)

    def _book(self, tournament: str) -> Book[Tournament]:
        book = self._books.pop(tournament, None)
        if book is None:
            book = Book(self._store, book_of(tournament), AnyEntry, Tournament, self._clock)
        self._books[tournament] = book
        if len(self._books) > KEPT_MAX:
            self._books.popitem(last=False)
        return book

    def _delivery(
        self, hook: Webhook, noted: Noted, at: int, number: int, table: Seating, seat: Seat
    ) -> Delivery:
        """Returns a delivery whose id is derived from content and receiver, so repeats share it."""
        which = (hook.id, book_of(noted.tournament), noted.entry, table.match, seat)
        tagged = b"hegemon/delivery/1" + msgspec.msgpack.encode(which)
        name = hashlib.sha256(tagged).hexdigest()[:32]
        said: dict[str, Any] = {
            "id": name,
            "kind": "reminder",
            "tournament": noted.tournament,
            "round": number,
            "table": table.number,
            "match": table.match,
            "at": at,
            "link": f"{self._site}/matches/{table.match}",
            "seat": seat,
        }
        return Delivery(
            id=name,
            webhook=hook.id,
            kind="reminder",
            made=at,
            body=msgspec.json.encode(said),
            match=table.match,
        )


def waited_for(state: TournamentState, entry: Reminded) -> Iterator[tuple[Seating, Seat]]:
    """Yields the tables and seats of the reminded players."""
    for table in state.round(entry.round).tables:
        for seat, player in enumerate(table.players):
            if table.match and player in entry.players:
                yield table, seat
