"""New matches: a table against bots in two clicks, and the full form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, render_template, request, url_for

from ledger.kernel.bots import BOTS
from ledger.kernel.readings import Reading
from ledger.kernel.ruleset import Ruleset
from services.matches.seats import begin, put_bot, sit_down
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.identity import club, require_caller
from services.web.app.parts import match_cache
from services.web.app.query import NotAnswered, find_game
from services.web.people.api import link_of

from .api import make_match, submitter
from .facts import LOOKING, OPENED, OUT, value_words
from .lobby import games, usual_seats
from .schemas import NewMatchShape

NEW_MATCHES: Final = Blueprint("new_matches", __name__)

QUICK_BOT: Final = "greedy"
# The possible holders of a seat at the beginning, and their labels.
HOLDERS: Final[Mapping[str, str]] = {
    "me": "me",
    **{f"bot:{bot}": f"a {bot} bot" for bot in sorted(BOTS)},
    "open": "open to anyone",
    "invite": "invited by link",
}
# Fields whose name in a form differs from the API's.
CALLED: Final = {"clock.seconds": "time", "clock.increment": "increment", "clock.out": "out"}
UNITS: Final = {"minutes": 60, "hours": 3_600, "days": 86_400}


class OptionChoice(NamedTuple):
    """An option of a game as a form offers it."""

    name: str
    called: str
    why: str
    printed: str
    values: tuple[tuple[str, str], ...]  # none: it is a number
    least: int = 0
    most: int = 0


def choice_of(reading: Reading) -> OptionChoice:
    """Returns an option as a form offers it: the edition's value, or one of its values."""
    least, most = reading.range or (0, 0)
    words = [] if reading.range else [reading.value, *reading.also]
    values = tuple((format_typed(value), value_words(value)) for value in words)
    printed = value_words(reading.value)
    return OptionChoice(reading.id, reading.called, reading.why, printed, values, least, most)


