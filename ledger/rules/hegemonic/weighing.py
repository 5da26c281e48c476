"""What a position is worth to a seat, in hundredths of a point: for bots, which look one step on.

Boards as they would be scored now, times the rounds to come; what the tracks will bring; pieces,
technologies, cards. A little of what the others have is taken off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.kernel.records import Seat

from .caps import caps_of
from .clock import ARBITRATION, COLLECTION
from .components import AGENT, CARDS, FLEET, MARTIAL, POLITICAL, TYPES, figure, tile_row
from .house import House
from .scoring import BoardPower, Places
from .state import Board, Galaxy
from .technologies import technology_of
from .tracks import Income, Retention, Tier

POINT: Final = 100
CAP, SURPLUS, LAST_CAP = 24, 8, 2
INCOME: Final = 15  # a CAP of income, for each round to come
HORIZON: Final = 4  # rounds ahead that count
FOOTHOLD: Final = 30  # a point of power on a board, whatever it brings now
UNIT_WORTH: Final = {AGENT: 95, FLEET: 85}
GATE_WORTH, LEAP = 60, 70  # a gate, and one that reaches where free locations are
CARD, KNOWN, IDLE = 4, 25, 2  # a point of power on a card, one to be advanced, one that is inactive
TECHNOLOGY: Final = 140  # an advanced technology, by tier
NEAR: Final = 5  # a free location, by how near it is
FAR: Final = 4


class Horizon:
    """How many scorings are still to come."""

    @staticmethod
    def of(galaxy: Galaxy) -> int:
        """As far as the stack tells."""
        if galaxy.last_round is not None:
            return max(1, galaxy.last_round - galaxy.round + 1)
        seats = len(galaxy.houses)
        ahead = -(-galaxy.stack // seats)
        return max(1, ahead + (galaxy.phase > COLLECTION))


def worth(galaxy: Galaxy, seat: Seat) -> int:
    """The position without what is about to be done in it."""
    rounds = min(Horizon.of(galaxy), HORIZON)
    own = galaxy.houses[seat]
    value = POINT * own.score + _boards(galaxy, seat, rounds)
    value -= POINT * max((one.score for one in galaxy.others(seat)), default=0) // 2
    value += INCOME * Income.total(galaxy, seat) * (rounds - 1)
    value += _caps(galaxy, seat, rounds) + _technologies(galaxy, own, rounds)
    value += _units(galaxy, own) + _near(galaxy, own)
    if galaxy.arbiter == seat:
        value += CAP // 2
    return value


# --- boards ---------------------------------------------------------------------------------------


def _boards(galaxy: Galaxy, seat: Seat, rounds: int) -> int:
    """What all boards bring, the others' part of it weighing less."""
    found = powers_on(galaxy).items()
    return sum(board_worth(galaxy, seat, board, powers, rounds) for board, powers in found)


def board_worth(
    galaxy: Galaxy, seat: Seat, board: str, powers: Mapping[Seat, int], rounds: int
) -> int:
    """What a board brings with such powers on it, to a player, in so many rounds."""
    value, rivals = FOOTHOLD * powers.get(seat, 0), len(galaxy.houses) - 1
    for other, points in points_on(galaxy, board, powers).items():
        share = POINT * points * rounds
        value += share if other == seat else -share // (2 * rivals)
    return value


def shift_worth(galaxy: Galaxy, seat: Seat, board: str, shifts: Mapping[Seat, int]) -> int:
    """What it is worth to a player that powers on a board change by so much."""
    rounds = min(Horizon.of(galaxy), HORIZON)
    before = powers_on(galaxy).get(board, {})
    after = dict(before)
    for other, shift in shifts.items():
        after[other] = after.get(other, 0) + shift
    after = {other: power for other, power in after.items() if power > 0}
    now = board_worth(galaxy, seat, board, before, rounds) if before else 0
    return (board_worth(galaxy, seat, board, after, rounds) if after else 0) - now


def powers_on(galaxy: Galaxy) -> dict[str, dict[Seat, int]]:
    """The power of each player with bases on each board that has some."""
    found: dict[str, dict[Seat, int]] = {}
    for house in galaxy.houses:
        for type_ in TYPES:
            for sector in house.bases(type_):
                powers = found.setdefault(galaxy.sectors[sector].board, {})
                power = BoardPower.in_sector(galaxy, house.seat, type_, sector)
                powers[house.seat] = powers.get(house.seat, 0) + power
    return found


