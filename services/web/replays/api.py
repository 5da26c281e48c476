"""Replays: a whole match as a document for one viewer, made by a worker and kept for a while.

| as | may |
|---|---|
| a seat, spectator | as with every view of a match |
| all | anybody once a closed match was opened; before that an organizer who holds no seat there |
"""

from __future__ import annotations

import gzip
from typing import Any, Final, Protocol, cast

import msgspec
from flask import Response, request
from flask.views import MethodView
from marshmallow import INCLUDE, fields, validate

from ledger.club import table as tables
from ledger.club.looks import Looked
from ledger.club.table import MatchTable, TableEntry
from replays.story.names import why_not_through_seats
from services.jobs.queue import AGAIN_SECONDS, JobState
from services.jobs.replays import ALL, SPECTATOR, Form, Wanted, made, program
from services.matches.club import Caller
from services.matches.tables import Opened
from services.web.app.identity import caller, is_foreign
from services.web.app.problems import Problem
from services.web.app.routes import NDJSON, Routes
from services.web.app.shapes import Shape
from services.web.app.waiting import (
    at_desk,
    awaited,
    being_made,
    count_making,
    desk_here,
    is_followed,
    waiting_page,
)
from services.web.matches.archive import everything_is_open
from services.web.matches.view import Look, all_tables, looking, may_watch

REPLAYING: Final = Routes("replaying", "/matches", "Replays")
TYPES: Final[dict[Form, str]] = {
    "json": "application/json",
    "ndjson": NDJSON,
    "txt": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "deals": "application/json",
}
FILES: Final[frozenset[Form]] = frozenset({"ndjson", "txt", "csv"})  # that people take away


class ReplayQueryShape(Shape):
    """The viewer and the edition of a replay."""

    viewer = fields.String(
        load_default=None,
        data_key="as",
        validate=validate.Length(1, 20),
        metadata={"description": "a seat's number, spectator, or all; else one's own seat"},
    )
    edition = fields.String(
        load_default="",
        validate=validate.Length(0, 64),
        metadata={"description": "the same decisions under this edition; else as it was played"},
    )


class ReplayShape(Shape):
    """The document. docs/replay.md describes every field, also those not listed here."""

    class Meta:
        unknown = INCLUDE

    format = fields.String(required=True, validate=validate.Equal("hegemon-replay"))
    version = fields.Integer(required=True, metadata={"description": "of the format"})
    match = fields.String(required=True)
    title = fields.String(required=True)
    edition = fields.String(required=True)
    played = fields.Boolean(
        required=True, metadata={"description": "false: the same decisions under other rules"}
    )
    viewer = fields.String(required=True, data_key="as")
    viewpoints = fields.List(fields.Dict(), required=True)
    why_not = fields.String(
        required=True, metadata={"description": "why one may look through no other eyes"}
    )
    last = fields.Integer(required=True)
    head = fields.String(required=True)
    events = fields.List(fields.Dict(), required=True)


class MakingShape(Shape):
    """The replay is being made: ask again in a moment."""

    job = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(("queued", "running")))
    done = fields.Integer(required=True)
    of = fields.Integer(required=True, metadata={"description": "0 where that is not known yet"})


@REPLAYING.route("/<string:match>/replay")
class Document(MethodView):
    """A replay as a JSON document."""

    @REPLAYING.takes(ReplayQueryShape, location="query")
    @REPLAYING.gives(200, ReplayShape, later=MakingShape)
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the whole match as one document, for one viewer. 202 while it is made."""
        return replayed(match, asked, "json")


@REPLAYING.route("/<string:match>/replay.ndjson")
class AsLines(MethodView):
    """A replay as newline-delimited JSON."""

    @REPLAYING.takes(ReplayQueryShape, location="query")
    @REPLAYING.gives(200, form=NDJSON, later=MakingShape)
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the replay as lines: a header, one line per event, and an end with the head."""
        return replayed(match, asked, "ndjson")


@REPLAYING.route("/<string:match>/replay.txt")
class AsText(MethodView):
    """A replay as text."""

    @REPLAYING.takes(ReplayQueryShape, location="query")
    @REPLAYING.gives(200, form="text/plain", later=MakingShape)
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the match as a text report with headings."""
        return replayed(match, asked, "txt")


@REPLAYING.route("/<string:match>/replay.csv")
class AsTable(MethodView):
    """A replay as a table."""

    @REPLAYING.takes(ReplayQueryShape, location="query")
    @REPLAYING.gives(200, form="text/csv", later=MakingShape)
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the match as CSV: one row per event, with the figures of each seat."""
        return replayed(match, asked, "csv")


# --- who may --------------------------------------------------------------------------------------


def look_of(opened: Opened, word: str | None, who: Caller | None) -> tuple[str, int]:
    """Returns the viewer and the last event they may know. Records an organizer's look at all."""
    if word != ALL:
        look: Look = looking(opened, word, who)
        return look.word, look.last
    if not everything_is_open(opened.history):
        if who is None or not is_judge(opened, who):
            if who is None:
                raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
            raise tables.refused("not_your_seat", {"seat": ALL})
        look_as_judge(opened, who, opened.good)
    elif not may_watch(opened.table, who):
        raise tables.refused("not_to_be_watched")
    return ALL, opened.good


