"""Safety: the headers of every response, and every error as a clean page or a JSON object."""

from __future__ import annotations

from typing import Final

import msgspec
from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from ledger.log.store import Unavailable

from .archive import NoSuchMatch, Unreadable
from .asking import NotAnswered

POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
RETRY_SECONDS: Final = 5
WORDS: Final = {
    400: ("This address cannot be read", ""),
    403: ("Not for everybody's eyes", ""),
    404: ("There is nothing here", "Nothing is known under this address."),
    405: ("That cannot be done here", "This address is only for reading."),
    500: ("Something went wrong", "The fault is ours, not yours, and was noted."),
    503: ("Not now", "The matches cannot be reached at the moment. Try again in a few seconds."),
}


def make_safe(app: Flask) -> None:
    """Put headers on every response and a page on every error."""

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint == "static" and response.status_code == 200:
            kept = "public, max-age=31536000, immutable" if request.args.get("v") else "no-cache"
            response.headers["Cache-Control"] = kept
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(NotAnswered)
    def not_answered(reason: NotAnswered) -> Response:
        return problem(reason.status, reason.words)

    @app.errorhandler(NoSuchMatch)
    def no_such_match(_: NoSuchMatch) -> Response:
        return problem(404, "There is no match of this id.")

    @app.errorhandler(Unreadable)
    def unreadable(reason: Unreadable) -> Response:
        app.logger.error("match %s cannot be read", reason, exc_info=reason)
        return problem(500, "This match is here, but its log cannot be read by these rules.")

    @app.errorhandler(Unavailable)
    def unavailable(reason: Unavailable) -> Response:
        app.logger.error("the store cannot be reached: %s", reason)
        response = problem(503)
        response.headers["Retry-After"] = str(RETRY_SECONDS)
        return response

    @app.errorhandler(HTTPException)
    def refused(reason: HTTPException) -> Response:
        status = reason.code or 500
        if status < 400:  # a redirect that the router asks for
            return Response(reason.get_body(), status, reason.get_headers())
        response = problem(status)
        for name, value in reason.get_headers():
            if name.lower() in ("allow", "retry-after"):
                response.headers[name] = value
        return response


def problem(status: int, words: str = "") -> Response:
    """An error as a page, or as JSON where JSON was asked for."""
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
