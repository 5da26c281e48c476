"""Tournaments: made, entered, viewed, exported as CSV, and recomputed as proof."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from flask import Response
from flask.views import MethodView

from ledger.club.tournament import commands, terms
from ledger.club.tournament.entries import TournamentMade
from ledger.club.tournament.standings import packed, standings
from ledger.club.tournament.state import TournamentState
from ledger.games import ruleset
from ledger.log.format.canonical import NotCanonical
from services.matches.tournaments import SEED_BYTES
from services.web.app.access import allowed
from services.web.app.identity import caller, club, signed_in
from services.web.app.parts import all_tournaments
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.shapes import Page
from services.web.matches.answers import SECOND
from services.web.matches.api import checked_options, checked_policy, clock_of

from .answers import (
    csv_of,
    pairing_rows,
    plain_line,
    plain_of,
    plain_round,
    plain_tournament,
    result_rows,
    standing_rows,
)
from .schemas import (
    AfterShape,
    AuditShape,
    EnterShape,
    EntriesShape,
    NewTournamentShape,
    RoundsShape,
    StandingsShape,
    TournamentShape,
    TournamentsShape,
    WhyShape,
)
from .sight import as_known, known_entries, runs_it, unknown_to

TOURNAMENTS: Final = Routes("tournaments", "/tournaments", "Tournaments, their players and results")
CSV: Final = "text/csv"
_OF_CSV: Final = {"description": "OK", "content": {CSV: {"schema": {"type": "string"}}}}


Method = TypeVar("Method", bound=Callable[..., Any])


def gives_csv(method: Method) -> Method:
    """Declares that a method answers with CSV."""
    documented = TOURNAMENTS.blueprint.doc(responses={"200": _OF_CSV})
    done: Method = documented(TOURNAMENTS.gives(200)(method))
    return done


def seen(tournament: str) -> TournamentState:
    """Returns a tournament if the caller may see it; one whose matches are for members is too.

    Its results have the same delay as its matches.
    """
    state = visited(tournament)
    return as_known(state, unknown_to(state, caller()))


def visited(tournament: str) -> TournamentState:
    """Returns a tournament with everything known. Refuses a caller who may not see it at all."""
    state = all_tournaments().state(tournament)
    if state.made.looking != "everybody" and caller() is None:
        raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
    return state


def me() -> str:
    return signed_in().person.id


def runs(state: TournamentState) -> bool:
    """Tells whether the caller runs the tournament, with a token that allows it."""
    who = signed_in()
    return "organize" in who.scopes and runs_it(state, who)


def answer_of(tournament: str) -> dict[str, Any]:
    return plain_tournament(tournament, seen(tournament))


@TOURNAMENTS.route("")
class AllTournaments(MethodView):
    """The tournaments."""

    @TOURNAMENTS.takes(Page, location="query")
    @TOURNAMENTS.gives(200, TournamentsShape)
    @allowed("anyone")
    def get(self, page: dict[str, Any]) -> dict[str, Any]:
        """Lists the tournaments that the caller may look at, by id."""
        ids = [one for one in all_tournaments().ids() if one > page["after"]]
        shown: list[dict[str, Any]] = []
        for one in ids:
            state = all_tournaments().state(one)
            if state.made.looking == "everybody" or caller() is not None:
                shown.append(plain_line(one, state))
            if len(shown) > page["limit"]:
                break
        return {"tournaments": shown[: page["limit"]], "more": len(shown) > page["limit"]}

    @TOURNAMENTS.takes(NewTournamentShape)
    @TOURNAMENTS.gives(201, TournamentShape)
    @allowed("organizer", scope="organize")
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Makes a tournament. The caller runs it."""
        try:
            return answer_of(all_tournaments().make(made_of(asked, me())))
        except NotCanonical:
            raise Problem(413) from None


