"""Safety: the headers of every response, and every error as a clean page or a problem."""

from __future__ import annotations

from typing import Final

import msgspec
from flask import Flask, Response, current_app, render_template, request
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException

from ledger.kernel.refusals import Refused
from ledger.log.books import Reused
from ledger.log.stores.protocol import Unavailable
from ledger.log.write.journal import Stale
from services.matches.tables import CannotRead
from services.web.matches.archive import NoSuchMatch, Unreadable

from .problems import Problem, of_exception, problem_response
from .query import NotAnswered

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
PAGE_ERRORS: Final = (NotAnswered, NoSuchMatch, Unreadable, CannotRead)
FOR_PROGRAMS: Final = ("/api/", "/live/")
WORDS: Final = {
    400: ("This address cannot be read", ""),
    403: ("Not for everybody's eyes", ""),
    409: ("Not as things stand", ""),
    413: ("That is too much", "What was sent is too large."),
    429: ("Too fast", "Too many requests; wait a little."),
    404: ("There is nothing here", "Nothing is known under this address."),
    405: ("That cannot be done here", "This address is only for reading."),
    500: ("Something went wrong", "The fault is ours, not yours, and was noted."),
    401: ("Sign in first", "This is for people of the club: open the link that you were given."),
    410: ("This link is used up", "It opened once, or has expired. Ask for another."),
    503: ("Not now", "The matches cannot be reached at the moment. Try again in a few seconds."),
}


def make_safe(app: Flask) -> None:
    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint == "static" and response.status_code == 200:
            kept = "public, max-age=31536000, immutable" if request.args.get("v") else "no-cache"
            response.headers["Cache-Control"] = kept
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    kinds = (HTTPException, Problem, Refused, Reused, Stale, Unavailable, ParseException)
    for kind in (*kinds, *PAGE_ERRORS):
        app.register_error_handler(kind, answer)


def answer(reason: Exception) -> Response:
    """Answers an error as a problem for programs, and as a page for people."""
    if isinstance(reason, HTTPException) and (reason.code or 500) < 400:
        return Response(reason.get_body(), reason.code, reason.get_headers())  # a redirect
    if isinstance(reason, Unavailable):
        current_app.logger.error("the store cannot be reached: %s", reason)
    if isinstance(reason, Unreadable | CannotRead):
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