def format_typed(value: object) -> str:
    """Returns a value as the form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@NEW_MATCHES.post("/play")
@allowed("person", scope="play")
def play() -> Response:
    """Makes a table against bots, seats the caller first, and starts it."""
    form = TypedForm.sent()
    rules = find_game(form.text("game"))
    bot = form.text("bot") or QUICK_BOT
    if bot not in BOTS:
        raise NotAnswered(400, f"There is no bot {bot[:20]!r} here.")
    seats = form.number(f"seats-{rules.name}", usual_seats(rules))
    me = require_caller().person
    title = f"{me.name} against bots" if rules.seats.stop > 2 else f"{me.name} alone"
    body = {"ruleset": rules.name, "seats": seats, "title": title}
    match = form.apply(NewMatchShape, body, make_match)
    if match is None:
        raise NotAnswered(form.status, form.errors.get("seats", form.trouble))
    with match_cache().opened(match) as opened:
        sit_down(opened, 0, me.id, me.name, None)
        for seat in range(1, opened.history.created.seats):
            put_bot(opened, seat, bot, submitter())
        begin(opened, submitter())
    return led_on(f"/matches/{match}/table")


@NEW_MATCHES.get("/matches/new")
@allowed("person")
def new() -> Response:
    """Shows the choice of a game, then the full form."""
    game = request.args.get("game", "")
    if not game:
        return page_response(render_template("new_match_game.html", games=games()))
    rules = find_game(game)
    said = {f"seat.{seat}": "open" for seat in range(usual_seats(rules))}
    said |= {"seat.0": "me", "looking": "everybody", "clock": "none", "out": "default"}
    form = TypedForm(said)
    form.said.setlist("discloses", list(OPENED))
    return _page(rules, form)


@NEW_MATCHES.post("/matches/new")
@allowed("person", scope="play")
def make() -> Response:
    """Makes the match, seats its players, and starts it if no seat is open."""
    form = TypedForm.sent()
    rules = find_game(form.text("game"))
    holders = _holders(form, rules)
    asked = form.read(NewMatchShape, _body(form, rules, len(holders)), CALLED)
    if holders.count("me") > 1:
        form.blame("seats", "You can only take one seat.")
        form.trouble = form.trouble or "You can only take one seat."
    if asked is None or form.trouble:
        return _page(rules, form)
    match = form.tries(lambda: make_match(asked))
    if match is None:
        return _page(rules, form)
    links = _seat_all(match, holders)
    there = url_for("pages.match_page", match=match)
    if not links:
        return led_on(there, "The match is created.")
    said = "The match is created. Send each of these links to one person: it works once, within two"
    return led_on(there, f"{said} weeks, and is not shown again.", links)


def _seat_all(match: str, holders: list[str]) -> list[tuple[str, str]]:
    """Seats the players, and returns the links for invited ones."""
    me, links = require_caller().person, []
    with match_cache().opened(match) as opened:
        for seat, holder in enumerate(holders):
            if holder == "me":
                sit_down(opened, seat, me.id, me.name, None)
            elif holder.startswith("bot:"):
                put_bot(opened, seat, holder.removeprefix("bot:"), submitter())
        if "open" not in holders and "invite" not in holders:
            begin(opened, submitter())
    for seat, holder in enumerate(holders):
        if holder == "invite":
            shown = club().make("invitation", me.id, match=match, seat=seat)
            links.append((f"Seat {seat}", link_of(shown)))
    return links


def terms_offered(rules: Ruleset, form: TypedForm) -> dict[str, Any]:
    """Returns what a template needs to offer the terms of a match."""
    return {
        "rules": rules,
        "form": form,
        "choices": [choice_of(one) for one in rules.readings.values() if one.option],
        "looking": LOOKING,
        "opened": OPENED,
        "out": OUT,
        "units": [(unit, unit) for unit in UNITS],
        "editions": [(edition, edition) for edition in rules.editions],
    }


def _page(rules: Ruleset, form: TypedForm) -> Response:
    page = render_template(
        "new_match.html",
        **terms_offered(rules, form),
        holders=HOLDERS,
    )
    return page_response(page, form.status)


def _holders(form: TypedForm, rules: Ruleset) -> list[str]:
    """Returns the holder of each seat. Later seats move up where one is left out."""
    said = [form.text(f"seat.{seat}") for seat in range(rules.seats.stop - 1)]
    return [one for one in said if one in HOLDERS]


def _body(form: TypedForm, rules: Ruleset, seats: int) -> dict[str, Any]:
    fields = ("title", "edition", "discloses", "delay", "pause_on_dispute")
    body = form.body(NewMatchShape, *fields) | terms_said(form, rules)
    body |= {"seats": seats, "looking": form.text("looking")}
    if isinstance(body.get("delay"), int):
        body["delay"] *= 60
    return body


def terms_said(form: TypedForm, rules: Ruleset) -> dict[str, Any]:
    """Returns the terms of a match or tournament that are not a field each."""
    options, clock = _options_said(form, rules), _clock_said(form)
    return {"ruleset": rules.name, "options": options, "clock": clock}


def _options_said(form: TypedForm, rules: Ruleset) -> dict[str, Any]:
    """Returns the chosen options. The edition's value holds where none is chosen."""
    found: dict[str, Any] = {}
    for one in rules.readings.values():
        text = form.text(f"option.{one.id}")
        if one.option and text:
            known = {format_typed(value): value for value in (one.value, *one.also)}
            found[one.id] = form.number(f"option.{one.id}") if one.range else known.get(text, text)
    return found


def _clock_said(form: TypedForm) -> dict[str, Any] | None:
    kind = form.text("clock", "none")
    if kind == "none":
        return None
    time, unit = form.number("time", 0), UNITS.get(form.text("unit"), 60)
    return {
        "kind": kind,
        "seconds": time * unit if isinstance(time, int) else time,
        "increment": form.number("increment", 0),
        "out": form.text("out", "default"),
    }
