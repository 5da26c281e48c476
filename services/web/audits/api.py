"""Audits: check a match against its rules, and a tournament against its matches.

| as | may |
|---|---|
| a seat, spectator | as with every view of a match; what is hidden from them is not looked at |
| all | anyone once a closed match was opened; else an organizer, once it is closed |

A running match has no audit of everything, because it would reveal what is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from flask.views import MethodView
from marshmallow import fields, validate

from ledger.club import table as tables
from ledger.log.read.bundle import everything_is_open
from replays.audit.document import CHECKS, FORMAT, STATUSES, Audit, AuditCheck
from replays.story.names import ALL
from services.jobs.audits import WantedAudit
from services.jobs.queue import Full, JobQueue, JobState, id_of
from services.jobs.tournament_audits import (
    TournamentAudit,
    WantedOfTournament,
    make_tournament_request,
)
from services.matches.club import Caller
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.parts import all_tournaments, match_cache
from services.web.app.routes import Routes
from services.web.app.shapes import shape_of
from services.web.app.waiting import (
    Got,
    MakingShape,
    answer,
    ask,
    ask_queue,
    await_result,
    make_here,
    not_modified,
    queue_here,
    respond,
)
from services.web.matches.view import look_of
from services.web.replays.api import ViewerQueryShape

AUDITING: Final = Routes("auditing", "/matches", "Audits")
TOURNAMENT_AUDITS: Final = Routes("tournament_audits", "/tournaments", "Audits of tournaments")


CheckShape: Final = shape_of(
    AuditCheck,
    "CheckShape",
    name=fields.String(required=True, validate=validate.OneOf(CHECKS)),
    status=fields.String(required=True, validate=validate.OneOf(STATUSES)),
)
MatchAuditShape: Final = shape_of(
    Audit,
    "MatchAuditShape",
    {AuditCheck: CheckShape},
    format=fields.String(required=True, validate=validate.Equal(FORMAT)),
    result=fields.Dict(required=True, allow_none=True),
)
TournamentAuditShape: Final = shape_of(TournamentAudit, "TournamentAuditShape")


@AUDITING.route("/<string:match>/audit")
class OfMatch(MethodView):
    """The audit of a match."""

    @AUDITING.takes(ViewerQueryShape, location="query")
    @AUDITING.gives(200, MatchAuditShape, later=MakingShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the audit of a match, with evidence for every check. 202 while it is made."""
        return answer(audit_wanted(match, asked["viewer"], caller()))


@TOURNAMENT_AUDITS.route("/<string:tournament>/audit/report")
class OfTournament(MethodView):
    """The audit of a tournament."""

    @TOURNAMENT_AUDITS.gives(200, TournamentAuditShape, later=MakingShape)
    @allowed("host", scope="organize")
    def get(self, tournament: str) -> Any:
        """Returns the audit of a tournament: book, standings, every match. 202 while it is made."""
        wanted = report_wanted(tournament)
        return not_modified(wanted) or respond(wanted, report_got(wanted))


# --- who may --------------------------------------------------------------------------------------


def audit_wanted(match: str, word: str | None, who: Caller | None) -> WantedAudit:
    """Parses the request's query and refuses an audit that the caller may not see."""
    with match_cache().opened(match) as opened:
        if word == ALL and not opened.history.life.closed:
            raise tables.make_refusal("not_your_seat", {"seat": ALL})
        usual = ALL if everything_is_open(opened.history) else None
        viewer, last = look_of(opened, word or usual, who)
        return WantedAudit.of(opened.history, last, viewer)


def report_wanted(tournament: str) -> WantedOfTournament:
    """Returns the request for a report on the tournament's present book."""
    tournaments = all_tournaments()
    tournaments.state(tournament)  # refuses one that there is not
    *_, (entry, _, _, _) = tournaments.book(tournament).entries()
    head = tournaments.head_at(tournament, entry).hex()
    return make_tournament_request(tournaments.store, tournament, entry, head)


# --- the report on a tournament -------------------------------------------------------------------


def report_got(wanted: WantedOfTournament) -> Got:
    """Returns the report on a tournament. Its matches are jobs of their own, done in parallel."""
    queue = queue_here()
    return make_here(wanted) if queue is None else ask_queue(lambda: _report(queue, wanted))


def _report(queue: JobQueue, wanted: WantedOfTournament) -> Got:
    found = queue.results.packed(wanted.name)
    if found is not None:
        return Got(found, None)
    lacking = [audit for audit in wanted.matches if not queue.results.has(audit.name)]
    states = _queue_audits(queue, lacking)
    failed = [state for state in states if state.state == "failed"]
    done, of = len(wanted.matches) - len(lacking), len(wanted.matches) + 1
    if len(lacking) > len(failed):
        begun = done or any(state.state == "running" for state in states)
        about = JobState(
            job=id_of(wanted.name), state="running" if begun else "queued", done=done, of=of
        )
        return Got(None, about)
    found, last = await_result(queue, wanted)
    if last is not None:  # it takes the audits that lie there, and begins to count anew
        last = msgspec.structs.replace(last, done=done, of=of)
    return Got(found, last)


def _queue_audits(queue: JobQueue, lacking: Sequence[WantedAudit]) -> list[JobState]:
    """Queues as many audits as there is room for. The next request queues the others."""
    states: list[JobState] = []
    for wanted in lacking:
        try:
            states.append(ask(queue, wanted))
        except Full:
            if not states:
                raise
            break
    return states
