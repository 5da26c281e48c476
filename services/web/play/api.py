"""Playing: a viewer's view of a match, a seat's options, and its decisions."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast
from urllib.parse import urlencode

import msgspec
from flask import Response, current_app, request
from flask.views import MethodView

from ledger.anchors.notes import receipt_text
from ledger.club import table as tables
from ledger.kernel.audience import Viewer, view, view_decision
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Question, Seat, tag_of
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import Submitter, plain_body
from ledger.log.format.chain import EMPTY, Opening
from ledger.log.read.history import History
from ledger.log.read.served import Served, openings_for
from ledger.log.write.lifecycle import Composed
from services.matches.cache import OpenMatch
from services.web.app.access import allowed
from services.web.app.identity import require_caller
from services.web.app.parts import match_cache, signer
from services.web.app.problems import Problem, of_refusal
from services.web.app.routes import NDJSON, Routes
from services.web.matches.schemas import (
    DecidedShape,
    DecisionShape,
    EventsShape,
    FactsShape,
    LookShape,
    OptionsShape,
    SceneShape,
    SinceShape,
    ViewShape,
)
from services.web.matches.view import Look, etag_of, event_in, look_here

PLAYING: Final = Routes("playing", "/matches", "Looking at a match, and deciding")
KEY_MAX: Final = 100
_DIGITS_MAX: Final = 9
SIGNED_WITHIN_MS: Final = 60_000  # so soon an event is under a signed head, says its receipt
SINCE_SHOWN: Final = 100  # events that a stale decision is answered with


@PLAYING.route("/<string:match>/view")
class View(MethodView):
    """A position in the ruleset's own terms."""

    @PLAYING.takes(LookShape, location="query")
    @PLAYING.gives(200, ViewShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the whole position as a seat, or a spectator, may see it."""
        return _position(match, asked, "view", lambda found, viewer: found.view(viewer))


@PLAYING.route("/<string:match>/scene")
class SceneOf(MethodView):
    """A position as a drawing."""

    @PLAYING.takes(LookShape, location="query")
    @PLAYING.gives(200, SceneShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the position drawn for a viewer, and the decision behind each click target."""
        return _position(match, asked, "scene", lambda found, viewer: found.scene(viewer))


@PLAYING.route("/<string:match>/options")
class Options(MethodView):
    """The decisions open to a seat."""

    @PLAYING.takes(LookShape, location="query")
    @PLAYING.gives(200, OptionsShape, problems=(409,))
    @allowed("seat")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the questions open to the caller's seat, standing ones too, and their options."""
        with match_cache().opened(match) as opened:
            look = look_here(opened, asked["viewer"])
            seat = look.viewer
            if seat is None:
                raise tables.make_refusal("not_your_seat", {"seat": "spectator"})
            version = event_in(look, asked["at"])
            found = opened.to_decide(version)
            said = {
                "match": match,
                "version": version,
                "seat": seat,
                "asked": None if found is None else plain_question_of(found, seat),
                "standing": [] if found is None else standing_of(found, seat),
            }
        return make_response(said, etag_of(look, version))


@PLAYING.route("/<string:match>/decisions")
class Decisions(MethodView):
    """The decisions of a match."""

    @PLAYING.takes(DecisionShape)
    @PLAYING.heeds(
        If_Match='the version that this was composed at, as a view\'s ETag has it: `"17"`',
        Idempotency_Key="your own key for this decision; the same key gets the same answer again",
    )
    @PLAYING.gives(201, DecidedShape, problems=(409, 412, 428))
    @allowed("seat", scope="play")
    def post(self, asked: dict[str, Any], match: str) -> Any:
        """Decides for a seat at the version in `If-Match`. `Idempotency-Key` makes retries safe."""
        me, seat = require_caller().person.id, asked["seat"]
        at, key = parse_if_match(), command_key()
        if at is None:
            raise Problem(428)
        with match_cache().opened(match, warm=True) as opened:
            opened.check_seat(seat)
            if opened.timed:
                opened.refresh()  # a clock goes by all that has come
            role = opened.table.decides(me, seat)
            if not role:
                raise tables.make_refusal("not_your_seat", {"seat": seat})
            by = Submitter(role=role, name=me)
            try:
                return decide(opened, asked, by, Composed(at, asked["question"]), key)
            except Refused as refusal:
                if refusal.code != "stale":
                    raise
                raise stale(opened, refusal, at, seat) from None


@PLAYING.route("/<string:match>/events")
class Events(MethodView):
    """The log of a match."""

    @PLAYING.takes(SinceShape, location="query")
    @PLAYING.gives(200, EventsShape, lines=True)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the log for one viewer, as JSON or newline-delimited JSON.

        Numbers, bodies and heads are the same for everybody; the openings depend on the viewer.
        """
        with match_cache().opened(match) as opened:
            look = look_here(opened, asked["viewer"])
            last = min(look.last, asked["since"] + asked["limit"])
            found = [
                plain_event(opened.history, version, look)
                for version in range(asked["since"] + 1, last + 1)
            ]
        if request.accept_mimetypes.best_match(["application/json", NDJSON]) == NDJSON:
            answer = lines(found)
            if last < look.last:
                rest = urlencode({**request.args, "since": last})
                answer.headers["Link"] = f'<{request.path}?{rest}>; rel="next"'
            return answer
        return {"match": match, "viewer": look.word, "last": look.last, "events": found}


@PLAYING.route("/<string:match>/facts")
class Facts(MethodView):
    """The facts of a match."""

    @PLAYING.takes(SinceShape, location="query")
    @PLAYING.gives(200, FactsShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the facts and sentences of each event, as one viewer may know them."""
        with match_cache().opened(match) as opened:
            look = look_here(opened, asked["viewer"])
            last = min(look.last, asked["since"] + asked["limit"])
            found = list(plain_facts(opened, look, range(asked["since"] + 1, last + 1)))
        return {"match": match, "viewer": look.word, "last": look.last, "events": found}


# --- deciding -------------------------------------------------------------------------------------


def parse_if_match() -> int | None:
    """Returns the version in `If-Match`. The rest of the tag names the viewer and is ignored."""
    said = request.headers.get("If-Match", "").strip()
    if not said:
        return None
    number = said.removeprefix("W/").strip('"').partition("-")[0]
    if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS_MAX):
        raise Problem(400, "bad_precondition")
    return int(number)


