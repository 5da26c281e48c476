"""Slow results: made by a worker if there is one, and limited per person.

Each result that does not exist yet counts against the caller's rate limit. The number of jobs a
caller may have at once is limited too (`ROOM_EACH`), so that nobody fills the queue.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast
from urllib.parse import quote

from flask import Response, current_app, make_response, render_template, request

from services.jobs.queue import OUTAGES, Full, FullForOne, JobQueue, JobState, id_of
from services.jobs.results import DAY

from .identity import caller
from .problems import Problem

T = TypeVar("T")

AWAITED_SECONDS: Final = 0.5  # what is short is ready by then
LOOK_SECONDS: Final = 0.02
RETRY_SECONDS: Final = 5
LOOKS_AGAIN_SECONDS: Final = 2  # so often a page that waits looks again


def count_making() -> None:
    """Counts a result to be made. Refuses a caller above the limit per minute."""
    counted = current_app.extensions.get("making")  # there is none where nothing is limited
    if counted is not None:
        counted()


def desk_here() -> JobQueue | None:
    """Returns the job queue, or None if this process has to do the work."""
    return cast("JobQueue | None", current_app.extensions["desk"]())


def ask(desk: JobQueue, kind: str, name: str, arguments: Mapping[str, Any]) -> JobState:
    """Queues a job if it is new. Asking for the state of a job is free."""
    job = id_of(name)
    if desk.state(job) is None:
        count_making()
    return desk.ask(kind, job, arguments, _asker())


def awaited(
    desk: JobQueue, kind: str, name: str, arguments: Mapping[str, Any], seconds: int = DAY
) -> tuple[bytes | None, JobState | None]:
    """Returns a finished result; else queues the job and waits a moment for it."""
    found = desk.shelf.packed(name, seconds)
    if found is not None:
        return found, None
    state: JobState | None = ask(desk, kind, name, arguments)
    until = time.monotonic() + AWAITED_SECONDS
    while time.monotonic() < until:
        found = desk.shelf.packed(name, seconds)
        if found is not None:
            return found, None
        state = desk.state(id_of(name)) or state
        if state is not None and state.state == "failed":
            break
        time.sleep(LOOK_SECONDS)
    return None, state


def at_desk(get: Callable[[], T]) -> T:
    """Runs a queue operation and turns a full or absent queue into a problem."""
    try:
        return get()
    except FullForOne:
        detail = "So much is being made for you already. Try again when some of it is there."
        raise Problem(429, detail=detail, headers={"Retry-After": str(RETRY_SECONDS)}) from None
    except Full:
        detail = "Too much is being made. Try again in a few seconds."
        raise Problem(503, "queue_full", detail, {"Retry-After": str(RETRY_SECONDS)}) from None
    except OUTAGES:
        raise Problem(503, headers={"Retry-After": str(RETRY_SECONDS)}) from None


def being_made(said: Mapping[str, Any]) -> Response:
    """Returns the 202 answer of a job: ask again in a moment."""
    response = cast("Response", current_app.json.response(dict(said)))
    response.status_code = 202
    response.headers["Retry-After"] = "1"
    response.headers["Cache-Control"] = "no-store"
    return response


def _asker() -> str:
    """Returns the caller's key for limits: person or address; "" if nothing is limited."""
    if current_app.extensions.get("making") is None:
        return ""
    from services.web.app.limits import address_of_caller

    who = caller()
    return address_of_caller() if who is None else f"person:{who.person.id}"


def is_followed() -> bool:
    """Tells whether the request follows a link in a browser; programs do not ask for HTML."""
    return "text/html" in request.accept_mimetypes.values()


def waiting_page(title: str, state: JobState, *, file: bool = False) -> Response:
    """Returns the page that waits for a job. It reloads by itself."""
    page = render_template("waits.html", title=title, state=state, file=file)
    response = make_response(page, 202)
    # Without an address, a browser that came to a place in the page goes there and asks nobody.
    asked = request.query_string.decode("latin-1")
    here = quote(request.path) + (f"?{asked}" if asked else "")
    response.headers["Refresh"] = f"{LOOKS_AGAIN_SECONDS}; url={here}"
    response.headers["Cache-Control"] = "no-store"
    return response
