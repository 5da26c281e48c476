"""Tournaments: made, entered, viewed, exported as CSV, and recomputed as proof."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import msgspec
from flask import Response
from flask.views import MethodView

from ledger.club.tournament import commands, terms
from ledger.club.tournament.entries import TournamentMade
from ledger.club.tournament.standings import pack_standings, standings
from ledger.club.tournament.state import TournamentState
from ledger.games import ruleset
from ledger.log.format.canonical import NotCanonical
from services.matches.tournaments import SEED_BYTES
from services.web.app.access import allowed
from services.web.app.identity import caller, club, require_caller
from services.web.app.parts import all_tournaments
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.shapes import Page
from services.web.matches.answers import SECOND
from services.web.matches.api import check_options, check_policy, clock_of

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
from .sight import as_known, list_known_entries, runs_it, unknown_to

TOURNAMENTS: Final = Routes("tournaments", "/tournaments", "Tournaments, their players and results")
CSV: Final = "text/csv"


def find_visible_tournament(tournament: str) -> TournamentState:
    """Returns a tournament if the caller may see it; one whose matches are for members is too.

    Its results have the same delay as its matches.
    """
    state = find_whole_tournament(tournament)
    return as_known(state, unknown_to(state, caller()))


def find_whole_tournament(tournament: str) -> TournamentState:
    """Returns a tournament with everything known. Refuses a caller who may not see it at all."""
    state = all_tournaments().state(tournament)
    if state.made.looking != "everybody" and caller() is None:
        raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
    return state


def me() -> str:
    return require_caller().person.id


def runs(state: TournamentState) -> bool:
    """Tells whether the caller runs the tournament, with a token that allows it."""
    who = require_caller()
    return "organize" in who.scopes and runs_it(state, who)


def answer_of(tournament: str) -> dict[str, Any]:
    return plain_tournament(tournament, find_visible_tournament(tournament))


@TOURNAMENTS.route("")
class AllTournaments(MethodView):
    """The tournaments."""

    @TOURNAMENTS.takes(Page, location="query")
    @TOURNAMENTS.gives(200, TournamentsShape)
    @allowed("anyone")
    def get(self, page: dict[str, Any]) -> dict[str, Any]:
        """Lists the tournaments that the caller may look at, by id."""
        found = islice(listed(page["after"]), page["limit"] + 1)
        shown = [plain_line(one, state) for one, state in found]
        return {"tournaments": shown[: page["limit"]], "more": len(shown) > page["limit"]}

    @TOURNAMENTS.takes(NewTournamentShape)
    @TOURNAMENTS.gives(201, TournamentShape)
    @allowed("organizer", scope="organize")
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Makes a tournament. The caller runs it."""
        return answer_of(make_tournament(asked))


def listed(after: str = "") -> Iterator[tuple[str, TournamentState]]:
    """Yields the tournaments that the caller may look at, by id."""
    for tournament in all_tournaments().ids():
        if tournament > after:
            state = all_tournaments().state(tournament)
            if state.made.looking == "everybody" or caller() is not None:
                yield tournament, state


def make_tournament(asked: dict[str, Any]) -> str:
    """Makes a requested tournament, which the caller runs. Returns its id."""
    try:
        return all_tournaments().make(_made_of(asked))
    except NotCanonical:
        raise Problem(413) from None


