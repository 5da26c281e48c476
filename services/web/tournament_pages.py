"""A round's pairings as a page to be printed: one line a player, no script."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, render_template

from .api.tournament_plain import plain_round
from .api.tournaments import seen

TOURNAMENT_PAGES: Final = Blueprint("tournament_pages", __name__)


@TOURNAMENT_PAGES.get("/tournaments/<tournament>/pairings/<int:number>")
def pairings(tournament: str, number: int) -> Response:
    """Who sits where, by table and by name."""
    state = seen(tournament)
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
        "pairings.html", title=state.made.title, rounds=state.made.rounds, found=found, where=where
    )
    return Response(page, mimetype="text/html")
