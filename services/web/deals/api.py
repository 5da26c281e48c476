"""Deals of a match and their verdicts; and how people have kept their word in a tournament.

| as | may |
|---|---|
| a seat, spectator, all | as with replays |

Private terms are shown to the parties only. A worker makes the document, or this process if there
is none, with the same result. docs/deals.md describes the documents.
"""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterator
from typing import Any, Final, cast

import msgspec
from flask import Response
from flask.views import MethodView
from marshmallow import fields, validate

from ledger.club.tournament.state import Seating, TournamentState
from ledger.kernel.refusals import Refused
from replays.deals.reputation import PromiseRecord, records
from replays.deals.statements import VERDICTS, DealsReport, unpacked
from services.jobs.queue import Full, JobQueue
from services.jobs.replays import ALL, Wanted, made
from services.matches.tables import CannotRead
from services.web.app.identity import caller
from services.web.app.routes import Routes
from services.web.app.shapes import Shape
from services.web.app.waiting import ask, at_desk, being_made, count_making, desk_here
from services.web.matches.archive import everything_is_open
from services.web.matches.view import all_tables
from services.web.replays.api import MakingShape, arguments_of, replayed, wanted_by
from services.web.tournaments.api import seen

DEALING: Final = Routes("deals", "/matches", "Deals, and whether they were kept")
RECORDS: Final = Routes("records", "/tournaments", "How people have kept their word")
_NONE: Final[dict[str, Any]] = {"required": True, "allow_none": True}


class DealsQueryShape(Shape):
    """The viewer of the deals."""

    viewer = fields.String(
        load_default=None,
        data_key="as",
        validate=validate.Length(1, 20),
        metadata={"description": "a seat's number, spectator, or all; else one's own seat"},
    )


class DealProofShape(Shape):
    """A fact that decided a promise, or that counts towards an open one."""

    n = fields.Integer(required=True, metadata={"description": "the event"})
    fact = fields.Dict(keys=fields.String(), required=True)


class DealPromiseShape(Shape):
    """A promise and its verdict."""

    seat = fields.Integer(required=True)
    to = fields.Integer(required=True)
    template = fields.String(required=True)
    words = fields.String(required=True)
    verdict = fields.String(
        **_NONE,
        validate=validate.OneOf(VERDICTS),
        metadata={"description": "null: nobody has agreed to it"},
    )
    at = fields.Integer(**_NONE, metadata={"description": "the event that kept or broke it"})
    settled = fields.Integer(**_NONE, metadata={"description": "the event that made it certain"})
    why = fields.String(required=True)
    facts = fields.List(fields.Nested(DealProofShape), required=True)
    meaning = fields.Dict(
        keys=fields.String(), **_NONE, metadata={"description": "null: only words say it"}
    )


class DealPaymentShape(Shape):
    """A payment that is part of a deal."""

    seat = fields.Integer(required=True)
    to = fields.Integer(required=True)
    amount = fields.Integer(required=True)


class DealPaidShape(DealPaymentShape):
    """A payment made for a deal."""

    n = fields.Integer(required=True)


class DealWordShape(Shape):
    """A party's statement about a deal."""

    n = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    about = fields.Integer(required=True)
    kept = fields.Boolean(required=True)
    note = fields.String(required=True)


class DealStepShape(Shape):
    """An event in the life of a deal."""

    n = fields.Integer(required=True)
    what = fields.String(required=True)
    seat = fields.Integer(**_NONE)


class DealShape(Shape):
    """A deal as far as the viewer may know it. Private terms are null."""

    id = fields.String(required=True)
    seat = fields.Integer(required=True)
    parties = fields.List(fields.Integer(), required=True)
    private = fields.Boolean(required=True)
    status = fields.String(required=True)
    proposed = fields.Integer(required=True)
    made = fields.Integer(**_NONE)
    counters = fields.String(required=True)
    undone_by = fields.Integer(**_NONE)
    steps = fields.List(fields.Nested(DealStepShape), required=True)
    paid = fields.List(fields.Nested(DealPaidShape), required=True)
    text = fields.String(**_NONE)
    payments = fields.List(fields.Nested(DealPaymentShape), **_NONE)
    promises = fields.List(fields.Nested(DealPromiseShape), **_NONE)
    said = fields.List(fields.Nested(DealWordShape), **_NONE)


