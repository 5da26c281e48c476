"""The replay of a match without script, and its bundle. Read under its lock, rendered after."""

from __future__ import annotations

from typing import Any, Final, cast

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from ledger.club.table import TABLE_REFUSALS
from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.log.read.bundle import everything_is_open
from replays.story.names import ALL, SPECTATOR
from services.matches.cache import OpenMatch, ShownMatch
from services.matches.exports import bundle_for
from services.web.app.access import allowed
from services.web.app.identity import caller, is_foreign
from services.web.app.parts import match_cache
from services.web.app.query import (
    NotAnswered,
    first_shown,
    parse_edition,
    parse_event,
    parse_viewer,
)
from services.web.matches.view import find_public_end, is_judge, may_watch

from .frames import frame_of, twin

PAGES: Final = Blueprint("pages", __name__)
_DIGITS: Final = 4  # of the number of a seat


@PAGES.get("/matches/<match>/replay")
@allowed("anyone")
def replay(match: str) -> AnyResponse:
    """Shows one event of a match and the whole log."""
    with match_cache().read(match) as opened:
        who = caller()
        judging = request.args.get("as") == ALL and is_judge(opened, who)
        if judging and is_foreign() and not everything_is_open(opened.history):
            # The page's script would look at everything at once, and who has looked cannot sit
            # there: that is for them to choose, and not for a link of somebody's.
            seen: dict[str, Any] = {**request.args.to_dict(), "as": SPECTATOR}
            return redirect(url_for("pages.replay", match=match, **seen))
        # A judge's own look is noted where the document is asked for: what is drawn here shows
        # nothing that would have to be.
        shown, viewer = (as_seen(opened), None) if judging else eyes_on(opened)
        at = first_shown(request.args, shown.history)
        tried = parse_edition(request.args, shown.history)
        own = [] if who is None else opened.table.seats_of(who.person.id)
        frame = frame_of(shown, at, viewer, own)
    picture = Markup(frame["picture"])  # noqa: S704 - made by picture.py, which escapes every text
    return make_response(render_template("replay.html", frame=frame, picture=picture, tried=tried))


@PAGES.get("/matches/<match>/replay.json")
@allowed("anyone")
def replay_json(match: str) -> Response:
    """Serves the same event as JSON."""
    with match_cache().read(match) as opened:
        shown, viewer = eyes_on(opened)
        at = parse_event(request.args, shown.history)
        packed = msgspec.json.encode(twin(shown, at, viewer))
    return make_response(packed, "application/json")


@PAGES.get("/matches/<match>.hgm")
@allowed("anyone")
def bundle(match: str) -> Response:
    """Serves the match as one file, with no opening that a spectator may not have."""
    with match_cache().read(match) as opened:
        file = bundle_for(as_seen(opened).history, None)
    response = make_response(file, "application/octet-stream")
    response.headers.set("Content-Disposition", "attachment", filename=f"{match}.hgm")
    return response


@PAGES.get("/health")
@allowed("anyone")
def health() -> Response:
    response = Response("ok\n", mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    return response


@PAGES.get("/favicon.ico")
@allowed("anyone")
def icon() -> AnyResponse:
    """Serves the icon for documents that name none, such as a text."""
    return redirect(url_for("static", filename="mark.svg"))


def as_seen(opened: OpenMatch) -> ShownMatch:
    """Returns the match as far as the caller may know it."""
    if not may_watch(opened.table, caller()):
        raise NotAnswered(403, TABLE_REFUSALS["not_to_be_watched"])
    history = opened.shown().history
    return opened.shown(find_public_end(opened.table, history, history.tip.version))


def eyes_on(opened: OpenMatch) -> tuple[ShownMatch, Viewer]:
    """Returns the match as far as the caller may know it, and the viewer."""
    word, who = request.args.get("as", SPECTATOR), caller()
    mine = word.isascii() and word.isdigit() and len(word) < _DIGITS
    if mine and who is not None and opened.table.decides(who.person.id, int(word)):
        return opened.shown(), int(word)
    seen = as_seen(opened)
    if word == ALL and everything_is_open(seen.history):
        return seen, ALL_SEATS
    return seen, parse_viewer(request.args, seen.history)


def make_response(body: str | bytes, mimetype: str = "text/html") -> Response:
    """Returns a page that browsers keep and revalidate each time, mostly with a 304."""
    response = Response(body, mimetype=mimetype)
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    return cast("Response", response.make_conditional(request))
