"""A new tournament: its terms, which never change later."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, render_template, request, url_for

from ledger.club.tournament.entries import METHODS, TIEBREAKS
from ledger.kernel.ruleset import Ruleset
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.query import find_game
from services.web.matches.creation import CALLED, terms_offered, terms_said
from services.web.matches.facts import OPENED
from services.web.matches.lobby import games, usual_seats

from .api import make_tournament
from .pages import FIGURES, METHOD_WORDS
from .schemas import NewTournamentShape

TOURNAMENT_MAKING: Final = Blueprint("tournament_making", __name__)
FIELDS: Final = (
    *("title", "edition", "seats", "sizes", "rounds", "method", "bye", "forfeit", "late_until"),
    *("late_points", "tiebreaks", "discloses", "pause_on_dispute"),
)


@TOURNAMENT_MAKING.get("/tournaments/new")
@allowed("organizer", scope="organize")
def new() -> Response:
    """Shows the choice of a game, then the full form."""
    game = request.args.get("game", "")
    if not game:
        playable = [one for one in games() if one.seats[-1] > 1]
        return page_response(render_template("new_tournament_game.html", games=playable))
    rules = find_game(game)
    said = {"seats": str(max(2, usual_seats(rules))), "rounds": "3", "looking": "everybody"}
    form = TypedForm(said)
    form.said.setlist("discloses", list(OPENED))
    form.said.setlist("tiebreaks", ["opponents", "scores", "met", "lot"])
    return _page(rules, form)


@TOURNAMENT_MAKING.post("/tournaments/new")
@allowed("organizer", scope="organize")
def make() -> Response:
    form = TypedForm.sent()
    rules = find_game(form.text("game"))
    body = form.body(NewTournamentShape, *FIELDS) | terms_said(form, rules)
    body["looking"] = form.text("looking", "everybody")
    tournament = form.apply(NewTournamentShape, body, make_tournament, CALLED)
    if tournament is None:
        return _page(rules, form)
    said = "The tournament is created. Players can now join, or you can add them."
    return led_on(url_for("tournament_pages.tournament", tournament=tournament), said)


def _page(rules: Ruleset, form: TypedForm) -> Response:
    sizes = [size for size in rules.seats if size > 1]
    page = render_template(
        "new_tournament.html",
        **terms_offered(rules, form),
        sizes=sizes,
        pairs_of_sizes=[(str(size), str(size)) for size in sizes],
        methods=[(name, METHOD_WORDS[name]) for name in METHODS],
        tiebreaks=[(name, FIGURES[name]) for name in TIEBREAKS],
    )
    return page_response(page, form.status)
