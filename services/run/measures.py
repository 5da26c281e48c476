"""Prometheus counters and timers of a process.

If several processes answer at one address, each counts in its own file, and the process
that is asked adds them up. PROMETHEUS_MULTIPROC_DIR names the folder;
services/web/server/config.py makes one for the workers it starts. No metric names a person, a
match or a secret.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
_OWN: Final = CollectorRegistry()
_SHORT: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

_seconds = partial(Histogram, buckets=_SHORT, registry=_OWN)
_counter = partial(Counter, registry=_OWN)
_gauge = partial(Gauge, multiprocess_mode="livesum", registry=_OWN)

APPEND_SECONDS: Final = _seconds(
    "hegemon_append_seconds", "Time of an append, including the way to the server's disk and back"
)
APPENDS: Final = _counter("hegemon_appends", "Appends by outcome", ["answer"])
DECISIONS: Final = _counter(
    "hegemon_decisions",
    "Submitted decisions: accepted, repeated, or the code of the refusal",
    ["outcome"],
)
REQUESTS: Final = _counter("hegemon_requests", "Requests", ["method", "route", "status"])
REQUEST_SECONDS: Final = _seconds(
    "hegemon_request_seconds",
    "Time until the answer; for a stream, until it began",
    ["method", "route"],
)
LIMITED: Final = _counter("hegemon_limited", "Requests refused by a rate limit", ["kind"])
VIEWERS: Final = _gauge("hegemon_live_viewers", "Live viewers")
PLACES: Final = _gauge("hegemon_live_places", "Places for viewers")
TURNED_AWAY: Final = _counter("hegemon_live_turned_away", "Viewers refused for lack of a place")
HUB_RECONNECTIONS: Final = _counter("hegemon_hub_reconnections", "Times the hub lost the feeds")


def collect_metrics() -> CollectorRegistry:
    """Returns the metrics of all processes that count together."""
    if FOLDER not in os.environ:
        return _OWN
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together
