"""Exports of a match: a replay as a file, an event as a picture, a fork to play."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from flask import Blueprint, Response, g, render_template, request, url_for
from markupsafe import Markup

from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.kernel.refusals import Refused
from ledger.log.format.published import edition_name_of
from ledger.log.read.history import History
from replays.document.card import HEIGHT, WIDTH
from replays.drawing.paints import seat_class
from replays.drawing.picture import scene_svg
from replays.drawing.png import moment_png
from replays.story.moments import moment_of
from replays.story.names import ALL, match_title, player_name, viewer_word
from services.jobs.results import program
from services.matches.cache import OpenMatch
from services.matches.exports import STATIC, page_for
from services.matches.forks import check_can_fork, fork_of, seat_to_take
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.identity import address, caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.query import parse_event
from services.web.app.waiting import Recent, count_making
from services.web.matches.forks import make_fork

from .pages import as_seen, eyes_on

EXPORTS: Final = Blueprint("exports", __name__)
PAGES_KEPT: Final = 8  # files of replays, of which each has some hundred kilobytes
_WORDS_MAX: Final = 200  # letters that previews of links show
_LARGE: Final = 24  # cells; the board of a fork's page is as wide as the page then


@cache
def looks() -> str:
    """Returns a hash of all static files, which a replay file depends on."""
    whole = hashlib.sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


class Eyes(NamedTuple):
    """The part of a match that a viewer may see, and the viewer."""

    history: History
    viewer: Viewer | Literal["all"]

    @property
    def one(self) -> Viewer:
        return ALL_SEATS if isinstance(self.viewer, str) else self.viewer

    @property
    def word(self) -> str:
        return viewer_word(self.one)

    def tag(self, *more: object) -> str:
        """Returns the tag of what is shown; it depends on the log, the viewer and the program."""
        said = "\0".join(
            map(str, (self.history.tip.head.hex(), self.word, program(), looks(), *more))
        )
        return hashlib.sha256(said.encode()).hexdigest()[:32]


_KEPT: Final = Recent[bytes](PAGES_KEPT)
# A file is seconds of work, in the process that answers everybody else, too.
_ONE_AT_A_TIME: Final = threading.Lock()
TURN_SECONDS: Final = 8.0  # so long one waits for one's turn, and has a thread meanwhile
BUSY: Final = "Other replays are being written to files. Try again in a few seconds."


@EXPORTS.get("/matches/<match>/replay.html")
@allowed("anyone")
def page(match: str) -> Response:
    """Serves the replay as one file that opens from a disk and verifies itself."""
    with match_cache().read(match) as opened:
        eyes = _eyes(opened)
        tag = eyes.tag()
        if tag in request.if_none_match:
            return _set_etag(Response(status=304), tag)
    file = _KEPT.get(tag)
    if file is None:
        count_making()
        if not _ONE_AT_A_TIME.acquire(timeout=TURN_SECONDS):
            raise Problem(503, "unavailable", BUSY, {"Retry-After": "5"})
        try:
            with match_cache().apart(match) as opened:  # nobody else waits for this match
                eyes = _eyes(opened)
                tag = eyes.tag()
                file = _KEPT.get(tag) or _KEPT.keep(tag, page_for(eyes.history, eyes.viewer))
        finally:
            _ONE_AT_A_TIME.release()
    response = _set_etag(Response(file, mimetype="text/html"), tag)
    name = f"{match}-{eyes.word}.html"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


@EXPORTS.get("/matches/<match>/moment.png")
@allowed("anyone")
def picture(match: str) -> Response:
    """Serves one event as a picture, for links and reports."""
    with match_cache().read(match) as opened:
        eyes = _eyes(opened)
        at = parse_event(request.args, eyes.history)
        tag = eyes.tag(at)
        if tag in request.if_none_match:
            return _set_etag(Response(status=304), tag)
        count_making()
        moment = moment_of(eyes.history, at, eyes.one)
    return _set_etag(Response(moment_png(moment), mimetype="image/png"), tag)


@EXPORTS.get("/matches/<match>/fork")
@allowed("anyone")
def fork_form(match: str) -> Response:
    """Shows the form that chooses the event and the seat of a fork."""
    return _fork_page(match)


@EXPORTS.post("/matches/<match>/fork")
@allowed("person", scope="play")  # of a match that one may watch
def fork(match: str) -> Response:
    """Makes the fork and leads to it."""
    at, seat = request.form.get("at", ""), request.form.get("seat", "")
    if not (_is_number(at) and _is_number(seat)):
        return _fork_page(match, "Choose an event and a seat.")
    try:
        made = make_fork(match, int(at), int(seat))
    except Refused as refusal:
        return _fork_page(match, refusal.message, at)
    there = url_for("pages.match_page", match=made)
    return Response(status=303, headers={"Location": there})


@EXPORTS.app_template_global("card_of")
def card_of(frame: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the page's metadata for previews of links: see `_card.html`."""
    here = address() if request.host else ""
    shown: dict[str, Any] = {"match": frame["match"], "at": frame["at"], "as": frame["viewer"]}
    edition = edition_name_of(frame["edition"])
    said = " ".join(frame["told"].sentences) or f"{frame['ruleset']}, edition {edition}"
    return {
        "title": f"{frame['title']}: event {frame['at']} of {frame['last']}",
        "words": said if len(said) <= _WORDS_MAX else f"{said[:_WORDS_MAX]}…",
        "page": here + url_for("pages.replay", **shown),
        "picture": here + url_for("exports.picture", **shown),
        "width": WIDTH,
        "height": HEIGHT,
    }


# --- who sees what --------------------------------------------------------------------------------


def _eyes(opened: OpenMatch) -> Eyes:
    shown, viewer = eyes_on(opened)
    return Eyes(shown.history, ALL if viewer == ALL_SEATS else viewer)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _set_etag(response: Response, tag: str) -> Response:
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization, Cookie"
    return response


# --- the page of a fork ---------------------------------------------------------------------------


def _fork_page(match: str, trouble: str = "", at: str = "") -> Response:
    asked = {"at": at} if at else request.args
    with match_cache().read(match) as opened:
        history = as_seen(opened).history
        version = parse_event(asked, history)
        why_not = _why_not(history, version)
        moment = moment_of(history, version, None)
        who = caller()
        own = [] if who is None else opened.table.seats_of(who.person.id)
        chosen = 0 if why_not else seat_to_take(history, version, own)
        scene = moment.scene
        board = scene is not None and bool(scene.cells)
        shown = render_template(
            "fork.html",
            match=history.match,
            title=match_title(history),
            source=fork_of(history.created),
            at=version,
            last=history.tip.version,
            first=history.life.started,
            moment=moment,
            seats=[
                (seat, player_name(history, seat), moment.players[seat], seat_class(scene, seat))
                for seat in range(history.created.seats)
            ],
            chosen=chosen,
            signed_in=who is not None,
            why_not=why_not,
            trouble=trouble,
            large=board and scene is not None and len(scene.cells) > _LARGE,
            picture=Markup(scene_svg(scene) if board and scene is not None else ""),  # noqa: S704
            csrf=g.get("csrf", ""),
        )
    return page_response(shown, 409 if trouble else 200)


def _why_not(history: History, at: int) -> str:
    try:
        check_can_fork(history, at)
    except Refused as refusal:
        return refusal.message
    return ""
