"""Parts of the application that are made when they are first asked for."""

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
    from ledger.log.stores.redis.connection import Line
    from services.jobs.queue import Desk

Part = TypeVar("Part")


class Once(Generic[Part]):
    """A part that is made once for all threads."""

    def __init__(self, make: Callable[[], Part]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[Part] = []

    def __call__(self) -> Part:
        """The part."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]

    @property
    def made(self) -> Part | None:
        """The part, if it was asked for before."""
        return self._made[0] if self._made else None


def add_parts(app: Flask, open_store: Callable[[], Store], settings: Settings) -> None:
    """Put what the routes work with on the application."""
    tables = Once(lambda: Tables(with_books(open_store())))
    app.extensions["tables"] = tables
    app.extensions["archive"] = Archive(open_store, lambda match, tip: lent(tables, match, tip))
    app.extensions["club"] = Once(lambda: Club(with_books(open_store())))
    app.extensions["tournaments"] = Once(lambda: Tournaments(with_books(open_store()), tables()))
    app.extensions["hub"] = Once(lambda: Hub(lambda: line_of_its_own(open_store())))
    app.extensions["desk"] = Once(lambda: desk_at(settings.jobs_url, settings.limits))
    app.extensions["live_places"] = places_of(settings)
    app.extensions["tree"] = Once(lambda: Tree(settings.data / HEADS))
    app.extensions["signer"] = Once(lambda: signer_in(settings.data, settings.signing_key))


def lent(tables: Once[Tables], match: str, tip: Tip) -> AbstractContextManager[History | None]:
    """The log of a match that is played here and now, for who would read it again."""
    return nullcontext() if tables.made is None else tables.made.at_hand(match, tip)


def desk_at(jobs_url: str | None, limits: int) -> Desk | None:
    """The desk where jobs are asked for; None where there is no server for them."""
    if jobs_url is None:
        return None
    from services.jobs.queue import ROOM_EACH, Desk, server_at

    return Desk(server_at(jobs_url), each=ROOM_EACH * max(limits, 1))


def with_books(store: Store) -> Store:
    """A store that keeps books; one in files keeps matches alone, so nobody can sign in there."""
    if isinstance(store, FileStore):
        raise Unavailable("accounts are kept on a server, and none runs")
    return store


def line_of_its_own(store: Store) -> Line:
    """A connection for who waits on it."""
    from ledger.log.stores.redis import RedisStore

    if not isinstance(store, RedisStore):
        raise Unavailable("matches in files are not watched live: start `hegemon up`")
    return store.line.another()
