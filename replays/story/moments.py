"""Moments: one event of a match with the board after it, as one viewer may know it."""

from __future__ import annotations

from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.kernel.match import Match
from ledger.kernel.scene import Scene
from ledger.log.format.acts import Created
from ledger.log.read.history import History, Undisclosed
from replays.document.card import CardMoment
from replays.drawing.marks import empty_scene, with_changes
from replays.walk import Walk

from .names import match_title, player_name, ruleset_title
from .sentences import Told, came_of, seat_text, tell_event


def moment_of(history: History, at: int, viewer: Viewer) -> CardMoment:
    told, before, after = _around(history, at, viewer)
    if after is None and history.life.started:
        after = outline(history)
    elif after is not None and before is not None:
        after = with_changes(before, after)
    names = tuple(_name(history, seat, after) for seat in range(history.created.seats))
    seat = told.seat
    return CardMoment(
        match=history.match,
        title=match_title(history),
        ruleset=f"{ruleset_title(history)}, edition {history.created.edition}",
        at=at,
        last=history.tip.version,
        viewer=_eyes(viewer, names),
        seat=seat,
        who="" if seat is None else names[seat] if seat >= 0 else seat_text(seat).capitalize(),
        sentences=told.sentences,
        players=names,
        scene=after,
        fork=fork_words(history.created),
    )


def first_board(history: History) -> int:
    """Returns the first event after which the board has cells; 1 if there is none."""
    try:
        for moment in history.replay():
            scene = _scene(moment.match, None)
            if scene is not None and scene.cells:
                return moment.version
    except Undisclosed:
        pass  # what lies beyond cannot be shown either
    return 1


def _name(history: History, seat: int, scene: Scene | None) -> str:
    """Names a player, with what the game calls the seat."""
    name = player_name(history, seat)
    known = scene is not None and seat < len(scene.players)
    called = scene.players[seat].name if scene is not None and known else ""
    return f"{called}: {name}" if called and called != name else name


def _eyes(viewer: Viewer, names: tuple[str, ...]) -> str:
    if viewer is None:
        return "a spectator"
    return "all seats" if viewer == ALL_SEATS else names[viewer]


def fork_words(created: Created) -> str:
    """Names a fork's origin, so that it is not taken for the match itself; "" for other
    matches.
    """
    origin = created.origin
    if origin.kind != "fork":
        return ""
    return f"Fork of {origin.match} from event {origin.version}"


def _around(history: History, at: int, viewer: Viewer) -> tuple[Told, Scene | None, Scene | None]:
    """Returns the sentences of an event, and the scenes before and after it."""
    before: list[Scene | None] = []
    moment = Walk(history, lambda _, match: before.append(_scene(match, viewer))).take(at)
    told = tell_event(history, at, viewer, came_of(moment))
    if moment.lost or not before:
        return told, None, _scene(moment.match, viewer)
    return told, before[0], _scene(moment.match, viewer)


def _scene(match: Match | None, viewer: Viewer) -> Scene | None:
    return None if match is None else match.scene(viewer)


def outline(history: History) -> Scene | None:
    """Returns the empty board of a match that has started."""
    first = _scene(history.at(history.life.started), None)
    return None if first is None else empty_scene(first)
