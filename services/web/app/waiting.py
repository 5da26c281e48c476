"""Slow results: made by a worker if there is one, and limited per person.

    count_making ─▶ ask the queue ─▶ wait half a second ─▶ 200 with an ETag, or 202
                  └▶ without a queue: made in this process

Each result that does not exist yet counts against the caller's rate limit. The number of jobs a
caller may have at once is limited too (`ROOM_EACH`), so that nobody fills the queue.
"""

from __future__ import annotations

import gzip
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Generic, Literal, NamedTuple, TypeVar, cast
from urllib.parse import quote

from flask import Response, current_app, make_response, render_template, request

from services.jobs.queue import AGAIN_SECONDS, OUTAGES, Full, FullForOne, JobQueue, JobState, id_of
from services.jobs.results import Wanted
from services.web.app.parts import match_cache

from .identity import caller
from .problems import Problem
from .shapes import Shape

T = TypeVar("T")

AWAITED_SECONDS: Final = 0.5  # what is short is ready by then
LOOK_SECONDS: Final = 0.02
RETRY_SECONDS: Final = 5
LOOKS_AGAIN_SECONDS: Final = 2  # so often a page that waits looks again
KEPT_MAX: Final = 16
JSON: Final = "application/json"


class MakingShape(Shape):
    """The replay is being made: ask again in a moment."""

    job: str
    state: Literal["queued", "running"]
    done: int
    of: Annotated[int, "0 where that is not known yet"]


class Got(NamedTuple):
    """A gzipped result, or the state of its job."""

    found: bytes | None
    state: JobState | None


class Recent(Generic[T]):
    """A cache of recent results: they are often requested in a row, or by several people."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, T] = OrderedDict()

    def get(self, name: str) -> T | None:
        """Returns a recent result. The name covers everything it depends on."""
        with self._lock:
            return self._kept.get(name)

    def keep(self, name: str, got: T) -> T:
        with self._lock:
            self._kept[name] = got
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return got


_MADE: Final = Recent[Got](KEPT_MAX)


# --- having it made -------------------------------------------------------------------------------


def get_result(wanted: Wanted) -> Got:
    """Returns a result, or the state of its job. Without a queue it is made in this process."""
    queue = queue_here()
    if queue is None:
        return _MADE.get(wanted.name) or _MADE.keep(wanted.name, make_here(wanted))
    return ask_queue(lambda: await_result(queue, wanted))


def make_here(wanted: Wanted) -> Got:
    """Makes a result in this process."""
    count_making()
    store = match_cache().store
    return Got(gzip.compress(wanted.make(store), 1, mtime=0), None)


def await_result(queue: JobQueue, wanted: Wanted) -> Got:
    """Returns a finished result; else queues its job and waits a moment for it."""
    name, seconds = wanted.name, wanted.seconds
    found = queue.results.packed(name, seconds)
    if found is not None:
        return Got(found, None)
    state = ask(queue, wanted)
    until = time.monotonic() + AWAITED_SECONDS
    while time.monotonic() < until:
        found = queue.results.packed(name, seconds)
        if found is not None:
            return Got(found, None)
        state = queue.state(id_of(name)) or state
        if state.state == "failed":
            break
        time.sleep(LOOK_SECONDS)
    return Got(None, state)


def ask(queue: JobQueue, wanted: Wanted) -> JobState:
    """Queues a job if it is new. Asking for the state of a job is free."""
    job = id_of(wanted.name)
    if queue.state(job) is None:
        count_making()
    return queue.ask(wanted.kind, job, wanted.arguments, _asker())


def count_making() -> None:
    """Counts a result to be made. Refuses a caller above the limit per minute."""
    counted = current_app.extensions.get("making")  # there is none where nothing is limited
    if counted is not None:
        counted()


def queue_here() -> JobQueue | None:
    """Returns the job queue, or None if this process has to do the work."""
    return cast("JobQueue | None", current_app.extensions["queue"]())


def ask_queue(get: Callable[[], T]) -> T:
    """Runs a queue operation and turns a full or absent queue into a problem."""
    try:
        return get()
    except FullForOne:
        detail = "The service is busy with your other requests. Try again when some are done."
        raise Problem(429, detail=detail, headers={"Retry-After": str(RETRY_SECONDS)}) from None
    except Full:
        detail = "The service is too busy. Try again in a few seconds."
        raise Problem(503, "queue_full", detail, {"Retry-After": str(RETRY_SECONDS)}) from None
    except OUTAGES:
        raise Problem(503, headers={"Retry-After": str(RETRY_SECONDS)}) from None


def _asker() -> str:
    """Returns the caller's key for limits: person or address; "" if nothing is limited."""
    if current_app.extensions.get("making") is None:
        return ""
    from services.web.app.limits import address_of_caller

    who = caller()
    return address_of_caller() if who is None else f"person:{who.person.id}"


