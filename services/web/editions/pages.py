"""The edition of a match: the one in force, and another by ruling or by consent of all.

They call the same functions as the API.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, render_template, url_for

from ledger.club.undo import EditionAsked
from services.matches.cache import OpenMatch
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.identity import browsing, require_caller
from services.web.app.parts import match_cache
from services.web.app.shapes import Shape
from services.web.matches.answers import plain_match
from services.web.matches.view import look_here, runs, try_here
from services.web.seats.api import record_answer, requests_known, withdraw
from services.web.seats.schemas import UndoAnswerShape

from .api import ask_edition, plain_edition, rule_edition
from .schemas import AskedEditionShape, NewEditionShape

EDITION_PAGES: Final = Blueprint("edition_pages", __name__)
TEXT: Final = "erratum"  # the field, of which the API takes several
CALLED: Final = {"errata": TEXT, "errata.0": TEXT}


@EDITION_PAGES.get("/matches/<string:match>/edition")
@allowed("anyone")
def of_match(match: str) -> Response:
    """Shows the edition in force in a match and the forms that change it."""
    return _page(match, TypedForm())


@EDITION_PAGES.post("/matches/<string:match>/edition")
@allowed("host", scope="play")  # with no part in the match
def rule(match: str) -> Response:
    """Rules that another edition holds from here on."""
    form = TypedForm.sent(long=TEXT)
    said = "The edition applies from here on. The log records it with your reason."
    return _try_act(match, form, NewEditionShape, rule_edition, said, errata=_errata_in(form))


@EDITION_PAGES.post("/matches/<string:match>/edition/requests")
@allowed("seat", scope="play")
def ask(match: str) -> Response:
    """Asks all other seats to go on under another edition."""
    form = TypedForm.sent(long=TEXT)
    said = "The other players are asked. It applies as soon as all have agreed."
    return _try_act(match, form, AskedEditionShape, ask_edition, said, errata=_errata_in(form))


@EDITION_PAGES.post("/matches/<string:match>/edition/requests/<int:number>")
@allowed("seat", scope="play")
def answer(match: str, number: int) -> Response:
    """Agrees to another edition, declines it, or withdraws one's own request."""
    form, me = TypedForm.sent(), require_caller().person.id
    if form.text("do") == "withdraw":
        try_here(match, form, lambda opened: withdraw(opened, number, EditionAsked, me))
        return _done(match, form, "The request is withdrawn.")
    agrees = form.text("do") == "agree"

    def act(opened: OpenMatch, asked: dict[str, Any]) -> None:
        record_answer(opened, number, EditionAsked, asked, me)

    said = "You have agreed." if agrees else "You have declined. Nothing changes."
    return _try_act(match, form, UndoAnswerShape, act, said, agrees=agrees)


def _errata_in(form: TypedForm) -> list[str]:
    return [form.text(TEXT)] if form.text(TEXT) else []


def _try_act(
    match: str,
    form: TypedForm,
    shape: type[Shape],
    act: Callable[[OpenMatch, dict[str, Any]], Any],
    said: str,
    **more: object,
) -> Response:
    body = form.body(shape, "seat", "edition", "reason") | more
    try_here(match, form, lambda opened: form.apply(shape, body, partial(act, opened), CALLED))
    return _done(match, form, said)


def _done(match: str, form: TypedForm, said: str) -> Response:
    if form.trouble:
        return _page(match, form)
    return led_on(url_for("edition_pages.of_match", match=match), said)


def _page(match: str, form: TypedForm) -> Response:
    who = browsing()
    with match_cache().opened(match) as opened:
        look, history = look_here(opened, None), opened.history
        plain = plain_match(opened, look)
        own = [] if who is None else opened.table.seats_of(who.person.id)
        requests = requests_known(opened, look, EditionAsked)
        goes_on = opened.writable and plain["state"] in ("running", "paused")
        shown = {
            "title": plain["title"],
            "edition": plain["edition"],
            "errata": history.terms(plain["edition"]).errata,
            "names": [one["name"] for one in plain["seats"]],
            "own": own,
            "rules": goes_on and runs(opened.table, who) and not own,
            "asks": goes_on and bool(own),
            "requests": [plain_edition(opened, one) for one in requests][::-1],
            "editions": [("", "no change"), *((one, one) for one in history.rules.editions)],
        }
    page = render_template("edition.html", match=match, form=form, **shown)
    return page_response(page, form.status)
