"""Estimates of a seat's near future: cards, builds, attacks, a conflict in progress.

A bot looks one decision ahead, so it must value beforehand the choices that a decision opens.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.games.hegemonic.actions.choosing import order_number
from ledger.games.hegemonic.map.reach import Reach
from ledger.games.hegemonic.state.caps import caps_of
from ledger.games.hegemonic.state.components import (
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
from ledger.games.hegemonic.state.galaxy import Galaxy, Turn
from ledger.games.hegemonic.state.house import House
from ledger.games.hegemonic.state.tracks import BASE_TRACKS, Income, Track
from ledger.kernel.records import Seat

from .evaluation import CAP, INCOME, UNIT_WORTH, Balance
from .odds import attacks, best_attacks

OPENED: Final = 12  # an action that was opened and may come to nothing
LEAST: Final = 10  # the second time the same is done


# --- bases ----------------------------------------------------------------------------------------


def building(galaxy: Galaxy, balance: Balance, type_: str) -> int:
    """Returns the value of a BUILD of a type with the CAPs that the seat has."""
    seat = balance.seat
    caps, built = caps_of(galaxy, seat), galaxy.houses[seat].built(type_)
    left, value = Track.left(galaxy, seat, type_), 0
    gains = sorted(_open_places(galaxy, balance, type_), reverse=True) if left else []
    for number, gain in enumerate(gains[:left], built + 1):
        cost = BASE_TRACKS.space(galaxy, number, type_).cost
        if cost > caps:
            break
        brings = gain + _income(galaxy, balance, type_, number) - CAP * cost
        if brings <= 0:
            break
        caps -= cost
        value += brings
    unit = UNIT_OF[type_]
    if unit in (AGENT, FLEET) and galaxy.houses[seat].in_supply(unit):
        price = PIECES.of(galaxy)[unit].cost or 0
        if price <= caps and galaxy.houses[seat].bases(type_):
            value += max(0, UNIT_WORTH[unit] - CAP * price)
    return value


def _income(galaxy: Galaxy, balance: Balance, type_: str, number: int) -> int:
    """Returns the value of one more base's income in the rounds to come."""
    before = BASE_TRACKS.space(galaxy, number - 1, type_).income if number > 1 else 0
    after = BASE_TRACKS.space(galaxy, number, type_).income
    return INCOME * (balance.rounds - 1) * (after - before)


def _open_places(galaxy: Galaxy, balance: Balance, type_: str) -> Iterator[int]:
    """Yields the gain of each base that the seat could build in its present range."""
    seat, covered = balance.seat, dict[str, None]()
    for at, range_ in (*Reach.of_bases(galaxy, seat, type_), *Reach.of_units(galaxy, seat, type_)):
        steps = galaxy.chart.steps(at)
        covered |= dict.fromkeys(sector for sector, count in steps.items() if count <= range_)
    for sector in covered:
        room = galaxy.room(seat, type_, sector)
        if room <= 0 or galaxy.foreign_home(seat, sector):
            continue
        tile = galaxy.tile_at(sector)
        power = tile.political if tile is not None and type_ == POLITICAL else 1
        gain = balance.shift(galaxy.sectors[sector].board, (seat, power))
        yield from (gain for _ in range(room))


# --- cards and turns ------------------------------------------------------------------------------


def prospects(galaxy: Galaxy, balance: Balance) -> int:
    """Values the seat's card of this phase, but no later one.

    Otherwise ending a phase would look better than acting in it.
    """
    seat = balance.seat
    house, turn = galaxy.houses[seat], galaxy.turn
    if turn is not None and turn.seat == seat:
        return _turn(galaxy, balance, turn)
    card = house.chosen or (house.played if _waits(galaxy, house) else "")
    return card_value(galaxy, balance, card, figure(galaxy, "action.max")) if card else 0


def _waits(galaxy: Galaxy, house: House) -> bool:
    """Returns whether a face-up card's turn is still to come.

    Between turns a tie is being settled; the highest tied number is assumed.
    """
    if not house.played:
        return False
    numbers = [order_number(galaxy, one.seat) for one in galaxy.houses if one.played]
    own = order_number(galaxy, house.seat)
    if galaxy.turn is not None:
        return own > order_number(galaxy, galaxy.turn.seat)
    tied = [one for one in numbers if numbers.count(one) > 1]
    return bool(tied) and own >= max(tied)


def card_value(galaxy: Galaxy, balance: Balance, card: str, actions: int) -> int:
    """Returns the value of a card's best actions."""
    row = ORDERS.of(galaxy)[card]
    values = best_attacks(galaxy, balance, card) if "conflict" in row.actions else []
    if row.builds:
        values.append(building(galaxy, balance, row.builds))
    values += _simple(galaxy, balance.seat, card)
    return sum(sorted(values, reverse=True)[:actions])


def _simple(galaxy: Galaxy, seat: Seat, card: str) -> list[int]:
    """Values the actions that need nothing and are always possible."""
    row = ORDERS.of(galaxy)[card]
    if "basic" in row.actions:
        return [CAP * figure(galaxy, "basic.caps")] * 2
    least = min(Income.of(galaxy, seat, type_) for type_ in TYPES)
    return [CAP * least, CAP * least - LEAST, CAP + LEAST]


def _turn(galaxy: Galaxy, balance: Balance, turn: Turn) -> int:
    """Values the actions that are left; the open one may be at any stage.

    An action that was opened and taken back is not valued a second time.
    """
    seat = turn.seat
    left = (figure(galaxy, "action.max") if turn.most is None else turn.most) - turn.used
    taken_back = turn.opened - turn.used - bool(turn.action)
    if not turn.action:
        if not taken_back:
            return card_value(galaxy, balance, turn.card, left)
        return sum(_simple(galaxy, seat, turn.card)[:left])
    rest = sum(_simple(galaxy, seat, turn.card)[: left - 1])
    if galaxy.contest is not None or taken_back:
        return rest
    if turn.action == "build":
        builds = ORDERS.of(galaxy)[turn.card].builds or INDUSTRIAL
        return rest + building(galaxy, balance, builds) - OPENED * (not turn.done)
    if turn.action == "conflict":
        best = max(attacks(galaxy, balance, PATTERNS.of(galaxy)[turn.pattern]), default=0)
        return rest + best - OPENED * (not turn.done)
    return rest
