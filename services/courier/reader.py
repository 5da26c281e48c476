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
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from ledger.club.table import MatchTable, TableEntry, book_of
from ledger.club.tournament.entries import PREFIX
from ledger.club.webhooks import Webhooks
from ledger.log.books import Book
from ledger.log.format.chain import by_event
from ledger.log.read.history import RulesOf
from ledger.log.read.seek import MatchFollower
from ledger.log.stores.protocol import BATCH_MAX, DamagedLog
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.keys import Row, entry_value_of, read_entry, version_in
from ledger.log.stores.redis.store import RedisStore
from services.feeds.reader import FeedGoneBack, Feeds, place_of, split_name
from services.run.cpu_limit import OutOfTime, work_limit
from services.run.outages import OUTAGES
from services.webhooks.book import Registry
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Delivery

from .notices import deliveries, news_of, persons
from .reminders import Noted, Reminders

WORK_SECONDS: Final = 60.0  # of one match at a time; what takes longer is running away
KEPT_MAX: Final = 256  # matches, and tables, in memory
LOOK_BACK_MS: Final = 3_600_000  # where the mailbox has forgotten how far the feeds were read
_NEAR: Final = 8
WRITE_SECONDS: Final = 0.5  # between two notes of how far they were read, where nothing came of it


class NamedLog(NamedTuple):
    """A match's log, and the last event of one of its batches."""

    match: str
    last: int


