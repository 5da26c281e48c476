"""The comparison page: a match under two sets of rules, with both boards."""

from __future__ import annotations

import gzip
from typing import Any, Final

import msgspec
from flask import Blueprint, Response, render_template, request, url_for
from markupsafe import Markup

from ledger.games import ruleset
from ledger.kernel.scene import Scene
from replays.drawing.marks import with_changes
from replays.drawing.picture import scene_svg
from replays.reproject.comparison_document import SideBySide, around
from replays.reproject.text import cause_text, first_lines, result_text
from services.jobs.comparisons import WantedComparison
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.forms import TypedForm
from services.web.app.identity import caller
from services.web.app.query import NotAnswered
from services.web.app.waiting import get_result, waiting_page
from services.web.replays.frames import LARGE

from .comparison import CompareQueryShape, comparison_wanted

COMPARE_PAGES: Final = Blueprint("compare_pages", __name__)
LINES: Final = 24  # events on a page, about the one that is looked at
KEPT: Final = ("a", "b", "reading", "run", "over_options", "illegal", "missing", "as")


@COMPARE_PAGES.get("/matches/<string:match>/compare")
@allowed("anyone")
def compare(match: str) -> Response:
    """Shows both sides at an event, by default where they first differ."""
    wanted = comparison_wanted(match, _read_query(), caller())
    got = get_result(wanted)
    if got.found is None:
        return waiting_page("Side by side", got.state)
    found = msgspec.json.decode(gzip.decompress(got.found), type=SideBySide)
    return page_response(_page(found, wanted))


def _page(found: SideBySide, wanted: WantedComparison) -> str:
    versions = [line.version for line in found.lines if line.version and not line.same]
    lines = around(found.lines, found.at, LINES)
    return render_template(
        "compare.html",
        found=found,
        lines=lines,
        more=len(found.lines) - len(lines) + found.more,
        board_a=_picture(found.board_a, None, "before"),
        board_b=_picture(found.board_b, found.board_a, "after"),
        editions=_editions(found.ruleset),
        asked=request.args,
        large=found.board_a is not None and len(found.board_a.cells) > LARGE,
        first=[] if found.first is None else list(first_lines(found.first))[:1],
        causes=[] if found.first is None else [cause_text(one) for one in found.first.causes],
        results=(result_text(found.result_a), result_text(found.result_b)),
        to=lambda at: _address(wanted.match, at),
        before=max((one for one in versions if one < found.at), default=None),
        after=min((one for one in versions if one > found.at), default=None),
        address=_address(wanted.match, found.at, whole=True),
    )


def _editions(name: str) -> list[tuple[str, str]]:
    """Returns the choices for one side, or none if readings or a run are given."""
    if {"reading", "run"} & set(request.args):
        return []
    return [("", "as it was"), *((one, one) for one in ruleset(name).editions)]


def _picture(scene: Scene | None, other: Scene | None, name: str) -> Markup:
    """Draws a board and marks the cells that differ from the other board."""
    if scene is None or not scene.cells:
        return Markup()
    shown = scene if other is None else with_changes(other, scene)
    return Markup(scene_svg(shown, name))  # noqa: S704 - picture.py escapes every text


def _address(match: str, at: int, *, whole: bool = False) -> str:
    said: dict[str, Any] = {name: request.args.getlist(name) for name in KEPT}
    kept = {name: texts for name, texts in said.items() if any(texts)}
    return url_for("compare_pages.compare", match=match, at=at, _external=whole, **kept)


def _read_query() -> dict[str, Any]:
    said: dict[str, Any] = {name: request.args[name] for name in request.args if name != "reading"}
    if readings := request.args.getlist("reading"):
        said["reading"] = readings
    form = TypedForm()
    asked = form.read(CompareQueryShape, said)
    if asked is None:
        words = "; ".join(f"{name}: {text}" for name, text in form.errors.items())
        raise NotAnswered(400, words[:300])
    return asked
