"""Pages of disputes: filed, read, ruled on; and the dossier, as a page and as a file.

They call the same functions as the API.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, render_template, request, url_for
from markupsafe import Markup

from replays.dossier.document import name_of, unpack_dossier
from replays.dossier.report import report_dossier
from replays.report.html import chapters
from replays.report.model import ReportPage
from replays.story.names import match_title
from services.matches.cache import OpenMatch
from services.matches.disputes import disputes_in
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.identity import browsing, club, require_caller
from services.web.app.parts import match_cache
from services.web.app.waiting import Got, get_result, waiting_page
from services.web.audits.pages import audit_page, report_file
from services.web.matches.view import look_here, try_here

from .answers import check_dossier, dossier_wanted, find_visible_dispute, plain_dispute, reads_as
from .api import appeal_ruling, check_may_rule, file_dispute, record_consent, rule_dispute
from .schemas import AppealShape, NewDisputeShape, NewRulingShape, RemedyShape

DISPUTE_PAGES: Final = Blueprint("dispute_pages", __name__)
REMEDIES: Final = (
    ("none", "none"),
    ("rewind", "go back to an event, and play on from there"),
    ("transfer", "one seat pays another"),
    ("annul-deal", "annul a deal"),
    ("edition", "another edition of the rules from here on"),
    ("note", "a note"),
)
FOUND: Final = {
    "upheld": "Upheld: something was wrong",
    "dismissed": "Dismissed: nothing was wrong",
    "void": "Void: there is nothing to rule on",
}


# --- the disputes of a match ----------------------------------------------------------------------


@DISPUTE_PAGES.get("/matches/<string:match>/disputes")
@allowed("anyone")
def of_match(match: str) -> Response:
    said = {name: request.args.get(name, "")[:20] for name in ("from", "to", "deal", "conflict")}
    return _of_match(match, TypedForm(said))


def _of_match(match: str, form: TypedForm) -> Response:
    with match_cache().opened(match) as opened:
        look, who = look_here(opened, None), browsing()
        found = disputes_in(opened.history, opened.table, look.last)
        table = opened.table
        own = [] if who is None else table.seats_of(who.person.id)
        runs = who is not None and (who.organizer or table.host == who.person.id)
        shown = {
            "match": match,
            "title": match_title(opened.history),
            "disputes": [plain_dispute(opened, one, who) for one in found],
            "names": _names(opened),
            "own": own,
            "runs": runs,
            "files": opened.writable and opened.history.life.started and bool(own or runs),
            "last": look.last,
        }
    return page_response(render_template("disputes.html", form=form, **shown), form.status)


@DISPUTE_PAGES.post("/matches/<string:match>/disputes")
@allowed("seat", scope="play")
def file(match: str) -> Response:
    form = TypedForm.sent()
    fields = ("words", "from", "to", "deal", "conflict", "parties", "pause")
    body = form.body(NewDisputeShape, *fields)
    made = try_here(
        match, form, lambda opened: form.apply(NewDisputeShape, body, partial(file_dispute, opened))
    )
    if made is None:
        return _of_match(match, form)
    there = url_for("dispute_pages.one", match=match, dispute=made.name)
    return led_on(there, "Your dispute is filed. The evidence is frozen as it is now.")


# --- one dispute ----------------------------------------------------------------------------------


@DISPUTE_PAGES.get("/matches/<string:match>/disputes/<string:dispute>")
@allowed("anyone")
def one(match: str, dispute: str) -> Response:
    """Shows a dispute: the claim, its rulings, and the possible actions."""
    return _one(match, dispute, TypedForm({"dossier": request.args.get("dossier", "")[:64]}))


def _one(match: str, dispute: str, form: TypedForm) -> Response:
    who = browsing()
    with match_cache().opened(match) as opened:
        found = find_visible_dispute(opened, dispute)
        plain = plain_dispute(opened, found, who)
        own = [] if who is None else opened.table.seats_of(who.person.id)
        may_rule = False
        if who is not None and who.organizer:
            asking = TypedForm()
            asking.tries(lambda: check_may_rule(opened, found, who))
            may_rule = not asking.trouble
        claim = plain["claim"] or {"parties": [], "consents": [], "seat": None}
        concerned = {*claim["parties"], claim["seat"]} if plain["claim"] else set()
        shown = {
            "match": match,
            "title": match_title(opened.history),
            "dispute": plain,
            "names": _names(opened),
            "reads": bool(reads_as(opened, found, who)),
            "consents": [(seat, seat in claim["consents"]) for seat in own if plain["claim"]],
            "appeals": plain["state"] == "ruled" and not concerned.isdisjoint(own),
            "may_rule": may_rule and opened.writable,
            "deals": [(one, one) for one in _deals(opened, claim["parties"])] if may_rule else [],
            "payers": [(str(seat), name) for seat, name in enumerate(_names(opened))],
            "people": {one.id: one.name for one in club().people().people.values()} if who else {},
            "editions": [(one, one) for one in opened.history.rules.editions],
            "remedies": REMEDIES,
            "found": FOUND,
        }
    return page_response(render_template("dispute.html", form=form, **shown), form.status)


def _deals(opened: OpenMatch, parties: list[int]) -> list[str]:
    """Returns the deals between the parties, for the choice of one to annul."""
    opened.story.came(opened.good)
    return [
        one.offer.deal
        for one in opened.story.deals
        if set(one.offer.parties) <= set(parties) and not one.undone_by
    ]


def _try_act(
    match: str, dispute: str, form: TypedForm, act: Callable[[OpenMatch], Any], said: str
) -> Response:
    """Acts on a dispute. If that is refused, shows the dispute's page with the reason."""
    try_here(match, form, act)
    if form.trouble:
        return _one(match, dispute, form)
    return led_on(url_for("dispute_pages.one", match=match, dispute=dispute), said)


