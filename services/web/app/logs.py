"""Logs: one line per request. Its number is in the line, the answer and its problem.

A line has the template of the address, never the address, because links hold secrets. It names
a person by id only. Secrets of passes are removed from all other log messages.

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
from services.run.settings import Settings

from .identity import SAFE, caller
from .metrics import route_of

REQUEST_ID: Final = "X-Request-ID"
_LOG: Final = logging.getLogger(f"{OURS}.requests")
_GIVEN: Final = re.compile(r"[A-Za-z0-9-]{8,64}")
_VERSION: Final = re.compile(r'"(\d{1,9})-')
_MATCH: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


class RequestJsonFormatter(logs.JsonFormatter):
    """Formats a log record as an object on a line, with the number of the present request."""

    def beside(self) -> dict[str, Any]:
        return {"request": request_id()}


def request_id() -> str | None:
    """Returns the number of the present request, if there is one."""
    return g.get("request_id") if has_request_context() else None


def add_logs(app: Flask, settings: Settings) -> None:
    """Numbers and logs each request."""
    _set_up(settings.log, app.logger.name)

    @app.before_request
    def numbered() -> None:
        g.asked = time.perf_counter()
        given = request.headers.get(REQUEST_ID, "") if settings.proxies else ""
        g.request_id = given if _GIVEN.fullmatch(given) else secrets.token_hex(8)

    @app.after_request
    def logged(response: Response) -> Response:
        if (number := request_id()) is not None:
            response.headers[REQUEST_ID] = number
        ours = response.status_code >= 500
        wanted = {
            "json": True,
            "short": request.method not in SAFE or response.status_code >= 400,
            "quiet": False,
        }[settings.log]
        if ours or wanted:
            level = logging.ERROR if ours else logging.INFO
            _LOG.log(level, "%s", "request", extra={"about": about(response)})
        return response


def about(response: Response) -> dict[str, Any]:
    """Returns the log line's fields: nothing that was sent, except the id of a match."""
    who = caller()
    match = (request.view_args or {}).get("match")
    version = _VERSION.search(response.headers.get("ETag", "")) if match else None
    return {
        "method": request.method if len(request.method) < 10 else "other",
        "route": route_of(),
        "status": response.status_code,
        "code": g.get("problem"),
        "ms": round((time.perf_counter() - g.get("asked", time.perf_counter())) * 1_000, 1),
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
