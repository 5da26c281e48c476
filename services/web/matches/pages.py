"""The page of one match: its seats, its state, and the visitor's possible actions.

It calls the same functions as the API. A refused action shows the same page with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, render_template, url_for

from ledger.kernel.bots import BOTS
from services.matches.cache import OpenMatch
from services.matches.seats import begin, put_bot
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.identity import club, require_caller
from services.web.people.api import link_of
from services.web.replays.pages import PAGES
from services.web.seats.api import resign

from .api import act_on, close, sit_at, submitter
from .facts import match_facts_of
from .schemas import BotShape, ReasonShape
from .view import try_here


@PAGES.get("/matches/<match>")
@allowed("anyone")
def match_page(match: str) -> Response:
    return _page(match, TypedForm())


def _page(match: str, form: TypedForm) -> Response:
    shown = match_facts_of(match)
    page = render_template("match.html", match=shown, form=form, bots=sorted(BOTS))
    return page_response(page, form.status)


def _try_act(
    match: str,
    act: Callable[[OpenMatch], Any],
    said: str,
    form: TypedForm | None = None,
) -> Response:
    """Acts on a match and leads to its page. If that is refused, shows the reason."""
    form = TypedForm.sent() if form is None else form
    try_here(match, form, act)
    if form.trouble:
        return _page(match, form)
    return led_on(url_for("pages.match_page", match=match), said)


# --- seats ----------------------------------------------------------------------------------------


@PAGES.post("/matches/<match>/seats/<int:seat>/sit")
@allowed("person", scope="play")
def sit(match: str, seat: int) -> Response:
    return _try_act(match, lambda opened: sit_at(opened, seat), f"You sit at seat {seat}.")


@PAGES.post("/matches/<match>/seats/<int:seat>/leave")
@allowed("seat", scope="play")
def get_up(match: str, seat: int) -> Response:
    """Frees the seat before the start; after it a bot plays on."""
    form = TypedForm.sent()
    reason = form.text("reason") or "resigned"
    said = f"You have left seat {seat}."
    return _try_act(match, lambda opened: resign(opened, seat, reason), said, form)


@PAGES.post("/matches/<match>/seats/<int:seat>/bot")
@allowed("host", scope="play")
def seat_bot(match: str, seat: int) -> Response:
    form = TypedForm.sent()
    asked = form.read(BotShape, {"bot": form.text("bot")})
    if asked is None:
        return _page(match, form)

    def act(opened: OpenMatch) -> None:
        opened.check_seat(seat)
        put_bot(opened, seat, asked["bot"], submitter())

    return _try_act(match, act, f"A {asked['bot']} bot plays for seat {seat}.", form)


@PAGES.post("/matches/<match>/seats/<int:seat>/invite")
@allowed("host", scope="play")
def invite(match: str, seat: int) -> Response:
    """Makes a link to a seat, which is shown once."""
    form = TypedForm()
    try_here(match, form, lambda opened: opened.check_seat(seat))
    me = require_caller().person.id
    shown = form.tries(lambda: club().make("invitation", me, match=match, seat=seat))
    if form.trouble:
        return _page(match, form)
    return led_on(
        url_for("pages.match_page", match=match),
        f"Invitation to seat {seat}: send this link to one person. It works once, within two"
        " weeks, and is not shown again.",
        [(f"Seat {seat}", link_of(shown))],
    )


# --- the host -------------------------------------------------------------------------------------


@PAGES.post("/matches/<match>/start")
@allowed("host", scope="play")
def start(match: str) -> Response:
    """Starts the match if every seat is taken."""
    return _try_act(match, lambda opened: begin(opened, submitter()), "The match has started.")


def _with_reason(match: str, name: str, said: str) -> Response:
    form = TypedForm.sent()
    asked = form.read(ReasonShape, {"reason": form.text("reason")})
    if asked is None:
        form.trouble = "Give a reason. The log records it, and everybody at the table can read it."
        return _page(match, form)
    return _try_act(match, lambda opened: act_on(opened, name, asked["reason"]), said, form)


@PAGES.post("/matches/<match>/pause")
@allowed("host", scope="play")
def pause(match: str) -> Response:
    """Stops the clocks. Decisions wait."""
    return _with_reason(match, "pause", "The match is paused: clocks stop, decisions wait.")


@PAGES.post("/matches/<match>/resume")
@allowed("host", scope="play")
def resume(match: str) -> Response:
    return _with_reason(match, "resume", "The match continues.")


@PAGES.post("/matches/<match>/abandon")
@allowed("host", scope="play")
def abandon(match: str) -> Response:
    return _with_reason(match, "abandon", "The match was abandoned.")


@PAGES.post("/matches/<match>/close")
@allowed("host", scope="play")
def approve(match: str) -> Response:
    """Approves the result and discloses what the policy says."""
    return _try_act(match, close, "The result is approved and the match is closed.")
