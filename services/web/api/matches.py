"""Matches: made, joined, started, and ended otherwise than by their rules."""

from __future__ import annotations

from typing import Any, Final

from flask.views import MethodView

from ledger.club import table as tables
from ledger.club.table import ClockTerms, Table, TableLaid
from ledger.kernel.readings import Value
from ledger.kernel.refusals import Refused
from ledger.log.bodies import Submitter
from ledger.log.journal import Journal, Plan
from ledger.log.life import refused
from ledger.rules import ruleset
from services.play import surroundings
from services.seating import give_to_bot, seen_by_seats, sit_down
from services.tables import Opened, until_first
from services.web.archive import Summary, state_of

from .access import as_shown
from .account import link_of
from .identity import caller, club, signed_in
from .looking import (
    Look,
    all_tables,
    here,
    listed_for,
    place_in_tournament,
    seat_in,
    table_as_seen,
)
from .match_shapes import (
    BotShape,
    DelegateShape,
    InvitationShape,
    JoinShape,
    MatchesShape,
    MatchShape,
    NewMatchShape,
    ReasonShape,
)
from .routes import Routes
from .shapes import Page

MATCHES: Final = Routes("matches", "/matches", "Matches, and who sits at them")
SECOND: Final = 1_000


def submitter(role: str = "organizer") -> Submitter:
    """Who asks, as the log names them: by their id, which is no name."""
    found = {"organizer": "organizer", "seat": "seat", "delegate": "delegate"}[role]
    return Submitter(role=found, name=signed_in().person.id)  # type: ignore[arg-type]


@MATCHES.route("")
class All(MethodView):
    """All matches."""

    @MATCHES.takes(Page, location="query")
    @MATCHES.gives(200, MatchesShape)
    def get(self, page: dict[str, Any]) -> dict[str, Any]:
        """All matches that one may look at, the newest first"""
        found = listed_for(caller())
        ids = [one.match for one in found]
        first = ids.index(page["after"]) + 1 if page["after"] in ids else 0
        shown = found[first : first + page["limit"]]
        return {
            "matches": [plain_line(one) for one in shown],
            "more": first + len(shown) < len(found),
        }

    @MATCHES.takes(NewMatchShape)
    @MATCHES.gives(201, MatchShape)
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Make a match; who makes it is its host"""
        plan = plan_of(asked)
        host = signed_in().person.id
        around = surroundings(all_tables().store, all_tables().clock)
        journal = Journal.create(around, plan, submitter())
        laid = TableLaid(
            host=host,
            looking=asked["looking"],
            delay=asked["delay"] * SECOND,
            clock=clock_of(asked["clock"]),
        )
        with all_tables().opened(journal.match_id) as opened:
            opened.book.write(host, lambda _: [laid])
            return plain_match(opened, here(opened, None))


@MATCHES.route("/<string:match>")
class One(MethodView):
    """One match."""

    @MATCHES.gives(200, MatchShape)
    def get(self, match: str) -> dict[str, Any]:
        """A match as everybody may know it"""
        with all_tables().opened(match) as opened:
            return plain_match(opened, here(opened, None))


@MATCHES.route("/<string:match>/seats/<int:seat>")
class OneSeat(MethodView):
    """A seat of a match."""

    @MATCHES.takes(JoinShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    def put(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Sit down; the nonce is committed now and opened at the start"""
        me = signed_in()
        name = asked.get("name", me.person.name)
        nonce = bytes.fromhex(asked["nonce"]) if "nonce" in asked else None
        with all_tables().opened(match) as opened:
            seat_in(opened.history, str(seat))
            sit_down(opened, seat, me.person.id, name, nonce)
            return plain_match(opened, here(opened, None))


@MATCHES.route("/<string:match>/seats/<int:seat>/invitations")
class Invitations(MethodView):
    """Links to a seat."""

    @MATCHES.gives(201, InvitationShape, problems=(409,))
    def post(self, match: str, seat: int) -> dict[str, Any]:
        """Make a link to a free seat: whoever opens it may sit there"""
        with all_tables().opened(match) as opened:
            seat_in(opened.history, str(seat))
        shown = club().make("invitation", signed_in().person.id, match=match, seat=seat)
        return {
            "id": shown.made.pass_id,
            "seat": seat,
            "expires": shown.made.expires,
            "link": link_of(shown),
        }


