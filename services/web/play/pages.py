"""The table where a match is played live. All changes come from the API.

Without script it shows the seats and the state and links to the replay, which needs none.
"""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, g, render_template, request

from ledger.games import ruleset
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.identity import caller
from services.web.app.parts import match_cache
from services.web.matches.answers import plain_match
from services.web.matches.view import Look, look_here

TABLE_PAGES: Final = Blueprint("table_pages", __name__)


@TABLE_PAGES.get("/matches/<string:match>/table")
@allowed("anyone")
def table(match: str) -> Response:
    """Shows a table to its players and spectators."""
    who = caller()
    with match_cache().opened(match) as opened:
        look = look_here(opened, request.args.get("as") or None)
        said = plain_match(opened, look)
        is_host = who is not None and (opened.table.host == who.person.id or who.person.organizer)
        ordered = look.viewer in opened.table.orders
    rules = ruleset(said["ruleset"])
    page = render_template(
        "table.html",
        match=said,
        game=rules.title,
        rules=rules.shown.primer,
        eyes=_me(look, is_host=is_host, ordered=ordered),
    )
    response = page_response(page)
    response.headers["Vary"] = "Cookie"
    return response


def _me(look: Look, *, is_host: bool, ordered: bool) -> dict[str, Any]:
    """Returns the visitor's data that the page's script needs."""
    who = caller()
    return {
        "as": look.word,
        "id": "" if who is None else who.person.id,
        "name": "" if who is None else who.person.name,
        "host": is_host,
        "ordered": ordered,
        "csrf": g.get("csrf", ""),
    }
