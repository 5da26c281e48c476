"""The greedy bot: a position that fits what it sees, and a value for it.

The bot looks one decision ahead, so the value must show where that decision leads: the distance to
the next planets, the resources at the end of the turn, the likely result of a fight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ledger.games.galactic_hegemony.phases.checks import modifier_of
from ledger.games.galactic_hegemony.phases.collecting import Production
from ledger.games.galactic_hegemony.phases.ending import CONCEDED
from ledger.games.galactic_hegemony.phases.tracks import ACTIONS, ResourceLimit
from ledger.games.galactic_hegemony.state.board import (
    TILES,
    WON,
    Board,
    Colony,
    Hex,
    Tile,
)
from ledger.games.galactic_hegemony.state.components import NUMBERS, PLANETS
from ledger.games.galactic_hegemony.state.hexes import Adjacency, distance
from ledger.kernel.audience import rebuild
from ledger.kernel.chance import Spread, Stream
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Seat


def sample(seen: Mapping[str, Any], _: Stream, __: Lookup) -> Board:
    """Builds the whole position. Only the order of the tiles is hidden, and no one knows it."""
    board: Board = rebuild(seen["state"], Board)
    board.face_down = _face_down(seen["state"], board.tiles)
    return board


def _face_down(shown: Mapping[str, Any], tiles: list[Tile]) -> Spread:
    """Rebuilds the face-down tiles: all planets that are not face up."""
    seen = shown["face_down"]
    known = {str(tile.planet) for tile in tiles} | {str(shown["home"])}
    spread = Spread.of(TILES, [one for one in NUMBERS if one not in known], seen["places"])
    spread.deck.epoch, spread.covered = seen["deck"]["epoch"], list(seen["covered"])
    for place in seen["places"]:
        if place not in spread.covered:  # it lay there when the order was last unknown
            spread.deck.made_of[str(tiles[int(place) - 1].planet)] = 1
    return spread


# --- the value of a position ----------------------------------------------------------------------

HELD, UNREST, STEP = 1000, 200, 120
INCOME, STOCKED, CONTENT, FACTORY, RISK = 30, 24, 20, 30, 13
YARD, SECOND, THIRD = 80, 150, 60
SABOTEUR, NEAR, FAR, FOUND = 80, 60, 6, 20
MILITARY = (460, 300, 150)  # by how far morale is below 0
REACH = 5  # hexes; what lies further away draws a spacecraft less
AFAR = 30
SHIPS = 5  # how many turns a spacecraft must have before it to be worth its whole value
CHECKS_AHEAD = 3
PATIENCE = 40  # turns; Play to Win has no end, and a hegemony can be beyond help
# The number of the 36 rolls of two dice that come to no more than this.
ROLLS_UP_TO: Final = (0, 0, 1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36)


def score(board: Board, _: Seat) -> int:
    """Values planets held, their production, and the distance to the next ones."""
    if board.outcome == CONCEDED and board.turn > PATIENCE:
        return 500_000
    if board.over:
        return 1_000_000 if board.outcome == WON else -1_000_000
    turns = 6 if board.counts_up else board.token
    value = sum(_colony(board, colony, turns) for colony in board.colonies)
    value += STOCKED * _stock_to_come(board)
    ships = (-HELD, 0, SECOND, SECOND + THIRD)
    value += ships[min(len(board.spacecraft), 3)] * min(turns, SHIPS) // SHIPS
    value += YARD * any(one.shipyard and not one.in_revolt for one in board.colonies)
    value -= SABOTEUR * len(board.active())
    return value - sum(_ways(board)) + _fight(board)


def _colony(board: Board, colony: Colony, turns: int) -> int:
    if colony.in_revolt:
        return UNREST + STEP * (colony.morale + 3)
    value = HELD - RISK * _risk(board, colony) * min(turns - 1, CHECKS_AHEAD)
    value += CONTENT * turns * (colony.morale > 0)
    made = PLANETS.of(board)[str(colony.planet)].at_1 or 0
    return value + (INCOME * made + FACTORY * (colony.factory > 0)) * turns // 2


def _risk(board: Board, colony: Colony) -> int:
    """Returns how many of the 36 rolls of its next morale check would put a colony in revolt."""
    modifier = modifier_of(board, colony.planet)
    falls = (4 if colony.morale > 0 else 6) - modifier
    return ROLLS_UP_TO[max(0, min(12, falls))]


def _stock_to_come(board: Board) -> int:
    """Returns the stockpile after this turn's collection."""
    if board.phase != ACTIONS:
        return board.stock
    made = sum(Production.of(board, one) for one in board.colonies if not one.in_revolt)
    return min(ResourceLimit.of(board), board.stock + made)


def _ways(board: Board) -> Iterator[int]:
    """Yields a cost for the distance of spacecraft from the hexes where they are wanted."""
    layout = Adjacency.layout(board)
    held = {one.planet for one in board.colonies if not one.in_revolt}
    wanted = [tile.hex for tile in board.tiles if tile.planet not in held]
    ways = sorted(
        (distance(layout, ship, place), number, place)
        for number, ship in enumerate(board.spacecraft)
        for place in wanted
    )
    nearest: dict[Hex, int] = {}
    for away, _, place in ways:
        nearest.setdefault(place, away)
    yield sum(FAR * nearest.get(place, 12) - FOUND * (nearest.get(place) == 0) for place in wanted)
    sent: list[int] = []
    for away, number, place in ways:  # each goes its own way
        if number not in sent and place in wanted:
            yield NEAR * (min(away, REACH) - REACH) + AFAR * max(0, away - REACH)
            sent.append(number)
            wanted.remove(place)


def _fight(board: Board) -> int:
    """Estimates a fight whose dice have not been rolled yet."""
    fight = board.fight
    if fight is None or not fight.rolling:
        return 0
    if fight.planet is not None:
        return MILITARY[-1 - board.of(fight.planet).morale]
    foes = len(board.saboteurs_at(fight.hex))
    return (SABOTEUR if fight.left >= foes else 0) - 10