class AtTable(Protocol):
    @property
    def table(self) -> MatchTable:
        """The table of the match."""


def is_judge(opened: AtTable, who: Caller | None) -> bool:
    """Tells whether a caller is an organizer without any part in the match, now or before."""
    if who is None or not who.organizer:
        return False
    return not has_part(opened.table, who.person.id)


def has_part(table: MatchTable, person: str) -> bool:
    """Tells whether a person decides for a seat of the table, or did so before."""
    return bool(table.seats_of(person)) or any(one == person for one, _ in table.knew)


def look_as_judge(opened: Opened, who: Caller, last: int, what: str = "") -> None:
    """Records in the table's book that an organizer saw secrets, so they can never sit there.

    `what` names the thing they looked at, unless it was the match itself.
    """
    if who.kind == "session" and is_foreign():  # a look bars them from sitting there
        raise Problem(403, "not_from_our_page", "This did not come from a page of ours.")
    me = who.person.id

    def follows(table: MatchTable) -> list[TableEntry]:
        if has_part(table, me):  # since we looked
            raise tables.refused("not_your_seat", {"seat": ALL})
        before = (one for _, by, one in table.looks if by == me and one.at_what == what)
        return [] if any(one.knew >= last for one in before) else [Looked(knew=last, at_what=what)]

    opened.book.write(me, follows)


def eyes_of(opened: Opened, who: Caller | None) -> tuple[tuple[str, ...], str]:
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


def wanted_by(opened: Opened, asked: dict[str, Any], form: Form, who: Caller | None) -> Wanted:
    """Parses the request's query and refuses a replay that the caller may not see."""
    word, last = look_of(opened, asked["viewer"], who)
    history, edition = opened.history, asked["edition"]
    viewpoints, why_not = eyes_of(opened, who)
    if edition:
        history.rules.errata_of(edition)  # refuses one that the game does not have
        if why_not and word != ALL:
            raise Problem(403, detail=f"Other rules would be tried on secrets. {why_not}")
    return Wanted(
        match=opened.match,
        version=last,
        head=history.events[last - 1].head.hex(),
        viewer=word,
        edition=edition,
        viewpoints=viewpoints,
        why_not=why_not,
        form=form,
        over=history.life.closed and last == history.tip.version,
        program=program(),
    )


# --- having it made -------------------------------------------------------------------------------


def replayed(match: str, asked: dict[str, Any], form: Form) -> Response:
    """Returns the replay, or 202 while it is being made."""
    with all_tables().opened(match) as opened:
        wanted = wanted_by(opened, asked, form, caller())
    tag = tag_of(wanted)
    if request.if_none_match.contains_weak(tag):
        return named(Response(status=304), tag)
    desk = desk_here()
    if desk is None:  # nobody else could do it
        count_making()
        return sent(gzip.compress(made(all_tables().store, wanted), 1, mtime=0), tag, form)
    arguments = arguments_of(wanted)
    found, state = at_desk(lambda: awaited(desk, "replay", wanted.name, arguments, wanted.seconds))
    return sent(found, tag, form) if found is not None else making(state, form)


def tag_of(wanted: Wanted) -> str:
    """Returns the ETag: the last event, the viewer, and a hash of the rest."""
    same = msgspec.structs.replace(wanted, match="", head="")
    return f"{wanted.version}-{wanted.viewer}-{same.name[-12:]}"


def arguments_of(wanted: Wanted) -> dict[str, Any]:
    return cast("dict[str, Any]", msgspec.to_builtins(wanted))


def making(state: JobState | None, form: Form) -> Response:
    """Returns 202 for a job; a visitor who followed a link gets a page that waits for it."""
    if state is not None and state.state == "failed":
        detail = "This replay could not be made. The fault is ours, and was noted."
        raise Problem(503, "job_failed", detail, {"Retry-After": str(AGAIN_SECONDS)})
    assert state is not None, "a job that was asked for has a state"
    if form in FILES and is_followed():
        return waiting_page("The replay as a file", state, file=True)
    said = {"job": state.job, "state": state.state, "done": state.done, "of": state.of}
    return being_made(said)


def sent(found: bytes, tag: str, form: Form) -> Response:
    """Sends a stored replay, unpacked if the client does not accept gzip."""
    packed = request.accept_encodings["gzip"] > 0
    response = Response(found if packed else gzip.decompress(found), content_type=TYPES[form])
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return named(response, tag)


def named(response: Response, tag: str) -> Response:
    """Sets the ETag. It is weak, because both encodings share it."""
    response.set_etag(tag, weak=True)
    response.headers["Vary"] = "Authorization, Cookie, Accept-Encoding"
    response.headers["Cache-Control"] = "private, no-cache"
    return response
