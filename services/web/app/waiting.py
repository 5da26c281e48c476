"""What takes seconds to make: by a worker where there is one, and so much for one person.

Each time that something is not there yet it is counted for who asks. Besides, nobody waits for more
than some jobs at once (`ROOM_EACH`): who asks for much does not take all places of the queue.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast
from urllib.parse import quote

from flask import Response, current_app, make_response, render_template, request

from services.jobs.queue import OUTAGES, Desk, Full, FullForOne, State, id_of
from services.jobs.results import DAY

from .identity import caller
from .problems import Problem

T = TypeVar("T")

AWAITED_SECONDS: Final = 0.5  # what is short is ready by then
LOOK_SECONDS: Final = 0.02
RETRY_SECONDS: Final = 5
LOOKS_AGAIN_SECONDS: Final = 2  # so often a page that waits looks again


def count_making() -> None:
    """Count that something is made; refuses who has had too much made within a minute."""
    counted = current_app.extensions.get("making")  # there is none where nothing is limited
    if counted is not None:
        counted()


def desk_here() -> Desk | None:
    """Where jobs are asked for; None where whoever asks has to do them."""
    return cast("Desk | None", current_app.extensions["desk"]())


def ask(desk: Desk, kind: str, name: str, arguments: Mapping[str, Any]) -> State:
    """Have a result made; who asks how far it is has nothing more made."""
    job = id_of(name)
    if desk.state(job) is None:
        count_making()
    return desk.ask(kind, job, arguments, _asker())


def awaited(
    desk: Desk, kind: str, name: str, arguments: Mapping[str, Any], seconds: int = DAY
) -> tuple[bytes | None, State | None]:
    """A result as it lies there; else it is asked for, and waited for a moment."""
    found = desk.shelf.packed(name, seconds)
    if found is not None:
        return found, None
    state: State | None = ask(desk, kind, name, arguments)
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
    """What comes of asking at the desk; where it takes nothing, that is said."""
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
    """That it is being made: ask again in a moment."""
    response = cast("Response", current_app.json.response(dict(said)))
    response.status_code = 202
    response.headers["Retry-After"] = "1"
    response.headers["Cache-Control"] = "no-store"
    return response


def _asker() -> str:
    """Who waits: a person, by whichever token, or an address; nobody where nothing is limited."""
    if current_app.extensions.get("making") is None:
        return ""
    from services.web.app.limits import address_of_caller

    who = caller()
    return address_of_caller() if who is None else f"person:{who.person.id}"


def is_followed() -> bool:
    """Whether somebody followed a link in a browser: a program does not ask for a page by name."""
    return "text/html" in request.accept_mimetypes.values()


def waiting_page(title: str, state: State, *, file: bool = False) -> Response:
    """That it is being made, for a person; the page looks again by itself."""
    page = render_template("waits.html", title=title, state=state, file=file)
    response = make_response(page, 202)
    # Without an address, a browser that came to a place in the page goes there and asks nobody.
    asked = request.query_string.decode("latin-1")
    here = quote(request.path) + (f"?{asked}" if asked else "")
    response.headers["Refresh"] = f"{LOOKS_AGAIN_SECONDS}; url={here}"
    response.headers["Cache-Control"] = "no-store"
    return response
