"""Links that work once, and signing out.

Opening a link changes nothing, because previews and scanners open every link they see. The
visitor signs in with the page's button.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, render_template, request, url_for

from ledger.club.people import NAME_MAX, PassMade
from ledger.kernel.refusals import Refused
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.identity import browsing, club, forget_session, keep_session
from services.web.app.problems import STATUSES
from services.web.app.query import NotAnswered
from services.web.matches.invitations import check_seat, take_seat

WELCOME: Final = Blueprint("door", __name__)


@WELCOME.get("/welcome/<string:words>")
@allowed("anyone")
def look(words: str) -> Response:
    """Shows what a link leads to, with the button that uses it."""
    return _page(_look_at_pass(words))


@WELCOME.post("/welcome/<string:words>")
@allowed("anyone")
def enter(words: str) -> Response:
    """Uses the link: signs the browser in."""
    made = _look_at_pass(words)
    me = browsing()
    known, leaves = ("", "") if me is None else (me.person.id, me.pass_id)
    name = request.form.get("name", "").strip()
    try:
        check_seat(made, known)
        person, session = club().let_in(words, name, "" if made.person else known, leaves)
    except Refused as refusal:
        if refusal.code != "bad_name":
            raise _not_answered(refusal) from None
        return _page(made, name, refusal.message)
    there = url_for("pages.match_page", match=made.match) if made.match else url_for("pages.front")
    response = Response(status=303, headers={"Location": there})
    keep_session(response, session.words)
    take_seat(made, person)
    return response


@WELCOME.post("/sign-out")
@allowed("anyone")
def leave() -> Response:
    me = browsing()
    response = Response(status=303, headers={"Location": url_for("pages.front")})
    if me is not None:
        club().take_back(me.pass_id, me.person.id)
    forget_session(response)
    return response


def _look_at_pass(words: str) -> PassMade:
    try:
        return club().looked_at(words)
    except Refused as refusal:
        raise _not_answered(refusal) from None


def _not_answered(refusal: Refused) -> NotAnswered:
    return NotAnswered(STATUSES.get(refusal.code, 400), refusal.message)


def _page(made: PassMade, name: str = "", trouble: str = "") -> Response:
    # The page does not repeat the link's words: its form goes to where it came from.
    me = browsing()
    person = club().people().people.get(made.person)
    here = None if me is None else me.person
    known = person or here
    page = render_template(
        "welcome.html",
        kind=made.kind,
        known=known,
        asks_name=known is None,
        leaves=here if here != known else None,
        can_leave=here is not None and person is None,
        name=name,
        name_max=NAME_MAX,
        trouble=trouble,
        csrf=g.get("csrf", ""),
    )
    return page_response(page, 400 if trouble else 200)