def made_of(asked: dict[str, Any], host: str) -> TournamentMade:
    """Builds the terms of a new tournament from a request, and checks them."""
    rules = ruleset(asked["ruleset"])
    sizes = terms.checked_sizes(asked["seats"], asked["sizes"], rules.seats)
    given = {one["seats"]: one["points"] for one in asked["places"]}
    places = terms.checked_places(sizes, given)
    return TournamentMade(
        title=asked["title"],
        host=host,
        ruleset=rules.name,
        edition=asked["edition"],
        options=checked_options(rules.name, asked["options"]),
        content=asked["content"],
        seats=asked["seats"],
        sizes=sizes,
        rounds=asked["rounds"],
        method=asked["method"],
        places=places,
        bye=terms.usual_bye(places) if asked["bye"] is None else asked["bye"],
        forfeit=asked["forfeit"],
        late_until=asked["late_until"],
        late_points=asked["late_points"],
        tiebreaks=tuple(dict.fromkeys(asked["tiebreaks"])),
        seed=os.urandom(SEED_BYTES),
        discloses=checked_policy(rules.name, asked["discloses"]),
        clock=clock_of(asked["clock"]),
        looking=asked["looking"],
        delay=asked["delay"] * SECOND,
        pauses=asked["pause_on_dispute"],
    )


@TOURNAMENTS.route("/<string:tournament>")
class OneTournament(MethodView):
    """A tournament."""

    @TOURNAMENTS.gives(200, TournamentShape)
    @allowed("anyone")
    def get(self, tournament: str) -> dict[str, Any]:
        """Returns a tournament: its terms and its players."""
        return answer_of(tournament)


