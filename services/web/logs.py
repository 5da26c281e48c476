"""Logs: one line a request, and a number that is in the line, in the answer and in its problem.

A line says the template of the address and never the address itself, for links hold secrets; and
of whoever asked the id. Whatever else is logged loses the secrets of passes on its way.

    HEGEMON_LOG=json     for programs: every request, as an object on a line (where nothing is said)
    HEGEMON_LOG=short    for people: what changed something, or went wrong; `hegemon up` says so
    HEGEMON_LOG=quiet    only what went wrong here
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from flask import Flask, Response, g, has_request_context, request

from services.club import without_secrets
from services.settings import Settings

from .api.identity import SAFE, caller
from .metrics import route_of

OURS: Final = "services"  # the logger above all of ours
REQUEST_ID: Final = "X-Request-ID"
_LOG: Final = logging.getLogger(f"{OURS}.requests")
_GIVEN: Final = re.compile(r"[A-Za-z0-9-]{8,64}")
_VERSION: Final = re.compile(r'"(\d{1,9})-')
_MATCH: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


class Lines(logging.StreamHandler[Any]):
    """Writes to what is stderr at the time."""

    def __init__(self) -> None:
        super().__init__()
        self.addFilter(Hush())

    @property
    def stream(self) -> Any:
        """Where to."""
        return sys.stderr

    @stream.setter
    def stream(self, _: Any) -> None:
        """It is wherever stderr is."""


class Hush(logging.Filter):
    """Takes the secrets of passes out of what is logged; the address of a link is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, and its passes do not."""
        record.msg, record.args = without_secrets(record.getMessage()), ()
        if record.exc_info and record.exc_info[0] is not None:
            said = logging.Formatter().formatException(record.exc_info)
            record.exc_text = without_secrets(said)
        return True


class ForPrograms(logging.Formatter):
    """An object on a line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower()}
        about = getattr(record, "about", None)
        if about is None:
            line |= {"from": record.name, "said": record.getMessage(), "request": request_id()}
        else:
            line |= about
        if record.exc_text:
            line["traceback"] = record.exc_text
        return msgspec.json.encode({k: v for k, v in line.items() if v is not None}).decode()


class ForPeople(logging.Formatter):
    """A few words on a line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record."""
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        about = getattr(record, "about", None)
        if about is not None:
            said = " ".join(
                str(about[name])
                for name in ("method", "route", "match", "status", "code")
                if about.get(name) is not None
            )
            return f"{at} {said} ({about['ms']:g} ms)"
        text = f"{at} {record.levelname.lower()}: {record.getMessage()}"
        return f"{text}\n{record.exc_text}" if record.exc_text else text


def request_id() -> str | None:
    """The number of the request that is answered now, if there is one."""
    return g.get("request_id") if has_request_context() else None


def add_logs(app: Flask, settings: Settings) -> None:
    """Log each request, and number it."""
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
    """What is logged of a request: nothing that was sent, but for the id of a match."""
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
    ours = logging.getLogger(OURS)
    found = next((one for one in ours.handlers if isinstance(one, Lines)), None)
    if found is None:
        found = Lines()
        ours.addHandler(found)
    found.setFormatter(ForPrograms() if form == "json" else ForPeople())
    _LOG.setLevel(logging.INFO)
    for name in (app_logger, "gunicorn.error", "gunicorn.access"):
        logger = logging.getLogger(name)
        if not any(isinstance(one, Hush) for one in logger.filters):
            logger.addFilter(Hush())
