"""The life of a table: going back by consent, new holders of seats, orders, a digest."""

from __future__ import annotations

from typing import Any, Final

from flask.views import MethodView
from msgspec.structs import asdict

from ledger.club import table as tables
from ledger.club.undo import EditionAsked, Request, UndoAnswered, UndoAsked
from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import ActBody, Submitter
from ledger.log.write.lifecycle import check_not_closed
from ledger.log.write.writer import Stale
from services.matches.cache import OpenMatch
from services.matches.seats import STAND_IN, give_to_bot, give_to_person
from services.matches.undo import settle_undo
from services.web.app.access import allowed
from services.web.app.identity import caller, club, require_caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.matches.answers import SECOND, plain_match
from services.web.matches.api import acted, submitter
from services.web.matches.schemas import MatchShape, ReasonShape
from services.web.matches.view import Look, is_behind, look_here

from .schemas import (
    AfterNumberShape,
    DigestShape,
    DigestSinceShape,
    HolderShape,
    NewUndoShape,
    OrdersShape,
    UndoAnswerShape,
    UndoShape,
    UndosShape,
)
from .talk import visible

TENDING: Final = Routes("tending", "/matches", "The life of a table")
DIGEST_MAX: Final = 500  # events; who was away for longer reads the replay


# --- going back -----------------------------------------------------------------------------------


