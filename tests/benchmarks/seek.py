"""`seek`: the match at any event of a long match from the store, beside the bare reading of it.

Ours: `seek` over snapshots as the projector leaves them; every event of the match, at a landing
every third, in a shuffled order. Beside it: redis-py fetches the same replies in one pipeline and
does nothing with them. In milliseconds; each event is visited several times, and the lowest counts,
since what else the machine does hits only some. Of a hundred events the slowest counts.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import redis

from ledger.log.read.seek import seek
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.witness import Witness
from services.projector.loop import Projector
from tests.benchmarks.append import Remembering
from tests.benchmarks.caravan import CARAVAN, journey
from tests.support.servers import programs, running

SEED = 33
EVENTS = 1_000
GATE = (3.0, 5.0)  # times the bare reading, and so many milliseconds
GOAL = (2.0, 2.0)


def measure(*, full: bool = False) -> dict[str, Any]:
    """Both sides, and how far apart they may be."""
    began = time.perf_counter()
    rounds, apart = (9, 1) if full else (3, 3)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(next(iter(programs().values())), Path(folder) / "server") as server,
    ):
        store = RedisStore(Remembering(server.url), Remembering(server.url))
        match = journey(RedisStore(Connection(server.url)), SEED, EVENTS).match_id
        project(RedisStore(Connection(server.url)), Path(folder) / "segments")
        ours, bare = _both(
            store, match, (rounds, apart), redis.Redis.from_url(server.url, protocol=2)
        )
    allowed = {name: round(_limit(bare, *bound), 2) for name, bound in BOUNDS.items()}
    p99 = _p99(ours)
    return {
        "name": "seek",
        "seed": SEED,
        "rounds": rounds,
        "seconds": round(time.perf_counter() - began, 1),
        "ours": {
            "what": f"ms to a match at any of {EVENTS} events, p99 (median)",
            "rate": [round(p99, 2), round(statistics.median(ours), 2)],
        },
        "beside": {
            "what": f"ms for redis-py {redis.__version__} to fetch the same bytes, p99 (median)",
            "rate": [round(_p99(bare), 2), round(statistics.median(bare), 2)],
        },
        "ratio": round(p99 / _p99(bare), 2),
        "allowed": allowed,
        "gate": "p99 <= 3 x bare + 5 ms",
        "goal": "p99 <= 2 x bare + 2 ms",
        "reached": {name: p99 <= allowed[name] for name in BOUNDS},
    }


BOUNDS = {"gate": GATE, "goal": GOAL}


def project(store: RedisStore, folder: Path) -> None:
    """Leave the snapshots that a projector leaves."""
    projector = Projector(store, lambda _: CARAVAN, Witness(folder))
    while projector.step(0):
        pass
    projector.stop()


def _both(
    store: RedisStore, match: str, visits: tuple[int, int], client: redis.Redis
) -> tuple[list[float], list[float]]:
    """Milliseconds to events at best, and for the bare reading of what was read.

    `visits` is how often an event is visited, and how far those that are visited lie apart.
    """
    rounds, apart = visits
    points = list(range(1, EVENTS + 1, apart))
    ours = dict.fromkeys(points, float("inf"))
    bare = dict.fromkeys(points, float("inf"))
    lines = (store.connection, store.cache)
    for turn in range(rounds):
        random.Random(turn).shuffle(points)
        for version in points:
            for line in lines:
                line.said.clear()
            began = time.perf_counter()
            seek(store, match, version, lambda _: CARAVAN)
            ours[version] = min(ours[version], _since(began))
            said = [words for line in lines for words in line.said]
            began = time.perf_counter()
            pipeline = client.pipeline(transaction=False)
            for words in said:
                pipeline.execute_command(*words)
            pipeline.execute()
            bare[version] = min(bare[version], _since(began))
    return list(ours.values()), list(bare.values())


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1_000


def _p99(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.99)]


def _limit(bare: list[float], times: float, more: float) -> float:
    return times * statistics.median(bare) + more
