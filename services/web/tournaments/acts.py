"""Actions on a tournament, by its players and by those who run it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, url_for

from services.matches.tournaments import TableOutcome
from services.web.app.access import allowed
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.parts import all_tournaments
from services.web.app.shapes import Shape

from .api import (
    check_acts_for,
    drop_player,
    end_tournament,
    enter_player,
    find_visible_tournament,
    me,
)
from .pages import tournament_page
from .rounds import act_on_each
from .schemas import CorrectionShape, ForfeitShape, TournamentReasonShape, WhyShape

TOURNAMENT_ACTS: Final = Blueprint("tournament_acts", __name__, url_prefix="/tournaments")

_ONE: Final = "/<string:tournament>"
_ROUND: Final = f"{_ONE}/rounds/<int:number>"
_TABLE: Final = f"{_ROUND}/tables/<int:table>"


def _try_act(
    tournament: str,
    form: TypedForm,
    act: Callable[..., Any],
    said: str,
    where: str = "",
    shape: type[Shape] = WhyShape,
    body: Mapping[str, Any] | None = None,
) -> Response:
    """Acts with what the form says, usually a reason, and leads to the tournament's page.

    If that is refused, the page shows the reason.
    """
    find_visible_tournament(tournament)
    body = {"reason": form.text("reason")} if body is None else body
    form.apply(shape, body, lambda asked: act(**asked))
    if form.trouble:
        return tournament_page(tournament, form)
    there = url_for("tournament_pages.tournament", tournament=tournament, _anchor=where or None)
    return led_on(there, said)


def _all_done(
    tournament: str, number: int, act: Callable[[str, int, str], list[TableOutcome]], said: str
) -> Response:
    """Acts on all tables of a round, and names those where it failed."""
    form = TypedForm.sent()
    find_visible_tournament(tournament)
    done = form.tries(lambda: act(tournament, number, me()))
    if form.trouble:
        return tournament_page(tournament, form)
    troubles = [f"table {one.table}: {one.detail}" for one in done if one.code]
    count = len(done) - len(troubles)
    words = f"{said}: {count} of {len(done)} tables." if done else f"{said}: no table."
    there = url_for("tournament_pages.tournament", tournament=tournament, _anchor=f"round-{number}")
    words = " ".join([words, *(f"{one[0].upper()}{one[1:]}" for one in troubles)])
    return led_on(there, words, kind="trouble" if troubles else "done")


# --- players --------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_ONE}/players")
@allowed("person", scope="play")  # somebody else: the host
def enter(tournament: str) -> Response:
    """Enters the caller or a person. After the start only those who run it can enter players."""
    form = TypedForm.sent()
    person = form.text("person") or me()
    check_acts_for(find_visible_tournament(tournament), person)
    act = partial(enter_player, tournament, person)
    said = "You are playing." if person == me() else "The player is added."
    return _try_act(tournament, form, act, said, "players", Shape, {})


@TOURNAMENT_ACTS.post(f"{_ONE}/players/<int:player>/drop")
@allowed("person", scope="play")  # somebody else: the host
def drop(tournament: str, player: int) -> Response:
    """Drops a player from every round that is not paired yet."""
    form = TypedForm.sent()
    state = find_visible_tournament(tournament)
    check_acts_for(state, state.player(player).person)
    act = partial(drop_player, tournament, player)
    return _try_act(tournament, form, act, "They will not be paired in later rounds.")


@TOURNAMENT_ACTS.post(f"{_ONE}/end")
@allowed("host", scope="organize")
def end(tournament: str) -> Response:
    act = partial(end_tournament, tournament)
    return _try_act(tournament, TypedForm.sent(), act, "The tournament has ended.")


# --- rounds ---------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_ROUND}/draw")
@allowed("host", scope="organize")
def draw(tournament: str, number: int) -> Response:
    """Pairs the next round, or again while none of its tables has begun."""
    act = partial(all_tournaments().draw, tournament, number, me())
    said = f"Round {number} is paired."
    return _try_act(tournament, TypedForm.sent(), act, said, f"round-{number}")


@TOURNAMENT_ACTS.post(f"{_ROUND}/start")
@allowed("host", scope="organize")
def start(tournament: str, number: int) -> Response:
    """Makes and starts the matches of all tables with everyone seated."""
    return _all_done(tournament, number, all_tournaments().start, "Started")


def _each(tournament: str, number: int, name: str, said: str) -> Response:
    form = TypedForm.sent()
    asked = form.read(TournamentReasonShape, {"reason": form.text("reason")})
    if asked is None:
        form.trouble = "Give a reason. The log of each match records it."
        return tournament_page(tournament, form)
    reason = asked["reason"]
    return _all_done(
        tournament, number, lambda *_: act_on_each(tournament, number, name, reason), said
    )


@TOURNAMENT_ACTS.post(f"{_ROUND}/pause")
@allowed("host", scope="organize")
def pause(tournament: str, number: int) -> Response:
    """Stops all clocks of a round. Decisions wait."""
    return _each(tournament, number, "pause", "Paused")


@TOURNAMENT_ACTS.post(f"{_ROUND}/resume")
@allowed("host", scope="organize")
def resume(tournament: str, number: int) -> Response:
    return _each(tournament, number, "resume", "Resumed")


@TOURNAMENT_ACTS.post(f"{_ROUND}/remind")
@allowed("host", scope="organize")
def remind(tournament: str, number: int) -> Response:
    """Reminds everyone who has a decision to make."""
    said = "Reminded the players to move"
    return _all_done(tournament, number, all_tournaments().remind, said)


@TOURNAMENT_ACTS.post(f"{_ROUND}/results")
@allowed("host", scope="organize")
def results(tournament: str, number: int) -> Response:
    """Reads the results of all tables from their matches' logs."""
    said = "Results read from the logs"
    return _all_done(tournament, number, all_tournaments().read_results, said)


