"""Figures of the jobs, for /metrics. Each has its own key, so no job is looked at."""

from __future__ import annotations

import time
from typing import Any, Final

from redis import Redis

from .names import QUEUE

COUNTS: Final = "hegemon:jobs"  # by name and outcome
BEAT_SECONDS: Final = 15.0  # a worker that has said nothing for longer is none
WORKERS: Final = "hegemon:workers"  # by name, when each said last that it is there


def count(server: Redis, name: str, outcome: str) -> None:
    """Counts an ended job by its outcome."""
    server.hincrby(COUNTS, f"{name} {outcome}", 1)


def beat(server: Redis, worker: str) -> None:
    """Records that a worker is alive."""
    now = time.time()
    server.zadd(WORKERS, {worker: now})
    server.zremrangebyscore(WORKERS, 0, now - 100 * BEAT_SECONDS)


def leave(server: Redis, worker: str) -> None:
    """Removes a worker that ends."""
    server.zrem(WORKERS, worker)


def workers_now(server: Redis) -> int:
    found: Any = server.zcount(WORKERS, time.time() - BEAT_SECONDS, "+inf")
    return int(found)


def failed_key() -> str:
    return f"rq:failed:{QUEUE}"


def started_key() -> str:
    return f"rq:wip:{QUEUE}"


def list_started_ids(server: Any) -> list[str]:
    """Returns the ids of the running jobs, without the attempt that rq appends."""
    found = server.zrange(started_key(), 0, -1)
    return [one.decode().rpartition(":")[0] for one in found]
