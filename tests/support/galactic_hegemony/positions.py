"""Positions of Galactic Hegemony that the tests of its chapters start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.games.galactic_hegemony.actions.choosing import EndActions, PlayerActions
from ledger.games.galactic_hegemony.phases.collecting import CollectResources
from ledger.games.galactic_hegemony.phases.ending import CheckEndGame
from ledger.games.galactic_hegemony.phases.turn import Turn
from ledger.games.galactic_hegemony.state.board import (
    ACTIVE,
    STOCK,
    TILES,
    Board,
    Colony,
    Hex,
    Tile,
    empty_table,
)
from ledger.games.galactic_hegemony.state.components import NUMBERS, RESOURCES
from ledger.kernel.accounts import BANK
from ledger.kernel.chance import Drawn, Spread, Stream
from ledger.kernel.fold import begin
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision
from ledger.kernel.refusals import Refused
from tests.support.given import Given, given, match_of, terms_of

NAME = "galactic_hegemony"
HOME: Hex = (3, 5)
# All pairwise within two hexes of HOME, and far from each other's neighbours.
FAR: Mapping[int, Hex] = {
    1: (3, 5), 2: (1, 1), 3: (1, 4), 4: (1, 7), 5: (1, 10), 6: (6, 1), 7: (6, 4), 8: (6, 7),
    9: (6, 10), 10: (3, 1), 11: (3, 9), 12: (4, 3),
}  # fmt: skip
# A card set without modifiers: what a roll comes to is what the dice show.
NEUTRAL: dict[str, Any] = {"planets": {number: {"modifier": 0} for number in NUMBERS}}
ACTING = (Turn(), CheckEndGame(), CollectResources(), PlayerActions())  # the last is done first


def house(**values: Any) -> dict[str, Any]:
    """An overlay by which a reading is read otherwise; `limit_table` stands for `limit-table`."""
    return {"readings": {"values": {name.replace("_", "-"): v for name, v in values.items()}}}


def colony(planet: int, morale: int = 1, built: str = "", fell: int = 0) -> Colony:
    """A colony; what is built on it by its letters."""
    counts = (built.count("C"), built.count("F"), built.count("S"))
    return Colony(planet, morale, *counts, fell or int(morale < 0))


def table(
    *colonies: Colony,
    ships: Sequence[Hex] = (),
    saboteurs: Mapping[int, Hex | None] | None = None,
    stock: int = 4,
    turn: int = 2,
    token: int = 9,
    at: Mapping[int, Hex] | None = None,
    explored: Sequence[int] = (),
    agenda: Sequence[Any] = ACTING,
    **terms: Any,
) -> Match:
    """A match in the middle of a game; `given` does what stands on its agenda.

    Planets lie where `at` says, colonies and `explored` ones face up; the others are face down.
    """
    places = {**FAR, **(at or {})}
    face_up = {one.planet for one in colonies} | set(explored)
    board = empty_table(1)
    board.tiles = [
        Tile(place, planet if planet in face_up else None, planet in face_up)
        for planet, place in sorted(places.items())
    ]
    hidden = [number for number in NUMBERS if int(number) not in face_up]
    board.face_down = Spread.of(TILES, hidden, hidden)  # tile 7 lies where planet 7 is by `at`
    board.colonies = sorted(colonies, key=lambda one: one.planet)
    board.spacecraft = list(ships)
    for number, where in (saboteurs or {}).items():
        board.saboteurs[number - 1].status, board.saboteurs[number - 1].hex = ACTIVE, where
    board.accounts.move(RESOURCES, BANK, STOCK, stock)
    board.home, board.home_place, board.turn, board.token = 1, 1, turn, token
    return terms_of(NAME, **terms).match(0, board, list(agenda))


def acting(*colonies: Colony, **rest: Any) -> Given:
    """A sentence that begins in the phase of player actions."""
    return given(table(*colonies, **rest))


def shown(sentence: Given, planet: int) -> tuple[int, str]:
    """Morale of a colony, and what is built on it."""
    one = sentence.state.of(planet)
    return one.morale, "C" * one.civil + "F" * one.factory + "S" * one.shipyard


def told(sentence: Given, kind: type[Any]) -> list[Any]:
    """The facts of a kind that the last decision gave."""
    return [fact for fact in sentence.facts if isinstance(fact, kind)]


def drawn(sentence: Given, planet: int) -> Given:
    """A tile is turned up."""
    return sentence.when(CHANCE, Drawn(0, (str(planet),)))


def hexed(sentence: Given, place: Hex) -> Given:
    """A d6 and a d10 fall."""
    return sentence.rolled(place[0]).rolled(place[1])


def allowed(sentence: Given, decision: Decision) -> bool:
    """Whether the player may decide so."""
    question = sentence.match.question
    assert question is not None
    try:
        return question.allows(sentence.state, 0, decision)
    except Refused:
        return False


def laid_out(places: Mapping[int, Hex] = FAR, *, home_at: int = 1, **terms: Any) -> Given:
    """A match whose tiles have been laid, the home planet as tile `home_at`."""
    sentence = given(match_of(NAME, **terms))
    if not terms.get("options", {}).get("random-home"):
        sentence.rolled(home_at)
    for place in list(places.values())[:12]:
        hexed(sentence, place)
    return sentence


def through(sentence: Given, seed: int) -> Given:
    """Lets chance fall until the player is asked or the game is over."""
    stream = Stream.named(seed.to_bytes(8, "big"), "through")
    match = sentence.match
    while (question := match.chance()) is not None:
        wish = question.wish(match.state)
        sentence.when(CHANCE, wish.answer(stream.take(32), 0, question.address(match.state)))
    return sentence


def next_turn(sentence: Given) -> Given:
    """The player ends its actions."""
    return sentence.when(0, EndActions())


def board_of(match: Match) -> Board:
    """The table of a match that has begun."""
    if match.version == 0:
        begin(match)
    board: Board = match.state
    return board