class DealsShape(Shape):
    """The deals of a match."""

    format = fields.String(required=True, validate=validate.Equal("hegemon-deals"))
    version = fields.Integer(required=True)
    match = fields.String(required=True)
    ruleset = fields.String(required=True)
    edition = fields.String(required=True)
    source = fields.String(required=True)
    viewer = fields.String(required=True, data_key="as")
    head = fields.String(required=True)
    last = fields.Integer(required=True)
    lost = fields.Integer(**_NONE)
    binding = fields.Boolean(required=True)
    rule = fields.String(required=True)
    seats = fields.List(fields.String(), required=True)
    counts = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    deals = fields.List(fields.Nested(DealShape), required=True)


@DEALING.route("/<string:match>/deals")
class OfMatch(MethodView):
    """The deals of a match."""

    @DEALING.takes(DealsQueryShape, location="query")
    @DEALING.gives(200, DealsShape, later=MakingShape)
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the deals of a match and the verdict on each promise, for one viewer."""
        return replayed(match, {**asked, "edition": ""}, "deals")


# --- of a tournament ------------------------------------------------------------------------------


class DealBreachShape(Shape):
    """A promise that was broken."""

    match = fields.String(required=True)
    deal = fields.String(required=True)
    at = fields.Integer(required=True)
    to = fields.Integer(required=True, metadata={"description": "the seat it was made to"})
    words = fields.String(required=True)


class DealRecordShape(Shape):
    """A player's record of kept and broken promises."""

    player = fields.Integer(required=True)
    name = fields.String(required=True)
    matches = fields.Integer(required=True)
    deals = fields.Integer(required=True)
    given = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    got = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    breaches = fields.List(fields.Nested(DealBreachShape), required=True)


class DealRecordsShape(Shape):
    """The records of all players, as far as the caller may know them."""

    tournament = fields.String(required=True)
    matches = fields.Integer(required=True)
    unseen = fields.Integer(required=True, metadata={"description": "matches one may not see"})
    records = fields.List(fields.Nested(DealRecordShape), required=True)


class DealCountingShape(Shape):
    """The deals of the matches are still being read: ask again in a moment."""

    done = fields.Integer(required=True)
    of = fields.Integer(required=True)


@RECORDS.route("/<string:tournament>/deals")
class OfTournament(MethodView):
    """The records of a tournament's players."""

    @RECORDS.gives(200, DealRecordsShape, later=DealCountingShape)
    def get(self, tournament: str) -> Any:
        """Returns how each player has kept their word in the tournament's matches.

        An opened match counts in full; of other matches only what the caller's own seat, or a
        spectator, may know.
        """
        state = seen(tournament)
        wanted, unseen = _wanted(state)
        found = [(_report(one), table) for one, table in wanted]
        done = [(report, table.players) for report, table in found if report is not None]
        if len(done) < len(found):
            return _counting(len(done), len(found))
        return {
            "tournament": tournament,
            "matches": len(done),
            "unseen": unseen,
            "records": [_plain(state, one) for one in records(done)],
        }


def _tables(state: TournamentState) -> Iterator[Seating]:
    return (table for found in state.rounds for table in found.tables if table.match)


def _wanted(state: TournamentState) -> tuple[list[tuple[Wanted, Seating]], int]:
    """Returns the requests for each match, and the number of matches the caller may not see."""
    found, unseen = [], 0
    for table in _tables(state):
        try:
            with all_tables().opened(table.match) as opened:
                word = ALL if everything_is_open(opened.history) else None
                asked = {"viewer": word, "edition": ""}
                found.append((wanted_by(opened, asked, "deals", caller()), table))
        except (CannotRead, Refused):
            unseen += 1
    return found, unseen


def _report(wanted: Wanted) -> DealsReport | None:
    """Returns the deals of a match, or None while a worker makes them."""
    desk = desk_here()
    if desk is None:
        count_making()
        return unpacked(made(all_tables().store, wanted))
    found = at_desk(lambda: _found(desk, wanted))
    return None if found is None else unpacked(gzip.decompress(found))


def _found(desk: JobQueue, wanted: Wanted) -> bytes | None:
    """Returns the finished report; else queues it, if there is room."""
    found = desk.shelf.packed(wanted.name)
    if found is None:
        with contextlib.suppress(Full):  # who asks again asks for it then
            ask(desk, "replay", wanted.name, arguments_of(wanted))
    return found


def _counting(done: int, of: int) -> Response:
    return being_made({"done": done, "of": of})


def _plain(state: TournamentState, record: PromiseRecord[int]) -> dict[str, Any]:
    plain = cast("dict[str, Any]", msgspec.to_builtins(record))
    player = plain.pop("person")
    return {"player": player, "name": state.player(player).name, **plain}