@MATCHES.route("/<string:match>/seats/<int:seat>/bot")
class BotAtSeat(MethodView):
    """A bot that plays for a seat."""

    @MATCHES.takes(BotShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    def put(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Let a bot play for a seat: a free one before the start, any after it"""
        bot = asked["bot"]
        with all_tables().opened(match) as opened:
            seat_in(opened.history, str(seat))
            vacant = seat in opened.table.vacant()
            life = opened.history.life
            begun = seat in opened.table.unclaimed(life.joined)  # and never brought to an end
            begun = begun or bool(opened.table.bot_at(seat))
            if not life.started and not vacant and not begun:
                until_first(lambda: opened.journal.join(seat, f"{bot} bot", submitter()))
            give_to_bot(opened, seat, bot, submitter())
            return plain_match(opened, here(opened, None))


@MATCHES.route("/<string:match>/seats/<int:seat>/delegates")
class Delegates(MethodView):
    """Who may decide for a seat, too."""

    @MATCHES.takes(DelegateShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    def post(self, asked: dict[str, Any], match: str, seat: int) -> dict[str, Any]:
        """Let somebody decide for one's seat, too"""
        person = club().people().person(asked["person"]).id
        me = signed_in().person.id
        with all_tables().opened(match) as opened:
            opened.book.write(me, lambda t: tables.name_delegate(t, seat, person, me))
            return plain_match(opened, here(opened, None))


@MATCHES.route("/<string:match>/seats/<int:seat>/delegates/<string:person>")
class OneDelegate(MethodView):
    """One of them."""

    @MATCHES.gives(204)
    def delete(self, match: str, seat: int, person: str) -> None:
        """... and no more: the holder of the seat says so, or the delegate"""
        me = signed_in().person.id
        with all_tables().opened(match) as opened:
            knew = seen_by_seats(opened)
            opened.book.write(me, lambda t: tables.drop_delegate(t, seat, person, me, knew))


@MATCHES.route("/<string:match>/start")
class Start(MethodView):
    """The start."""

    @MATCHES.gives(200, MatchShape, problems=(409,))
    def post(self, match: str) -> dict[str, Any]:
        """Begin, when every seat is taken"""
        with all_tables().opened(match) as opened:
            table, joined = opened.table, opened.history.life.joined
            if left := [*table.vacant(), *table.unclaimed(joined)]:
                raise refused("seats_free", {"free": sorted(left)})
            until_first(lambda: opened.journal.start(submitter()))
            return plain_match(opened, here(opened, None))


def _act(match: str, name: str, reason: str) -> dict[str, Any]:
    with all_tables().opened(match) as opened:
        until_first(lambda: getattr(opened.journal, name)(submitter(), reason))
        return plain_match(opened, here(opened, None))


@MATCHES.route("/<string:match>/pause")
class Pause(MethodView):
    """A pause."""

    @MATCHES.takes(ReasonShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Stop the clocks; decisions wait"""
        return _act(match, "pause", asked["reason"])


@MATCHES.route("/<string:match>/resume")
class Resume(MethodView):
    """The end of a pause."""

    @MATCHES.takes(ReasonShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Go on"""
        return _act(match, "resume", asked["reason"])


@MATCHES.route("/<string:match>/abandon")
class Abandon(MethodView):
    """An end without a result."""

    @MATCHES.takes(ReasonShape)
    @MATCHES.gives(200, MatchShape, problems=(409,))
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Stop without a result"""
        return _act(match, "abandon", asked["reason"])


@MATCHES.route("/<string:match>/close")
class Close(MethodView):
    """The close."""

    @MATCHES.gives(200, MatchShape, problems=(409,))
    def post(self, match: str) -> dict[str, Any]:
        """Approve the result; what the policy says is opened to everybody"""
        with all_tables().opened(match) as opened:
            until_first(lambda: opened.journal.close(submitter()))
            return plain_match(opened, here(opened, None))


# --- what is written ------------------------------------------------------------------------------


def plan_of(asked: dict[str, Any]) -> Plan:
    """The plan of a new match, checked as far as it can be here."""
    rules = ruleset(asked["ruleset"])
    rules.check_seats(asked["seats"])
    return Plan(
        ruleset=rules.name,
        seats=asked["seats"],
        edition=asked["edition"],
        options=tuple(sorted(checked_options(rules.name, asked["options"]).items())),
        overlay=asked["content"],
        discloses=tuple(asked["discloses"]),
        title=asked["title"],
    )


def checked_options(name: str, given: dict[str, Any]) -> dict[str, Value]:
    """The options of a match, each a value that its ruleset knows."""
    readings = ruleset(name).readings
    for option in given:
        if option not in readings:
            evidence = {"reading": option[:80], "known": ", ".join(sorted(readings))}
            raise Refused("unknown_reading", "", "", evidence)
    return {option: readings[option].check(value) for option, value in given.items()}


def clock_of(asked: dict[str, Any] | None) -> ClockTerms | None:
    """The clock of a new match."""
    if asked is None:
        return None
    return ClockTerms(
        kind=asked["kind"],
        time=asked["seconds"] * SECOND,
        increment=asked["increment"] * SECOND,
        out=asked["out"],
    )


# --- what is answered -----------------------------------------------------------------------------


def plain_line(one: Summary) -> dict[str, Any]:
    """A match in one line of a list."""
    return {
        "id": one.match,
        "title": one.title,
        "ruleset": one.ruleset,
        "state": one.state,
        "version": one.events,
        "players": list(one.players),
        "result": one.result,
        "made": one.made_at,
    }


def plain_match(opened: Opened, look: Look) -> dict[str, Any]:
    """A match as whoever asks may know it."""
    history, table, who = opened.history, opened.table, caller()
    created, laid = history.created, opened.table.laid
    seen = history if look.live else history.up_to(look.last)
    seated = table_as_seen(opened, look, who)
    match = opened.at(look.last) if seen.life.started else None
    ended = match is not None and match.ended
    said = {
        "id": history.match,
        "title": created.title or f"Match {history.match}",
        "ruleset": created.ruleset,
        "edition": created.edition if match is None else match.terms.edition,
        "options": dict(created.options),
        "state": "parked" if opened.parked and look.last >= opened.good else state_of(seen),
        "version": look.last,
        "head": history.events[look.last - 1].head.hex(),
        "made": history.body(1).at,
        "seats": [plain_sitting(opened, seated, seat) for seat in range(created.seats)],
        "asked": [] if match is None else [seat for seat in match.asked() if seat >= 0],
        "result": plain_result(opened, look) if ended else None,
        "looking": "everybody" if laid is None else laid.looking,
        "delay": table.delay // SECOND,
        "tournament": place_in_tournament(history, who),
        "clock": plain_clock(None if laid is None else laid.clock),
        "clocks": plain_clocks(opened, look),
        "yours": [] if who is None else table.seats_of(who.person.id),
        "knew": plain_knew(seated, look),
    }
    return as_shown("match", said)


def plain_knew(table: Table, look: Look) -> list[dict[str, Any]]:
    """Who sat where before, and until which event, of those that one may know of."""
    return [
        {"seat": seat, "person": person, "version": version}
        for (person, seat), version in sorted(table.knew.items())
        if version <= look.last
    ]


def plain_result(opened: Opened, look: Look) -> dict[str, Any]:
    """How a match ended."""
    match = opened.at(look.last)
    assert match is not None, "what has ended has begun"
    result = match.result()
    return {
        "winners": list(result.winners),
        "scores": list(result.scores),
        "reason": result.reason,
        "approved": opened.history.life.closed,
    }


def plain_sitting(opened: Opened, table: Table, seat: int) -> dict[str, Any]:
    """A seat, and who sits there."""
    joined = opened.history.life.joined.get(seat)
    sitting = table.sitting.get(seat)
    who = "nobody" if joined is None else "unknown"
    if sitting is not None:
        who = "bot" if sitting.bot else "person" if sitting.person else "nobody"
    found: dict[str, Any] = {
        "seat": seat,
        "name": "" if joined is None else (sitting and sitting.name) or joined.name,
        "who": who,
    }
    if sitting is not None and sitting.person:
        found |= {"person": sitting.person, "delegates": list(sitting.delegates)}
    return as_shown("seat", found)


def plain_clocks(opened: Opened, look: Look) -> list[dict[str, Any]]:
    """What each seat has left; who sees the match delayed is told nothing that is newer."""
    if opened.parked or not opened.history.life.started or opened.table.laid is None:
        return []
    clocks = opened.clocks if look.live else None
    return [] if clocks is None else [one._asdict() for one in clocks.all(opened.now())]


def plain_clock(clock: ClockTerms | None) -> dict[str, Any] | None:
    """A clock for JSON."""
    if clock is None:
        return None
    return {
        "kind": clock.kind,
        "seconds": clock.time // SECOND,
        "increment": clock.increment // SECOND,
        "out": clock.out,
    }