@TOURNAMENTS.route("/<string:tournament>/players")
class Players(MethodView):
    """The players of a tournament."""

    @TOURNAMENTS.takes(EnterShape)
    @TOURNAMENTS.gives(201, TournamentShape, problems=(409,))
    @allowed("person", scope="play")  # somebody else: the host
    def post(self, asked: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Enters the caller or another person. After the start, for those who run it only."""
        running = runs(all_tournaments().state(tournament))
        person = asked.get("person", me())
        if person != me() and not running:
            raise Problem(403)
        who = club().people().person(person)
        name = asked.get("name", who.name)
        all_tournaments().write(
            tournament, me(), lambda state: commands.enter(state, who.id, name, late=running)
        )
        return answer_of(tournament)


@TOURNAMENTS.route("/<string:tournament>/players/<int:player>/drop")
class Drop(MethodView):
    """A player's departure."""

    @TOURNAMENTS.takes(WhyShape)
    @TOURNAMENTS.gives(200, TournamentShape, problems=(409,))
    @allowed("person", scope="play")  # somebody else: the host
    def post(self, asked: dict[str, Any], tournament: str, player: int) -> dict[str, Any]:
        """Drops a player from every round that is not paired yet."""
        state = all_tournaments().state(tournament)
        if state.player(player).person != me() and not runs(state):
            raise Problem(403)
        reason = asked["reason"]
        all_tournaments().write(tournament, me(), lambda now: commands.drop(now, player, reason))
        return answer_of(tournament)


@TOURNAMENTS.route("/<string:tournament>/end")
class End(MethodView):
    """The end of a tournament."""

    @TOURNAMENTS.takes(WhyShape)
    @TOURNAMENTS.gives(200, TournamentShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, asked: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Ends a tournament. The standings become final."""
        reason = asked["reason"]
        all_tournaments().write(tournament, me(), lambda state: commands.end(state, reason))
        return answer_of(tournament)


# --- to look at, and to take away -----------------------------------------------------------------


def plain_rounds(tournament: str) -> list[dict[str, Any]]:
    state = seen(tournament)
    return [plain_round(state, found) for found in state.rounds]


def as_csv(tournament: str, what: str, rows: list[list[Any]]) -> Response:
    response = Response(csv_of(rows), 200, mimetype=CSV)
    response.headers.set("Content-Disposition", "attachment", filename=f"{tournament}-{what}.csv")
    return response


def _csv_of_rounds(
    tournament: str, what: str, rows: Callable[[list[dict[str, Any]]], list[list[Any]]]
) -> Response:
    return as_csv(tournament, what, rows(plain_rounds(tournament)))


@TOURNAMENTS.route("/<string:tournament>/rounds")
class Rounds(MethodView):
    """The rounds of a tournament."""

    @TOURNAMENTS.gives(200, RoundsShape)
    @allowed("anyone")
    def get(self, tournament: str) -> dict[str, Any]:
        """Returns all rounds: pairings, how they were drawn, and the results known so far."""
        return {"tournament": tournament, "rounds": plain_rounds(tournament)}


@TOURNAMENTS.route("/<string:tournament>/pairings.csv")
class PairingsCsv(MethodView):
    """The pairings as CSV."""

    @gives_csv
    @allowed("anyone")
    def get(self, tournament: str) -> Response:
        """Returns the pairings of all rounds as CSV."""
        return _csv_of_rounds(tournament, "pairings", pairing_rows)


@TOURNAMENTS.route("/<string:tournament>/results.csv")
class ResultsCsv(MethodView):
    """The results as CSV."""

    @gives_csv
    @allowed("anyone")
    def get(self, tournament: str) -> Response:
        """Returns everyone's places, with the results in the logs, as CSV."""
        return _csv_of_rounds(tournament, "results", result_rows)


@TOURNAMENTS.route("/<string:tournament>/standings")
class StandingsOf(MethodView):
    """The standings of a tournament."""

    @TOURNAMENTS.takes(AfterShape, location="query")
    @TOURNAMENTS.gives(200, StandingsShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], tournament: str) -> Any:
        """Returns the standings, with the parts of each figure."""
        found = standings(seen(tournament), asked["rounds"])
        return Response(packed(found), 200, mimetype="application/json")


@TOURNAMENTS.route("/<string:tournament>/standings.csv")
class StandingsCsv(MethodView):
    """The standings as CSV."""

    @TOURNAMENTS.takes(AfterShape, location="query")
    @gives_csv
    @allowed("anyone")
    def get(self, asked: dict[str, Any], tournament: str) -> Response:
        """Returns the standings as CSV."""
        found = standings(seen(tournament), asked["rounds"])
        return as_csv(tournament, "standings", standing_rows(found))


@TOURNAMENTS.route("/<string:tournament>/entries")
class Entries(MethodView):
    """The book of a tournament."""

    @TOURNAMENTS.gives(200, EntriesShape)
    @allowed("person")
    def get(self, tournament: str) -> dict[str, Any]:
        """Returns the tournament's book: all that its standings rest on, except the matches' logs.

        With a delay it ends before the first entry that says more than the caller may know. `head`
        is the head of the last entry returned.
        """
        unknown = unknown_to(visited(tournament), caller())
        known = known_entries(all_tournaments().book(tournament).entries(), unknown)
        entries = [
            {"entry": number, "at": at, "by": by, "what": kind_of(what) | plain_of(what)}
            for number, at, by, what in known
        ]
        head = all_tournaments().head_at(tournament, known[-1][0])
        return {"tournament": tournament, "head": head.hex(), "entries": entries}


def kind_of(entry: msgspec.Struct) -> dict[str, str]:
    return {"type": str(entry.__struct_config__.tag)}


@TOURNAMENTS.route("/<string:tournament>/audit")
class AuditOf(MethodView):
    """The recomputation of a tournament."""

    @TOURNAMENTS.gives(200, AuditShape)
    @allowed("host", scope="organize")
    def get(self, tournament: str) -> Any:
        """Recomputes every draw, every result and the standings from the book and the logs."""
        found = all_tournaments().audit(tournament)
        return Response(msgspec.json.encode(found), 200, mimetype="application/json")
