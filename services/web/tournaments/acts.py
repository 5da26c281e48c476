"""Actions on a tournament, by its players and by those who run it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Response, url_for

from ledger.club.tournament import commands
from services.matches.tournaments import TableOutcome
from services.web.app.access import allowed
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.identity import club
from services.web.app.parts import all_tournaments
from services.web.app.problems import Problem

from .api import me, runs, seen
from .pages import tournament_page
from .rounds import corrected
from .schemas import CorrectionShape, ForfeitShape, TournamentReasonShape, WhyShape

TOURNAMENT_ACTS: Final = Blueprint("tournament_acts", __name__, url_prefix="/tournaments")

_ONE: Final = "/<string:tournament>"
_ROUND: Final = f"{_ONE}/rounds/<int:number>"
_TABLE: Final = f"{_ROUND}/tables/<int:table>"


def _tried(
    tournament: str, act: Callable[[], Any], said: str, form: TypedForm, where: str = ""
) -> Response:
    """Acts and leads to the tournament's page. If that is refused, the page shows the reason."""
    seen(tournament)
    if not form.trouble:
        form.tries(act)
    if form.trouble:
        return tournament_page(tournament, form)
    there = url_for("tournament_pages.tournament", tournament=tournament, _anchor=where or None)
    return led_on(there, said)


def _all_done(
    tournament: str, act: Callable[[], list[TableOutcome]], said: str, where: str
) -> Response:
    """Acts on all tables, and names those where it failed."""
    form = TypedForm.sent()
    seen(tournament)
    done = form.tries(act)
    if form.trouble:
        return tournament_page(tournament, form)
    troubles = [f"table {one.table}: {one.detail}" for one in done if one.code]
    count = len(done) - len(troubles)
    words = f"{said}: {count} of {len(done)} tables." if done else f"{said}: no table."
    there = url_for("tournament_pages.tournament", tournament=tournament, _anchor=where)
    words = " ".join([words, *(f"{one[0].upper()}{one[1:]}" for one in troubles)])
    return led_on(there, words, kind="trouble" if troubles else "done")


def _reason(form: TypedForm) -> str:
    """Returns the reason from the form, checked as the API does."""
    asked = form.read(WhyShape, {"reason": form.text("reason")})
    return "" if asked is None else str(asked["reason"])


# --- players --------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_ONE}/players")
@allowed("person", scope="play")  # somebody else: the host
def enter(tournament: str) -> Response:
    """Enters the caller or a person. After the start only those who run it can enter players."""
    form = TypedForm.sent()
    running = runs(seen(tournament))
    person = form.text("person") or me()
    if person != me() and not running:
        raise Problem(403)

    def act() -> None:
        who = club().people().person(person)
        all_tournaments().write(
            tournament, me(), lambda state: commands.enter(state, who.id, who.name, late=running)
        )

    said = "You take part." if person == me() else "They take part."
    return _tried(tournament, act, said, form, "players")


@TOURNAMENT_ACTS.post(f"{_ONE}/players/<int:player>/drop")
@allowed("person", scope="play")  # somebody else: the host
def drop(tournament: str, player: int) -> Response:
    """Drops a player from every round that is not paired yet."""
    form = TypedForm.sent()
    state = seen(tournament)
    if state.player(player).person != me() and not runs(state):
        raise Problem(403)
    reason = _reason(form)

    def act() -> None:
        all_tournaments().write(tournament, me(), lambda now: commands.drop(now, player, reason))

    return _tried(tournament, act, "They are in no round that is paired from now on.", form)


@TOURNAMENT_ACTS.post(f"{_ONE}/end")
@allowed("host", scope="organize")
def end(tournament: str) -> Response:
    form = TypedForm.sent()
    reason = _reason(form)

    def act() -> None:
        all_tournaments().write(tournament, me(), lambda state: commands.end(state, reason))

    return _tried(tournament, act, "The tournament has ended.", form)


