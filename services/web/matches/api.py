"""Matches: made, joined, started, and ended other than by their rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from flask.views import MethodView

from ledger.club.table import ClockTerms, TableLaid, drop_delegate, name_delegate
from ledger.games import ruleset
from ledger.kernel.readings import Value
from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import Submitter
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from services.matches.cache import OpenMatch, until_first
from services.matches.play import surroundings
from services.matches.seats import begin, find_last_seen, put_bot, sit_down
from services.web.app.access import allowed
from services.web.app.identity import caller, club, require_caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.shapes import Page, part_of
from services.web.errata.texts import errata_in
from services.web.people.api import link_of

from .answers import SECOND, plain_match
from .schemas import (
    BotShape,
    DelegateShape,
    InvitationShape,
    JoinShape,
    MatchesShape,
    MatchShape,
    NewMatchShape,
    ReasonShape,
)
from .view import list_visible_matches, look_here

MATCHES: Final = Routes("matches", "/matches", "Matches, and who sits at them")


def submitter() -> Submitter:
    """Returns the caller as the log names who runs a match: by id, never by name."""
    return Submitter(role="organizer", name=require_caller().person.id)


def acted(match: str, act: Callable[[OpenMatch], Any] = lambda _: None) -> dict[str, Any]:
    """Acts on a match, and returns it as the caller may know it then."""
    with match_cache().opened(match) as opened:
        act(opened)
        return plain_match(opened, look_here(opened, None))


@MATCHES.route("")
class All(MethodView):
    """All matches."""

    @MATCHES.takes(Page, location="query")
    @MATCHES.gives(200, MatchesShape)
    @allowed("anyone")
    def get(self, page: dict[str, Any]) -> dict[str, Any]:
        """Lists the matches that the caller may look at, newest first."""
        found = list_visible_matches(caller())
        shown, more = part_of([one.match for one in found], page)
        return {"matches": [found[number] for number in shown], "more": more}

    @MATCHES.takes(NewMatchShape)
    @MATCHES.gives(201, MatchShape)
    @allowed("person", scope="play")
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Makes a match. The caller is its host."""
        return acted(make_match(asked))


@MATCHES.route("/<string:match>")
class One(MethodView):
    """One match."""

    @MATCHES.gives(200, MatchShape)
    @allowed("anyone")
    def get(self, match: str) -> dict[str, Any]:
        """Returns a match as the caller may know it."""
        return acted(match)


