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
from typing import Any, Final, NamedTuple

from flask import Blueprint, Flask, Response, current_app, g, request
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from ledger.log.format.bodies import plain_body
from ledger.log.stores.protocol import Unavailable
from ledger.log.stores.redis import RedisStore, keys
from ledger.log.stores.redis.connection import Connection, NoReply, NotSent, Refusing
from ledger.log.stores.redis.entries import packed_in, read_entry
from ledger.log.stores.redis.projections import Projections
from services.run.figures import courier_figures, jobs_figures
from services.run.measures import DECISIONS, PLACES, REQUEST_SECONDS, REQUESTS, counted

from .identity import club, settings
from .problems import Problem

METRICS: Final = Blueprint("metrics", __name__)
OUTAGES: Final = (NotSent, NoReply, Refusing)
NOWHERE: Final = "(none)"  # the route of what leads nowhere: addresses may hold secrets
DECIDING: Final = "playing.Decisions"


@METRICS.get("/metrics")
def show() -> Response:
    _check_may()
    here = CollectorRegistry()
    with suppress(Unavailable):  # then there are only the processes' own
        store = club().store
        if isinstance(store, RedisStore):
            here.register(_Servers(store))
            here.register(_Heads())
    body = generate_latest(counted()) + generate_latest(here)
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


def measure_requests(app: Flask, places: int) -> None:
    """Counts and times each request under the template of its route."""
    PLACES.set(places)

    @app.before_request
    def began() -> None:
        g.began = time.perf_counter()

    @app.after_request
    def ended(response: Response) -> Response:
        route = route_of()
        method = request.method if request.method in _METHODS else "other"
        REQUESTS.labels(method, route, response.status_code).inc()
        if "began" in g:
            REQUEST_SECONDS.labels(method, route).observe(time.perf_counter() - g.began)
        if request.endpoint == DECIDING and method == "POST":
            DECISIONS.labels(outcome_of(response)).inc()
        return response


_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def route_of() -> str:
    return NOWHERE if request.url_rule is None else request.url_rule.rule


def outcome_of(response: Response) -> str:
    """Returns the outcome of a decision: accepted, repeated, or the code of its problem."""
    if response.status_code < 400:
        return "repeated" if "Idempotent-Replayed" in response.headers else "accepted"
    code: str = g.get("problem", str(response.status_code))
    return code


# --- the servers ----------------------------------------------------------------------------------


class Lag(NamedTuple):
    """The distance of the projections behind the log."""

    events: int  # entries of the feeds that are not projected
    seconds: float  # since the first of them was written


def lag_of(store: RedisStore, now: float | None = None) -> Lag:
    """Measures the lag of all shards' projections: missing entries, and the age of the oldest."""
    shards = range(keys.SHARDS)
    ends = store.line.asks(
        [("XREVRANGE", keys.feed_key(shard), "+", "-", "COUNT", 1) for shard in shards]
    )
    projections = Projections(store.cache)
    entries, oldest = 0, None
    for shard, rows in zip(shards, ends, strict=True):
        at = projections.checkpoint(shard).position
        end = int(rows[0][0].partition(b"-")[2]) if rows else 0
        if end > at:
            entries += end - at
            written = _written_at(store, shard, at)
            oldest = written if oldest is None else min(oldest, written or oldest)
    now = time.time() if now is None else now
    return Lag(entries, 0.0 if oldest is None else max(0.0, now - oldest))


def _written_at(store: RedisStore, shard: int, position: int) -> float | None:
    """Returns the time, in seconds, of a shard's first event behind a position."""
    rows = store.line.ask(
        "XRANGE", keys.feed_key(shard), f"0-{position + 1}", "+", "COUNT", _LOOKED_AT
    )
    for row in rows:
        name, _, version = packed_in(row).decode().partition(" ")
        if name.endswith(keys.KEPT):
            continue  # what is kept has no time of its own; what it is kept for follows it
        found = store.line.ask("XRANGE", keys.log_keys(name).events, f"{version}-0", f"{version}-0")
        if found:
            written: int = plain_body(read_entry(packed_in(found[0])).body)["at"]
            return written / 1_000
    return None


