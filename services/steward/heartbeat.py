"""The time when a steward last tended the tables, kept on the second server.

A steward that reaches the ledger writes the time every two seconds. If no steward wrote for
longer than the grace, the next one gives every running clock that time back, by an entry in
the table's book. The second server may lose the time: then all get back the time since the
last event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from ledger.log.stores.redis.store import RedisStore

KEY: Final = "{s00}:steward"
BEAT_MS: Final = 2_000
GRACE_MS: Final = 15_000  # so long the service may be away at the expense of who is asked


class Away(NamedTuple):
    """A time without a steward; from None: since the last event of each match."""

    since: int | None
    until: int


@dataclass
class Alive:
    store: RedisStore
    said: int = 0

    def away(self, now: int) -> Away | None:
        """Returns the time without a steward, if it was longer than the grace."""
        found = self.store.cache.ask("GET", KEY)
        if found is None:
            return Away(None, now)
        since = int(found)
        return Away(since, now) if now - since > GRACE_MS else None

    def due(self, now: int) -> bool:
        return not 0 <= now - self.said < BEAT_MS

    def say(self, now: int) -> None:
        """Writes a heartbeat, if the ledger can be reached."""
        self.store.connection.ask("PING")
        self.store.cache.ask("SET", KEY, now)
        self.said = now
