"""What a seat may make of what it is about to do: cards, builds, attacks, a conflict in progress.

A bot looks one decision ahead; what that decision opens has to be valued before it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.kernel.records import Seat

from .caps import caps_of
from .components import (
    AGENT,
    FLEET,
    INDUSTRIAL,
    ORDERS,
    PATTERNS,
    PIECES,
    POLITICAL,
    TYPES,
    UNIT_OF,
    figure,
)
from .odds import attacks, best_attacks
from .reach import Reach
from .state import Galaxy, Turn
from .tracks import Income, Track
from .weighing import CAP, HORIZON, INCOME, UNIT_WORTH, Horizon, shift_worth

OPENED: Final = 12  # an action that was opened and may come to nothing
LEAST: Final = 10  # the second time the same is done


# --- bases ----------------------------------------------------------------------------------------


def building(galaxy: Galaxy, seat: Seat, type_: str) -> int:
    """What a BUILD of a type may bring with what the seat can pay."""
    caps, built = caps_of(galaxy, seat), Track.built(galaxy, seat, type_)
    left, value = Track.left(galaxy, seat, type_), 0
    gains = sorted(_open_places(galaxy, seat, type_), reverse=True)
    for number, gain in enumerate(gains[:left], built + 1):
        cost = Track.space(galaxy, type_, number).cost
        brings = gain + _income(galaxy, type_, number) - CAP * cost
        if cost > caps or brings <= 0:
            break
        caps -= cost
        value += brings
    unit = UNIT_OF[type_]
    if unit in (AGENT, FLEET) and galaxy.houses[seat].in_supply(unit):
        price = PIECES.of(galaxy)[unit].cost or 0
        if price <= caps and galaxy.houses[seat].bases(type_):
            value += max(0, UNIT_WORTH[unit] - CAP * price)
    return value


def _income(galaxy: Galaxy, type_: str, number: int) -> int:
    """What one base more brings in the rounds to come."""
    before = Track.space(galaxy, type_, number - 1).income if number > 1 else 0
    rounds = min(Horizon.of(galaxy), HORIZON) - 1
    return INCOME * rounds * (Track.space(galaxy, type_, number).income - before)


def _open_places(galaxy: Galaxy, seat: Seat, type_: str) -> Iterator[int]:
    """The gain of each base that the seat could build where it reaches now."""
    covered: set[str] = set()
    gains: dict[tuple[str, int], int] = {}
    for at, range_ in (*Reach.of_bases(galaxy, seat, type_), *Reach.of_units(galaxy, seat, type_)):
        steps = galaxy.chart.steps(at)
        covered |= {sector for sector, count in steps.items() if count <= range_}
    for sector in covered:
        tile = galaxy.tile_at(sector)
        if tile is None or galaxy.foreign_home(seat, sector):
            continue
        power = tile.political if type_ == POLITICAL else 1
        board, room = galaxy.sectors[sector].board, galaxy.room(seat, type_, sector)
        if room and (board, power) not in gains:
            gains[board, power] = shift_worth(galaxy, seat, board, {seat: power})
        yield from (gains[board, power] for _ in range(room))


# --- cards and turns ------------------------------------------------------------------------------


def prospects(galaxy: Galaxy, seat: Seat) -> int:
    """What the card that is chosen, or the turn that is being taken, may still bring."""
    house, turn = galaxy.houses[seat], galaxy.turn
    if turn is not None and turn.seat == seat:
        return _turn(galaxy, turn)
    if house.has_chosen and house.chosen:
        return card_value(galaxy, seat, house.chosen, _actions(galaxy))
    if _choosing(galaxy):
        return max(card_value(galaxy, seat, one, _actions(galaxy)) for one in ORDERS.of(galaxy))
    return 0


def _actions(galaxy: Galaxy) -> int:
    return figure(galaxy, "action.max")


def _choosing(galaxy: Galaxy) -> bool:
    """Whether action cards are being chosen, and this seat's is not among them yet."""
    unplayed = not any(house.played for house in galaxy.houses)
    return galaxy.phase in (3, 4, 5) and unplayed and galaxy.turn is None


def card_value(galaxy: Galaxy, seat: Seat, card: str, actions: int) -> int:
    """The best actions of a card, of each kind once."""
    row = ORDERS.of(galaxy)[card]
    values = best_attacks(galaxy, seat, card) if "conflict" in row.actions else []
    if row.builds:
        values.append(building(galaxy, seat, row.builds))
    values += _simple(galaxy, seat, card)
    return sum(sorted(values, reverse=True)[:actions])


def _simple(galaxy: Galaxy, seat: Seat, card: str) -> list[int]:
    """What needs nothing and is always possible, twice."""
    row = ORDERS.of(galaxy)[card]
    if "basic" in row.actions:
        return [CAP * figure(galaxy, "basic.caps")] * 2
    least = min(Income.of(galaxy, seat, type_) for type_ in TYPES)
    return [CAP * least, CAP * least - LEAST, CAP + LEAST]


def _turn(galaxy: Galaxy, turn: Turn) -> int:
    """The actions that are left; the one that is open may be at any stage.

    What was opened and taken back is not looked forward to a second time.
    """
    seat = turn.seat
    left = (_actions(galaxy) if turn.most is None else turn.most) - turn.used
    taken_back = turn.opened - turn.used - bool(turn.action)
    if not turn.action:
        if not taken_back:
            return card_value(galaxy, seat, turn.card, left)
        return sum(_simple(galaxy, seat, turn.card)[:left])
    rest = sum(_simple(galaxy, seat, turn.card)[: left - 1])
    if galaxy.contest is not None or taken_back:
        return rest
    if turn.action == "build":
        builds = ORDERS.of(galaxy)[turn.card].builds or INDUSTRIAL
        return rest + building(galaxy, seat, builds) - OPENED * (not turn.done)
    if turn.action == "conflict":
        best = max(attacks(galaxy, seat, PATTERNS.of(galaxy)[turn.pattern]), default=0)
        return rest + best - OPENED * (not turn.done)
    return rest
