"""Pages of rulings over all matches, and of a match's operations ledger."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, render_template, request

from ledger.games import rulesets
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.identity import browsing, club, require_caller
from services.web.app.parts import match_cache
from services.web.matches.operations import operations_for

from .rulings import plain_precedent, precedents, waiting
from .schemas import FINDINGS

RULING_PAGES: Final = Blueprint("ruling_pages", __name__)
SHOWN: Final = 100
WORD_MAX: Final = 64


@RULING_PAGES.get("/rulings")
@allowed("anyone")
def rulings() -> Response:
    """Shows earlier rulings by the rules they cite; for organizers also open disputes."""
    who = browsing()
    asked = {name: request.args.get(name, "")[:WORD_MAX] for name in ("rule", "game", "finding")}
    found = precedents(who, asked["rule"], asked["game"], asked["finding"])
    page = render_template(
        "rulings.html",
        rulings=[plain_precedent(one, who) for one in found[:SHOWN]],
        count=len(found),
        waiting=waiting() if who is not None and who.organizer else [],
        asked=asked,
        games=[(one.name, one.title) for one in rulesets().values()],
        findings=FINDINGS,
        people=_people() if who else {},
    )
    return page_response(page)


@RULING_PAGES.get("/matches/<string:match>/operations")
@allowed("seat")
def operations(match: str) -> Response:
    """Shows a match's operations ledger to those who have a part in it."""
    with match_cache().opened(match) as opened:
        found = operations_for(opened, require_caller())
        title = opened.history.created.title or f"Match {match}"
    page = render_template(
        "operations.html", match=match, title=title, operations=found, people=_people()
    )
    return page_response(page)


def _people() -> dict[str, str]:
    return {one.id: one.name for one in club().people().people.values()}