_LOOKED_AT: Final = 20


def persistence_of(line: Connection) -> Mapping[str, str]:
    """Returns a server's figures about its files and its memory."""
    said = line.ask("INFO", "persistence") + line.ask("INFO", "memory")
    rows = said.decode(errors="replace").splitlines()
    return dict(row.split(":", 1) for row in rows if ":" in row)


def queue_ages(line: Connection, now: datetime | None = None) -> dict[str, tuple[int, float]]:
    """Returns the length of each queue of jobs, and the age of its first job in seconds."""
    now = datetime.now(UTC) if now is None else now
    found: dict[str, tuple[int, float]] = {}
    for key in sorted(line.ask("SMEMBERS", "rq:queues")):
        name = key.decode()
        length, first = line.asks([("LLEN", name), ("LINDEX", name, 0)])
        age = 0.0
        if first is not None:
            [since] = line.ask("HMGET", b"rq:job:" + first, "enqueued_at")
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
            yield _gauge("signed_head_age_seconds", "Since the last head was signed", since)
            yield _gauge("unsigned_events", "Copied out, and under no signed head", waiting)


class _Servers:
    """The servers' figures, read on request. Leaves out those of a server that does not answer."""

    def __init__(self, store: RedisStore) -> None:
        self._store = store

    def collect(self) -> Iterator[Metric]:
        for part in (
            self._ledger,
            self._parked,
            self._projections,
            self._queues,
            self._jobs,
            self._courier,
        ):
            try:
                yield from list(part())
            except (*OUTAGES, Unavailable):
                current_app.logger.warning("a server does not answer for its figures")

    def _ledger(self) -> Iterator[GaugeMetricFamily]:
        said = [persistence_of(server) for server in self._store.line.servers()]
        for name, about, value in (
            ("aof_enabled", "Whether it writes its file", _all(said, "aof_enabled", "1")),
            (
                "aof_write_ok",
                "Whether it could write its file the last time",
                _all(said, "aof_last_write_status", "ok"),
            ),
            (
                "aof_rewrite_ok",
                "Whether it could rewrite its file the last time",
                _all(said, "aof_last_bgrewrite_status", "ok"),
            ),
            ("aof_delayed_fsync", "Waits for the disk", _number(said, "aof_delayed_fsync")),
            ("used_memory_bytes", "Its memory", _number(said, "used_memory")),
            ("max_memory_bytes", "Its most; 0: all there is", _number(said, "maxmemory")),
        ):
            yield _gauge(f"ledger_{name}", f"The ledger's server: {about}", float(value))

    def _parked(self) -> Iterator[GaugeMetricFamily]:
        count = len(self._store.parked_matches())
        yield _gauge("parked_matches", "Matches that cannot be folded to their end", count)

    def _projections(self) -> Iterator[GaugeMetricFamily]:
        lag = lag_of(self._store)
        yield _gauge("projection_lag_events", "What is not projected yet", lag.events)
        yield _gauge("projection_lag_seconds", "Since the first of it was written", lag.seconds)

    def _queues(self) -> Iterator[GaugeMetricFamily]:
        if self._store.cache is self._store.line:
            return
        lengths = _gauge("queue_jobs", "Jobs that wait", labels=["queue"])
        ages = _gauge("queue_age_seconds", "How long the first of them has", labels=["queue"])
        for name, (length, age) in queue_ages(self._store.cache).items():
            lengths.add_metric([name], length)
            ages.add_metric([name], age)
        yield lengths
        yield ages

    def _jobs(self) -> Iterator[Metric]:
        if self._store.cache is not self._store.line:
            yield from jobs_figures(self._store.cache)

    def _courier(self) -> Iterator[Metric]:
        yield from courier_figures(self._store.cache)


def _all(said: Sequence[Mapping[str, str]], name: str, value: str) -> bool:
    return all(one.get(name) == value for one in said)


def _number(said: Sequence[Mapping[str, str]], name: str) -> float:
    return sum(float(one.get(name, 0)) for one in said)


def _gauge(name: str, about: str, value: float | None = None, **more: Any) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"hegemon_{name}", about, value, **more)
