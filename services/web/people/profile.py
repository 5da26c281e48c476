"""One's own page: name, devices, tokens, links and webhooks."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.club.people import LABEL_MAX, NAME_MAX, SCOPES, Pass
from ledger.log.stores.protocol import Unavailable
from services.matches.club import parts_of
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.identity import browsing, club, require_caller
from services.web.webhooks.api import plain_webhook, registry

from .api import NamedShape, NewTokenShape, link_of, token_of

PROFILE: Final = Blueprint("profile_pages", __name__)
TOKEN_DAYS: Final = (30, 90, 365, 3650)
SCOPE_WORDS: Final = {
    "read": "read: view what you may view",
    "play": "play: sit down, decide and talk in your name",
    "organize": "organize: run the club and its tournaments",
}


# --- coming in ------------------------------------------------------------------------------------


@PROFILE.get("/sign-in")
@allowed("anyone")
def sign_in() -> Response:
    return page_response(render_template("sign_in.html", form=TypedForm()))


@PROFILE.post("/sign-in")
@allowed("anyone")
def by_link() -> AnyResponse:
    """Leads a pasted link to its page, where a button uses it."""
    form = TypedForm.sent()
    words = urlsplit(form.text("link")).path.rstrip("/").rpartition("/")[2]
    if parts_of(words) is None:
        form.blame("link", "This is not one of our links, or part of it is missing.")
        return page_response(render_template("sign_in.html", form=form), form.status)
    return redirect(url_for("door.look", words=words), 303)


# --- oneself --------------------------------------------------------------------------------------


@PROFILE.get("/you")
@allowed("person")
def you() -> Response:
    return _page(TypedForm())


def _page(form: TypedForm) -> Response:
    me, now = require_caller(), club().clock()
    people = club().people()
    found = browsing()
    page = render_template(
        "profile.html",
        form=form,
        person=me.person,
        name_max=NAME_MAX,
        here_by="" if found is None else found.pass_id,
        sessions=list(reversed(people.open_passes(me.person.id, "session", now))),
        tokens=_tokens(),
        webhooks=_webhooks(me.person.id),
    )
    return page_response(page, form.status)


def _tokens() -> list[Pass]:
    me = require_caller().person.id
    return list(reversed(club().people().open_passes(me, "token", club().clock())))


def _webhooks(person: str) -> list[dict[str, Any]]:
    try:
        return [plain_webhook(one) for one in registry().read().of(person)]
    except (Unavailable, OSError):  # the key that their secrets are kept by cannot be read
        return []


@PROFILE.post("/you/name")
@allowed("person", scope="play")
def rename() -> Response:
    form, me = TypedForm.sent(), require_caller().person.id
    body = {"name": form.text("name")}
    found = form.apply(NamedShape, body, lambda asked: club().change(me, me, **asked))
    if found is None:
        form.blame("name", form.trouble)
        return _page(form)
    return led_on(url_for("profile_pages.you"), f"Your name is now {found.name}.")


@PROFILE.post("/you/link")
@allowed("person", scope="organize")
def link() -> Response:
    """Makes a link that signs in another of one's devices once."""
    form, me = TypedForm(), require_caller().person.id
    shown = form.tries(lambda: club().make("link", me, person=me))
    if shown is None:
        return _page(form)
    said = "Open this link on your other device within half an hour. It works once."
    return led_on(url_for("profile_pages.you"), said, [("Link", link_of(shown))])


@PROFILE.post("/you/passes/<string:pass_id>/end")
@allowed("person", scope="play")
def end_pass(pass_id: str) -> Response:
    """Revokes one's own token, session or link."""
    form, me = TypedForm.sent(), require_caller()
    form.tries(lambda: club().take_back(pass_id, me.person.id))
    if form.trouble:
        return _page(form)
    there = "tokens" if form.text("kind") == "token" else "you"
    what = "The token is revoked." if there == "tokens" else "That device is signed out."
    return led_on(url_for(f"profile_pages.{there}"), what)


# --- tokens ---------------------------------------------------------------------------------------


@PROFILE.get("/you/tokens")
@allowed("person")
def tokens() -> Response:
    """Shows one's tokens and the form for another."""
    form = TypedForm({"days": "365"})
    form.said.setlist("scopes", ["read"])
    return _tokens_page(form)


def _tokens_page(form: TypedForm) -> Response:
    organizer = require_caller().person.organizer
    scopes = {one: SCOPE_WORDS[one] for one in SCOPES if organizer or one != "organize"}
    days = [
        (str(one), f"{one} days" if one < 365 else f"{one // 365} year{'s' * (one > 365)}")
        for one in TOKEN_DAYS
    ]
    page = render_template(
        "tokens.html", form=form, tokens=_tokens(), scopes=scopes, days=days, label_max=LABEL_MAX
    )
    return page_response(page, form.status)


@PROFILE.post("/you/tokens")
@allowed("person", scope="organize")
def make_token() -> Response:
    """Makes a token and shows its words once."""
    form = TypedForm.sent()
    body = {
        "label": form.text("label"),
        "scopes": form.many("scopes"),
        "days": form.number("days", 365),
    }
    shown = form.apply(NewTokenShape, body, token_of)
    if shown is None:
        return _tokens_page(form)
    said = (
        "Copy the token now: it is not shown again. Programs send it in the Authorization header."
    )
    return led_on(url_for("profile_pages.tokens"), said, [(shown.made.label, shown.words)])
