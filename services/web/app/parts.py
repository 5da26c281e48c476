"""Parts of the application, made on first use, and the functions that give them to routes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

from flask import Flask, current_app

from ledger.anchors.notes import Signer
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Answer, Batch, Store, Unavailable
from ledger.log.stores.redis import RedisStore
from services.feeds.hub import Hub
from services.feeds.lag import LagWatch
from services.keep.heads.keys import signer_in
from services.keep.heads.tree import HEADS, Tree
from services.matches.cache import MatchCache
from services.matches.club import Club
from services.matches.tournaments import Tournaments
from services.run.measures import APPEND_SECONDS, APPENDS
from services.run.programs import CannotServe
from services.run.settings import Settings
from services.run.stores import standing_store
from services.web.live.places import places_of
from services.web.matches.listing import MatchList

if TYPE_CHECKING:  # the client of the servers is slow to import, and files need none of it
    from ledger.log.stores.redis.connection import Connection
    from services.jobs.queue import JobQueue

Part = TypeVar("Part")

PATIENCE_SECONDS: Final = 2.0  # somebody waits for the page


class MadeOnce(Generic[Part]):
    """A part that is made once for all threads."""

    def __init__(self, make: Callable[[], Part]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[Part] = []

    def __call__(self) -> Part:
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]


def add_parts(app: Flask, settings: Settings) -> None:
    """Puts the objects that the routes use on the application."""
    open_store = store_opener(settings)
    cache = MadeOnce(lambda: MatchCache(open_store()))
    app.extensions["store"] = open_store
    app.extensions["match_cache"] = cache
    app.extensions["match_list"] = MatchList(match_cache)
    app.extensions["club"] = MadeOnce(lambda: Club(with_books(open_store())))
    app.extensions["tournaments"] = MadeOnce(lambda: Tournaments(with_books(open_store()), cache()))
    app.extensions["hub"] = MadeOnce(lambda: Hub(lambda: connection_of_its_own(open_store())))
    app.extensions["lag"] = LagWatch()
    app.extensions["queue"] = MadeOnce(lambda: queue_at(settings.jobs_url, settings.limits))
    app.extensions["live_places"] = places_of(settings)
    app.extensions["tree"] = MadeOnce(lambda: Tree(settings.data / HEADS))
    app.extensions["signer"] = MadeOnce(lambda: signer_in(settings.data, settings.signing_key))


def match_cache() -> MatchCache:
    return cast("MatchCache", current_app.extensions["match_cache"]())


def match_list() -> MatchList:
    return cast("MatchList", current_app.extensions["match_list"])


def all_tournaments() -> Tournaments:
    return cast("Tournaments", current_app.extensions["tournaments"]())


def tree() -> Tree:
    return cast("Tree", current_app.extensions["tree"]())


def signer() -> Signer:
    """Returns the key that signs heads and receipts."""
    return cast("Signer", current_app.extensions["signer"]())


class Measured(RedisStore):
    """A store on a server whose appends are timed."""

    def append(self, match: str, batch: Batch) -> Answer:
        """Appends a batch, and records time and outcome."""
        began = time.perf_counter()
        try:
            answer = super().append(match, batch)
        except Unavailable as why:
            APPENDS.labels("unknown" if why.unknown else "unavailable").inc()
            raise
        APPEND_SECONDS.observe(time.perf_counter() - began)
        APPENDS.labels(type(answer).__name__.lower()).inc()
        return answer


def store_opener(settings: Settings) -> Callable[[], Store]:
    """Returns a function that gives the store. A store on a server is shared and reached late."""
    lock = threading.Lock()
    shared: list[Store] = []

    def open_store() -> Store:
        with lock:
            if shared:
                return shared[0]
            try:
                store = standing_store(settings, PATIENCE_SECONDS)
            except CannotServe as why:
                raise Unavailable(str(why)) from None
            if store is None:
                return FileStore(settings.data)
            cache = None if store.cache is store.connection else store.cache
            shared.append(Measured(store.connection, cache, patience=PATIENCE_SECONDS))
            return shared[0]

    return open_store


def queue_at(jobs_url: str | None, limits: int) -> JobQueue | None:
    """Returns the queue for jobs, or None without a jobs server."""
    if jobs_url is None:
        return None
    from services.jobs.queue import ROOM_EACH, JobQueue, server_at

    return JobQueue(server_at(jobs_url), each=ROOM_EACH * max(limits, 1))


def with_books(store: Store) -> Store:
    """Returns a store that keeps books. Refuses one in files, where nobody can sign in."""
    if isinstance(store, FileStore):
        raise Unavailable("accounts need a server, but none runs")
    return store


def connection_of_its_own(store: Store) -> Connection:
    """Returns a connection of its own for a caller that blocks on it."""
    if not isinstance(store, RedisStore):
        raise Unavailable("you cannot watch matches in files live: start `hegemon up`")
    return store.connection.another()
