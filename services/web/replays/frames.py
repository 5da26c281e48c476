"""Frames: the content of a replay page, for one viewer at one event. No game is known here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.kernel.match import Match
from ledger.kernel.scene import Scene
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from replays.drawing.groups import groups
from replays.drawing.marks import with_changes
from replays.drawing.outlines import OUTLINES
from replays.drawing.paints import seat_class
from replays.drawing.picture import scene_svg
from replays.drawing.text import scene_text
from replays.story.moments import outline
from replays.story.names import (
    match_title,
    player_name,
    result_words,
    ruleset_title,
    state_of,
    viewer_word,
    why_not_through_seats,
)
from replays.story.sentences import seat_text
from services.matches.cache import ShownMatch
from services.matches.forks import fork_of

HEAD_SHOWN: Final = 12
LARGE: Final = 24  # cells; a board of more needs the whole width of its page


def frame_of(shown: ShownMatch, at: int, viewer: Viewer, own: Sequence[int] = ()) -> dict[str, Any]:
    """Returns the page of an event, for its template. `own` are the visitor's seats."""
    history = shown.history
    told = shown.told(viewer)
    match = history.at(at)
    scene = scene_of(match, viewer)
    drawn = _draw_changes(history, at, viewer, scene)
    body = history.body(at)
    head = history.events[at - 1].head.hex()

    def class_of(seat: int | None) -> str:
        """Returns the CSS classes of a seat's things: its shape and its colour here."""
        return "" if seat is None or seat < 0 else seat_class(scene, seat)

    return {
        "match": history.match,
        "origin": fork_of(history.created),
        "title": match_title(history),
        "ruleset": ruleset_title(history),
        "edition": history.created.edition if match is None else match.terms.edition,
        "state": "parked" if shown.parked else state_of(history),
        "parked": shown.parked,  # it cannot be folded any further than this
        "result": result_words(history),
        "at": at,
        "last": history.tip.version,
        "head": head,
        "head_short": head[:HEAD_SHOWN],
        "told": told[at - 1],
        "who": _who(history, told[at - 1].seat),
        "submitted": submitter_words(body.by),
        "time": time_words(body.at),
        "log": told,
        "viewer": viewer_word(viewer),
        "viewpoints": _viewpoints(history, viewer, own),
        "only_spectator": why_not_through_seats(history),  # why there is no other viewpoint
        "scene": scene,
        "large": scene is not None and len(scene.cells) > LARGE,
        "groups": () if scene is None else groups(scene),
        "seat_class": class_of,
        "outline": lambda form: OUTLINES[form].path,
        "picture": "" if drawn is None or not drawn.cells else scene_svg(drawn),
        "text": "" if drawn is None else scene_text(drawn),
    }


def twin(shown: ShownMatch, at: int, viewer: Viewer) -> dict[str, Any]:
    """Returns the same page as plain data, for programs."""
    history = shown.history
    match = history.at(at)
    return {
        "match": history.match,
        "at": at,
        "last": history.tip.version,
        "parked": shown.parked,
        "as": viewer_word(viewer),
        "head": history.events[at - 1].head.hex(),
        "by": history.body(at).by,
        "view": None if match is None else match.view(viewer),
        "scene": scene_of(match, viewer),
        "told": shown.told(viewer)[at - 1],
    }


def scene_of(match: Match | None, viewer: Viewer) -> Scene | None:
    """Returns the scene for a viewer; None before the start."""
    return None if match is None else match.scene(viewer)


def _draw_changes(history: History, at: int, viewer: Viewer, scene: Scene | None) -> Scene | None:
    """Returns the scene with changes marked, or an empty board before the start."""
    if scene is not None:
        before = scene_of(history.at(history.lines.parent(at)), viewer)
        return scene if before is None else with_changes(before, scene)
    return outline(history) if history.life.started else None


def _viewpoints(history: History, viewer: Viewer, own: Sequence[int]) -> list[dict[str, Any]]:
    """Returns the viewers that the page offers to look through."""
    seats: list[Viewer] = [None]
    seats += own if why_not_through_seats(history) else range(history.created.seats)
    if viewer == ALL_SEATS:
        seats.append(viewer)
    return [
        {
            "word": viewer_word(seat),
            "name": _viewer_name(history, seat),
            "seat": None if seat == ALL_SEATS else seat,
            "current": seat == viewer,
        }
        for seat in seats
    ]


def _viewer_name(history: History, viewer: Viewer) -> str:
    if viewer is None:
        return "Spectator"
    return "All seats" if viewer == ALL_SEATS else player_name(history, viewer)


def _who(history: History, seat: int | None) -> str:
    if seat is None or seat < 0:
        return seat_text(seat)
    return f"{player_name(history, seat)} ({seat_text(seat)})"


def submitter_words(by: Submitter) -> str:
    article = {"seat": "the seat itself", "dice": "the dice", "service": "the service"}
    return article.get(by.role, f"{by.role} {by.name}".strip())


def time_words(milliseconds: int) -> str:
    try:
        when = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""  # a log can hold any number, a calendar cannot
    return when.strftime("%-d %B %Y, %H:%M:%S UTC")
