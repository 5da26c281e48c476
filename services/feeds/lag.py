"""The distance of the projections behind the feeds.

A feed does not say when an entry reached it, and events do not either: those of an imported
match happened long ago. So an entry is as old as the look at the feeds that first saw it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from ledger.log.stores.redis import RedisStore, keys
from ledger.log.stores.redis.projections import Projections

from .reader import Feeds

LOOKS_MAX: Final = 100  # that are kept of one shard


class Lag(NamedTuple):
    """The distance of the projections behind the log."""

    events: int  # entries of the feeds that are not projected
    seconds: float  # since the first of them was seen here


class LagWatch:
    """Looks at the ends of the feeds now and then. For all threads of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        # By shard: the ends that its feed had, from the first behind the projections on, and when.
        self._ends: dict[int, list[tuple[int, float]]] = {}

    def look(self, store: RedisStore) -> Lag:
        """Measures the lag of all shards' projections: missing entries, and the age of the oldest.

        The age is zero at the first look; it may be too small, and never too large by more than the
        time between two looks.
        """
        feeds, projections = Feeds(store.connection), Projections(store.cache)
        feeds.add_at_ends(range(keys.SHARDS))
        checkpoints = [projections.checkpoint(shard) for shard in range(keys.SHARDS)]
        with self._lock:
            events, now = 0, self._clock()
            oldest = now
            for shard, checkpoint in enumerate(checkpoints):
                end, done = feeds.place(shard).position, checkpoint.position
                ends = [seen for seen in self._ends.get(shard, ()) if done < seen[0] <= end]
                if end > done:
                    events += end - done
                    if not ends or ends[-1][0] < end:
                        ends.append((end, now))
                    if len(ends) > LOOKS_MAX:
                        ends[-2:] = [(end, ends[-2][1])]
                    oldest = min(oldest, ends[0][1])
                self._ends[shard] = ends
            return Lag(events, now - oldest)
