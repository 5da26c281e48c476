"""Moments: one event of a match with the board after it, as one viewer may know it."""

from __future__ import annotations

from ledger.kernel.audience import ALL_SEATS, Viewer
from ledger.kernel.match import Match
from ledger.kernel.scene import Scene
from ledger.log.format.acts import Created
from ledger.log.read.history import History, Undisclosed
from replays.document.card import Moment
from replays.drawing.marks import emptied, with_changes

from .names import match_title, player_name, ruleset_title
from .sentences import Told, seat_text, told_event, told_undisclosed


def moment_of(history: History, at: int, viewer: Viewer) -> Moment:
    """What there is to see and to say of an event."""
    told, before, after = _around(history, at, viewer)
    if after is None and history.life.started:
        after = outline(history)
    elif after is not None and before is not None:
        after = with_changes(before, after)
    names = tuple(_name(history, seat, after) for seat in range(history.created.seats))
    seat = told.seat
    return Moment(
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
    """The first event that leaves a board with places on it; 1 where none does."""
    try:
        for moment in history.replay():
            scene = _scene(moment.match, None)
            if scene is not None and scene.cells:
                return moment.version
    except Undisclosed:
        pass  # what lies beyond cannot be shown either
    return 1


def _name(history: History, seat: int, scene: Scene | None) -> str:
    """A player, and what the game calls the seat."""
    name = player_name(history, seat)
    known = scene is not None and seat < len(scene.players)
    called = scene.players[seat].name if scene is not None and known else ""
    return f"{called}: {name}" if called and called != name else name


def _eyes(viewer: Viewer, names: tuple[str, ...]) -> str:
    if viewer is None:
        return "a spectator"
    return "all seats" if viewer == ALL_SEATS else names[viewer]


def fork_words(created: Created) -> str:
    """Where a fork comes from, so that nobody takes it for the match itself; else nothing."""
    origin = created.origin
    if origin.kind != "fork":
        return ""
    return f"Fork of {origin.match} from event {origin.version}"


def _around(history: History, at: int, viewer: Viewer) -> tuple[Told, Scene | None, Scene | None]:
    """What is said of an event, and the scenes before and after it."""
    parent = history.lines.parent(at)
    try:
        match = history.at(parent) if parent else None
        before = _scene(match, viewer)
        moment = history.fold_event(match, at)
    except Undisclosed:
        return told_undisclosed(history, at), None, None
    after = moment.match
    terms, called = (None, ()) if after is None else (after.terms, after.called())
    told = told_event(history, at, viewer, moment.facts, terms, called)
    return told, before, _scene(after, viewer)


def _scene(match: Match | None, viewer: Viewer) -> Scene | None:
    return None if match is None else match.scene(viewer)


def outline(history: History) -> Scene | None:
    """The board on which a match that has started is going to be played, with nothing on it."""
    first = _scene(history.at(history.life.started), None)
    return None if first is None else emptied(first)
