"""Around each request: its number, its time, its log line, and the headers of every answer.

The number is in the line, the answer and its problem. A line has the template of the address,
never the address, because links hold secrets. It names a person by id only. Secrets of passes
are removed from all other log messages.

    HEGEMON_LOG=json     for programs: every request, as an object on a line (the default)
    HEGEMON_LOG=short    for people: changes and failures; `hegemon up` uses it
    HEGEMON_LOG=quiet    failures of the service only
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from typing import Any, Final

from flask import Flask, Response, g, has_request_context, request

from services.run import logs
from services.run.logs import OURS, Hush, add_lines, lines_in
from services.run.measures import DECISIONS, PLACES, REQUEST_SECONDS, REQUESTS
from services.run.settings import Settings

from .identity import SAFE, caller

REQUEST_ID: Final = "X-Request-ID"
_LOG: Final = logging.getLogger(f"{OURS}.requests")
_GIVEN: Final = re.compile(r"[A-Za-z0-9-]{8,64}")
_VERSION: Final = re.compile(r'"(\d{1,9})-')
_MATCH: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
NOWHERE: Final = "(none)"  # the route of what leads nowhere: addresses may hold secrets
DECIDING: Final = "playing.Decisions"
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Other sites learn where somebody came from, but not from which page. With "no-referrer" a
    # browser does not say either that a form of ours came from here, and it would be refused.
    "Referrer-Policy": "strict-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class RequestJsonFormatter(logs.JsonFormatter):
    """Formats a log record as an object on a line, with the number of the present request."""

    def beside(self) -> dict[str, Any]:
        return {"request": request_id()}


def request_id() -> str | None:
    """Returns the number of the present request, if there is one."""
    return g.get("request_id") if has_request_context() else None


def add_requests(app: Flask, settings: Settings) -> None:
    """Numbers, measures and logs each request, and makes its answer safe.

    Registered first, so it begins before all other hooks and sees the answer after them.
    """
    _set_up(settings.log, app.logger.name)
    PLACES.set(settings.live_places)

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()
        given = request.headers.get(REQUEST_ID, "") if settings.proxies else ""
        g.request_id = given if _GIVEN.fullmatch(given) else secrets.token_hex(8)

    @app.after_request
    def end(response: Response) -> Response:
        _make_safe(response)
        if (number := request_id()) is not None:
            response.headers[REQUEST_ID] = number
        took = time.perf_counter() - g.get("began", time.perf_counter())
        _measure(response, took)
        ours = response.status_code >= 500
        wanted = {
            "json": True,
            "short": request.method not in SAFE or response.status_code >= 400,
            "quiet": False,
        }[settings.log]
        if ours or wanted:
            level = logging.ERROR if ours else logging.INFO
            _LOG.log(level, "%s", "request", extra={"about": about(response, took)})
        return response


def _make_safe(response: Response) -> None:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint == "static" and response.status_code == 200:
        kept = "public, max-age=31536000, immutable" if request.args.get("v") else "no-cache"
        response.headers["Cache-Control"] = kept
    response.headers.setdefault("Cache-Control", "no-store")


def _measure(response: Response, took: float) -> None:
    """Counts and times a request under the template of its route."""
    route = route_of()
    method = request.method if request.method in _METHODS else "other"
    REQUESTS.labels(method, route, response.status_code).inc()
    if "began" in g:
        REQUEST_SECONDS.labels(method, route).observe(took)
    if request.endpoint == DECIDING and method == "POST":
        DECISIONS.labels(outcome_of(response)).inc()


def route_of() -> str:
    return NOWHERE if request.url_rule is None else request.url_rule.rule


def outcome_of(response: Response) -> str:
    """Returns the outcome of a decision: accepted, repeated, or the code of its problem."""
    if response.status_code < 400:
        return "repeated" if "Idempotent-Replayed" in response.headers else "accepted"
    code: str = g.get("problem", str(response.status_code))
    return code


def about(response: Response, took: float) -> dict[str, Any]:
    """Returns the log line's fields: nothing that was sent, except the id of a match."""
    who = caller()
    match = (request.view_args or {}).get("match")
    version = _VERSION.search(response.headers.get("ETag", "")) if match else None
    return {
        "method": request.method if len(request.method) < 10 else "other",
        "route": route_of(),
        "status": response.status_code,
        "code": g.get("problem"),
        "ms": round(took * 1_000, 1),
        "request": request_id(),
        "person": None if who is None else who.person.id,
        "match": match if match and _MATCH.fullmatch(str(match)) else None,
        "version": None if version is None else int(version[1]),
    }


def _set_up(form: str, app_logger: str) -> None:
    lines = lines_in(form, RequestJsonFormatter())
    add_lines(lines)
    _LOG.setLevel(logging.INFO)
    for name in (app_logger, "gunicorn.error", "gunicorn.access"):
        logger = logging.getLogger(name)
        if not any(isinstance(one, Hush) for one in logger.filters):
            logger.addFilter(Hush())
        for handler in logger.handlers:  # what gunicorn's worker says is a line like all others
            handler.setFormatter(lines)