@TENDING.route("/<string:match>/undo")
class Undos(MethodView):
    """Requests to go back."""

    @TENDING.takes(AfterNumberShape, location="query")
    @TENDING.gives(200, UndosShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Lists the requests to go back and their state. The first has number 1."""
        with match_cache().opened(match) as opened:
            found = requests_known(opened, look_here(opened, None), UndoAsked)
            last = asked["after"] + asked["limit"]
            return {
                "undos": [plain_undo(opened, one) for one in found[asked["after"] : last]],
                "more": last < len(found),
            }

    @TENDING.takes(NewUndoShape)
    @TENDING.gives(201, UndoShape, problems=(409,))
    @allowed("seat", scope="play")
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Goes back at once if only one's own decisions are undone; else asks all other seats."""
        me, seat = require_caller().person.id, asked["seat"]
        with match_cache().opened(match) as opened:
            opened.check_seat(seat)
            tables.check_decides(opened.table, seat, me)
            if undone_at_once(opened, asked, me):
                return plain_done(opened, asked)
            return plain_undo(opened, ask_to_go_back(opened, asked, me))


@TENDING.route("/<string:match>/undo/<int:number>")
class OneUndo(MethodView):
    """A request to go back."""

    @TENDING.takes(UndoAnswerShape)
    @TENDING.gives(200, UndoShape, problems=(409,))
    @allowed("seat", scope="play")
    def put(self, asked: dict[str, Any], match: str, number: int) -> dict[str, Any]:
        """Agrees to go back, or declines. When all have agreed it is done."""
        me = require_caller().person.id
        with match_cache().opened(match) as opened:
            return plain_undo(opened, record_answer(opened, number, UndoAsked, asked, me))

    @TENDING.gives(204, problems=(409,))
    @allowed("seat", scope="play")
    def delete(self, match: str, number: int) -> None:
        """Withdraws one's own request."""
        me = require_caller().person.id
        with match_cache().opened(match) as opened:
            withdraw(opened, number, UndoAsked, me)


def list_requests(opened: OpenMatch, kind: type[UndoAsked | EditionAsked]) -> list[Request]:
    return [one for one in opened.table.requests if isinstance(one.asked, kind)]


def requests_known(
    opened: OpenMatch, look: Look, kind: type[UndoAsked | EditionAsked]
) -> list[Request]:
    """Returns the requests of one kind; none for viewers who see the match later."""
    told = look.live and not is_behind(opened, look)
    return list_requests(opened, kind) if told else []


def entry_of(opened: OpenMatch, number: int, kind: type[UndoAsked | EditionAsked]) -> int:
    """Returns a request's entry in the table's book.

    Callers count requests only, because the book's other entries are not for everybody.
    """
    found = list_requests(opened, kind)
    if not 1 <= number <= len(found):
        raise tables.make_refusal("no_such_undo", {"request": number})
    return found[number - 1].number


def undone_at_once(opened: OpenMatch, asked: dict[str, Any], person: str) -> bool:
    """Takes back decisions of this seat alone that nobody learned from. False if it cannot."""
    by = Submitter(role="seat", name=person)
    try:
        opened.journal.rewind(asked["to"], by, asked["reason"], seat=asked["seat"])
    except Stale:
        return False  # somebody has decided just now
    except Refused as refusal:
        if refusal.code != "undo_needs_consent":
            raise
        return False
    return True


def ask_to_go_back(opened: OpenMatch, asked: dict[str, Any], person: str) -> Request:
    """Asks all other seats to go back. If only bots sit there, it is done at once."""
    request = UndoAsked(
        seat=asked["seat"],
        to=asked["to"],
        version=opened.history.tip.version,
        reason=asked["reason"],
        expires=opened.now() + asked["seconds"] * SECOND,
    )
    return ask_all(opened, request, person)


def ask_all(opened: OpenMatch, request: UndoAsked | EditionAsked, person: str) -> Request:
    """Asks all other seats. If only bots sit there, it is done at once."""
    now, seats = opened.now(), range(opened.history.created.seats)
    opened.book.write(person, lambda t: tables.ask_undo(t, seats, request, person, now))
    found = next(one for one in reversed(opened.table.requests) if one.asked == request)
    settle_undo(opened)
    return tables.request_of(opened.table, found.number)


def record_answer(
    opened: OpenMatch,
    number: int,
    kind: type[UndoAsked | EditionAsked],
    asked: dict[str, Any],
    person: str,
) -> Request:
    """Records a seat's answer to a request. When all have agreed it is done."""
    opened.check_seat(asked["seat"])
    entry = entry_of(opened, number, kind)
    answer = UndoAnswered(request=entry, seat=asked["seat"], agrees=asked["agrees"])
    seats, now = range(opened.history.created.seats), opened.now()
    opened.book.write(person, lambda t: tables.answer_undo(t, seats, answer, person, now))
    settle_undo(opened)
    return tables.request_of(opened.table, entry)


def withdraw(
    opened: OpenMatch, number: int, kind: type[UndoAsked | EditionAsked], person: str
) -> None:
    """Withdraws a request, for the seat that made it."""
    entry = entry_of(opened, number, kind)
    seats, now = range(opened.history.created.seats), opened.now()
    opened.book.write(person, lambda t: tables.withdraw_undo(t, seats, entry, person, now))


def plain_undo(opened: OpenMatch, request: Request) -> dict[str, Any]:
    assert isinstance(request.asked, UndoAsked), "it is one of those"
    return {"to": request.asked.to, **plain_request(opened, request)}


def plain_request(opened: OpenMatch, request: Request) -> dict[str, Any]:
    """Returns the fields common to all requests, for JSON."""
    seats = tables.seats_asked(opened.table, range(opened.history.created.seats))
    known = [one.number for one in list_requests(opened, type(request.asked))]
    return {
        "number": known.index(request.number) + 1,
        "seat": request.asked.seat,
        "reason": request.asked.reason,
        "state": request.state(seats, opened.now()),
        "agreed": sorted(seat for seat, agrees in request.answers.items() if agrees),
        "expires": request.asked.expires,
        "version": opened.history.tip.version,
    }


def plain_done(opened: OpenMatch, asked: dict[str, Any]) -> dict[str, Any]:
    return {
        "number": None,
        "seat": asked["seat"],
        "to": asked["to"],
        "reason": asked["reason"],
        "state": "done",
        "agreed": [asked["seat"]],
        "expires": None,
        "version": opened.history.tip.version,
    }


# --- seats ----------------------------------------------------------------------------------------


@TENDING.route("/<string:match>/seats/<int:seat>/holder")
class Holder(MethodView):
    """The holder of a seat."""

    @TENDING.takes(HolderShape)
    @TENDING.gives(200, MatchShape, problems=(409,))
    @allowed("host", scope="play")
    def put(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Gives a seat to another person or to a bot. The old holder keeps only what they knew.

        For a person who is yet to come: give the seat to a bot, and make an invitation to it.
        """
        if ("person" in asked) == ("bot" in asked):
            raise Problem(422, errors={"person": ["Name a person or a bot, and not both."]})
        with match_cache().opened(match) as opened:
            opened.check_seat(seat)
            check_not_closed(opened.history)
            if "bot" in asked:
                give_to_bot(opened, seat, asked["bot"], submitter(), asked["reason"])
            else:
                person = club().people().person(asked["person"])
                give_to_person(opened, seat, person.id, person.name, submitter(), asked["reason"])
            return plain_match(opened, look_here(opened, None))


@TENDING.route("/<string:match>/seats/<int:seat>/resign")
class Resign(MethodView):
    """A player's resignation."""

    @TENDING.takes(ReasonShape)
    @TENDING.gives(200, MatchShape, problems=(409,))
    @allowed("seat", scope="play")
    def post(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Resigns a seat: a bot plays on for it; before the start it is free again."""
        return acted(match, lambda opened: resign(opened, seat, asked["reason"]))


def resign(opened: OpenMatch, seat: Seat, reason: str) -> None:
    """Frees the caller's seat before the start; after it a bot plays on."""
    me = require_caller().person.id
    opened.check_seat(seat)
    check_not_closed(opened.history)
    tables.check_holder(opened.table, seat, me)
    if opened.history.life.started:
        by = Submitter(role="service", name=me, seat=seat)
        give_to_bot(opened, seat, STAND_IN, by, reason)
    else:
        # Before the start there is nothing to be seen through a seat.
        opened.book.write(me, lambda t: tables.leave_seat(t, seat, me))


@TENDING.route("/<string:match>/seats/<int:seat>/orders")
class Orders(MethodView):
    """The standing orders of a seat."""

    @TENDING.takes(OrdersShape)
    @TENDING.gives(200, OrdersShape, problems=(409,))
    @allowed("seat", scope="play")
    def put(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Sets the standing order to give the only answer when exactly one is offered."""
        me, wanted = require_caller().person.id, asked["only_option"]
        with match_cache().opened(match) as opened:
            opened.check_seat(seat)
            opened.book.write(me, lambda t: tables.give_order(t, seat, me, only_option=wanted))
            return {"only_option": seat in opened.table.orders}


# --- what was missed ------------------------------------------------------------------------------


@TENDING.route("/<string:match>/digest")
class Digest(MethodView):
    """The events since the caller's last decision."""

    @TENDING.takes(DigestSinceShape, location="query")
    @TENDING.gives(200, DigestShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Returns the events since one's last decision, in sentences with their numbers."""
        with match_cache().opened(match) as opened:
            look = look_here(opened, asked["viewer"])
            since = last_decided(opened, look) if asked["since"] is None else asked["since"]
            first = max(since, look.last - DIGEST_MAX) + 1
            told = opened.story.told(range(first, look.last + 1), look.viewer)
            found = opened.to_decide(look.last)
            return {
                "match": match,
                "as": look.word,
                "since": since,
                "last": look.last,
                "events": [
                    {**asdict(one), "by": opened.history.body(one.version).by.role}
                    for one in told
                    if one.sentences
                ],
                "asked": found is not None and look.viewer in found.asked(),
                "said": sum(line.said.version >= since for line in visible(opened, look, caller())),
                "undos": waiting_for(opened, look.viewer, UndoAsked),
                "editions": waiting_for(opened, look.viewer, EditionAsked),
            }


def last_decided(opened: OpenMatch, look: Look) -> int:
    """Returns the seat's last own decision, also an undone one; 0 if there is none."""
    history = opened.history
    for version in range(look.last, 0, -1):
        body = history.body(version)
        own = body.by.role in ("seat", "delegate")
        if not isinstance(body, ActBody) and own and body.seat == look.viewer:
            return version
    return 0


def waiting_for(opened: OpenMatch, seat: Seat | None, kind: type[UndoAsked | EditionAsked]) -> int:
    """Counts the requests of one kind that a seat has not answered."""
    if seat is None:
        return 0
    seats = tables.seats_asked(opened.table, range(opened.history.created.seats))
    return sum(
        one.state(seats, opened.now()) == "open" and seat not in one.answers
        for one in list_requests(opened, kind)
    )
