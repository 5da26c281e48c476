"""The worth of a position to a seat, in hundredths of a point, for bots that look one step on.

It adds up the boards as they would be scored now, times the rounds to come; the income of the
tracks; pieces, technologies and cards. It takes off a little of what the others have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.games.hegemonic.rounds.clock import ARBITRATION, COLLECTION
from ledger.games.hegemonic.rounds.scoring import BoardPower, Places
from ledger.games.hegemonic.state.caps import caps_of
from ledger.games.hegemonic.state.components import (
    AGENT,
    CARDS,
    FLEET,
    MARTIAL,
    POLITICAL,
    TYPES,
    figure,
    tile_row,
)
from ledger.games.hegemonic.state.galaxy import Board, Galaxy
from ledger.games.hegemonic.state.house import House
from ledger.games.hegemonic.state.technologies import technology_of
from ledger.games.hegemonic.state.tracks import Income, Retention, Tier
from ledger.kernel.records import Seat

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


def count_scorings(galaxy: Galaxy) -> int:
    """Estimates the scorings to come from the stack, unless the last round is known."""
    if galaxy.last_round is not None:
        return max(1, galaxy.last_round - galaxy.round + 1)
    ahead = -(-galaxy.stack // len(galaxy.houses))
    return max(1, ahead + (galaxy.phase > COLLECTION))


def worth(galaxy: Galaxy, seat: Seat, balance: Balance) -> int:
    """Returns the worth of the position, leaving out what is about to be done in it."""
    rounds = balance.rounds
    own = galaxy.houses[seat]
    value = POINT * own.score + balance.all_boards()
    value -= POINT * max((one.score for one in galaxy.others(seat)), default=0) // 2
    value += INCOME * Income.total(galaxy, seat) * (rounds - 1)
    value += _caps(galaxy, seat, rounds) + _technologies(galaxy, own, rounds)
    free = _free_places(galaxy)
    value += _units(galaxy, own, free) + _near(galaxy, own, free)
    if galaxy.arbiter == seat:
        value += CAP // 2
    return value


# --- boards ---------------------------------------------------------------------------------------


class Balance:
    """The worth of the boards to a seat with the powers on them, in the rounds to come.

    It is valid while the position does not change, and values each board only once.
    """

    def __init__(self, galaxy: Galaxy, seat: Seat) -> None:
        self.galaxy, self.seat = galaxy, seat
        self.rounds = min(count_scorings(galaxy), HORIZON)
        self._powers = powers_on(galaxy)
        self._worth: dict[str, int] = {}
        self._shifted: dict[tuple[str, tuple[tuple[Seat, int], ...]], int] = {}

    def all_boards(self) -> int:
        """Returns the worth of all boards; rivals' points count against the seat, but less."""
        return sum(self._board(board) for board in self._powers)

    def shift(self, board: str, *shifts: tuple[Seat, int]) -> int:
        """Returns the gain in worth when powers on a board change by so much."""
        if (board, shifts) not in self._shifted:
            after = dict(self._powers.get(board, {}))
            for other, shift in shifts:
                after[other] = after.get(other, 0) + shift
            after = {other: power for other, power in after.items() if power > 0}
            self._shifted[board, shifts] = self._with(board, after) - self._board(board)
        return self._shifted[board, shifts]

    def _board(self, board: str) -> int:
        if board not in self._worth:
            self._worth[board] = self._with(board, self._powers.get(board, {}))
        return self._worth[board]

    def _with(self, board: str, powers: Mapping[Seat, int]) -> int:
        """Returns the worth of a board with these powers on it."""
        if not powers:
            return 0
        value, rivals = FOOTHOLD * powers.get(self.seat, 0), len(self.galaxy.houses) - 1
        for other, points in points_on(self.galaxy, board, powers).items():
            share = POINT * points * self.rounds
            value += share if other == self.seat else -share // rivals
        return value


def powers_on(galaxy: Galaxy) -> dict[str, dict[Seat, int]]:
    """Returns the power of each player with bases on each board that has some."""
    found: dict[str, dict[Seat, int]] = {}
    for house in galaxy.houses:
        seat = house.seat
        for type_ in TYPES:
            for sector in house.bases(type_):
                powers = found.setdefault(galaxy.sectors[sector].board, {})
                powers[seat] = powers.get(seat, 0) + BoardPower.in_sector(
                    galaxy, seat, type_, sector
                )
    return found


def points_on(galaxy: Galaxy, board: str, powers: Mapping[Seat, int]) -> dict[Seat, int]:
    """Returns the points that a board with these powers would give each player."""
    points: dict[Seat, int] = {}
    for award in Places.awards(galaxy, Board(board, []), powers):
        points[award.seat] = points.get(award.seat, 0) + award.points
    return points


# --- what a player has ----------------------------------------------------------------------------


def _caps(galaxy: Galaxy, seat: Seat, rounds: int) -> int:
    """Values CAPs at what they buy; those above the limit are lost at the end of the round."""
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
    """Returns the worth of a card in a hand: its best power in a conflict."""
    return CARD * max(power_of_card(galaxy, card, type_) for type_ in TYPES)


def power_of_card(galaxy: Galaxy, card: str, type_: str) -> int:
    """Returns the power that a technology card adds to a side of this type."""
    return int(getattr(CARDS.of(galaxy)[card], type_))


def _units(galaxy: Galaxy, house: House, free: Mapping[str, int]) -> int:
    value = 0
    for unit, type_ in ((AGENT, POLITICAL), (FLEET, MARTIAL)):
        standing = sum(bool(at) for at in house.movers(unit))
        if standing:
            value += UNIT_WORTH[unit] * standing + 10 * Tier.of(galaxy, house.seat, type_)
    for gate in house.gates:
        if gate.placed:
            leaps = galaxy.chart.hexes(gate.first).get(gate.second, 9) > 1
            room = any(
                free.get(sector) for sector in (gate.second, *galaxy.chart.beside[gate.second])
            )
            value += GATE_WORTH + (LEAP if leaps and room else 0)
    return value


# --- what lies near -------------------------------------------------------------------------------


def _near(galaxy: Galaxy, house: House, free_places: Mapping[str, int]) -> int:
    """Values free locations, the more the nearer they are to a base of the player."""
    value = 0
    for sector, steps in _steps_from_bases(galaxy, house).items():
        free = free_places.get(sector, 0)
        if free and not galaxy.foreign_home(house.seat, sector):
            value += NEAR * (FAR - steps) * free
    return value


def _steps_from_bases(galaxy: Galaxy, house: House) -> dict[str, int]:
    """Returns the steps from the nearest base to each sector nearer than `FAR`."""
    beside = galaxy.chart.joined
    here = [at for type_ in TYPES for at in house.bases(type_)]
    found = dict.fromkeys(here, 0)
    for steps in range(1, FAR):
        here = [other for at in found if found[at] == steps - 1 for other in beside[at]]
        for other in here:
            found.setdefault(other, steps)
    return found


def _free_places(galaxy: Galaxy) -> dict[str, int]:
    """Returns the worth of the untaken locations, by sector."""
    free = {}
    for sector in galaxy.sectors.values():
        if sector.tile:
            row = tile_row(galaxy.lookup, sector.tile)
            free[sector.id] = row.industrial + row.political + row.martial
    for house in galaxy.houses:
        for bases in (house.complexes, house.outposts):
            for sector_id, count in bases.items():
                free[sector_id] -= count
        for sector_id in house.embassies:
            free[sector_id] -= tile_row(galaxy.lookup, galaxy.sectors[sector_id].tile).political
    return free