class Reader:
    def __init__(
        self,
        store: RedisStore,
        registry: Registry,
        mailbox: Mailbox,
        rules_of: RulesOf,
        *,
        site: str = "",
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`site` is the public address of the pages. If it is empty, links begin with a slash."""
        self._store = store
        self._registry = registry
        self._mailbox = mailbox
        self._rules_of = rules_of
        self._site = site
        self._tell = tell
        self._feeds = Feeds(store.connection)
        self._unwritten: set[int] = set()
        self._written = 0.0
        self._book = lru_cache(KEPT_MAX)(self._table_book)
        self._followed: OrderedDict[str, MatchFollower] = OrderedDict()
        self._reminders = Reminders(store, self._table, registry.clock, site)

    def begin(self) -> None:
        """Resumes where the feeds were left, or an hour before now if that is lost."""
        known = self._mailbox.places()
        for shard in range(keys.SHARDS):
            try:
                self._feeds.add(shard, *msgspec.structs.astuple(known[shard]))
            except (KeyError, FeedGoneBack):
                self._begin_an_hour_ago(shard)

    def step(self, wait_ms: int) -> list[Delivery]:
        """Runs one round. Its deliveries are in the mailbox when this returns."""
        named: list[NamedLog] = []
        noted: list[Noted] = []
        try:
            for shard, rows in self._feeds.rows(wait_ms=wait_ms):
                self._unwritten.add(shard)
                for event in events_in(rows):
                    if isinstance(event, NamedLog):
                        named.append(event)
                    else:
                        noted.append(event)
        except FeedGoneBack as why:
            self._tell(f"the feed of shard {why.shard} has gone back; reading it again")
            self._begin_an_hour_ago(why.shard)
            return []
        made = self._deliveries(named) if named else []
        made += self._reminding(noted) if noted else []
        self._write(made)
        return made

    def _write(self, made: list[Delivery]) -> None:
        """Writes deliveries and places. Entries without deliveries do not each cost a write."""
        now = time.monotonic()
        if made or (self._unwritten and now - self._written > WRITE_SECONDS):
            self._mailbox.noticed(made, {at: self._feeds.place(at) for at in self._unwritten})
            self._unwritten, self._written = set(), now

    # --- matches -------------------------------------------------------------------------------

    def _deliveries(self, named: Iterable[NamedLog]) -> list[Delivery]:
        hooks = self._registry.read()
        wanted = hooks.persons
        if not wanted:
            return []
        batches: dict[str, tuple[int, int]] = {}
        for match, last in named:
            first = batches.get(match, (last, last))[0]
            batches[match] = (min(first, last), max(last, batches.get(match, (0, 0))[1]))
        made: list[Delivery] = []
        for match, (first, last) in batches.items():
            made += self._of_match(match, first, last, hooks, wanted)
        return made

    def _reminding(self, noted: Iterable[Noted]) -> list[Delivery]:
        hooks = self._registry.read()
        made: list[Delivery] = []
        for one in noted if hooks.persons else ():
            try:
                made += self._reminders.deliveries(one, hooks)
            except OUTAGES:
                raise
            except Exception as failure:  # noqa: BLE001 - the other tournaments go on
                said = f"{type(failure).__name__}: {failure}"
                self._tell(f"cannot read the tournament {one.tournament}: {said}"[:300])
        return made

    def _of_match(
        self, match: str, first: int, last: int, hooks: Webhooks, wanted: frozenset[str]
    ) -> list[Delivery]:
        """Returns a match's deliveries. `first` is the last event of the earliest batch."""
        try:
            table = self._table(match)
            if wanted.isdisjoint(persons(table)):
                self._followed.pop(match, None)
                return []
            with work_limit(WORK_SECONDS):
                return list(self._follow(match, first, last, hooks, table))
        except OUTAGES:
            raise
        except (Exception, OutOfTime) as failure:  # noqa: BLE001 - the other matches go on
            self._followed.pop(match, None)
            self._tell(f"cannot follow {match}: {type(failure).__name__}: {failure}"[:300])
            return []

    def _follow(
        self, match: str, first: int, last: int, hooks: Webhooks, table: MatchTable
    ) -> Iterable[Delivery]:
        follower = self._followed.pop(match, None)
        if follower is None or follower.tip.version > last:
            before = self._begin_of(match, first) - 1
            follower = MatchFollower(self._store, match, self._rules_of, before)
        start = follower.tip.version + 1
        events = list(self._store.events(match, start, last))
        opened = by_event(self._store.openings(match, start, last))
        for event in events:
            asked = () if follower.match is None else follower.match.asked()
            moment = follower.take(event, opened.get(event.version, ()))
            news = list(news_of(asked, moment))
            yield from deliveries(hooks, table, match, moment, news, self._site)
        self._followed[match] = follower
        if len(self._followed) > KEPT_MAX:
            self._followed.popitem(last=False)

    def _begin_of(self, match: str, last: int) -> int:
        """Returns the first event of the batch that ends with this one."""
        low = max(last - BATCH_MAX, 1)
        logged = keys.log_keys(match).events
        rows = self._store.connection.ask("XRANGE", logged, f"{low}-0", f"{last - 1}-0")
        more = {version_in(row): read_entry(entry_value_of(row)).more for row in rows}
        first = last
        while more.get(first - 1):
            first -= 1
        return first

    def _table(self, match: str) -> MatchTable:
        return self._book(match).read()

    def _table_book(self, match: str) -> Book[MatchTable]:
        return Book(self._store, book_of(match), TableEntry, MatchTable, self._registry.clock)

    # --- feeds ---------------------------------------------------------------------------------

    def _begin_an_hour_ago(self, shard: int) -> None:
        """Begins behind the last feed entry older than an hour. Entries are in order of time."""
        rows = self._store.connection.ask("XREVRANGE", keys.feed_key(shard), "+", "-", "COUNT", 1)
        until = self._registry.clock() - LOOK_BACK_MS
        places = range(1, place_of(rows[0]).position + 1) if rows else range(0)
        old = bisect.bisect_left(places, True, key=lambda at: self._is_newer(shard, at, until))
        self._feeds.add(shard, old)
        self._unwritten.add(shard)

    def _is_newer(self, shard: int, place: int, until: int) -> bool:
        """Returns whether a feed entry is newer than `until`, or its age is unknown."""
        first, last = f"0-{place}", f"0-{place + _NEAR}"
        rows: list[Row] = self._store.connection.ask("XRANGE", keys.feed_key(shard), first, last)
        for row in rows:  # not all that a feed names says when it was written
            name, version = split_name(row)
            if version.isdigit():
                return self._written_at(name, int(version)) > until
        return True

    def _written_at(self, name: str, version: int) -> int:
        try:
            logged = keys.log_keys(name).events
            rows = self._store.connection.ask("XRANGE", logged, f"{version}-0", f"{version}-0")
            body = msgspec.msgpack.decode(read_entry(entry_value_of(rows[0])).body)
            return int(body["at"])
        except (ValueError, IndexError, KeyError, TypeError, DamagedLog):
            return self._registry.clock()


def events_in(rows: Iterable[Row]) -> Iterator[NamedLog | Noted]:
    """Yields the matches and tournaments that feed entries name, each with an event."""
    for name, rest in map(split_name, rows):
        if not (rest.isascii() and rest.isdigit()):
            continue
        if name.startswith(PREFIX):
            yield Noted(name.removeprefix(PREFIX), int(rest))
        elif "/" not in name and ":" not in name:
            yield NamedLog(name, int(rest))
