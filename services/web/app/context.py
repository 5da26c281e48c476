"""Common to all pages: the visitor, the forms' CSRF token, and the formats of values."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Flask, Response, current_app, g, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from ledger.log.format.published import edition_name_of
from services.web.replays.frames import time_words

from .flash import read_note
from .identity import browsing


def add_everywhere(app: Flask) -> None:
    """Gives all templates their common values and filters."""

    @app.context_processor
    def everywhere() -> dict[str, Any]:
        me = browsing()
        return {
            "me": None if me is None else me.person,
            "csrf": g.get("csrf", ""),
            "here": request.path,
            "note": read_note,
            # Without an endpoint the caller was not identified, so "Sign in" might be wrong.
            "asked_who": request.endpoint is not None,
        }

    @app.template_global()
    def leads(address: str) -> bool:
        try:
            current_app.url_map.bind("").match(address)
        except HTTPException:
            return False
        return True

    app.add_template_filter(edition_name_of, "edition_name")
    app.add_template_filter(when)
    app.add_template_filter(lasting)
    app.add_template_filter(plural)


def page_response(body: str, status: int = 200) -> Response:
    """Returns a page that browsers do not keep: it depends on the visitor and the time."""
    response = Response(body, status, mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    return response


def when(milliseconds: int) -> Markup:
    """Formats a time. The page's script converts it to the visitor's time zone."""
    words = time_words(milliseconds)
    if not words:
        return Markup()
    stamp = datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}">{}</time>').format(stamp, words)


def lasting(seconds: int) -> str:
    """Formats a span of time with its two largest units."""
    parts = []
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(plural(count, unit))
    return " ".join(parts[:2]) or "no time"


def plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
