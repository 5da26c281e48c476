"""Rate limits: how many requests a caller may make per minute, by kind.

| kind | is | counted for |
|---|---|---|
| reads | any request that changes nothing | the token, the session, or else the address |
| writes | any request that may change something | the same |
| doors | links and tokens that are tried | the address |
| makings | replays, files and pictures that must be made | the token, the session or address |

The minute slides: the minute before counts in part. The jobs server keeps the counts for all
processes together. Without one each process counts for itself; while it does not answer, each
process counts everything but reads. Losing a count does no harm.
"""

from __future__ import annotations

import hashlib
import ipaddress
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from flask import Flask, Response, g, request

from ledger.log.stores.redis.connection import Connection, NoReply, NotSent, Refusing
from services.run.measures import LIMITED
from services.run.settings import Settings

from .identity import SAFE, SAME_FOR_ALL, caller
from .problems import CODES, Problem, problem_response

Kind: TypeAlias = Literal["reads", "writes", "doors", "makings"]

WINDOW: Final = 60
QUOTAS: Final[dict[Kind, int]] = {"reads": 1_200, "writes": 300, "doors": 60, "makings": 60}
DOORS: Final = ("door.look", "door.enter", "account.Me")
ANSWER_SECONDS: Final = 0.25  # somebody waits
PAUSE_SECONDS: Final = 5.0  # before a server that did not answer is asked again
KEPT_MAX: Final = 20_000  # of counts in a process


class RequestCount(NamedTuple):
    """The number of requests in this minute and in the one before."""

    now: int
    before: int


class LocalCounts:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[int, dict[str, int]] = {}

    def add(self, name: str, minute: int) -> RequestCount:
        with self._lock:
            for old in [one for one in self._counts if one < minute - 1]:
                del self._counts[old]
            counts = self._counts.setdefault(minute, {})
            if len(counts) >= KEPT_MAX:
                counts.clear()
            counts[name] = counts.get(name, 0) + 1
            return RequestCount(counts[name], self._counts.get(minute - 1, {}).get(name, 0))


class OnServer:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, name: str, minute: int) -> RequestCount:
        key = f"limit:{name}:{minute}"
        last = f"limit:{name}:{minute - 1}"
        calls = [("INCR", key), ("EXPIRE", key, 2 * WINDOW), ("GET", last)]
        now, _, before = self._connection.calls(calls)
        return RequestCount(now, int(before or 0))


class Allowance(NamedTuple):
    """A caller's use of a limit."""

    kind: Kind
    quota: int
    left: int  # below nothing: it was once too often
    reset: int  # seconds until the minute is over

    @property
    def exceeded(self) -> bool:
        return self.left < 0

    @property
    def headers(self) -> dict[str, str]:
        """Returns the headers of the IETF draft on RateLimit fields."""
        return {
            "RateLimit-Policy": f'"{self.kind}";q={self.quota};w={WINDOW}',
            "RateLimit": f'"{self.kind}";r={max(0, self.left)};t={self.reset}',
        }


class Limits:
    """Counts requests per caller."""

    def __init__(
        self,
        shared: LocalCounts | OnServer | None,
        clock: Callable[[], float] = time.time,
        quotas: Mapping[Kind, int] = QUOTAS,
    ) -> None:
        self._shared = shared
        self._here = LocalCounts()
        self._clock = clock
        self._quotas = quotas
        self._away = float("-inf")  # when the server did not answer

    def count(self, kind: Kind, who: str) -> Allowance | None:
        """Counts one request. Returns None for a read while the server does not answer."""
        now = self._clock()
        minute, into = divmod(now, WINDOW)
        name = f"{kind}:{who}"
        counted = self._add(name, int(minute), kind)
        if counted is None:
            return None
        used = counted.now + int(counted.before * (WINDOW - into) / WINDOW)
        quota = self._quotas[kind]
        return Allowance(kind, quota, quota - used, max(1, int(WINDOW - into)))

    def _add(self, name: str, minute: int, kind: Kind) -> RequestCount | None:
        if self._shared is None:
            return self._here.add(name, minute)
        if time.monotonic() - self._away > PAUSE_SECONDS:
            try:
                return self._shared.add(name, minute)
            except (NotSent, NoReply, Refusing):
                self._away = time.monotonic()
        return None if kind == "reads" else self._here.add(name, minute)


def add_limits(app: Flask, settings: Settings) -> None:
    """Refuses callers above their limits, after `identify` has found out who they are."""
    if not settings.limits:
        return
    shared = None
    if settings.jobs_url:
        shared = OnServer(Connection(settings.jobs_url, seconds=ANSWER_SECONDS))
    quotas = {kind: quota * settings.limits for kind, quota in QUOTAS.items()}
    app.extensions["limits"] = Limits(shared, quotas=quotas)

    def making() -> None:
        before = g.get("limit")
        _count(app, "makings", name_of_caller())
        g.limit = before  # the headers do not tell whether somebody had it made before

    app.extensions["making"] = making

    @app.before_request
    def limited() -> None:
        if request.endpoint in SAME_FOR_ALL:
            return
        lookup = request.endpoint in DOORS and caller() is None
        kind: Kind = "doors" if lookup else "reads" if request.method in SAFE else "writes"
        _count(app, kind, address_of_caller() if lookup else name_of_caller())

    @app.after_request
    def said(response: Response) -> Response:
        # A token that opens nothing is refused before anything is counted.
        if g.get("problem") == "bad_token":
            try:
                _count(app, "doors", address_of_caller())
            except Problem as problem:
                response = problem_response(problem)
        state: Allowance | None = g.get("limit")
        if state is not None:
            response.headers.update(state.headers)
        return response


def _count(app: Flask, kind: Kind, who: str) -> None:
    limits: Limits = app.extensions["limits"]
    state = g.limit = limits.count(kind, who)
    if state is not None and state.exceeded:
        LIMITED.labels(kind).inc()
        detail = f"{CODES[429][1]} {state.quota} {kind} a minute are allowed."
        raise Problem(429, detail=detail, headers={"Retry-After": str(state.reset)})


def name_of_caller() -> str:
    """Returns the key a caller is counted under: the token or session, else the address."""
    who = caller()
    return address_of_caller() if who is None else f"pass:{who.pass_id}"


def address_of_caller() -> str:
    """Returns a hash of the caller's address, or of its network for IPv6."""
    text = request.remote_addr or ""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        pass  # a socket of the machine itself
    else:
        if isinstance(found, ipaddress.IPv6Address):
            text = str(ipaddress.IPv6Network((found, 64), strict=False))
    return "from:" + hashlib.sha256(text.encode()).hexdigest()[:16]
