"""The hub: one thread reads the feeds and wakes the listeners of each log written to.

It reports *that* something was written, never what: a woken listener reads the store. So
nothing is lost when the hub loses its connection or restarts, or when a feed has gone back:
it wakes all listeners, and each looks again.

A match may have many viewers. Each can tell by the number of its last news whether another
viewer has read the store since. Then it need not be read again.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from ledger.log.stores.redis import keys
from ledger.log.stores.redis.connection import Connection
from services.run.measures import HUB_RECONNECTIONS
from services.run.outages import OUTAGES

from .reader import FeedGoneBack, Feeds, split_name

WAIT_MS: Final = 1_000
COUNT: Final = 1_000
PAUSE_SECONDS: Final = 0.5
_LOG: Final = logging.getLogger(__name__)


_HUBS: Final[weakref.WeakSet[Hub]] = weakref.WeakSet()


class Everything:
    """A listener to all logs: an event to wait for, and the names of the logs written to."""

    def __init__(self) -> None:
        self.bell = threading.Event()
        self._names: set[str] = set()
        self._missed = True  # nothing is known of what was written before
        self._lock = threading.Lock()

    def add(self, names: set[str] | None) -> None:
        """Wakes the listener for some names; None means for all logs."""
        with self._lock:
            self._names |= names or set()
            self._missed = self._missed or names is None
            self.bell.set()

    def taken(self) -> set[str] | None:
        """Returns the names since the last call, or None if all logs have to be read."""
        with self._lock:
            names = None if self._missed else self._names
            self._names, self._missed = set(), False
            self.bell.clear()
            return names


class Hub:
    def __init__(self, connect: Callable[[], Connection]) -> None:
        """`connect` opens a connection for the hub alone, which blocks on it."""
        self._open = connect
        self._lock = threading.Lock()
        self._listening: dict[str, set[threading.Event]] = {}
        self._to_all: set[Everything] = set()
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._stopped = False
        self._count = 0  # of news, of all logs
        self._news: dict[str, int] = {}  # of each that is listened to: the last
        _HUBS.add(self)

    @contextmanager
    def listening(self, names: Sequence[str]) -> Iterator[threading.Event]:
        """Yields an event that is set when one of these logs is written to."""
        bell = threading.Event()
        with self._lock:
            for name in names:
                self._listening.setdefault(name, set()).add(bell)
                self._count += 1  # what came while nobody listened is news
                self._news[name] = self._count
            self._begin()
        # A listener that reads the store after this wait misses no event that is written later.
        self._ready.wait(5)
        try:
            yield bell
        finally:
            with self._lock:
                for name in names:
                    self._listening[name].discard(bell)
                    if not self._listening[name]:
                        del self._listening[name], self._news[name]

    def news(self, names: Sequence[str]) -> int | None:
        """Returns the number of the logs' last news, or None if it is unknown. They must be
        listened to.

        Reading the store after this call gives at least that news.
        """
        with self._lock:
            if not self._ready.is_set():
                return None
            return max(self._news[name] for name in names)

    @contextmanager
    def listening_to_all(self) -> Iterator[Everything]:
        """Yields a listener that is woken by every write, and knows the names of the logs."""
        everything = Everything()
        with self._lock:
            self._to_all.add(everything)
            self._begin()
        self._ready.wait(5)
        try:
            yield everything
        finally:
            with self._lock:
                self._to_all.discard(everything)

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="hub", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stops reading, and wakes all listeners."""
        self._stopped = True
        self._ring_all()

    @property
    def stopped(self) -> bool:
        return self._stopped

    def _ring(self, names: set[str]) -> None:
        with self._lock:
            for name in names & self._listening.keys():
                self._count += 1
                self._news[name] = self._count
                for bell in self._listening[name]:
                    bell.set()
            for everything in self._to_all:
                everything.add(names)

    def _ring_all(self) -> None:
        with self._lock:
            names = set(self._listening)
            for everything in self._to_all:
                everything.add(None)
        self._ring(names)

    def _run(self) -> None:
        while not self._stopped:
            try:
                self._read()
            except (*OUTAGES, FeedGoneBack, OSError) as why:
                if self.stopped:
                    return
                _LOG.warning("the feeds cannot be read: %s", why)
                HUB_RECONNECTIONS.inc()
                self._ready.clear()
                time.sleep(PAUSE_SECONDS)

    def _read(self) -> None:
        connection = self._open()
        try:
            feeds = Feeds(connection)
            feeds.add_at_ends(range(keys.SHARDS))
            self._ready.set()
            self._ring_all()  # what came before the ends were known is found by looking
            while not self._stopped:
                for _, rows in feeds.rows(COUNT, WAIT_MS):
                    self._ring({split_name(row)[0] for row in rows})
        finally:
            connection.close()


def stop_all() -> None:
    """Ends all viewers' streams before this process ends; they reconnect elsewhere."""
    for hub in list(_HUBS):
        hub.stop()
