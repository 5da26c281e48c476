"""Figures that processes leave on the jobs' server, for whichever process serves /metrics.

The worker and the courier serve no requests. Their counts are stored with their work. So
every process that is asked gives the same numbers, and they outlive each process.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from ledger.log.stores.redis.connection import Connection
from services.jobs.queue import BEAT_SECONDS, COUNTS, FAILED, JOBS, STARTED, WORKERS
from services.webhooks.mailbox import Mailbox

OUTCOMES: Final = ("done", "failed", "put back")


def jobs_figures(server: Connection) -> Iterator[Metric]:
    """Yields the outcomes of jobs, the running and failed ones, and the number of workers."""
    counted, running, failed, workers = server.asks(
        [
            ("HGETALL", COUNTS),
            ("ZCARD", STARTED),
            ("ZCARD", FAILED),
            ("ZCOUNT", WORKERS, int(time.time() - BEAT_SECONDS), "+inf"),
        ]
    )
    found = _numbers(counted)
    ended = CounterMetricFamily("hegemon_jobs", "Jobs by outcome", labels=["job", "outcome"])
    for name in (*JOBS, "unknown"):
        for outcome in OUTCOMES:
            ended.add_metric([name, outcome.replace(" ", "_")], found.get(f"{name} {outcome}", 0))
    yield ended
    yield GaugeMetricFamily("hegemon_jobs_running", "Running jobs", value=running)
    yield GaugeMetricFamily("hegemon_jobs_failed", "Stored failed jobs", value=failed)
    yield GaugeMetricFamily("hegemon_workers", "Workers that have reported recently", value=workers)


def courier_figures(server: Connection) -> Iterator[Metric]:
    """Yields the outcomes of deliveries, how many wait, and the age of the oldest."""
    box = Mailbox(server)
    attempts = CounterMetricFamily(
        "hegemon_deliveries", "Attempts to deliver to a webhook", labels=["outcome"]
    )
    for outcome, number in box.counts().items():
        attempts.add_metric([outcome], number)
    yield attempts
    waits, made = box.oldest()
    age = 0.0 if made is None else max(0.0, time.time() - made / 1_000)
    yield GaugeMetricFamily("hegemon_deliveries_waiting", "Deliveries that wait", value=waits)
    yield GaugeMetricFamily(
        "hegemon_deliveries_age_seconds", "Age of the oldest waiting delivery", value=age
    )


def _numbers(found: list[Any]) -> dict[str, int]:
    pairs = zip(found[::2], found[1::2], strict=True)
    return {name.decode(): int(number) for name, number in pairs}