def command_key() -> str:
    """Returns the request's `Idempotency-Key`."""
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        raise Problem(400, "no_idempotency_key", "Give a key of your own in Idempotency-Key.")
    if len(key) > KEY_MAX or not key.isprintable() or not key.isascii():
        raise Problem(400, "bad_idempotency_key", "A key has at most 100 printable letters.")
    return key


def decide(
    opened: OpenMatch,
    asked: Mapping[str, Any],
    by: Submitter,
    composed: Composed,
    key: str,
) -> Any:
    """Records a decision and returns its result. A repeated request gets the same result."""
    journal, seat = opened.journal, asked["seat"]
    decision = journal.history.rules.decision(asked["decision"])
    command = journal.command(f"{by.name}/{key}", seat, decision)
    clock = clock_times_of(opened, seat, decision)
    facts = journal.decide(seat, decision, by, command=command, clock=clock, composed=composed)
    answer = journal.carried
    assert answer is not None, "a decision that was carried out is known"
    said = {
        "match": opened.match,
        "first": answer.first,
        "version": answer.tip.version,
        "head": answer.tip.head.hex(),
        "facts": [plain_of(view(fact, seat)) for fact in facts],
        "receipt": receipt_of(journal.history, answer.first),
    }
    response = make_response(said, f"{answer.tip.version}-s{seat}", 201)
    if answer.again:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def receipt_of(history: History, version: int) -> str:
    """Returns the receipt of a decision: its event, signed, as the player's proof."""
    before = EMPTY if version == 1 else history.events[version - 2].tip
    by = history.body(version).at + SIGNED_WITHIN_MS
    return receipt_text(signer(), history.match, before, history.events[version - 1], by)