@TOURNAMENT_ACTS.post(f"{_ROUND}/close")
@allowed("host", scope="organize")
def close(tournament: str, number: int) -> Response:
    """Closes the matches, approves all results, and closes the round."""
    act = partial(all_tournaments().close, tournament, number, me())
    said = f"Round {number} is closed."
    return _try_act(tournament, TypedForm.sent(), act, said, f"round-{number}", Shape, {})


# --- tables ---------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_TABLE}/approve")
@allowed("host", scope="organize")
def approve(tournament: str, number: int, table: int) -> Response:
    act = partial(all_tournaments().approve, tournament, number, table, me())
    said = f"The result of table {table} is approved."
    return _try_act(tournament, TypedForm.sent(), act, said, f"round-{number}")


@TOURNAMENT_ACTS.post(f"{_TABLE}/correct")
@allowed("host", scope="organize")
def correct(tournament: str, number: int, table: int) -> Response:
    """Corrects a table's result. The result from the log is kept too."""
    form = TypedForm.sent()
    seats = len(find_visible_tournament(tournament).round(number).table(table).players)
    scores = [form.number(f"score.{seat}") for seat in range(seats)]
    body = {
        "winners": [seat for seat in range(seats) if form.has("winners", str(seat))],
        "scores": [] if all(one == "" for one in scores) else scores,
        "forfeits": form.numbers("forfeits"),
        "reason": form.text("reason"),
    }
    act = partial(all_tournaments().correct, tournament, number, table, me())
    said = f"The result of table {table} is corrected. The page also shows the log’s result."
    return _try_act(tournament, form, act, said, f"round-{number}", CorrectionShape, body)


@TOURNAMENT_ACTS.post(f"{_TABLE}/forfeit")
@allowed("host", scope="organize")
def forfeit(tournament: str, number: int, table: int) -> Response:
    """Records players who did not play, or not to the end."""
    form = TypedForm.sent()
    body = {
        "players": form.numbers("players"),
        "why": form.text("why"),
        "reason": form.text("reason"),
    }
    act = partial(all_tournaments().forfeit, tournament, number, table, me())
    said = f"Forfeit recorded at table {table}."
    return _try_act(tournament, form, act, said, f"round-{number}", ForfeitShape, body)
