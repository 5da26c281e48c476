"""/metrics, for Prometheus: counts of the processes and the state of the servers.

It needs the token in HEGEMON_METRICS_TOKEN, or an organizer's token with the scope `organize`.
A request from this machine needs one too: behind a proxy every request comes from here.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

from flask import Blueprint, Response, current_app, request
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from ledger.log.stores.protocol import Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection, NoReply, NotSent, Refusing
from services.run.figures import courier_figures, jobs_figures
from services.run.measures import collect_metrics

from .access import allowed
from .identity import club, settings
from .problems import Problem

METRICS: Final = Blueprint("metrics", __name__)
OUTAGES: Final = (NotSent, NoReply, Refusing)


@METRICS.get("/metrics")
@allowed("anyone")  # it looks at its token itself
def show() -> Response:
    _check_may()
    here = CollectorRegistry()
    with suppress(Unavailable):  # then there are only the processes' own
        store = club().store
        if isinstance(store, RedisStore):
            here.register(_Servers(store))
            here.register(_Heads())
    body = generate_latest(collect_metrics()) + generate_latest(here)
    return Response(body, 200, content_type=CONTENT_TYPE_LATEST)


def _check_may() -> None:
    shown = request.headers.get("Authorization", "").partition(" ")[2].strip()
    wanted = settings().metrics_token
    if wanted and hmac.compare_digest(shown.encode(), wanted.encode()):
        return
    who = club().caller(shown, ("token",))
    if who is None:
        raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
    if not who.organizer:
        raise Problem(403, detail="The figures are for organizers' tokens.")


# --- the servers ----------------------------------------------------------------------------------


def persistence_of(connection: Connection) -> Mapping[str, str]:
    """Returns a server's figures about its files and its memory."""
    said = connection.ask("INFO", "persistence") + connection.ask("INFO", "memory")
    rows = said.decode(errors="replace").splitlines()
    return dict(row.split(":", 1) for row in rows if ":" in row)


def queue_ages(connection: Connection, now: datetime | None = None) -> dict[str, tuple[int, float]]:
    """Returns the length of each queue of jobs, and the age of its first job in seconds."""
    now = datetime.now(UTC) if now is None else now
    found: dict[str, tuple[int, float]] = {}
    for key in sorted(connection.ask("SMEMBERS", "rq:queues")):
        name = key.decode()
        length, first = connection.asks([("LLEN", name), ("LINDEX", name, 0)])
        age = 0.0
        if first is not None:
            [since] = connection.ask("HMGET", b"rq:job:" + first, "enqueued_at")
            if since:
                age = (now - datetime.fromisoformat(since.decode())).total_seconds()
        found[name.removeprefix("rq:queue:")] = length, max(0.0, age)
    return found


class _Heads:
    """The figures of the signed heads."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yields the figures; none if this process has no folder of signed heads."""
        tree = current_app.extensions["tree"]()
        signed_at = tree.signed_at()
        if signed_at is not None:
            since = max(0.0, time.time() - signed_at)
            waiting = tree.state.size - tree.signed_size()
            yield _gauge("signed_head_age_seconds", "Time since the last signed head", since)
            yield _gauge("unsigned_events", "Events copied out that no signed head covers", waiting)


class _Servers:
    """The servers' figures, read on request. Leaves out those of a server that does not answer."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store

    def collect(self) -> Iterator[Metric]:
        parts = (self._ledger, self._parked, self._projections, self._queues, self._jobs)
        for part in (*parts, self._courier):
            try:
                yield from list(part())
            except (*OUTAGES, Unavailable):
                current_app.logger.warning("a server does not answer for its figures")

    def _ledger(self) -> Iterator[GaugeMetricFamily]:
        said = [persistence_of(server) for server in self._store.connection.servers()]
        enabled = _all(said, "aof_enabled", "1")
        wrote = _all(said, "aof_last_write_status", "ok")
        rewrote = _all(said, "aof_last_bgrewrite_status", "ok")
        for name, about, value in (
            ("aof_enabled", "Whether it writes its append-only file", enabled),
            ("aof_write_ok", "Whether the last write of its file succeeded", wrote),
            ("aof_rewrite_ok", "Whether the last rewrite of its file succeeded", rewrote),
            ("aof_delayed_fsync", "Waits for the disk", _number(said, "aof_delayed_fsync")),
            ("used_memory_bytes", "Its memory", _number(said, "used_memory")),
            ("max_memory_bytes", "Its limit; 0: none", _number(said, "maxmemory")),
        ):
            yield _gauge(f"ledger_{name}", f"The ledger's server: {about}", float(value))

    def _parked(self) -> Iterator[GaugeMetricFamily]:
        count = len(self._store.parked_matches())
        yield _gauge("parked_matches", "Matches that cannot be folded to their end", count)

    def _projections(self) -> Iterator[GaugeMetricFamily]:
        lag = current_app.extensions["lag"].look(self._store)
        yield _gauge("projection_lag_events", "Events that are not projected yet", lag.events)
        yield _gauge("projection_lag_seconds", "Age of the oldest of them", lag.seconds)

    def _queues(self) -> Iterator[GaugeMetricFamily]:
        if self._store.cache is self._store.connection:
            return
        lengths = _gauge("queue_jobs", "Waiting jobs", labels=["queue"])
        ages = _gauge("queue_age_seconds", "Age of the oldest waiting job", labels=["queue"])
        for name, (length, age) in queue_ages(self._store.cache).items():
            lengths.add_metric([name], length)
            ages.add_metric([name], age)
        yield lengths
        yield ages

    def _jobs(self) -> Iterator[Metric]:
        if self._store.cache is not self._store.connection:
            yield from jobs_figures(self._store.cache)

    def _courier(self) -> Iterator[Metric]:
        yield from courier_figures(self._store.cache)


def _all(said: Sequence[Mapping[str, str]], name: str, value: str) -> bool:
    return all(one.get(name) == value for one in said)


def _number(said: Sequence[Mapping[str, str]], name: str) -> float:
    return sum(float(one.get(name, 0)) for one in said)


def _gauge(name: str, about: str, value: float | None = None, **more: Any) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"hegemon_{name}", about, value, **more)
