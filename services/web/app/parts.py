"""Parts of the application, made on first use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Generic, TypeVar

from flask import Flask

from ledger.log.format.chain import Tip
from ledger.log.read.history import History
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Store, Unavailable
from services.feeds.hub import Hub
from services.keep.heads.keys import signer_in
from services.keep.heads.tree import HEADS, Tree
from services.matches.club import Club
from services.matches.tables import Tables
from services.matches.tournaments import Tournaments
from services.run.settings import Settings
from services.web.live.places import places_of
from services.web.matches.archive import Archive

if TYPE_CHECKING:  # the client of the servers is slow to import, and files need none of it
    from ledger.log.stores.redis.connection import Connection
    from services.jobs.queue import JobQueue

Part = TypeVar("Part")


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

    @property
    def made(self) -> Part | None:
        """Returns the part if it was used before."""
        return self._made[0] if self._made else None


def add_parts(app: Flask, open_store: Callable[[], Store], settings: Settings) -> None:
    """Puts the objects that the routes use on the application."""
    tables = MadeOnce(lambda: Tables(with_books(open_store())))
    app.extensions["tables"] = tables
    app.extensions["archive"] = Archive(open_store, lambda match, tip: lent(tables, match, tip))
    app.extensions["club"] = MadeOnce(lambda: Club(with_books(open_store())))
    app.extensions["tournaments"] = MadeOnce(
        lambda: Tournaments(with_books(open_store()), tables())
    )
    app.extensions["hub"] = MadeOnce(lambda: Hub(lambda: line_of_its_own(open_store())))
    app.extensions["desk"] = MadeOnce(lambda: desk_at(settings.jobs_url, settings.limits))
    app.extensions["live_places"] = places_of(settings)
    app.extensions["tree"] = MadeOnce(lambda: Tree(settings.data / HEADS))
    app.extensions["signer"] = MadeOnce(lambda: signer_in(settings.data, settings.signing_key))


def lent(tables: MadeOnce[Tables], match: str, tip: Tip) -> AbstractContextManager[History | None]:
    """Lends the log of a match that is being played in this process, to avoid reading it again."""
    return nullcontext() if tables.made is None else tables.made.at_hand(match, tip)


def desk_at(jobs_url: str | None, limits: int) -> JobQueue | None:
    """Returns the queue for jobs, or None without a jobs server."""
    if jobs_url is None:
        return None
    from services.jobs.queue import ROOM_EACH, JobQueue, server_at

    return JobQueue(server_at(jobs_url), each=ROOM_EACH * max(limits, 1))


def with_books(store: Store) -> Store:
    """Returns a store that keeps books. Refuses one in files, where nobody can sign in."""
    if isinstance(store, FileStore):
        raise Unavailable("accounts are kept on a server, and none runs")
    return store


def line_of_its_own(store: Store) -> Connection:
    """Returns a connection of its own for a caller that blocks on it."""
    from ledger.log.stores.redis import RedisStore

    if not isinstance(store, RedisStore):
        raise Unavailable("matches in files are not watched live: start `hegemon up`")
    return store.line.another()
