"""The routes. Each reads under the match's lock, and renders after it is let go."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final, cast

import msgspec
from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from ledger.club.table import TABLE_REFUSALS
from ledger.kernel.audience import Viewer
from ledger.log.acts import Closed
from ledger.log.bundle import write_bundle
from ledger.log.history import History
from replays.picture import scene_svg
from services.sample import flagship_id, sample_id
from services.settings import Settings

from .api.identity import caller
from .api.looking import known_to_all, listed_for, may_watch
from .archive import Archive, Reading, Summary
from .asking import NotAnswered, asked_event, asked_viewer
from .frames import frame_of, scene_of, twin

PAGES: Final = Blueprint("pages", __name__)
LISTED: Final = 50  # matches on a page of the list


def archive() -> Archive:
    """The archive of this application."""
    return cast("Archive", current_app.extensions["archive"])


@PAGES.get("/")
def front() -> Response:
    """What this is, the sample match, and all matches."""
    found = listed_for(caller())
    pages = max(1, -(-len(found) // LISTED))
    page = _page(pages)
    settings = cast("Settings", current_app.extensions["settings"])
    sample = _sample_among(found, settings)
    return _answer(
        render_template(
            "front.html",
            matches=found[(page - 1) * LISTED : page * LISTED],
            count=len(found),
            page=page,
            pages=pages,
            sample=sample,
            picture=Markup("" if sample is None else _last_picture(sample)),  # noqa: S704 - ours
        )
    )


@PAGES.get("/matches/<match>")
def match_page(match: str) -> AnyResponse:
    """A match is its replay."""
    return redirect(url_for("pages.replay", match=match))


@PAGES.get("/matches/<match>/replay")
def replay(match: str) -> Response:
    """One event of a match, with the whole log beside it."""
    with archive().opened(match) as opened:
        reading = as_seen(opened)
        at = asked_event(request.args, reading.history)
        viewer = asked_viewer(request.args, reading.history)
        frame = frame_of(reading, at, viewer)
    picture = Markup(frame.picture)  # noqa: S704 - made by picture.py, which escapes every text
    return _answer(render_template("replay.html", frame=frame, picture=picture))


@PAGES.get("/matches/<match>/replay.json")
def replay_json(match: str) -> Response:
    """The same for programs."""
    with archive().opened(match) as opened:
        reading = as_seen(opened)
        at = asked_event(request.args, reading.history)
        viewer = asked_viewer(request.args, reading.history)
        packed = msgspec.json.encode(twin(reading, at, viewer))
    return _answer(packed, "application/json")


@PAGES.get("/matches/<match>.hgm")
def bundle(match: str) -> Response:
    """The match as one file, with no opening that a spectator may not have."""
    file = io.BytesIO()
    with archive().opened(match) as opened:
        reading = as_seen(opened)
        write_bundle(file, reading.history, _openings_for_all(reading.history))
    response = _answer(file.getvalue(), "application/octet-stream")
    response.headers.set("Content-Disposition", "attachment", filename=f"{match}.hgm")
    return response


@PAGES.get("/health")
def health() -> Response:
    """That we are here."""
    response = Response("ok\n", mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    return response


def as_seen(reading: Reading) -> Reading:
    """A match as far as who asks may know of it."""
    if not may_watch(reading.table, caller()):
        raise NotAnswered(403, TABLE_REFUSALS["not_to_be_watched"])
    last = reading.history.tip.version
    return reading.up_to(known_to_all(reading.table, reading.history, last))


def _openings_for_all(history: History) -> Viewer | str:
    """Whose copy everybody may have: the whole one only where the closing opened everything."""
    closing = history.act(history.tip.version)
    if isinstance(closing, Closed) and {"decisions", "outcomes"} <= set(closing.discloses):
        return "all"
    return None


def _sample_among(found: Sequence[Summary], settings: Settings) -> Summary | None:
    """The match that a visitor is led to: the flagship's, else the other one."""
    finished = {one.match: one for one in found if one.state == "finished"}
    return finished.get(flagship_id()) or finished.get(sample_id(settings.data) or "")


def _last_picture(sample: Summary) -> str:
    """The sample's board at its end, or nothing."""
    try:
        with archive().opened(sample.match) as reading:
            scene = scene_of(reading.history.at(), None)
    except Exception:
        # It may have been played under rules that were changed since; the page can do without.
        current_app.logger.exception("the sample match cannot be drawn")
        return ""
    return "" if scene is None else scene_svg(scene)


def _page(pages: int) -> int:
    text = request.args.get("page", "1")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotAnswered(400, "page must be a number.")
    if not 1 <= int(text) <= pages:
        raise NotAnswered(404, f"There is no page {int(text)} of the list, which has {pages}.")
    return int(text)


def _answer(body: str | bytes, mimetype: str = "text/html") -> Response:
    """A page that browsers keep and ask after each time: mostly they are told it is the same."""
    response = Response(body, mimetype=mimetype)
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    return cast("Response", response.make_conditional(request))
