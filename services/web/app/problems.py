"""Problems: every answer that is no success, in the form of RFC 9457, with a stable code.

The code is for programs, the detail for people. If a rule of a game refused, its id and the
evidence are included.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from flask import Response, g, has_request_context
from werkzeug.exceptions import HTTPException

from ledger.kernel.refusals import Refused
from ledger.log.books import Reused
from ledger.log.stores.protocol import Unavailable
from ledger.log.write.writer import Stale
from services.matches.cache import CannotRead

RETRY_SECONDS: Final = 5
# The HTTP status of each refusal; any other is a rule's, which is 422.
STATUSES: Final[Mapping[str, int]] = {
    code: status
    for status, codes in {
        403: "not_a_party not_entitled not_to_be_watched not_your_seat own_case wrong_submitter",
        404: """
            no_such_conflict no_such_deal no_such_delivery no_such_dispute no_such_event
            no_such_line no_such_match no_such_pass no_such_person no_such_player no_such_round
            no_such_seat no_such_table no_such_tournament no_such_undo no_such_webhook
            unknown_ruleset
        """,
        409: """
            already_ended already_started chance_pending dispute_over dropped_already
            engine_differs entered_already entry_closed fork_running founded keys_are_open
            knew_another_seat last_organizer match_closed match_over match_parked match_paused
            no_appeal no_match no_result no_table no_time_out no_transfers nobody_sits_there
            not_asked not_disclosed not_ended not_parked not_ruled not_settled not_started
            other_dossier paired_anew question_gone read_only round_begun round_closed
            round_open rounds_over seat_taken seated_already seats_free still_parked table_begun
            too_few_players too_many_disputes too_many_passes too_many_players too_many_webhooks
            tournament_over undo_needs_consent undo_open undo_over webhook_stopped
        """,
        410: "pass_ended",
        412: "stale",
        429: "too_much_talk",
    }.items()
    for code in codes.split()
}
# Failures before a rule is asked, by status.
CODES: Final[Mapping[int, tuple[str, str]]] = {
    400: ("bad_request", "The request cannot be read."),
    401: ("not_signed_in", "Send a token, or sign in."),
    403: ("not_entitled", "You may not do this."),
    404: ("not_found", "There is nothing at this address."),
    405: ("method_not_allowed", "This address does not allow that method."),
    406: ("not_acceptable", "This address has no such format."),
    408: ("too_slow", "The request did not arrive in time."),
    413: ("too_large", "The request is too large."),
    414: ("too_large", "The address is too long."),
    415: ("not_json", "The body must be application/json."),
    422: ("invalid", "The request lacks a field, or a field has the wrong form."),
    428: ("no_precondition", "Give the version that you composed this at, in If-Match."),
    429: ("too_many_requests", "Too many requests; wait a little."),
    431: ("too_large", "The headers are too large."),
    500: ("our_fault", "Something went wrong. The fault is ours, and we logged it."),
    503: ("unavailable", "The ledger cannot be reached at the moment. Try again in a few seconds."),
}
# Codes of our own beside those, and what they mean wherever they are given.
OTHERS: Final[Mapping[str, str]] = {
    "no_idempotency_key": "A decision needs a key of your own in Idempotency-Key.",
    "bad_idempotency_key": "The key in Idempotency-Key has at most 100 printable letters.",
    "bad_precondition": 'If-Match names a version, as in "17".',
    "bad_event_id": "Last-Event-ID must be the number of an event.",
    "bad_token": "The token is not valid: it is mistyped, has expired, or was revoked.",
    "scope_needed": "The token lacks the scope that the answer names.",
    "not_from_our_page": "A session may only change things from our pages, with their CSRF word.",
    "no_such_seat": "The match has no such seat.",
    "no_such_head": "There is no signed head over so many events, or the older one has more.",
    "not_signed_yet": "No signed head covers this yet: ask again in a few seconds.",
    "fork_running": "A match is forked when it is closed; until then it is its players'.",
    "not_disclosed": "The close did not disclose all decisions up to that event.",
    "too_many_places": "You have the most streams open that you may have.",
    "no_place": "All places of viewers are taken. Try again in a few seconds.",
    "queue_full": "The service is too busy. Try again in a few seconds.",
    "job_failed": "The service could not make this. The fault is ours, and we logged it.",
    "outcome_unknown": "The answer was lost. Send the same request again, with the same key.",
    "unreadable": "The match exists, but these rules cannot read its log.",
}


class Problem(Exception):
    """An answer that is no success."""

    def __init__(
        self,
        status: int,
        code: str = "",
        detail: str = "",
        headers: Mapping[str, str] = {},
        **more: Any,
    ) -> None:
        usual = CODES.get(status, CODES[500 if status >= 500 else 400])
        usual_detail = OTHERS.get(code, usual[1])
        super().__init__(code or usual[0])
        self.status = status
        self.code = code or usual[0]
        self.detail = detail or usual_detail
        self.headers = headers
        self.more = more


def problem_response(problem: Problem) -> Response:
    said = {
        "type": f"/problems/{problem.code}",
        "title": problem.code.replace("_", " "),
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
        **{name: value for name, value in problem.more.items() if value},
    }
    if has_request_context():
        g.problem = problem.code  # for the log and the figures
        said |= {"trace": g.request_id} if "request_id" in g else {}
    try:
        body = msgspec.json.encode(said)
    except (TypeError, ValueError, OverflowError):
        # Evidence may be anything that a rule has seen. Without it the answer still stands.
        body = msgspec.json.encode({**said, "evidence": {}})
    response = Response(body, problem.status, mimetype="application/problem+json")
    response.headers["Cache-Control"] = "no-store"
    for name, value in problem.headers.items():
        response.headers[name] = value
    return response


def of_refusal(refusal: Refused) -> Problem:
    """Turns a refusal of the rules, the log or the club into a problem."""
    status, said = STATUSES.get(refusal.code, 422), refusal.evidence
    if refusal.rule and status in (403, 404):  # a game's own, by the same name: about a decision
        status = 422
    later = {"Retry-After": str(said.get("seconds", RETRY_SECONDS))} if status == 429 else {}
    return Problem(status, refusal.code, refusal.message, later, rule=refusal.rule, evidence=said)


def of_exception(reason: Exception) -> Problem:
    """Turns any exception into a problem."""
    match reason:
        case Problem():
            return reason
        case Refused():
            return of_refusal(reason)
        case Reused():
            return Problem(422, "command_changed", "This key was used before for another request.")
        case Stale():
            return Problem(503, headers={"Retry-After": str(RETRY_SECONDS)})
        case Unavailable():
            retry = {"Retry-After": str(RETRY_SECONDS)}
            if reason.unknown:
                return Problem(503, "outcome_unknown", headers=retry)
            return Problem(503, headers=retry)
        case CannotRead():
            return Problem(500, "unreadable")
        case HTTPException():
            return _of_http(reason)
    return Problem(400 if isinstance(reason, unreadable_bodies()) else 500)


def unreadable_bodies() -> tuple[type[Exception], ...]:
    """Returns gunicorn's errors of a body, which is read while it is looked at, if it serves us."""
    errors = sys.modules.get("gunicorn.http.errors")
    return () if errors is None else (errors.ParseException,)


def _of_http(reason: HTTPException) -> Problem:
    status = reason.code or 500
    kept = {
        name: value
        for name, value in reason.get_headers()
        if name.lower() in ("allow", "retry-after", "www-authenticate")
    }
    said: Mapping[str, Any] = getattr(reason, "data", None) or {}
    errors = said.get("messages") or said.get("errors")
    return Problem(status, headers=kept, errors=errors)
