"""Actions on a tournament, by its players and by those who run it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, url_for

from ledger.club.tournament import commands, results
from ledger.club.tournament.entries import AnyEntry
from services.matches.tournaments import TableOutcome, Tournaments
from services.web.app.access import allowed
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.parts import all_tournaments
from services.web.app.shapes import Shape

from .api import (
    check_acts_for,
    enter_player,
    find_visible_tournament,
    me,
)
from .pages import tournament_page
from .schemas import CorrectionShape, ForfeitShape, TournamentReasonShape, WhyShape

TOURNAMENT_ACTS: Final = Blueprint("tournament_acts", __name__, url_prefix="/tournaments")

_ONE: Final = "/<string:tournament>"
_ROUND: Final = f"{_ONE}/rounds/<int:number>"
_TABLE: Final = f"{_ROUND}/tables/<int:table>"


def _try_act(
    tournament: str,
    act: Callable[..., Any],
    said: str,
    where: str = "",
    shape: type[Shape] = WhyShape,
    **more: object,
) -> Response:
    """Acts with what the form and `more` say, usually a reason, and leads to the tournament's page.

    If that is refused, the page shows the reason.
    """
    find_visible_tournament(tournament)
    form = TypedForm.sent()
    form.apply(shape, form.body(shape) | more, lambda asked: act(**asked))
    if form.trouble:
        return tournament_page(tournament, form)
    there = url_for("tournament_pages.tournament", tournament=tournament, _anchor=where or None)
    return led_on(there, said)


def _writes(
    tournament: str, follows: Callable[..., Sequence[AnyEntry]], *about: object
) -> Callable[..., None]:
    """Returns the act that writes the entries which follow from a form."""
    return lambda **asked: all_tournaments().write(tournament, me(), follows, *about, **asked)


# --- players --------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_ONE}/players")
@allowed("person", scope="play")  # somebody else: the host
def enter(tournament: str) -> Response:
    """Enters the caller or a person. After the start only those who run it can enter players."""
    person = TypedForm.sent().text("person") or me()
    check_acts_for(find_visible_tournament(tournament), person)
    act = partial(enter_player, tournament, person)
    said = "You are playing." if person == me() else "The player is added."
    return _try_act(tournament, act, said, "players", Shape)


@TOURNAMENT_ACTS.post(f"{_ONE}/players/<int:player>/drop")
@allowed("person", scope="play")  # somebody else: the host
def drop(tournament: str, player: int) -> Response:
    """Drops a player from every round that is not paired yet."""
    state = find_visible_tournament(tournament)
    check_acts_for(state, state.player(player).person)
    act = _writes(tournament, commands.drop, player)
    return _try_act(tournament, act, "They will not be paired in later rounds.")


@TOURNAMENT_ACTS.post(f"{_ONE}/end")
@allowed("host", scope="organize")
def end(tournament: str) -> Response:
    act = _writes(tournament, commands.end)
    return _try_act(tournament, act, "The tournament has ended.")


# --- rounds ---------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_ROUND}/draw")
@allowed("host", scope="organize")
def draw(tournament: str, number: int) -> Response:
    """Pairs the next round, or again while none of its tables has begun."""
    act = partial(all_tournaments().draw, tournament, number, me())
    return _try_act(tournament, act, f"Round {number} is paired.", f"round-{number}")


@TOURNAMENT_ACTS.post(f"{_ROUND}/close")
@allowed("host", scope="organize")
def close(tournament: str, number: int) -> Response:
    """Closes the matches, approves all results, and closes the round."""
    act = partial(all_tournaments().close, tournament, number, me())
    said = f"Round {number} is closed."
    return _try_act(tournament, act, said, f"round-{number}", Shape)


# The acts on all tables of a round, and what their notes say. The last two need a reason.
AT_ALL_TABLES: Final[Mapping[str, tuple[Callable[..., list[TableOutcome]], str]]] = {
    "start": (Tournaments.start, "Started"),
    "remind": (Tournaments.remind, "Reminded the players to move"),
    "results": (Tournaments.read_results, "Results read from the logs"),
    "pause": (partial(Tournaments.each_match, act="pause"), "Paused"),
    "resume": (partial(Tournaments.each_match, act="resume"), "Resumed"),
}


@allowed("host", scope="organize")
def at_all_tables(tournament: str, number: int, name: str) -> Response:
    """Acts on all tables of a round, and names those where it failed."""
    form = TypedForm.sent()
    act, said = AT_ALL_TABLES[name]
    find_visible_tournament(tournament)
    asked: dict[str, Any] | None = {}
    if name in ("pause", "resume"):
        asked = form.read(TournamentReasonShape, form.body(TournamentReasonShape))
    if asked is None:
        form.trouble = "Give a reason. The log of each match records it."
        return tournament_page(tournament, form)
    done = form.tries(lambda: act(all_tournaments(), tournament, number, me(), **asked))
    if form.trouble:
        return tournament_page(tournament, form)
    troubles = [f"table {one.table}: {one.detail}" for one in done if one.code]
    count = len(done) - len(troubles)
    words = f"{said}: {count} of {len(done)} tables." if done else f"{said}: no table."
    there = url_for("tournament_pages.tournament", tournament=tournament, _anchor=f"round-{number}")
    words = " ".join([words, *(f"{one[0].upper()}{one[1:]}" for one in troubles)])
    return led_on(there, words, kind="trouble" if troubles else "done")


for _name in AT_ALL_TABLES:
    _more: dict[str, Any] = {"methods": ["POST"], "defaults": {"name": _name}}
    TOURNAMENT_ACTS.add_url_rule(f"{_ROUND}/{_name}", _name, at_all_tables, **_more)


# --- tables ---------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_TABLE}/approve")
@allowed("host", scope="organize")
def approve(tournament: str, number: int, table: int) -> Response:
    act = _writes(tournament, results.approve, number, table)
    said = f"The result of table {table} is approved."
    return _try_act(tournament, act, said, f"round-{number}")


@TOURNAMENT_ACTS.post(f"{_TABLE}/correct")
@allowed("host", scope="organize")
def correct(tournament: str, number: int, table: int) -> Response:
    """Corrects a table's result. The result from the log is kept too."""
    form = TypedForm.sent()
    players = find_visible_tournament(tournament).round(number).table(table).players
    scores = [form.number(f"score.{seat}") for seat in range(len(players))]
    scores = [] if all(one == "" for one in scores) else scores
    act = _writes(tournament, results.correct, number, table)
    said = f"The result of table {table} is corrected. The page also shows the log’s result."
    return _try_act(tournament, act, said, f"round-{number}", CorrectionShape, scores=scores)


@TOURNAMENT_ACTS.post(f"{_TABLE}/forfeit")
@allowed("host", scope="organize")
def forfeit(tournament: str, number: int, table: int) -> Response:
    """Records players who did not play, or not to the end."""
    act = partial(all_tournaments().forfeit, tournament, number, table, me())
    said = f"Forfeit recorded at table {table}."
    return _try_act(tournament, act, said, f"round-{number}", ForfeitShape)
