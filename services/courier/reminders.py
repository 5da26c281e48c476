"""Reminders: an organizer notes which players must decide, and they are notified.

The entry names players. As with a turn, the reminder goes to the people who decide for the
player's seat now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
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

from .notices import Notice, delivery_id, list_recipients

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
        self._book = lru_cache(KEPT_MAX)(self._tournament_book)

    def deliveries(self, noted: Noted, hooks: Webhooks) -> Iterator[Delivery]:
        """Yields an entry's deliveries. A reminder is written alone, so it is the last of its
        batch.
        """
        book = self._book(noted.tournament)
        for number, at, _, entry in book.entries(noted.entry)[:1]:
            state = book.read().state
            if isinstance(entry, Reminded) and number == noted.entry and state is not None:
                for table, seat in find_reminded_seats(state, entry):
                    sitting = self._table_of(table.match)
                    for person, _ in list_recipients(sitting, Notice("reminder", seat)):
                        for hook in hooks.told(person, "reminder", at):
                            yield self._delivery(hook, noted, at, entry.round, table, seat)

    def _tournament_book(self, tournament: str) -> Book[Tournament]:
        return Book(self._store, book_of(tournament), AnyEntry, Tournament, self._clock)

    def _delivery(
        self, hook: Webhook, noted: Noted, at: int, number: int, table: Seating, seat: Seat
    ) -> Delivery:
        name = delivery_id(hook.id, book_of(noted.tournament), noted.entry, table.match, seat)
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


def find_reminded_seats(state: TournamentState, entry: Reminded) -> Iterator[tuple[Seating, Seat]]:
    """Yields the tables and seats of the reminded players."""
    for table in state.round(entry.round).tables:
        for seat, player in enumerate(table.players):
            if table.match and player in entry.players:
                yield table, seat