def _made_of(asked: dict[str, Any]) -> TournamentMade:
    """Builds the terms of a new tournament from a request, and checks them."""
    rules = ruleset(asked["ruleset"])
    sizes = terms.check_sizes(asked["seats"], asked["sizes"], rules.seats)
    given = {one["seats"]: one["points"] for one in asked["places"]}
    places = terms.check_places(sizes, given)
    return TournamentMade(
        title=asked["title"],
        host=me(),
        ruleset=rules.name,
        edition=asked["edition"],
        options=check_options(rules.name, asked["options"]),
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
        discloses=check_policy(rules.name, asked["discloses"]),
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
        enter_player(tournament, asked.get("person", me()), asked.get("name", ""))
        return answer_of(tournament)


def enter_player(tournament: str, person: str, name: str = "") -> None:
    """Enters the caller or another person. After the start only those who run it can do that."""
    running = check_acts_for(all_tournaments().state(tournament), person)
    who = club().people().person(person)
    all_tournaments().write(
        tournament, me(), commands.enter, who.id, name or who.name, late=running
    )


def check_acts_for(state: TournamentState, person: str) -> bool:
    """Refuses to act for somebody else who does not run the tournament. Tells who runs it."""
    running = runs(state)
    if person != me() and not running:
        raise Problem(403)
    return running


@TOURNAMENTS.route("/<string:tournament>/players/<int:player>/drop")
class Drop(MethodView):
    """A player's departure."""

    @TOURNAMENTS.takes(WhyShape)
    @TOURNAMENTS.gives(200, TournamentShape, problems=(409,))
    @allowed("person", scope="play")  # somebody else: the host
    def post(self, asked: dict[str, Any], tournament: str, player: int) -> dict[str, Any]:
        """Drops a player from every round that is not paired yet."""
        state = all_tournaments().state(tournament)
        check_acts_for(state, state.player(player).person)
        all_tournaments().write(tournament, me(), commands.drop, player, asked["reason"])
        return answer_of(tournament)


@TOURNAMENTS.route("/<string:tournament>/end")
class End(MethodView):
    """The end of a tournament."""

    @TOURNAMENTS.takes(WhyShape)
    @TOURNAMENTS.gives(200, TournamentShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, asked: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Ends a tournament. The standings become final."""
        all_tournaments().write(tournament, me(), commands.end, asked["reason"])
        return answer_of(tournament)


# --- to look at, and to take away -----------------------------------------------------------------


def plain_rounds(tournament: str) -> list[dict[str, Any]]:
    state = find_visible_tournament(tournament)
    return [plain_round(state, found) for found in state.rounds]


def as_csv(tournament: str, what: str, rows: list[list[Any]]) -> Response:
    response = Response(csv_of(rows), 200, mimetype=CSV)
    response.headers.set("Content-Disposition", "attachment", filename=f"{tournament}-{what}.csv")
    return response


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

    @TOURNAMENTS.gives(200, form=CSV)
    @allowed("anyone")
    def get(self, tournament: str) -> Response:
        """Returns the pairings of all rounds as CSV."""
        return as_csv(tournament, "pairings", pairing_rows(plain_rounds(tournament)))


@TOURNAMENTS.route("/<string:tournament>/results.csv")
class ResultsCsv(MethodView):
    """The results as CSV."""

    @TOURNAMENTS.gives(200, form=CSV)
    @allowed("anyone")
    def get(self, tournament: str) -> Response:
        """Returns everyone's places, with the results in the logs, as CSV."""
        return as_csv(tournament, "results", result_rows(plain_rounds(tournament)))


@TOURNAMENTS.route("/<string:tournament>/standings")
class StandingsOf(MethodView):
    """The standings of a tournament."""

    @TOURNAMENTS.takes(AfterShape, location="query")
    @TOURNAMENTS.gives(200, StandingsShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], tournament: str) -> Any:
        """Returns the standings, with the parts of each figure."""
        found = standings(find_visible_tournament(tournament), asked["rounds"])
        return Response(pack_standings(found), 200, mimetype="application/json")


@TOURNAMENTS.route("/<string:tournament>/standings.csv")
class StandingsCsv(MethodView):
    """The standings as CSV."""

    @TOURNAMENTS.takes(AfterShape, location="query")
    @TOURNAMENTS.gives(200, form=CSV)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], tournament: str) -> Response:
        """Returns the standings as CSV."""
        found = standings(find_visible_tournament(tournament), asked["rounds"])
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
        unknown = unknown_to(find_whole_tournament(tournament), caller())
        known = list_known_entries(all_tournaments().book(tournament).entries(), unknown)
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
