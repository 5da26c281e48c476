"""Tournament pages: the list, one with its players, rounds and standings, and pairings."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from flask import Blueprint, Response, render_template, request

from ledger.club.people import Person
from ledger.club.tournament.entries import WHYS
from ledger.club.tournament.standings import Figure, FigureItem, Standings, standings
from ledger.club.tournament.state import Round, Seating, TournamentState
from ledger.log.stores.protocol import Unavailable
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.forms import TypedForm
from services.web.app.identity import caller, club
from services.web.app.parts import match_list
from services.web.app.query import NotAnswered
from services.web.matches.answers import plain_clock
from services.web.matches.facts import game_title, name_of
from services.web.matches.view import as_listed

from .answers import plain_line, plain_round
from .api import find_visible_tournament, listed, runs
from .sight import runs_it

TOURNAMENT_PAGES: Final = Blueprint("tournament_pages", __name__)
LISTED: Final = 200
# The labels of the figures of standings and of their parts.
FIGURES: Final[Mapping[str, str]] = {
    "points": "Points",
    "opponents": "Opponents’ points",
    "scores": "Scores",
    "wins": "Wins",
    "met": "Direct meetings",
    "lot": "Lot",
}
PARTS: Final[Mapping[str, str]] = {
    "missed": "missed before entering",
    "bye": "bye",
    "opponent": "against",
    "score": "score",
    "win": "won",
    "met": "against",
    "lot": "drawn",
}
METHOD_WORDS: Final = {
    "swiss": "Swiss, by points",
    "random": "at random",
    "fixed": "by the players’ numbers",
}


@TOURNAMENT_PAGES.get("/tournaments")
@allowed("anyone")
def everything() -> Response:
    """Lists the tournaments that the visitor may see, newest first."""
    found = []
    with suppress(Unavailable):  # matches in files have no tournaments
        for one, state in listed():
            found.append(plain_line(one, state) | {"game": game_title(state.made.ruleset)})
    found.sort(key=lambda line: -line["made"])
    page = render_template("tournaments.html", tournaments=found[:LISTED], count=len(found))
    return page_response(page)


@TOURNAMENT_PAGES.get("/tournaments/<string:tournament>")
@allowed("anyone")
def tournament(tournament: str) -> Response:
    return tournament_page(tournament, TypedForm())


def tournament_page(tournament: str, form: TypedForm) -> Response:
    """Renders a tournament, with the input of one of its forms."""
    state = find_visible_tournament(tournament)
    who = caller()
    host = who is not None and runs(state)
    after = _after(state)
    found = standings(state, after)
    page = render_template(
        "tournament.html",
        id=tournament,
        form=form,
        state=state,
        line=plain_line(tournament, state),
        made=state.made,
        game=game_title(state.made.ruleset),
        method=METHOD_WORDS[state.made.method],
        clock=plain_clock(state.made.clock),
        host=host,
        host_name=name_of(who, state.made.host),
        mine=None if who is None else state.player_of(who.person.id),
        others=_others(state) if host else [],
        rounds=round_lines(state),
        standings=found,
        after=after,
        rows=explain_standings(state, found),
        figures=FIGURES,
        whys=[(why, why) for why in WHYS],
    )
    return page_response(page, form.status)


def _after(state: TournamentState) -> int | None:
    """Returns the round after which the standings are requested."""
    text = request.args.get("rounds", "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise NotAnswered(400, "rounds must be a number.")
    if int(text) > len(state.rounds):
        raise NotAnswered(404, f"There are {len(state.rounds)} rounds so far.")
    return int(text)


def _others(state: TournamentState) -> list[Person]:
    in_it = {one.person for one in state.players.values() if one.active}
    people = list(club().people().people.values())
    return sorted((one for one in people if one.id not in in_it), key=lambda one: one.name)


# --- rounds ---------------------------------------------------------------------------------------


def round_lines(state: TournamentState) -> list[dict[str, Any]]:
    """Returns the rounds, last one first, and the state of each table."""
    states = _match_states(state) if state.rounds else {}
    return [round_line(state, found, states) for found in reversed(state.rounds)]


def round_line(state: TournamentState, found: Round, states: Mapping[str, str]) -> dict[str, Any]:
    plain = plain_round(state, found)
    tables = [
        table_line(plain["tables"][at], one, states.get(one.match, ""))
        for at, one in enumerate(found.tables)
    ]
    return plain | {
        "number": found.number,
        "begun": any(one.begun for one in found.tables),
        "made": all(one.match or one.settled for one in found.tables),
        "tables": tables,
        "waiting": sum(not one.settled for one in found.tables),
    }


def _match_states(state: TournamentState) -> dict[str, str]:
    """Returns the matches' states as the visitor may know them. Organizers see them at once."""
    who = caller()
    sees_all = runs_it(state, who)
    lines = (one.summary if sees_all else as_listed(one, who) for one in match_list().listed())
    return {line.match: line.state for line in lines}


def table_line(plain: dict[str, Any], table: Seating, match_state: str) -> dict[str, Any]:
    """Returns a table, its state in words and the class for it, and why it was corrected.

    If it was corrected, `said` is what the log said.
    """
    words, kind = match_state or "no match yet", match_state or "open"
    if table.settled:
        words, kind = ("approved", "finished") if table.approved else ("to approve", "running")
    correction, read = table.corrected, table.read
    said = ""
    if correction is not None and read is not None:
        said = f"scores {', '.join(map(str, read.scores)) or 'none'}; {read.reason}"
    return plain | {
        "number": table.number,
        "state": words,
        "kind": kind,
        "corrected": "" if correction is None else correction.reason,
        "said": said,
    }


# --- standings ------------------------------------------------------------------------------------


def explain_standings(state: TournamentState, found: Standings) -> list[dict[str, Any]]:
    """Returns the rows of the standings, each figure with its parts in words."""
    return [
        {"row": row, "figures": [(one, _items(state, one)) for one in row.figures]}
        for row in found.rows
    ]


def _items(state: TournamentState, figure: Figure) -> list[tuple[str, int]]:
    return [(_item_words(state, one), one.value) for one in figure.items]


def _item_words(state: TournamentState, item: FigureItem) -> str:
    what = PARTS.get(item.what, item.what)
    if item.player:
        what = f"{what} {state.player(item.player).name}"
    return f"round {item.round}: {what}" if item.round else what


# --- to be printed --------------------------------------------------------------------------------


@TOURNAMENT_PAGES.get("/tournaments/<tournament>/pairings/<int:number>")
@allowed("anyone")
def pairings(tournament: str, number: int) -> Response:
    state = find_visible_tournament(tournament)
    found = plain_round(state, state.round(number))
    where = sorted(
        [
            (one["name"], one["player"], str(table["table"]), str(seat + 1))
            for table in found["tables"]
            for seat, one in enumerate(table["seats"])
        ]
        + [(one["name"], one["player"], "bye", "") for one in found["byes"]],
        key=lambda row: (row[0].casefold(), row[1]),
    )
    page = render_template(
        "pairings.html",
        id=tournament,
        title=state.made.title,
        rounds=state.made.rounds,
        found=found,
        where=where,
    )
    return Response(page, mimetype="text/html")
