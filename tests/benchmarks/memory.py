"""`memory`: what the server needs to keep matches, beside the bare bodies of their events.

`MEMORY USAGE` of every key of the matches and of the feeds that name them. Bytes an event beyond
its body; and snapshots, as the projector leaves them, in percent of all that.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from tests.benchmarks.caravan import journey
from tests.benchmarks.seek import project
from tests.support.servers import programs, running

SEED = 41
EVENTS = 500
GATE = 110
GOAL = 60
SNAPSHOTS_GATE = 20.0  # percent


def measure(*, full: bool = False) -> dict[str, Any]:
    """Bytes an event, and the share of the snapshots."""
    began = time.perf_counter()
    matches = 40 if full else 6
    with (
        tempfile.TemporaryDirectory() as folder,
        running(next(iter(programs().values())), Path(folder) / "server") as server,
    ):
        store = RedisStore(Connection(server.url))
        made = [journey(store, SEED + number, EVENTS).match_id for number in range(matches)]
        events = [event for match in made for event in store.events(match)]
        project(store, Path(folder) / "segments")
        kept = _usage(store.connection, ":match:*", ":feed")
        snapshots = _usage(store.connection, ":snapshots")
        by_part = {
            part: round(_usage(store.connection, f":{part}") / len(events), 1)
            for part in ("events", "head", "commands", "openings", "kept", "feed")
        }
    bodies = sum(len(event.body) for event in events)
    beyond = (kept - snapshots - bodies) / len(events)
    share = 100 * snapshots / (kept - snapshots)
    return {
        "name": "memory",
        "seed": SEED,
        "matches": matches,
        "seconds": round(time.perf_counter() - began, 1),
        "ours": {"what": "bytes an event beyond its body", "rate": round(beyond, 1)},
        "beside": {"what": "bytes of a body, on average", "rate": round(bodies / len(events), 1)},
        "by key": by_part,
        "snapshots": round(share, 1),
        "gate": GATE,
        "goal": GOAL,
        "reached": {"gate": beyond <= GATE and share <= SNAPSHOTS_GATE, "goal": beyond <= GOAL},
    }


def _usage(connection: Connection, *patterns: str) -> int:
    """Bytes of all keys whose names end so."""
    names = [name for pattern in patterns for name in connection.ask("KEYS", f"*{pattern}")]
    return sum(connection.asks([("MEMORY", "USAGE", name, "SAMPLES", 0) for name in names]))
