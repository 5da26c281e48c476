"""Errors: each as a clean page for people, or a problem for programs."""

from __future__ import annotations

from typing import Final

import msgspec
from flask import Flask, Response, current_app, render_template, request
from werkzeug.exceptions import HTTPException

from ledger.kernel.refusals import Refused
from ledger.log.books import Reused
from ledger.log.stores.protocol import Unavailable
from ledger.log.write.writer import Stale
from services.matches.cache import CannotRead

from .problems import Problem, of_exception, problem_response, unreadable_bodies
from .query import NotAnswered

PAGE_ERRORS: Final = (NotAnswered, CannotRead)
FOR_PROGRAMS: Final = ("/api/", "/live/")
WORDS: Final = {
    400: ("This address cannot be read", ""),
    403: ("You may not see this", ""),
    409: ("Not possible now", ""),
    413: ("Too much", "The request is too large."),
    429: ("Too fast", "Too many requests; wait a little."),
    404: ("There is nothing here", "There is nothing at this address."),
    405: ("You cannot do that here", "You can only read this address."),
    500: ("Something went wrong", "The fault is ours, not yours, and we logged it."),
    401: ("Sign in first", "This is for people of the club: open the link that you received."),
    410: ("This link was used", "The link was used, or has expired. Ask for another."),
    503: ("Not now", "The matches cannot be reached at the moment. Try again in a few seconds."),
}


def add_errors(app: Flask) -> None:
    kinds = (HTTPException, Problem, Refused, Reused, Stale, Unavailable, *unreadable_bodies())
    for kind in (*kinds, *PAGE_ERRORS):
        app.register_error_handler(kind, answer)


def answer(reason: Exception) -> Response:
    """Answers an error as a problem for programs, and as a page for people."""
    if isinstance(reason, HTTPException) and (reason.code or 500) < 400:
        return Response(reason.get_body(), reason.code, reason.get_headers())  # a redirect
    if isinstance(reason, Unavailable):
        current_app.logger.error("the store cannot be reached: %s", reason)
    if isinstance(reason, CannotRead):
        current_app.logger.error("match %s cannot be read", reason, exc_info=reason)
    if request.path.startswith(FOR_PROGRAMS):
        return problem_response(of_exception(reason))
    if isinstance(reason, NotAnswered):
        return problem(reason.status, reason.words)
    found = of_exception(reason)
    unknown = found.code == "not_signed_in"  # to people "show a token" says nothing
    usual = unknown or isinstance(reason, HTTPException | Unavailable)
    response = problem(found.status, "" if usual else found.detail)
    for name, value in found.headers.items():
        response.headers[name] = value
    return response


def problem(status: int, words: str = "") -> Response:
    """Answers an error as a page, or as JSON if JSON was requested."""
    heading, usual = WORDS.get(status, WORDS[400 if status < 500 else 500])
    words = words or usual
    if request.path.endswith(".json"):
        packed = msgspec.json.encode({"status": status, "error": heading, "words": words})
        response = Response(packed, status, mimetype="application/json")
    else:
        page = render_template("problem.html", status=status, heading=heading, words=words)
        response = Response(page, status, mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    return response
