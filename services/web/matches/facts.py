"""The content of a match's page, as far as the visitor may know it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

from ledger.club.clocks import SeatClock
from ledger.club.undo import EditionAsked
from ledger.games import GAMES, ruleset
from ledger.kernel.scene import Scene
from ledger.log.format.acts import Abandoned, Paused
from replays.drawing.paints import seat_class
from services.matches.cache import OpenMatch
from services.matches.club import Caller
from services.matches.disputes import disputes_in
from services.web.app.identity import caller, club
from services.web.app.parts import match_cache
from services.web.replays.frames import HEAD_SHOWN
from services.web.seats.api import waiting_for

from .answers import plain_match
from .view import Look, look_here, runs, table_as_seen, tournament_of

LOOKING: Final = {
    "everybody": "everybody",
    "members": "members of the club",
    "nobody": "only its players and organizers",
}
OUT: Final = {"default": "the rules decide for the seat", "bot": "a bot takes over the seat"}
OPENED: Final = {
    "decisions": "secret decisions",
    "outcomes": "outcomes of chance",
    "chance": "the keys of chance",
}


def to_look_at(match: str) -> AbstractContextManager[OpenMatch]:
    """Opens a match for the length of a block, from a server or from files."""
    cache = match_cache()
    return cache.read(match) if cache.in_files else cache.opened(match)


def match_facts_of(match: str) -> dict[str, Any]:
    """Returns a match as the API answers it, and what its page shows beside that.

    Refuses a caller who may not look.
    """
    with to_look_at(match) as opened:
        look, who = look_here(opened, None), caller()
        plain = plain_match(opened, look)
        created, laid = opened.history.created, opened.table.laid
        seats, state = _seats(opened, look, plain), plain["state"]
        runs_now = state in ("running", "paused", "parked")
        return {
            **plain,
            "game": game_title(created.ruleset),
            "seats": seats,
            "options": _options(created.ruleset, plain["options"]),
            "head_short": plain["head"][:HEAD_SHOWN],
            "looking": LOOKING[plain["looking"]],
            "discloses": [OPENED.get(one, one) for one in created.discloses],
            "reason": _reason(opened, look),
            # True if spectators see it later, and the visitor is one.
            "behind": look.viewer is None and bool(plain["delay"]) and state != "finished",
            "tournament": _tournament(opened, plain),
            "host": name_of(who, "" if laid is None else laid.host),
            "runs": runs(opened.table, who),
            "writable": opened.writable,
            "disputes": len(disputes_in(opened.history, opened.table, look.last)),
            "asked_of_me": sum(waiting_for(opened, seat, EditionAsked) for seat in plain["yours"]),
            "mine": bool(plain["yours"]),
            "my_turn": any(one["mine"] and one["asked"] for one in seats),
            "waits": state == "open",
            "runs_now": runs_now,
            "full": all(one["who"] in ("person", "bot") for one in seats),
            "to_approve": runs_now and plain["result"] is not None,
            "shared": len(seats) > 1 and all(one["won"] for one in seats),
            "winners": [one["name"] for one in seats if one["won"]],
        }


def _seats(opened: OpenMatch, look: Look, plain: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns the seats as the API answers them, and what the page shows beside that."""
    scene = _scene(opened, look)
    clocks: dict[int, SeatClock] = {clock.seat: clock for clock in plain["clocks"]}
    result, who = plain["result"], caller()
    seated = table_as_seen(opened, look, who)
    seats = []
    for one in plain["seats"]:
        seat, clock = one["seat"], clocks.get(one["seat"])
        beside = {
            "called": _find_scene_name(scene, seat, one["name"]),
            "paint": seat_class(scene, seat),
            "bot": seated.bot_at(seat),
            "delegates": [name_of(who, person) for person in one.get("delegates", [])],
            "mine": seat in plain["yours"],
            "asked": seat in plain["asked"] and plain["state"] == "running",
            "left": None if clock is None else max(0, clock.left) // 1000,  # seconds
            "running": clock is not None and clock.running,
            "score": result["scores"][seat] if result and result["scores"] else None,
            "won": bool(result) and seat in result["winners"],
        }
        seats.append({**one, **beside})
    return seats


def _scene(opened: OpenMatch, look: Look) -> Scene | None:
    match = opened.at(look.last) if opened.history.life.started else None
    return None if match is None else match.scene(None)


def _find_scene_name(scene: Scene | None, seat: int, name: str) -> str:
    if scene is None or seat >= len(scene.players):
        return ""
    called = scene.players[seat].name
    return "" if called == name else called


def game_title(game: str) -> str:
    """Returns a game's title, or its name if it is not known here."""
    return ruleset(game).title if game in GAMES else game


def _options(game: str, chosen: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Returns the chosen options: what, the value, and why."""
    readings = ruleset(game).readings if game in GAMES else {}
    return [
        (readings[name].called, value_words(value), readings[name].why)
        if name in readings
        else (name, value_words(value), "")
        for name, value in chosen.items()
    ]


def value_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("-", " ")


def _reason(opened: OpenMatch, look: Look) -> str:
    """Returns the reason of a pause or abandonment, as far as the viewer may know it."""
    for version in range(look.last, max(look.last - 50, 0), -1):
        act = opened.history.act(version)
        if isinstance(act, Paused | Abandoned):
            return act.reason
    return ""


def _tournament(opened: OpenMatch, plain: Mapping[str, Any]) -> tuple[str, str, int] | None:
    """Returns the match's tournament and round, if the caller may see it."""
    state = tournament_of(opened.history, caller())
    if state is None:
        return None
    place = plain["tournament"]
    tournament = str(opened.history.created.tournament)
    return tournament, state.made.title, place["round"] if place else 0


def name_of(who: Caller | None, person: str) -> str:
    """Returns a person's name; members of the club only."""
    if who is None or not person:
        return ""
    found = club().people().people.get(person)
    return "" if found is None else found.name
