"""Reads the feeds and puts deliveries into the mailbox.

The feeds name logs. The reader looks at a match only if a person at its table has a
webhook. It then follows the match event by event, from the batch that the feed names. Among
the books it looks at those of tournaments, for their reminders.
"""

from __future__ import annotations

import bisect
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from ledger.club.table import MatchTable, TableEntry, book_of
from ledger.club.tournament.entries import PREFIX, AnyEntry, Reminded
from ledger.club.tournament.state import Tournament
from ledger.club.webhooks import Webhooks
from ledger.log.books import Book
from ledger.log.format.chain import by_event
from ledger.log.read.history import RulesOf
from ledger.log.read.seek import MatchFollower
from ledger.log.stores.protocol import BATCH_MAX, DamagedLog
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.keys import Row, entry_value_of, read_entry, version_in
from ledger.log.stores.redis.store import RedisStore
from services.feeds.reader import FeedGoneBack, Feeds, begin_of_batch, place_of, split_name
from services.run.cpu_limit import OutOfTime, work_limit
from services.run.outages import OUTAGES
from services.webhooks.book import Registry
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Delivery, make_delivery

from .notices import (
    Notice,
    deliveries,
    delivery_id,
    find_reminded_seats,
    list_recipients,
    news_of,
    persons,
)

WORK_SECONDS: Final = 60.0  # of one match at a time; what takes longer is running away
KEPT_MAX: Final = 256  # matches, and tables, in memory
TOURNAMENTS_MAX: Final = 64  # in memory
LOOK_BACK_MS: Final = 3_600_000  # where the mailbox has forgotten how far the feeds were read
_NEAR: Final = 8
WRITE_SECONDS: Final = 0.5  # between two notes of how far they were read, where nothing came of it


class NamedLog(NamedTuple):
    """The log of a match or the book of a tournament, and the last event of one of its batches."""

    name: str
    last: int