# --- rounds ---------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_ROUND}/draw")
@allowed("host", scope="organize")
def draw(tournament: str, number: int) -> Response:
    """Pairs the next round, or again while none of its tables has begun."""
    form = TypedForm.sent()
    reason = _reason(form)

    def act() -> None:
        all_tournaments().draw(tournament, number, me(), reason)

    return _tried(tournament, act, f"Round {number} is paired.", form, f"round-{number}")


@TOURNAMENT_ACTS.post(f"{_ROUND}/start")
@allowed("host", scope="organize")
def start(tournament: str, number: int) -> Response:
    """Makes and starts the matches of all tables with everyone seated."""
    return _all_done(
        tournament,
        lambda: all_tournaments().start(tournament, number, me()),
        "Started",
        f"round-{number}",
    )


def _each(tournament: str, number: int, name: str, said: str) -> Response:
    form = TypedForm.sent()
    asked = form.read(TournamentReasonShape, {"reason": form.text("reason")})
    if asked is None:
        form.trouble = "Say why: it stands in the log of each match."
        return tournament_page(tournament, form)
    reason = asked["reason"]
    return _all_done(
        tournament,
        lambda: all_tournaments().each_match(
            tournament, number, me(), lambda journal, who: getattr(journal, name)(who, reason)
        ),
        said,
        f"round-{number}",
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
    return _all_done(
        tournament,
        lambda: all_tournaments().remind(tournament, number, me()),
        "Reminded those who are to decide",
        f"round-{number}",
    )


@TOURNAMENT_ACTS.post(f"{_ROUND}/results")
@allowed("host", scope="organize")
def results(tournament: str, number: int) -> Response:
    """Reads the results of all tables from their matches' logs."""
    return _all_done(
        tournament,
        lambda: all_tournaments().read_results(tournament, number, me()),
        "Results read from the logs",
        f"round-{number}",
    )


@TOURNAMENT_ACTS.post(f"{_ROUND}/close")
@allowed("host", scope="organize")
def close(tournament: str, number: int) -> Response:
    """Closes the matches, approves all results, and closes the round."""
    form = TypedForm.sent()

    def act() -> None:
        all_tournaments().close(tournament, number, me())

    return _tried(tournament, act, f"Round {number} is closed.", form, f"round-{number}")


# --- tables ---------------------------------------------------------------------------------------


@TOURNAMENT_ACTS.post(f"{_TABLE}/approve")
@allowed("host", scope="organize")
def approve(tournament: str, number: int, table: int) -> Response:
    form = TypedForm.sent()
    reason = _reason(form)

    def act() -> None:
        all_tournaments().approve(tournament, number, table, me(), reason)

    return _tried(tournament, act, f"The result of table {table} stands.", form, f"round-{number}")


@TOURNAMENT_ACTS.post(f"{_TABLE}/correct")
@allowed("host", scope="organize")
def correct(tournament: str, number: int, table: int) -> Response:
    """Corrects a table's result. The result from the log is kept too."""
    form = TypedForm.sent()
    seats = len(seen(tournament).round(number).table(table).players)
    scores = [form.number(f"score.{seat}") for seat in range(seats)]
    body = {
        "winners": [seat for seat in range(seats) if form.has("winners", str(seat))],
        "scores": [] if all(one == "" for one in scores) else scores,
        "forfeits": form.numbers("forfeits"),
        "reason": form.text("reason"),
    }
    asked = form.read(CorrectionShape, body)
    if asked is None:
        return tournament_page(tournament, form)

    def act() -> None:
        all_tournaments().correct(tournament, corrected(asked, number, table), me())

    words = f"The result of table {table} is corrected; what the log says stays beside it."
    return _tried(tournament, act, words, form, f"round-{number}")


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
    asked = form.read(ForfeitShape, body)
    if asked is None:
        return tournament_page(tournament, form)

    def act() -> None:
        all_tournaments().forfeit(
            tournament, number, table, asked["players"], asked["why"], me(), asked["reason"]
        )

    return _tried(tournament, act, f"Forfeited at table {table}.", form, f"round-{number}")