@MATCHES.route("/<string:match>/seats/<int:seat>")
class OneSeat(MethodView):
    """A seat of a match."""

    @MATCHES.takes(JoinShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    @allowed("person", scope="play")
    def put(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Takes a seat. The nonce is committed now and opened at the start."""
        nonce = bytes.fromhex(asked["nonce"]) if "nonce" in asked else None
        return acted(match, lambda opened: sit_at(opened, seat, asked.get("name", ""), nonce))


@MATCHES.route("/<string:match>/seats/<int:seat>/invitations")
class Invitations(MethodView):
    """Links to a seat."""

    @MATCHES.gives(201, InvitationShape, problems=(409,))
    @allowed("host", scope="play")
    def post(self, match: str, seat: int) -> dict[str, Any]:
        """Makes a link that seats the person who opens it, if the seat is free then or a bot's."""
        with match_cache().opened(match) as opened:
            opened.check_seat(seat)
        shown = club().make("invitation", require_caller().person.id, match=match, seat=seat)
        return {
            "id": shown.made.pass_id,
            "seat": seat,
            "expires": shown.made.expires,
            "link": link_of(shown),
        }


@MATCHES.route("/<string:match>/seats/<int:seat>/bot")
class BotAtSeat(MethodView):
    """The bot that plays for a seat."""

    @MATCHES.takes(BotShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    @allowed("host", scope="play")
    def put(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Lets a bot play for a seat: a free one before the start, any after it."""

        def act(opened: OpenMatch) -> None:
            opened.check_seat(seat)
            put_bot(opened, seat, asked["bot"], submitter())

        return acted(match, act)


@MATCHES.route("/<string:match>/seats/<int:seat>/delegates")
class Delegates(MethodView):
    """The people who may also decide for a seat."""

    @MATCHES.takes(DelegateShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    @allowed("person", scope="play")
    def post(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Lets another person decide for one's seat too."""
        person = club().people().person(asked["person"]).id
        me = require_caller().person.id
        named = partial(name_delegate, seat=seat, person=person, by=me)
        return acted(match, lambda opened: opened.book.write(me, named))


@MATCHES.route("/<string:match>/seats/<int:seat>/delegates/<string:person>")
class OneDelegate(MethodView):
    """A delegate of a seat."""

    @MATCHES.gives(204)
    @allowed("person", scope="play")
    def delete(self, match: str, seat: int, person: str) -> None:
        """Removes a delegate. For the seat's holder and the delegate."""
        me = require_caller().person.id
        with match_cache().opened(match) as opened:
            knew = find_last_seen(opened)
            opened.book.write(me, lambda t: drop_delegate(t, seat, person, me, knew))


@MATCHES.route("/<string:match>/start")
class Start(MethodView):
    """The start of a match."""

    @MATCHES.gives(200, MatchShape, problems=(409,))
    @allowed("host", scope="play")
    def post(self, match: str) -> dict[str, Any]:
        """Starts a match. Every seat must be taken."""
        return acted(match, lambda opened: begin(opened, submitter()))


@MATCHES.route("/<string:match>/pause")
class Pause(MethodView):
    """The pause of a match."""

    @MATCHES.takes(ReasonShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    @allowed("host", scope="play")
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Pauses a match: the clocks stop and decisions wait."""
        return acted(match, lambda opened: act_on(opened, "pause", asked["reason"]))


@MATCHES.route("/<string:match>/resume")
class Resume(MethodView):
    """The end of a pause."""

    @MATCHES.takes(ReasonShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    @allowed("host", scope="play")
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Resumes a match."""
        return acted(match, lambda opened: act_on(opened, "resume", asked["reason"]))


@MATCHES.route("/<string:match>/abandon")
class Abandon(MethodView):
    """An end without a result."""

    @MATCHES.takes(ReasonShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    @allowed("host", scope="play")
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Abandons a match, without a result."""
        return acted(match, lambda opened: act_on(opened, "abandon", asked["reason"]))


@MATCHES.route("/<string:match>/close")
class Close(MethodView):
    """The close of a match."""

    @MATCHES.gives(200, MatchShape, problems=(409,))
    @allowed("host", scope="play")
    def post(self, match: str) -> dict[str, Any]:
        """Approves the result, closes the match, and discloses what its policy says."""
        return acted(match, close)


# --- what is written ------------------------------------------------------------------------------


def make_match(asked: dict[str, Any]) -> str:
    """Makes a match and its table. The caller is the host."""
    plan = plan_of(asked)
    host = require_caller().person.id
    around = surroundings(match_cache().store, match_cache().clock)
    journal = Journal.create(around, plan, submitter())
    laid = TableLaid(
        host=host,
        looking=asked["looking"],
        delay=asked["delay"] * SECOND,
        clock=clock_of(asked["clock"]),
        pauses=asked["pause_on_dispute"],
    )
    with match_cache().opened(journal.match_id) as opened:
        opened.book.write(host, lambda _: [laid])
    return journal.match_id


def sit_at(opened: OpenMatch, seat: Seat, name: str = "", nonce: bytes | None = None) -> None:
    """Seats the caller, under another name if they wish."""
    me = require_caller().person
    opened.check_seat(seat)
    sit_down(opened, seat, me.id, name or me.name, nonce)


def act_on(opened: OpenMatch, name: str, reason: str) -> None:
    """Pauses, resumes or abandons a match."""
    until_first(lambda: getattr(opened.journal, name)(submitter(), reason))


def close(opened: OpenMatch) -> None:
    until_first(lambda: opened.journal.close(submitter()))


def plan_of(asked: dict[str, Any]) -> Plan:
    """Builds the plan of a new match, checked as far as possible here."""
    rules = ruleset(asked["ruleset"])
    rules.check_seats(asked["seats"])
    return Plan(
        ruleset=rules.name,
        seats=asked["seats"],
        edition=asked["edition"],
        options=tuple(sorted(check_options(rules.name, asked["options"]).items())),
        overlay=asked["content"],
        errata=tuple(errata_in(asked["errata"])),
        discloses=check_policy(rules.name, asked["discloses"]),
        title=asked["title"],
    )


def check_options(name: str, given: dict[str, Any]) -> dict[str, Value]:
    """Returns the options of a match. Refuses unknown ones and wrong values."""
    readings = ruleset(name).readings
    for option in given:
        if option not in readings:
            evidence = {"reading": option[:80], "known": ", ".join(sorted(readings))}
            raise Refused("unknown_reading", "", "", evidence)
    return {option: readings[option].check(value) for option, value in given.items()}


def check_policy(name: str, given: list[str]) -> tuple[str, ...]:
    """Returns what the close discloses. Refuses unknown domains, which would open nothing."""
    known = [f"chance:{domain}" for domain in ruleset(name).domains]
    if unknown := [one for one in given if one.startswith("chance:") and one not in known]:
        said = f"The game has no {unknown[0]}; it has {', '.join(known)}."
        raise Problem(422, errors={"discloses": [said]})
    return tuple(dict.fromkeys(given))


def clock_of(asked: dict[str, Any] | None) -> ClockTerms | None:
    if asked is None:
        return None
    return ClockTerms(
        kind=asked["kind"],
        time=asked["seconds"] * SECOND,
        increment=asked["increment"] * SECOND,
        out=asked["out"],
    )
