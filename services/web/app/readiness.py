"""Readiness: whether this process can take requests; each part, and why not.

| part | is well while |
|---|---|
| ledger | the ledger's server answers |
| settings | it would keep what it acknowledges (or `--unsafe` overlooks that it would not) |
| guard | it has all that the segments of this machine say |
| projections | the oldest unprojected entry was seen here less than a minute ago |

If the server of the projections is away, their state is reported as unknown and the process
stays ready: matches are played without it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final, cast

import msgspec
from flask import Blueprint, Response, current_app

from ledger.log.stores.protocol import DamagedLog, Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.soundness import findings
from services.keep.guard import missing
from services.run.settings import Settings

from .access import allowed
from .identity import club, settings
from .metrics import OUTAGES

READY: Final = Blueprint("ready", __name__)
PATIENCE_SECONDS: Final = 1.0
LAG_SECONDS_MAX: Final = 60.0
ASKED_AGAIN_SECONDS: Final = 1.0  # so often at most, however many ask
GUARD_SECONDS: Final = 30.0  # it reads the end of every log

Part = dict[str, Any]


class Readiness:
    """The state of the parts, checked once per second at most and shared by all callers."""

    def __init__(self, store: RedisStore, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._connection = store.connection.another(PATIENCE_SECONDS)
        self._lock = threading.Lock()
        self._parts: dict[str, Part] = {}
        self._looked = self._guarded = float("-inf")
        self._guard: Part = {}

    def parts(self) -> dict[str, Part]:
        with self._lock:
            if time.monotonic() - self._looked > ASKED_AGAIN_SECONDS:
                self._parts = self._look()
                self._looked = time.monotonic()
            return self._parts

    def _look(self) -> dict[str, Part]:
        ledger = _check_part(self._ledger)
        if not ledger["ok"]:
            return {"ledger": ledger}  # of the others nobody knows
        return {
            "ledger": ledger,
            "settings": _check_part(self._sound),
            "guard": _check_part(self._not_gone_back),
            "projections": self._projected(),
        }

    def _ledger(self) -> Part:
        began = time.perf_counter()
        self._connection.ask("PING")
        return {"ok": True, "ms": round((time.perf_counter() - began) * 1_000, 1)}

    def _sound(self) -> Part:
        found = findings(self._connection)
        return {"ok": not found or self._settings.unsafe, **({"found": found} if found else {})}

    def _not_gone_back(self) -> Part:
        if time.monotonic() - self._guarded > GUARD_SECONDS:
            lost = sum(1 for _ in missing(self._connection, self._settings.data))
            self._guard = {"ok": not lost, "gone_back": lost}
            self._guarded = time.monotonic()
        return self._guard

    def _projected(self) -> Part:
        try:
            lag = current_app.extensions["lag"].look(self._store)
        except OUTAGES:
            return {"ok": True, "why": "not known: the server of the projections does not answer"}
        ok = lag.seconds <= LAG_SECONDS_MAX
        return {"ok": ok, "events": lag.events, "seconds": round(lag.seconds, 1)}


def _check_part(look: Callable[[], Part]) -> Part:
    try:
        return look()
    except (*OUTAGES, Unavailable, DamagedLog, OSError) as why:
        current_app.logger.warning("not ready: %s", why)
        return {"ok": False, "why": "it does not answer, or cannot be read; see the log"}


@READY.get("/ready")
@allowed("anyone")
def ready() -> Response:
    """Answers 200 if all parts are well, else 503."""
    try:
        store = club().store
    except Unavailable:
        parts: dict[str, Part] = {"ledger": {"ok": False, "why": "it cannot be reached"}}
    else:
        parts = _readiness(cast("RedisStore", store)).parts()
    ok = all(part["ok"] for part in parts.values())
    packed = msgspec.json.encode({"ready": ok, "parts": parts})
    response = Response(packed, 200 if ok else 503, mimetype="application/json")
    if not ok:
        response.headers["Retry-After"] = "5"
    return response


def _readiness(store: RedisStore) -> Readiness:
    held = current_app.extensions
    if "readiness" not in held:
        held["readiness"] = Readiness(store, settings())
    return cast("Readiness", held["readiness"])