@dataclass
class Reader:
    """Turns what is written into deliveries."""

    store: RedisStore
    registry: Registry
    mailbox: Mailbox
    rules_of: RulesOf
    site: str  # the public address of the pages; if it is empty, links begin with a slash
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self._feeds = Feeds(self.store.connection)
        self._unwritten: set[int] = set()
        self._written = 0.0
        self._table_book = lru_cache(KEPT_MAX)(self._open_table)
        self._tournament = lru_cache(TOURNAMENTS_MAX)(self._open_tournament)
        self._followed: OrderedDict[str, MatchFollower] = OrderedDict()

    def begin(self) -> None:
        """Resumes where the feeds were left, or an hour before now if that is lost."""
        known = self.mailbox.places()
        for shard in range(keys.SHARDS):
            try:
                self._feeds.add(shard, *msgspec.structs.astuple(known[shard]))
            except (KeyError, FeedGoneBack):
                self._begin_an_hour_ago(shard)

    def step(self, wait_ms: int) -> list[Delivery]:
        """Runs one round. Its deliveries are in the mailbox when this returns."""
        batches: dict[str, list[int]] = {}  # by log: the last event of each
        try:
            for shard, rows in self._feeds.rows(wait_ms=wait_ms):
                self._unwritten.add(shard)
                for name, last in events_in(rows):
                    batches.setdefault(name, []).append(last)
        except FeedGoneBack as why:
            self.tell(f"the feed of shard {why.shard} has gone back; reading it again")
            self._begin_an_hour_ago(why.shard)
            return []
        hooks = self.registry.read() if batches else Webhooks()
        made: list[Delivery] = []
        if wanted := hooks.persons:
            for name, lasts in batches.items():
                made += self._deliveries(name, min(lasts), max(lasts), hooks, wanted)
        self._write(made)
        return made

    def _write(self, made: list[Delivery]) -> None:
        """Writes deliveries and places. Entries without deliveries do not each cost a write."""
        now = time.monotonic()
        if made or (self._unwritten and now - self._written > WRITE_SECONDS):
            self.mailbox.noticed(made, {at: self._feeds.place(at) for at in self._unwritten})
            self._unwritten, self._written = set(), now

    # --- logs ----------------------------------------------------------------------------------

    def _deliveries(
        self, name: str, first: int, last: int, hooks: Webhooks, wanted: frozenset[str]
    ) -> list[Delivery]:
        """Returns a log's deliveries. `first` is the last event of the earliest batch."""
        made: list[Delivery] = []
        with self._apart(name):
            if name.startswith(PREFIX):
                return list(self._remind(name, first, last, hooks))
            table = self._table_book(name).read()
            if wanted.isdisjoint(persons(table)):
                self._followed.pop(name, None)
                return []
            with work_limit(WORK_SECONDS):
                made = list(self._follow(name, first, last, hooks, table))
        return made

    @contextmanager
    def _apart(self, name: str) -> Iterator[None]:
        """Tells of a failure at one log or table, so that the others go on."""
        try:
            yield
        except OUTAGES:
            raise
        except (Exception, OutOfTime) as failure:  # noqa: BLE001 - the others go on
            self._followed.pop(name, None)
            self.tell(f"cannot follow {name}: {type(failure).__name__}: {failure}"[:300])

    def _remind(self, name: str, first: int, last: int, hooks: Webhooks) -> Iterator[Delivery]:
        """Yields the deliveries of a tournament's reminders.

        An organizer notes which players must decide. As with a turn, the reminder goes to the
        people who decide for the player's seat now.
        """
        book = self._tournament(name)
        for number, at, _, entry in book.entries(first):
            state = book.read().state
            if number > last or state is None or not isinstance(entry, Reminded):
                continue
            for table, seat in find_reminded_seats(state, entry):
                said = {
                    "tournament": name.removeprefix(PREFIX),
                    "round": entry.round,
                    "table": table.number,
                    "match": table.match,
                    "at": at,
                    "link": f"{self.site}/matches/{table.match}",
                    "seat": seat,
                }
                with self._apart(table.match):
                    sitting = self._table_book(table.match).read()
                    for person, _ in list_recipients(sitting, Notice("reminder", seat)):
                        for hook in hooks.told(person, "reminder", at):
                            which = delivery_id(hook.id, name, number, table.match, seat)
                            yield make_delivery(hook.id, which, "reminder", said)

    def _follow(
        self, match: str, first: int, last: int, hooks: Webhooks, table: MatchTable
    ) -> Iterable[Delivery]:
        follower = self._followed.pop(match, None)
        if follower is None or follower.tip.version > last:
            before = self._begin_of(match, first) - 1
            follower = MatchFollower(self.store, match, self.rules_of, before)
        start = follower.tip.version + 1
        events = list(self.store.events(match, start, last))
        opened = by_event(self.store.openings(match, start, last))
        for event in events:
            asked = () if follower.match is None else follower.match.asked()
            moment = follower.take(event, opened.get(event.version, ()))
            news = list(news_of(asked, moment))
            yield from deliveries(hooks, table, match, moment, news, self.site)
        self._followed[match] = follower
        if len(self._followed) > KEPT_MAX:
            self._followed.popitem(last=False)

    def _begin_of(self, match: str, last: int) -> int:
        """Returns the first event of the batch that ends with this one."""
        low = max(last - BATCH_MAX, 1)
        logged = keys.log_keys(match).events
        rows = self.store.connection.ask("XRANGE", logged, f"{low}-0", f"{last - 1}-0")
        return begin_of_batch({version_in(row): entry_value_of(row) for row in rows}, last)

    def _open_table(self, match: str) -> Book[MatchTable]:
        return Book(self.store, book_of(match), TableEntry, MatchTable, self.registry.clock)

    def _open_tournament(self, name: str) -> Book[Tournament]:
        return Book(self.store, name, AnyEntry, Tournament, self.registry.clock)

    # --- feeds ---------------------------------------------------------------------------------

    def _begin_an_hour_ago(self, shard: int) -> None:
        """Begins behind the last feed entry older than an hour. Entries are in order of time."""
        rows = self.store.connection.ask("XREVRANGE", keys.feed_key(shard), "+", "-", "COUNT", 1)
        until = self.registry.clock() - LOOK_BACK_MS
        places = range(1, place_of(rows[0]).position + 1) if rows else range(0)
        old = bisect.bisect_left(places, True, key=lambda at: self._is_newer(shard, at, until))
        self._feeds.add(shard, old)
        self._unwritten.add(shard)

    def _is_newer(self, shard: int, place: int, until: int) -> bool:
        """Returns whether a feed entry is newer than `until`, or its age is unknown."""
        first, last = f"0-{place}", f"0-{place + _NEAR}"
        rows: list[Row] = self.store.connection.ask("XRANGE", keys.feed_key(shard), first, last)
        for row in rows:  # not all that a feed names says when it was written
            name, version = split_name(row)
            if version.isdigit():
                return self._written_at(name, int(version)) > until
        return True

    def _written_at(self, name: str, version: int) -> int:
        try:
            logged = keys.log_keys(name).events
            rows = self.store.connection.ask("XRANGE", logged, f"{version}-0", f"{version}-0")
            body = msgspec.msgpack.decode(read_entry(entry_value_of(rows[0])).body)
            return int(body["at"])
        except (ValueError, IndexError, KeyError, TypeError, DamagedLog):
            return self.registry.clock()


def events_in(rows: Iterable[Row]) -> Iterator[NamedLog]:
    """Yields the matches and tournaments that feed entries name, each with an event."""
    for name, rest in map(split_name, rows):
        followed = name.startswith(PREFIX) or ("/" not in name and ":" not in name)
        if followed and rest.isascii() and rest.isdigit():
            yield NamedLog(name, int(rest))
