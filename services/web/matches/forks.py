"""Forking: playing on from an event of a finished match, against bots, in a new match."""

from __future__ import annotations

from typing import Annotated, Any, Final

from flask.views import MethodView
from marshmallow.validate import Range

from ledger.log.write.lifecycle import make_refusal
from replays.story.names import SPECTATOR
from services.matches.forks import check_can_fork, fork_to_play, seat_to_take
from services.matches.seats import STAND_IN
from services.web.app.access import allowed
from services.web.app.identity import require_caller
from services.web.app.parts import match_cache
from services.web.app.routes import Routes
from services.web.app.shapes import Shape
from services.web.app.waiting import count_making

from .api import acted
from .schemas import Bot, MatchShape, Seat
from .view import look_here

FORKING: Final = Routes("forking", "/matches", "To play on from an event of a finished match")
EVENT_MAX: Final = 10**9


class ForkAskedShape(Shape):
    """The event to fork from, the seat, and the bots."""

    at: Annotated[int, Range(1, EVENT_MAX), "the event after which the fork goes on"]
    seat: Annotated[
        Seat | None, "the caller's seat; else their old seat, or the first that is asked"
    ] = None
    bot: Annotated[Bot, "who plays on the other seats"] = STAND_IN


@FORKING.route("/<string:match>/forks")
class Forks(MethodView):
    """Forks of a match."""

    @FORKING.takes(ForkAskedShape)
    @FORKING.gives(201, MatchShape, problems=(409,))
    @allowed("person", scope="play")  # of a match that one may watch
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Forks a closed match: the caller plays on from an event, against bots, in a new match."""
        return acted(make_fork(match, asked["at"], asked["seat"], asked["bot"]))


def make_fork(match: str, at: int, seat: int | None, bot: str = STAND_IN) -> str:
    """Makes a fork for a caller who may look at the match, and returns its id."""
    me = require_caller().person
    with match_cache().opened(match) as opened:
        look_here(opened, SPECTATOR)  # refuses whom the table does not let watch
        history = opened.history
        if at > opened.good:
            raise make_refusal("no_such_event", {"at": at, "first": 1, "last": opened.good})
        check_can_fork(history, at)
        if seat is None:
            seat = seat_to_take(history, at, opened.table.seats_of(me.id))
        opened.check_seat(seat)
        count_making()  # a whole log is written
        return fork_to_play(match_cache(), opened, at, seat, me.id, me.name, bot)