def clock_times_of(opened: OpenMatch, seat: Seat, decision: Decision) -> tuple[int, int] | None:
    """Returns the seat's time before and after a decision; one that answers no question is free."""
    clocks = opened.clocks
    if clocks is None or opened.held or not opened.history.life.started:
        return None
    match = opened.journal.match()
    question = match.question
    asked = question is not None and seat in match.asked() and type(decision) in question.answers
    return clocks.recorded(seat, opened.now(), key=match.key(seat) if asked else "")


def stale(opened: OpenMatch, refusal: Refused, at: int, seat: Seat) -> Problem:
    """Returns the problem of an outdated decision, with the later events the seat may see."""
    problem = of_refusal(refusal)
    opened.refresh()
    look = Look(seat, opened.good, live=True)
    last = min(look.last, at + SINCE_SHOWN)
    problem.more["events"] = [
        plain_event(opened.history, version, look) for version in range(at + 1, last + 1)
    ]
    problem.more["version"] = look.last
    return problem


# --- in plain types -------------------------------------------------------------------------------


def plain_of(value: Any) -> Any:
    """Converts a view, a fact or a scene to JSON types; bytes become hex."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(name): plain_of(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain_of(one) for one in value]
    if isinstance(value, msgspec.Struct):
        return plain_of(msgspec.to_builtins(value, builtin_types=(bytes,)))
    return value


def plain_question_of(match: Match, seat: Seat) -> dict[str, Any] | None:
    question = match.question
    if question is None or seat not in match.asked():
        return None
    return plain_question(match, question, seat)


def standing_of(match: Match, seat: Seat) -> list[dict[str, Any]]:
    return [plain_question(match, question, seat) for question in match.standing(seat)]


def plain_question(match: Match, question: Question, seat: Seat) -> dict[str, Any]:
    return {
        "question": question.key(match.state, seat),
        "takes": [tag_of(kind) for kind in question.answers],
        "sealed": question.sealed,
        "options": [
            plain_of(view_decision(option, seat, seat))
            for option in question.options(match.state, seat)
        ],
    }


def plain_event(history: History, version: int, look: Look) -> dict[str, Any]:
    event = history.events[version - 1]
    served = Served(event, openings_for(history, version, look.viewer))
    return {
        "version": version,
        "head": event.head.hex(),
        "body": base64.b64encode(event.body).decode(),
        "said": plain_of(plain_body(event.body)),
        "openings": [plain_opening(one) for one in served.openings],
    }


def plain_opening(opening: Opening) -> dict[str, Any]:
    return {
        "version": opening.version,
        "path": opening.path,
        "salt": opening.salt.hex(),
        "plain": base64.b64encode(opening.plain).decode(),
    }


def plain_facts(opened: OpenMatch, look: Look, versions: range) -> Iterator[dict[str, Any]]:
    story = opened.story
    for told in story.told(versions, look.viewer):
        yield {
            "version": told.version,
            "at": told.at,
            "seat": told.seat,
            "undone": told.undone,
            "sentences": list(told.sentences),
            "facts": [plain_of(view(fact, look.viewer)) for fact in story.came(told.version).facts],
        }


def lines(found: list[dict[str, Any]]) -> Response:
    """Returns newline-delimited JSON."""
    packed = b"".join(msgspec.json.encode(one) + b"\n" for one in found)
    return Response(packed, 200, mimetype=NDJSON)


def make_response(said: dict[str, Any], etag: str, status: int = 200) -> Response:
    """Returns an answer with its ETag; 304 if the client has it already."""
    response = cast("Response", current_app.json.response(said))
    response.status_code = status
    response.set_etag(etag)
    response.headers["Vary"] = "Authorization, Cookie"
    if status == 200:
        response.headers["Cache-Control"] = "private, no-cache"
        return cast("Response", response.make_conditional(request))
    return response


def _position(
    match: str, asked: dict[str, Any], name: str, show: Callable[[Match, Viewer], Any]
) -> Any:
    """Answers with the position at an event as a viewer may see it, under a name."""
    with match_cache().opened(match) as opened:
        look = look_here(opened, asked["viewer"])
        version = event_in(look, asked["at"])
        found = opened.at(version)
        shown = None if found is None else plain_of(show(found, look.viewer))
    said = {"match": match, "version": version, "last": look.last, "as": look.word, name: shown}
    return make_response(said, etag_of(look, version))