def points_on(galaxy: Galaxy, board: str, powers: Mapping[Seat, int]) -> dict[Seat, int]:
    """What a board would bring each player with such powers on it."""
    points: dict[Seat, int] = {}
    for award in Places.awards(galaxy, Board(board, []), powers):
        points[award.seat] = points.get(award.seat, 0) + award.points
    return points


# --- what a player has ----------------------------------------------------------------------------


def _caps(galaxy: Galaxy, seat: Seat, rounds: int) -> int:
    """CAPs are worth what they buy; those above the limit are lost at the end of the round."""
    held = caps_of(galaxy, seat)
    if rounds == 1 and galaxy.phase >= ARBITRATION:
        return LAST_CAP * held
    limit = Retention.limit(galaxy, seat)
    kept = held if limit is None else min(held, limit)
    return CAP * kept + SURPLUS * (held - kept)


def _technologies(galaxy: Galaxy, house: House, rounds: int) -> int:
    value = 0
    for card in house.advanced:
        tier = technology_of(galaxy, card).tier
        value += TECHNOLOGY * tier + POINT * figure(galaxy, "final.vp-per-tier") * tier // 2
    for card in house.hand:
        value += card_worth(galaxy, card)
        wanted = technology_of(galaxy, card)
        if rounds > 1 and Tier.by_bases(galaxy, house.seat, wanted.type) >= wanted.tier:
            value += KNOWN * wanted.tier
    return value + sum(card_worth(galaxy, card) // IDLE for card in house.inactive)


def card_worth(galaxy: Galaxy, card: str) -> int:
    """What a card is worth in a hand: its best power in a conflict."""
    return CARD * max(power_of_card(galaxy, card, type_) for type_ in TYPES)


def power_of_card(galaxy: Galaxy, card: str, type_: str) -> int:
    """What a technology card adds to a side that fights with a type of power."""
    return int(getattr(CARDS.of(galaxy)[card], type_))


def _units(galaxy: Galaxy, house: House) -> int:
    value, free = 0, _free_places(galaxy)
    for unit, type_ in ((AGENT, POLITICAL), (FLEET, MARTIAL)):
        standing = sum(bool(at) for at in house.movers(unit))
        if standing:
            value += UNIT_WORTH[unit] * standing + 10 * Tier.of(galaxy, house.seat, type_)
    for gate in house.gates:
        if gate.placed:
            leaps = galaxy.chart.hexes(gate.first).get(gate.second, 9) > 1
            room = any(free.get(sector) for sector in around(galaxy, gate.second))
            value += GATE_WORTH + (LEAP if leaps and room else 0)
    return value


# --- what lies near -------------------------------------------------------------------------------


def _near(galaxy: Galaxy, house: House) -> int:
    """Free locations are worth more the nearer they lie to an own base."""
    bases = {at for type_ in TYPES for at in house.bases(type_)}
    distances = [galaxy.chart.steps(at) for at in sorted(bases)]
    value = 0
    for sector, free in _free_places(galaxy).items():
        if free and not galaxy.foreign_home(house.seat, sector):
            nearest = min((steps.get(sector, FAR) for steps in distances), default=FAR)
            value += NEAR * max(0, FAR - nearest) * free
    return value


def _free_places(galaxy: Galaxy) -> dict[str, int]:
    """What the locations are worth that nobody has taken, by sector."""
    free = {}
    for sector in galaxy.sectors.values():
        if sector.tile:
            row = tile_row(galaxy.door, sector.tile)
            free[sector.id] = row.industrial + row.political + row.martial
    for house in galaxy.houses:
        for bases in (house.complexes, house.outposts):
            for sector_id, count in bases.items():
                free[sector_id] -= count
        for sector_id in house.embassies:
            free[sector_id] -= tile_row(galaxy.door, galaxy.sectors[sector_id].tile).political
    return free


def around(galaxy: Galaxy, sector: str) -> tuple[str, ...]:
    """A sector and those beside it."""
    return (sector, *galaxy.chart.beside[sector])
