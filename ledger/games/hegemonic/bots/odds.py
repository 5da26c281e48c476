"""Estimates for bots: possible attacks, their chances and worth, and the stakes of a conflict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ledger.games.hegemonic.conflicts.power import (
    base_power,
    lenders,
    of_agents,
    of_complexes,
    of_embassy,
    of_fleets,
    of_gates,
    of_outposts,
)
from ledger.games.hegemonic.map.reach import Distance, Range
from ledger.games.hegemonic.state.caps import caps_of
from ledger.games.hegemonic.state.components import (
    FACTIONS,
    INDUSTRIAL,
    PATTERNS,
    POLITICAL,
    UNIT_OF,
    Pattern,
    figure,
)
from ledger.games.hegemonic.state.contest import Side
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import House
from ledger.kernel.records import Seat
from ledger.parts.battle import total

from .evaluation import CAP, Balance, card_worth, power_of_card

BLIND_CARD: Final = 3  # what a card of somebody else's adds, as far as anybody can tell
# The chance to win, in hundredths, by how much more power the side has.
CHANCES: Final = {-4: 6, -3: 12, -2: 22, -1: 35, 0: 50, 1: 68, 2: 80, 3: 90, 4: 96}
UNIT: Final = 75  # to destroy, or to lose, an agent or a fleet
BROKEN: Final = 70  # a point of power that somebody else has no longer
DRAWN_CARD: Final = 8  # what is left of a card that was played
LEAD: Final = 15  # points by which one must be ahead for others to help against it


def chance(margin: int) -> int:
    """Returns the percentage of conflicts won with this lead in power."""
    return CHANCES[max(-4, min(4, margin))]


# --- attacks --------------------------------------------------------------------------------------


class Attacker(NamedTuple):
    """An attacker: the complexes of a sector, or one unit."""

    sector: str
    units: tuple[int, ...]


def best_attacks(galaxy: Galaxy, balance: Balance, card: str) -> list[int]:
    """Returns the value of the best attack for each attack pattern of a card, if above zero."""
    own = galaxy.reads("patterns.same-type-destroy") == "on"
    rows = [one for one in PATTERNS.of(galaxy).values() if one.card == card]
    usable = [row for row in rows if own or not row.own_type]
    found = [max(attacks(galaxy, balance, row), default=0) for row in usable]
    return [value for value in found if value > 0]


def attacks(galaxy: Galaxy, balance: Balance, pattern: Pattern) -> Iterator[int]:
    """Yields the expected value of each affordable attack, after a move where one is needed."""
    seat = balance.seat
    caps, attackers = caps_of(galaxy, seat), list(_attackers(galaxy, seat, pattern.attacker))
    if not attackers:
        return
    for house in galaxy.others(seat):
        for sector in _standing(house, pattern.target):
            if galaxy.foreign_home(seat, sector):
                continue
            side = _defending(house, pattern.target, sector)
            price = base_power(galaxy, house.seat, pattern.target, sector)
            price *= figure(galaxy, f"cost.{pattern.action}")
            if price > caps:
                continue
            won = spoils(galaxy, balance, pattern, house.seat, sector)
            defence = None
            for attacker in attackers:
                place, way = _way(galaxy, seat, pattern.attacker, attacker, sector)
                if not place or price + way > caps or won <= CAP * (price + way):
                    continue
                defence = estimate_power(galaxy, side, seat) if defence is None else defence
                own = Side(seat, pattern.attacker, place, not attacker.units, attacker.units)
                odds = chance(estimate_power(galaxy, own, seat) - defence)
                lost = UNIT if attacker.units else 0
                gain = (odds * won - (100 - odds) * lost) // 100
                yield gain - CAP * (price + way) - DRAWN_CARD


def _attackers(galaxy: Galaxy, seat: Seat, type_: str) -> Iterator[Attacker]:
    """Yields attackers that have not attacked in this phase; after a move, only the moved unit."""
    house, turn = galaxy.houses[seat], galaxy.turn
    if type_ == INDUSTRIAL:
        for sector in house.complexes:
            if f"complex {sector}" not in house.attacked:
                yield Attacker(sector, ())
        return
    unit = UNIT_OF[type_]
    mover = turn.mover if turn is not None and turn.seat == seat else None
    for number, sector in enumerate(house.movers(unit)):
        fresh = f"{unit} {number}" not in house.attacked
        if sector and fresh and mover in (None, (unit, number)):
            yield Attacker(sector, (number,))


def _standing(house: House, type_: str) -> Iterator[str]:
    """Yields the sectors where a house has pieces of a type."""
    found = dict.fromkeys(house.bases(type_))
    if type_ == INDUSTRIAL:
        found |= dict.fromkeys(sector for gate in house.gates for sector in gate.sectors)
    else:
        found |= dict.fromkeys(sector for sector in house.movers(UNIT_OF[type_]) if sector)
    yield from found


def _defending(house: House, type_: str, sector: str) -> Side:
    bases, units = house.bases_at(type_, sector), house.units_at(type_, sector)
    return Side(house.seat, type_, sector, bases, units)


def _way(
    galaxy: Galaxy, seat: Seat, type_: str, attacker: Attacker, sector: str
) -> tuple[str, int]:
    """Returns the sector to attack from and the cost of moving there; `""` if out of reach."""
    start = attacker.sector
    if type_ == INDUSTRIAL:
        near = Distance.within(galaxy, start, sector, Range.of_complex(galaxy))
        return (start, 0) if near else ("", 0)
    if Distance.within(galaxy, start, sector, Range.of_unit(galaxy, seat, UNIT_OF[type_])):
        return start, 0
    turn = galaxy.turn
    if turn is not None and turn.seat == seat and turn.mover is not None:
        return "", 0
    if type_ == POLITICAL:
        borders = galaxy.chart.borders(start).get(sector, 9)
        return sector, borders * figure(galaxy, "move.agent-border")
    if Distance.within(galaxy, start, sector, figure(galaxy, "move.fleet-range")):
        return sector, figure(galaxy, "move.fleet-cost")
    return "", 0


def spoils(galaxy: Galaxy, balance: Balance, pattern: Pattern, defender: Seat, sector: str) -> int:
    """Returns the worth to an attacker of beating a defender's pieces of a type in a sector."""
    house = galaxy.houses[defender]
    power = base_power(galaxy, defender, pattern.target, sector)
    value = 0
    if power:
        shifts = [(defender, -power)]
        if pattern.action == "takeover":
            shifts.append((balance.seat, power))
        value = BROKEN * power + balance.shift(galaxy.sectors[sector].board, *shifts)
    units = len(house.units_at(pattern.target, sector))
    return value + units * (UNIT if pattern.target != INDUSTRIAL else UNIT // 2)


# --- the power of a side --------------------------------------------------------------------------


def estimate_power(galaxy: Galaxy, side: Side, viewer: Seat) -> int:
    """Estimates a side's final power, card included, from what the viewer can know."""
    started = side.power if side.given else _starting(galaxy, side)
    if side.card:
        return started + power_of_card(galaxy, side.card, side.type)
    house = galaxy.houses[side.seat]
    if side.seat != viewer:
        return started + (BLIND_CARD if house.hand or house.has_committed else 0)
    if house.committed:
        return started + power_of_card(galaxy, house.committed, side.type)
    powers = [power_of_card(galaxy, card, side.type) for card in house.hand]
    return started + max(powers, default=0)


def _starting(galaxy: Galaxy, side: Side) -> int:
    """Returns the starting power before it is counted, assuming the best draw."""
    seat, sector = side.seat, side.sector
    if side.type == INDUSTRIAL:
        return total((of_complexes if side.bases else of_gates)(galaxy, seat, sector))
    if side.type == POLITICAL:
        if side.bases:
            return total(of_embassy(galaxy, seat, sector))
        free = [one for one in FACTIONS.of(galaxy) if one not in galaxy.houses[seat].drawn_on]
        named = side.draws if side.has_drawn else ["", *free]
        return max(total(of_agents(galaxy, seat, side.units, sector, one)) for one in named or [""])
    if side.bases:
        return total(of_outposts(galaxy, seat, sector))
    stacks = [
        one for one in lenders(galaxy, seat, sector) if one not in galaxy.houses[seat].drawn_on
    ]
    named = side.draws if side.has_drawn else ["", *stacks]
    return max(total(of_fleets(galaxy, seat, side.units, sector, one)) for one in named or [""])


# --- a conflict in progress -----------------------------------------------------------------------


def at_stake(galaxy: Galaxy, balance: Balance) -> int:
    """Returns the worth of the conflict in progress to a player, involved or not."""
    seat, contest = balance.seat, galaxy.contest
    if contest is None or contest.winner is not None or contest.drawn or contest.losses:
        return 0
    pattern = PATTERNS.of(galaxy)[contest.pattern]
    attacker, defender = contest.attacker, contest.defender
    theirs = balance if seat == attacker.seat else Balance(galaxy, attacker.seat)
    won = spoils(galaxy, theirs, pattern, defender.seat, contest.sector)
    lost = 0 if attacker.type == INDUSTRIAL else UNIT
    odds = chance(estimate_power(galaxy, attacker, seat) - estimate_power(galaxy, defender, seat))
    if seat == attacker.seat:
        return (odds * won - (100 - odds) * lost) // 100 - _estimate_spending(galaxy, seat)
    if seat == defender.seat:
        return ((100 - odds) * lost - odds * won) // 100 - _estimate_spending(galaxy, seat)
    ahead = galaxy.houses[attacker.seat].score - galaxy.houses[defender.seat].score
    lean = 1 if ahead < -LEAD else -1
    return lean * odds // 3


def _estimate_spending(galaxy: Galaxy, seat: Seat) -> int:
    """Returns half the worth of the committed card: a smaller card would have been cheaper."""
    house = galaxy.houses[seat]
    return card_worth(galaxy, house.committed) // 2 if house.committed else 0
