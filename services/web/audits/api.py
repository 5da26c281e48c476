"""Audits: check a match against its rules, and a tournament against its matches.

| as | may |
|---|---|
| a seat, spectator | as with every view of a match; what is hidden from them is not looked at |
| all | anyone once a closed match was opened; else an organizer, once it is closed |

A running match has no audit of everything, because it would reveal what is hidden.
"""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec
from flask import Response, current_app, request
from flask.views import MethodView
from marshmallow import fields, validate

from ledger.club import table as tables
from replays.audit.document import CHECKS, packed
from services.jobs.audits import (
    KIND,
    OF_TOURNAMENT,
    WantedAudit,
    WantedOfTournament,
    made,
    made_of_tournament,
    wanted_of_tournament,
)
from services.jobs.queue import AGAIN_SECONDS, Full, JobQueue, JobState, id_of
from services.jobs.replays import ALL, program
from services.matches.club import Caller
from services.matches.tables import Opened
from services.matches.tournaments import Tournaments
from services.web.app.identity import caller
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.shapes import Shape
from services.web.app.waiting import ask, at_desk, awaited, being_made, count_making, desk_here
from services.web.matches.archive import everything_is_open
from services.web.matches.view import all_tables
from services.web.replays.api import MakingShape, ReplayQueryShape, look_of, named, sent

AUDITING: Final = Routes("auditing", "/matches", "Audits")
TOURNAMENT_AUDITS: Final = Routes("tournament_audits", "/tournaments", "Audits of tournaments")
KEPT_MAX: Final = 16


class AuditQueryShape(Shape):
    """The viewer of an audit."""

    viewer = ReplayQueryShape().fields["viewer"]


class CheckShape(Shape):
    """One check and its result."""

    name = fields.String(required=True, validate=validate.OneOf(CHECKS))
    status = fields.String(
        required=True,
        validate=validate.OneOf(("ok", "failed", "withheld", "not disclosed", "not checked")),
    )
    said = fields.String(required=True)
    findings = fields.List(fields.Dict(), required=True)


class MatchAuditShape(Shape):
    """The report; docs/audits.md describes it field by field."""

    format = fields.String(required=True, validate=validate.Equal("hegemon-audit"))
    version = fields.Integer(required=True)
    match = fields.String(required=True)
    title = fields.String(required=True)
    ruleset = fields.String(required=True)
    edition = fields.String(required=True)
    source = fields.String(required=True, metadata={"description": "the hash of the rules' code"})
    origin = fields.String(required=True)
    viewer = fields.String(required=True, metadata={"description": "for whose eyes it is"})
    seats = fields.List(fields.String(), required=True)
    events = fields.Integer(required=True)
    head = fields.String(required=True)
    verdict = fields.String(required=True)
    checks = fields.List(fields.Nested(CheckShape), required=True)
    result = fields.Dict(required=True, allow_none=True)
    conflicts = fields.List(fields.Dict(), required=True)
    accounts = fields.List(fields.Dict(), required=True)
    deals = fields.List(fields.Dict(), required=True)
    submitters = fields.List(fields.Dict(), required=True)
    clocks = fields.List(fields.Dict(), required=True)
    points = fields.List(fields.Dict(), required=True)


class TournamentAuditShape(Shape):
    """The report on a tournament: its book, and a line for each match."""

    format = fields.String(required=True, validate=validate.Equal("hegemon-tournament-audit"))
    version = fields.Integer(required=True)
    tournament = fields.String(required=True)
    title = fields.String(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(("ok", "failed")))
    book = fields.Dict(required=True)
    matches = fields.List(fields.Dict(), required=True)


class Got(NamedTuple):
    """A gzipped result, or the state of its job."""

    found: bytes | None
    state: JobState | None


class LastMade:
    """A cache of recent results: a page, a file and JSON are often requested in a row."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Got] = OrderedDict()

    def get(self, name: str) -> Got | None:
        """Returns a recent result. The name covers everything it depends on."""
        with self._lock:
            return self._kept.get(name)

    def keep(self, name: str, got: Got) -> Got:
        with self._lock:
            self._kept[name] = got
            if len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return got


_MADE: Final = LastMade()


@AUDITING.route("/<string:match>/audit")
class OfMatch(MethodView):
    """The audit of a match."""

    @AUDITING.takes(AuditQueryShape, location="query")
    @AUDITING.gives(200, MatchAuditShape, later=MakingShape)
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the audit of a match, with evidence for every check. 202 while it is made."""
        wanted = audit_wanted(match, asked["viewer"], caller())
        tag = tag_of(wanted)
        if request.if_none_match.contains_weak(tag):
            return named(Response(status=304), tag)
        return answer(audit_got(wanted), tag)


@TOURNAMENT_AUDITS.route("/<string:tournament>/audit/report")
class OfTournament(MethodView):
    """The audit of a tournament."""

    @TOURNAMENT_AUDITS.gives(200, TournamentAuditShape, later=MakingShape)
    def get(self, tournament: str) -> Any:
        """Returns the audit of a tournament: book, standings, every match. 202 while it is made."""
        wanted = report_wanted(tournament)
        tag = wanted.name[-24:]
        if request.if_none_match.contains_weak(tag):
            return named(Response(status=304), tag)
        return answer(report_got(wanted), tag)