# --- answers --------------------------------------------------------------------------------------


def answer(wanted: Wanted, content_type: str = JSON, file: str = "") -> Response:
    """Returns a result, 304 if the client has it, or 202 while it is being made.

    A visitor who followed a link to a file gets a page that waits for it, with the title `file`.
    """
    return not_modified(wanted) or respond(wanted, get_result(wanted), content_type, file)


def not_modified(wanted: Wanted) -> Response | None:
    """Returns 304 if the client has the result."""
    if request.if_none_match.contains_weak(wanted.tag):
        return _set_etag(Response(status=304), wanted.tag)
    return None


def respond(wanted: Wanted, got: Got, content_type: str = JSON, file: str = "") -> Response:
    if got.found is not None:
        return send_result(got.found, wanted.tag, content_type)
    state = check_not_failed(got.state)
    if file and is_followed():
        return waiting_page(file, state, file=True)
    return being_made({"job": state.job, "state": state.state, "done": state.done, "of": state.of})


def send_result(found: bytes, tag: str, content_type: str = JSON) -> Response:
    """Sends a stored result, unpacked if the client does not accept gzip."""
    packed = request.accept_encodings["gzip"] > 0
    response = Response(found if packed else gzip.decompress(found), content_type=content_type)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return _set_etag(response, tag)


def _set_etag(response: Response, tag: str) -> Response:
    """Sets the ETag. It is weak, because both encodings share it."""
    response.set_etag(tag, weak=True)
    response.headers["Vary"] = "Authorization, Cookie, Accept-Encoding"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def check_not_failed(state: JobState | None) -> JobState:
    """Refuses a job that has failed."""
    assert state is not None, "a job that was asked for has a state"
    if state.state == "failed":
        what = state.name.replace("_", " ") or "result"
        detail = f"The service could not make this {what}. The fault is ours, and we logged it."
        raise Problem(503, "job_failed", detail, {"Retry-After": str(AGAIN_SECONDS)})
    return state


def being_made(said: Mapping[str, Any]) -> Response:
    """Returns the 202 answer of a job: ask again in a moment."""
    response = cast("Response", current_app.json.response(dict(said)))
    response.status_code = 202
    response.headers["Retry-After"] = "1"
    response.headers["Cache-Control"] = "no-store"
    return response


def is_followed() -> bool:
    """Tells whether the request follows a link in a browser; programs do not ask for HTML."""
    return "text/html" in request.accept_mimetypes.values()


def waiting_page(title: str, state: JobState | None, *, file: bool = False) -> Response:
    """Returns the page that waits for a job. It reloads by itself."""
    page = render_template("waits.html", title=title, state=check_not_failed(state), file=file)
    response = make_response(page, 202)
    # Without an address, a browser that came to a place in the page goes there and asks nobody.
    asked = request.query_string.decode("latin-1")
    here = quote(request.path) + (f"?{asked}" if asked else "")
    response.headers["Refresh"] = f"{LOOKS_AGAIN_SECONDS}; url={here}"
    response.headers["Cache-Control"] = "no-store"
    return response
