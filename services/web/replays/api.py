"""Replays: a whole match as a document for one viewer, made by a worker and kept for a while.

| as | may |
|---|---|
| a seat, spectator | as with every view of a match |
| all | anybody once a closed match was opened; before that an organizer who holds no seat there |
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from flask import Response
from flask.views import MethodView
from marshmallow import INCLUDE
from marshmallow.validate import Equal, Length

from ledger.log.read.bundle import everything_is_open
from replays.story.names import ALL, SPECTATOR, why_not_through_seats
from services.jobs.replays import Form, WantedReplay
from services.matches.cache import OpenMatch
from services.matches.club import Caller
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import NDJSON, Routes
from services.web.app.shapes import ABSENT, Shape
from services.web.app.waiting import (
    JSON,
    MakingShape,
    answer,
)
from services.web.matches.schemas import SeenAs
from services.web.matches.view import is_judge, look_of, may_watch

REPLAYING: Final = Routes("replaying", "/matches", "Replays")
TYPES: Final[dict[Form, str]] = {
    "json": JSON,
    "ndjson": NDJSON,
    "txt": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "deals": JSON,
}
FILES: Final[frozenset[Form]] = frozenset({"ndjson", "txt", "csv"})  # that people take away


ViewerWord: TypeAlias = Annotated[
    str,
    Length(1, 20),
    "a seat's number, spectator or all; else the caller's own seat",
    {"data_key": "as", "load_default": None},
]


class ViewerQueryShape(Shape):
    """The viewer."""

    viewer: ViewerWord = ABSENT


class ReplayQueryShape(ViewerQueryShape):
    """The viewer and the edition of a replay."""

    edition: Annotated[
        str, Length(0, 64), "the same decisions under this edition; else as it was played"
    ] = ""


class DocumentShape(Shape):
    """A document with more fields than are listed. A page of docs describes them all."""

    class Meta:
        unknown = INCLUDE


class ReplayShape(DocumentShape):
    """The document; docs/replay.md describes every field."""

    format: Annotated[str, Equal("hegemon-replay")]
    version: Annotated[int, "of the format"]
    match: str
    title: str
    edition: str
    played: Annotated[bool, "false: the same decisions under other rules"]
    viewer: SeenAs
    viewpoints: list[dict[str, Any]]
    why_not: Annotated[str, "why there are no other viewers"]
    last: int
    head: str
    events: list[dict[str, Any]]


@REPLAYING.route("/<string:match>/replay")
class Document(MethodView):
    """A replay as a JSON document."""

    @REPLAYING.takes(ReplayQueryShape, location="query")
    @REPLAYING.gives(200, ReplayShape, later=MakingShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the whole match as one document, for one viewer. 202 while it is made."""
        return answer_with_replay(match, asked, "json")


@REPLAYING.route("/<string:match>/replay.ndjson")
class AsLines(MethodView):
    """A replay as newline-delimited JSON."""

    @REPLAYING.takes(ReplayQueryShape, location="query")
    @REPLAYING.gives(200, form=NDJSON, later=MakingShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the replay as lines: a header, one line per event, and an end with the head."""
        return answer_with_replay(match, asked, "ndjson")


@REPLAYING.route("/<string:match>/replay.txt")
class AsText(MethodView):
    """A replay as text."""

    @REPLAYING.takes(ReplayQueryShape, location="query")
    @REPLAYING.gives(200, form="text/plain", later=MakingShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the match as a text report with headings."""
        return answer_with_replay(match, asked, "txt")


@REPLAYING.route("/<string:match>/replay.csv")
class AsTable(MethodView):
    """A replay as a table."""

    @REPLAYING.takes(ReplayQueryShape, location="query")
    @REPLAYING.gives(200, form="text/csv", later=MakingShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the match as CSV: one row per event, with the figures of each seat."""
        return answer_with_replay(match, asked, "csv")


# --- who may --------------------------------------------------------------------------------------


def eyes_of(opened: OpenMatch, who: Caller | None) -> tuple[tuple[str, ...], str]:
    """Returns the viewers open to a caller, and the reason why not the others."""
    history = opened.history
    closed = why_not_through_seats(history)
    found = [SPECTATOR] if may_watch(opened.table, who) else []
    for seat in range(history.created.seats):
        mine = who is not None and opened.table.decides(who.person.id, seat)
        if mine or not closed:
            found.append(str(seat))
    if is_judge(opened, who) or (everything_is_open(history) and found):
        found.append(ALL)
    return tuple(found), closed


def parse_replay_request(
    opened: OpenMatch, asked: dict[str, Any], form: Form, who: Caller | None
) -> WantedReplay:
    """Parses the request's query and refuses a replay that the caller may not see."""
    word, last = look_of(opened, asked["viewer"], who)
    history, edition = opened.history, asked["edition"]
    viewpoints, why_not = eyes_of(opened, who)
    if edition:
        history.rules.errata_of(edition)  # refuses one that the game does not have
        if why_not and word != ALL:
            raise Problem(403, detail=f"This would try other rules on secrets. {why_not}")
    return WantedReplay.of(
        history,
        last,
        word,
        edition=edition,
        viewpoints=viewpoints,
        why_not=why_not,
        form=form,
        over=history.life.closed and last == history.tip.version,
    )


def answer_with_replay(match: str, asked: dict[str, Any], form: Form) -> Response:
    """Returns the replay, or 202 while it is being made."""
    with match_cache().opened(match) as opened:
        wanted = parse_replay_request(opened, asked, form, caller())
    return answer(wanted, TYPES[form], "The replay as a file" if form in FILES else "")