@DISPUTE_PAGES.post("/matches/<string:match>/disputes/<string:dispute>/ruling")
@allowed("organizer", scope="organize")
def rule(match: str, dispute: str) -> Response:
    """Rules on a dispute and carries out what the ruling orders."""
    form, me = TypedForm.sent(), require_caller()
    asked = form.read(NewRulingShape, _ruling_of(form), {"remedy.version": "version"})
    if asked is not None:
        form.tries(lambda: check_dossier(match, dispute, asked["dossier"]))
    if asked is None or form.trouble:
        return _one(match, dispute, form)
    said = "The ruling is recorded and carried out."
    return _try_act(
        match, dispute, form, lambda opened: rule_dispute(opened, dispute, asked, me), said
    )


def _ruling_of(form: TypedForm) -> Mapping[str, Any]:
    remedy = form.body(RemedyShape, called={"seat": "payer", "to": "payee", "text": "note"})
    rules = form.text("rules").replace(",", " ").split()
    remedy["kind"] = form.text("kind", "none")
    return form.body(NewRulingShape, "finding", "reason", "dossier") | {
        "rules": rules,
        "remedy": remedy,
    }


@DISPUTE_PAGES.post("/matches/<string:match>/disputes/<string:dispute>/appeal")
@allowed("seat", scope="play")
def appeal(match: str, dispute: str) -> Response:
    form, me = TypedForm.sent(), require_caller()
    body = form.body(AppealShape, "words")

    def act(opened: OpenMatch) -> None:
        form.apply(AppealShape, body, lambda asked: appeal_ruling(opened, dispute, asked, me))

    return _try_act(match, dispute, form, act, "Another organizer is asked to rule.")


@DISPUTE_PAGES.post("/matches/<string:match>/disputes/<string:dispute>/consents/<int:seat>")
@allowed("seat", scope="play")
def consent(match: str, dispute: str, seat: int) -> Response:
    """Gives or withdraws a seat's consent to show its private talk in the dossier."""
    form, me = TypedForm.sent(), require_caller()
    gives = form.has("gives", "1")
    said = "Your consent is recorded." if gives else "Your consent is withdrawn."

    def act(opened: OpenMatch) -> None:
        record_consent(opened, dispute, seat, me, gives=gives)

    return _try_act(match, dispute, form, act, said)


# --- the dossier ----------------------------------------------------------------------------------


@DISPUTE_PAGES.get("/matches/<string:match>/disputes/<string:dispute>/dossier")
@allowed("seat")
def dossier(match: str, dispute: str) -> Response:
    """Shows the dossier, or its progress."""
    got, title = _dossier(match, dispute), f"Dossier of {dispute}"
    if got.found is None:
        return waiting_page(title, got.state)
    text = gzip.decompress(got.found)
    found, name = unpack_dossier(text), name_of(text)
    back = url_for("dispute_pages.one", match=match, dispute=dispute, dossier=name)
    there = url_for("dispute_pages.dossier_file", match=match, dispute=dispute)
    word = request.args.get("as", "")
    seen_by: dict[str, Any] = {"as": found.as_}
    at = url_for("pages.replay", match=match, at=found.claim.last, **seen_by)
    links = Markup('<p><a href="{}">Open the match at the last of these events</a></p>').format(at)
    body = links + Markup(chapters(_report_of(text)))  # noqa: S704 - every word in it was escaped
    return audit_page(title, body, f"{there}?as={word}" if word else there, back)


@DISPUTE_PAGES.get("/matches/<string:match>/disputes/<string:dispute>/dossier.html")
@allowed("seat")
def dossier_file(match: str, dispute: str) -> Response:
    """Serves the dossier as one file that opens from a disk."""
    got, name = _dossier(match, dispute), f"{match}-{dispute}.html"
    return report_file(f"Dossier of {dispute}", got, _report_of, name)


def _report_of(text: bytes) -> ReportPage:
    return report_dossier(unpack_dossier(text), name_of(text))


def _dossier(match: str, dispute: str) -> Got:
    word = request.args.get("as", "")[:20] or None
    return get_result(dossier_wanted(match, dispute, word))


# --- in words -------------------------------------------------------------------------------------


def _names(opened: OpenMatch) -> list[str]:
    joined = opened.history.life.joined
    return [
        joined[seat].name if seat in joined else f"seat {seat}"
        for seat in range(opened.history.created.seats)
    ]
