"""When somebody tended the tables last, as the second server keeps it.

A steward that has reached the ledger says so every two seconds. One that finds that nobody did for
longer than the grace gives every running clock that time back, by an entry in the table's book. The
second server may lose it: then all have back what has passed since the last event.
"""

from __future__ import annotations

from typing import Final

from ledger.log.stores.redis.store import RedisStore

from .match import Away

KEY: Final = "{s00}:steward"
BEAT_MS: Final = 2_000
GRACE_MS: Final = 15_000  # so long the service may be away at the expense of who is asked


class Alive:
    """The beats of the stewards of a store."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store
        self._said = 0

    def away(self, now: int) -> Away | None:
        """The time in which nobody was there, if it was longer than the grace."""
        found = self._store.cache.ask("GET", KEY)
        if found is None:
            return Away(None, now)
        since = int(found)
        return Away(since, now) if now - since > GRACE_MS else None

    def due(self, now: int) -> bool:
        """Whether it is time to say that somebody is there."""
        return not 0 <= now - self._said < BEAT_MS

    def say(self, now: int) -> None:
        """Somebody is there, and the ledger can be reached."""
        self._store.line.ask("PING")
        self._store.cache.ask("SET", KEY, now)
        self._said = now
