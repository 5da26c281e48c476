"""Reminders: who runs a tournament has put down who is to decide, and they are told.

The entry names players. Who is told is who decides for the player's seat by now, as with a turn.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from ledger.club.table import Table
from ledger.club.tournament.entries import PREFIX, AnyEntry, Reminded, book_of
from ledger.club.tournament.state import Seating, State, Tournament
from ledger.club.webhooks import Webhook, Webhooks
from ledger.kernel.records import Seat
from ledger.log.books import Book
from ledger.log.stores.protocol import Store
from services.webhooks.retries import Delivery

from .notices import News, concerned

KEPT_MAX: Final = 64  # books of tournaments in memory


class Noted(NamedTuple):
    """A tournament, and an entry of its book."""

    tournament: str
    entry: int


class Reminders:
    """Reads the books of tournaments."""

    def __init__(
        self, store: Store, table_of: Callable[[str], Table], clock: Callable[[], int], site: str
    ) -> None:
        """`table_of` gives who sits at a match."""
        self._store = store
        self._table_of = table_of
        self._clock = clock
        self._site = site
        self._books: OrderedDict[str, Book[Tournament]] = OrderedDict()

    def deliveries(self, noted: Noted, hooks: Webhooks) -> Iterator[Delivery]:
        """What is sent of an entry. A reminder is written alone, so the last entry of its batch."""
        book = self._book(noted.tournament)
        for number, at, _, entry in book.entries(noted.entry)[:1]:
            state = book.read().state
            if isinstance(entry, Reminded) and number == noted.entry and state is not None:
                for table, seat in waited_for(state, entry):
                    sitting = self._table_of(table.match)
                    for person, _ in concerned(sitting, News("reminder", seat)):
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
        """Its id follows from what it tells and to whom, so a repeat has the same."""
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


def waited_for(state: State, entry: Reminded) -> Iterator[tuple[Seating, Seat]]:
    """The tables and seats of those who are reminded."""
    for table in state.round(entry.round).tables:
        for seat, player in enumerate(table.players):
            if table.match and player in entry.players:
                yield table, seat


def noted_in(said: str) -> Noted | None:
    """The entry that a row of a feed speaks of; None where it speaks of no tournament."""
    name, _, rest = said.partition(" ")
    if not (name.startswith(PREFIX) and rest.isascii() and rest.isdigit()):
        return None
    return Noted(name.removeprefix(PREFIX), int(rest))