# --- who may --------------------------------------------------------------------------------------


def audit_wanted(match: str, word: str | None, who: Caller | None) -> WantedAudit:
    """Parses the request's query and refuses an audit that the caller may not see."""
    with all_tables().opened(match) as opened:
        if word == ALL and not opened.history.life.closed:
            raise tables.refused("not_your_seat", {"seat": ALL})
        viewer, last = look_of(opened, word or _usual(opened, who), who)
        return WantedAudit(
            match=match,
            version=last,
            head=opened.history.events[last - 1].head.hex(),
            viewer=viewer,
            program=program(),
        )


def _usual(opened: Opened, who: Caller | None) -> str | None:
    """Returns `all` if everything in the match is open, else None for one's own seat."""
    del who
    return ALL if everything_is_open(opened.history) else None


def report_wanted(tournament: str) -> WantedOfTournament:
    """Returns the request for a report on the tournament's present book."""
    tournaments = cast("Tournaments", current_app.extensions["tournaments"]())
    tournaments.state(tournament)  # refuses one that there is not
    *_, (entry, _, _, _) = tournaments.book(tournament).entries()
    head = tournaments.head_at(tournament, entry).hex()
    wanted: WantedOfTournament = wanted_of_tournament(tournaments.store, tournament, entry, head)
    return wanted


# --- having it made -------------------------------------------------------------------------------


def audit_got(wanted: WantedAudit) -> Got:
    """Returns the audit of a match, or the state of its job."""
    return made_or_asked(
        KIND, wanted.name, wanted, lambda: packed(made(all_tables().store, wanted))
    )


def made_or_asked(job: str, name: str, wanted: msgspec.Struct, make: Callable[[], bytes]) -> Got:
    """Returns a result from the queue. Without a queue it is made in this process."""
    desk = desk_here()
    if desk is None:
        return _MADE.get(name) or _MADE.keep(name, _now(make))
    arguments = arguments_of(wanted)
    return at_desk(lambda: Got(*awaited(desk, job, name, arguments)))


def report_got(wanted: WantedOfTournament) -> Got:
    """Returns the report on a tournament. Its matches are jobs of their own, done in parallel."""
    desk = desk_here()
    if desk is None:
        return _now(lambda: packed(made_of_tournament(all_tables().store, wanted)))
    return at_desk(lambda: _report(desk, wanted))


def _report(desk: JobQueue, wanted: WantedOfTournament) -> Got:
    found = desk.shelf.packed(wanted.name)
    if found is not None:
        return Got(found, None)
    lacking = [one for one in wanted.matches if not desk.shelf.has(one.name)]
    states = _asked_for(desk, lacking)
    failed = [one for one in states if one.state == "failed"]
    done, of = len(wanted.matches) - len(lacking), len(wanted.matches) + 1
    if len(lacking) > len(failed):
        state = "running" if done or any(one.state == "running" for one in states) else "queued"
        about = JobState(
            job=id_of(wanted.name),
            state=state,  # type: ignore[arg-type] # one of two words
            done=done,
            of=of,
        )
        return Got(None, about)
    found, last = awaited(desk, OF_TOURNAMENT, wanted.name, arguments_of(wanted))
    if last is not None:  # it takes the audits that lie there, and begins to count anew
        last = msgspec.structs.replace(last, done=done, of=of)
    return Got(found, last)


def _asked_for(desk: JobQueue, lacking: Sequence[WantedAudit]) -> list[JobState]:
    """Queues as many audits as there is room for. The next request queues the others."""
    states: list[JobState] = []
    for one in lacking:
        try:
            states.append(ask(desk, KIND, one.name, arguments_of(one)))
        except Full:
            if not states:
                raise
            break
    return states


def _now(make: Callable[[], bytes]) -> Got:
    count_making()
    return Got(gzip.compress(make(), 1, mtime=0), None)


def tag_of(wanted: WantedAudit) -> str:
    """Returns the ETag: the last event, the viewer, and a hash of the rest."""
    same = msgspec.structs.replace(wanted, match="", head="")
    return f"{wanted.version}-{wanted.viewer}-{same.name[-12:]}"


def arguments_of(wanted: msgspec.Struct) -> dict[str, Any]:
    """Returns the job's arguments in plain types, without secrets."""
    return cast("dict[str, Any]", msgspec.to_builtins(wanted))


def answer(got: Got, tag: str) -> Response:
    """Returns the report, or 202 while it is being made."""
    if got.found is not None:
        return sent(got.found, tag, "json")
    state = got.state
    assert state is not None, "a job that was asked for has a state"
    check_not_failed(state)
    said = {"job": state.job, "state": state.state, "done": state.done, "of": state.of}
    return being_made(said)


def check_not_failed(state: JobState) -> None:
    """Refuses a job that has failed."""
    if state.state == "failed":
        detail = "This audit could not be made. The fault is ours, and was noted."
        raise Problem(503, "job_failed", detail, {"Retry-After": str(AGAIN_SECONDS)})
