"""Declaring a conflict: the attackers, the defender, the place and the cost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from ledger.games.hegemonic.actions.base import turn_of
from ledger.games.hegemonic.map.reach import Distance, Range
from ledger.games.hegemonic.state.caps import check_price, spend
from ledger.games.hegemonic.state.components import (
    BASE_OF,
    COMPLEX,
    INDUSTRIAL,
    POLITICAL,
    UNIT_OF,
    Pattern,
    figure,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import House
from ledger.games.hegemonic.state.technologies import EFFICIENCY_PARADIGM, holds
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.battle import Contribution, Force, total

from .facts import ContestBegun
from .moving import on_map
from .power import base_power


class Declare(Decision, tag="conflict.declare"):
    """Attack a player's pieces in a sector, of the type that the attack pattern says."""

    defender: Open[Seat]
    sector: Open[str]  # that is fought over
    origin: Open[str] = ""  # the sector of the complexes that attack
    units: Open[tuple[int, ...]] = ()  # or the agent or fleet that does, by its number
    targets: Open[tuple[int, ...]] = ()  # some of the units there, where a reading allows it


def check_attackers(galaxy: Galaxy, seat: Seat, pattern: Pattern, decision: Declare) -> str:
    """`target.attacker`: all complexes of one sector attack, or one agent, or one fleet.

    `target.never-attack`: nothing else attacks. A reading lets several agents, or fleets, of one
    sector attack together (`conflict.multi-unit`).

    Returns the sector of the attackers, or refuses them.
    """
    origin = _origin(galaxy, seat, pattern, decision)
    if not origin:
        evidence: dict[str, Any] = {"origin": decision.origin, "units": decision.units}
        message = "The player has no piece there that can make this attack."
        raise Refused("no_attackers", "target.attacker", message, evidence)
    mover = turn_of(galaxy).mover
    if mover is not None and mover[1] not in decision.units:
        message = "Only the unit that moved may attack."
        raise Refused("not_the_mover", "move.same-unit", message, {"moved": mover[1]})
    return origin


def _origin(galaxy: Galaxy, seat: Seat, pattern: Pattern, decision: Declare) -> str:
    house = galaxy.houses[seat]
    if pattern.attacker == INDUSTRIAL:
        fits = not decision.units and decision.origin in house.complexes
        return decision.origin if fits else ""
    unit, units = UNIT_OF[pattern.attacker], decision.units
    standing = all(on_map(galaxy, seat, unit, one) for one in units)
    if decision.origin or not units or not standing or not _rising(units):
        return ""
    sectors = {house.movers(unit)[one] for one in units}
    if len(sectors) > 1 or (len(units) > 1 and not galaxy.reads("conflict.multi-unit")):
        return ""
    return sectors.pop()


def _rising(numbers: tuple[int, ...]) -> bool:
    return all(one < other for one, other in pairwise(numbers))


def name_attackers(attacker: str, decision: Declare) -> tuple[str, ...]:
    """Returns the attackers' names for the record."""
    if attacker == INDUSTRIAL:
        return (f"{COMPLEX} {decision.origin}",)
    return tuple(f"{UNIT_OF[attacker]} {number}" for number in decision.units)


def check_once(galaxy: Galaxy, seat: Seat, names: tuple[str, ...]) -> None:
    """`target.once-per-phase`: an agent, a fleet, or the complexes of a sector attack once a phase.

    `target.defence-unlimited`: pieces may be attacked any number of times.

    Refuses pieces that have already attacked as often as they may.
    """
    most = figure(galaxy, "conflict.attacks-per-phase")
    attacked = galaxy.houses[seat].attacked
    for name in names:
        if attacked.count(name) >= most:
            message = "It has already attacked in this phase."
            raise Refused("has_attacked", "target.once-per-phase", message, {"attacked": name})


def check_targets(galaxy: Galaxy, seat: Seat, pattern: Pattern, decision: Declare) -> None:
    """`target.one-sector`, `target.one-defender`: one opponent's pieces of one type in one sector.

    `target.no-self`: never the attacker's own. `target.no-home`: never in another player's home.
    `target.bases-and-units`: where the defender has a base of the type, all of its bases and units
    of the type there. `target.complex-group`: complexes are attacked all together.
    """
    evidence = {"defender": decision.defender, "sector": decision.sector}
    if decision.defender == seat:
        message = "A player cannot attack their own pieces."
        raise Refused("own_pieces", "target.no-self", message, evidence)
    if decision.sector not in galaxy.sectors or decision.defender not in galaxy.seats:
        raise Refused("no_target", "target.one-sector", "The map has no such place.", evidence)
    if galaxy.foreign_home(seat, decision.sector):
        message = "A player cannot attack in another player's home."
        raise Refused("home_protected", "target.no-home", message, evidence)
    house = galaxy.houses[decision.defender]
    bases = house.bases_at(pattern.target, decision.sector)
    units = house.units_at(pattern.target, decision.sector)
    if not bases and not units:
        message = "The defender has no piece of this type there."
        raise Refused("no_target", "target.bases-and-units", message, evidence)
    check_unit_group(galaxy, bases, units, decision.targets)


def check_unit_group(
    galaxy: Galaxy, bases: int, units: tuple[int, ...], targets: tuple[int, ...]
) -> None:
    """`target.units-only`: an attack on units without a base of their type hits all of them.

    A reading lets the attacker choose some of them.

    An empty list attacks all units; a list must name fewer than all.
    """
    if not targets:
        return
    evidence = {"bases": bases, "units": list(units), "targets": list(targets)}
    if bases:
        message = "The attacker must attack bases and units of a type together."
        raise Refused("whole_group", "target.bases-and-units", message, evidence)
    fewer = _rising(targets) and set(targets) < set(units)
    if not fewer or galaxy.reads("conflict.unit-group") == "all":
        message = "The attacker must attack all units there together."
        raise Refused("whole_group", "target.units-only", message, evidence)


def range_of(galaxy: Galaxy, seat: Seat, attacker: str) -> int:
    """Returns the range of complexes, agents or fleets."""
    if attacker == INDUSTRIAL:
        return Range.of_complex(galaxy)
    return Range.of_unit(galaxy, seat, UNIT_OF[attacker])


def check_range(galaxy: Galaxy, seat: Seat, attacker: str, origin: str, sector: str) -> None:
    """`target.range`: the sector is in range of the attackers, after their move.

    Tests the range once, when the conflict is declared.
    """
    range_ = range_of(galaxy, seat, attacker)
    if not Distance.within(galaxy, origin, sector, range_):
        evidence = {"from": origin, "sector": sector, "range": range_}
        raise Refused("out_of_range", "target.range", "The sector is out of range.", evidence)


def cost_of(galaxy: Galaxy, seat: Seat, pattern: Pattern, decision: Declare) -> list[Contribution]:
    """`cost.destroy`: it costs 1 CAP for each point of power of the targeted bases.

    `cost.takeover`: to take them over costs 2 for each. `err.05`: a takeover costs 3 for each.
    `cost.base-power`: the power printed on them counts, never what
    they lend each other. `cost.units-free`: units cost nothing. `cost.plus-movement`: the cost of a
    move is paid in addition. `tech.efficiency-paradigm`: 1 less, never below 0.

    Returns the parts of the cost.
    """
    defender, sector = decision.defender, decision.sector
    power = base_power(galaxy, defender, pattern.target, sector)
    rule = f"cost.{pattern.action}"
    price = power * figure(galaxy, rule)
    if not price:
        return []
    count = galaxy.houses[defender].bases_at(pattern.target, sector)
    made_of = [Contribution(rule, BASE_OF[pattern.target], count, sector, 0, price)]
    if holds(galaxy, seat, EFFICIENCY_PARADIGM):
        less = min(price, figure(galaxy, "tech.efficiency"))
        rule = "tech.efficiency-paradigm"
        made_of.append(Contribution(rule, EFFICIENCY_PARADIGM, 1, sector, 0, -less))
    return made_of


def check_targeting(galaxy: Galaxy, seat: Seat, pattern: Pattern, decision: Declare) -> None:
    """`target.range`: an attacker, a target, and the range from one to the other.

    Refuses with the first rule that fails.
    """
    origin = check_attackers(galaxy, seat, pattern, decision)
    check_targets(galaxy, seat, pattern, decision)
    check_range(galaxy, seat, pattern.attacker, origin, decision.sector)


def check_declared(galaxy: Galaxy, seat: Seat, pattern: Pattern, decision: Declare) -> None:
    """`target.one-sector`: the tests that a declared conflict must pass, the price last.

    Tests the price only after all other rules.
    """
    check_unpaid(galaxy, seat, pattern, decision)
    price = total(cost_of(galaxy, seat, pattern, decision))
    check_price(galaxy, seat, price, f"cost.{pattern.action}")


def check_unpaid(galaxy: Galaxy, seat: Seat, pattern: Pattern, decision: Declare) -> None:
    """Tests all rules but the price."""
    check_targeting(galaxy, seat, pattern, decision)
    check_once(galaxy, seat, name_attackers(pattern.attacker, decision))


def list_attacks(galaxy: Galaxy, seat: Seat, pattern: Pattern) -> Iterator[Declare]:
    """Yields every attack on pieces in range of the attackers, allowed or not."""
    attacks = _attacks(galaxy, seat, pattern)
    if not attacks:
        return
    range_: int | None = None
    for house in galaxy.others(seat):
        for sector in _sectors_of(house, pattern.target):
            if galaxy.foreign_home(seat, sector):
                continue
            if range_ is None:  # asked once, and only where it matters
                range_ = range_of(galaxy, seat, pattern.attacker)
            for at, origin, units in attacks:
                if Distance.within(galaxy, at, sector, range_):
                    yield Declare(house.seat, sector, origin, units)
                    for some in _some(galaxy, house, pattern.target, sector):
                        yield Declare(house.seat, sector, origin, units, some)


def _attacks(
    galaxy: Galaxy, seat: Seat, pattern: Pattern
) -> list[tuple[str, str, tuple[int, ...]]]:
    """Returns the possible attackers and their sectors; after a move, only the unit that moved."""
    mover = turn_of(galaxy).mover
    return [
        (origin or galaxy.houses[seat].movers(UNIT_OF[pattern.attacker])[units[0]], origin, units)
        for origin, units in _attackers(galaxy, seat, pattern)
        if mover is None or mover[1] in units
    ]


def _attackers(
    galaxy: Galaxy, seat: Seat, pattern: Pattern
) -> Iterator[tuple[str, tuple[int, ...]]]:
    house = galaxy.houses[seat]
    if pattern.attacker == INDUSTRIAL:
        yield from ((sector, ()) for sector in house.complexes)
        return
    unit = UNIT_OF[pattern.attacker]
    numbers = [n for n in range(len(house.movers(unit))) if on_map(galaxy, seat, unit, n)]
    yield from (("", (number,)) for number in numbers)
    if len(numbers) > 1 and galaxy.reads("conflict.multi-unit"):
        for count in range(2, len(numbers) + 1):
            yield from (("", units) for units in combinations(numbers, count))


def _sectors_of(house: House, type_: str) -> dict[str, None]:
    """Returns the sectors where a player has pieces of a type, in order of arrival, each once."""
    found = dict.fromkeys(house.bases(type_))
    if type_ == INDUSTRIAL:
        found |= dict.fromkeys(sector for gate in house.gates for sector in gate.sectors)
    else:
        unit = UNIT_OF[type_]
        found |= dict.fromkeys(sector for sector in house.movers(unit) if sector)
    return found


def _some(galaxy: Galaxy, house: House, type_: str, sector: str) -> Iterator[tuple[int, ...]]:
    units = house.units_at(type_, sector)
    if house.bases_at(type_, sector) or len(units) < 2:
        return
    if galaxy.reads("conflict.unit-group") == "choose":
        for count in range(1, len(units)):
            yield from combinations(units, count)


def declare_conflict(
    galaxy: Galaxy, seat: Seat, occasion: str, pattern: Pattern, decision: Declare
) -> Happenings:
    """`cost.when`: the attacker pays the cost first, win or lose; then the conflict begins.

    `conflict.side-type`: each side fights with the type of power of its own pieces.
    """
    sector, house = decision.sector, galaxy.houses[decision.defender]
    origin = _origin(galaxy, seat, pattern, decision)
    attacking = galaxy.houses[seat].bases_at(INDUSTRIAL, decision.origin)
    attacker = Force(seat, pattern.attacker, origin, attacking, decision.units)
    bases = house.bases_at(pattern.target, sector)
    units = decision.targets or house.units_at(pattern.target, sector)
    defender = Force(house.seat, pattern.target, sector, bases, units)
    made_of = tuple(cost_of(galaxy, seat, pattern, decision))
    cost = total(made_of)
    yield from spend(galaxy, seat, cost, f"cost.{pattern.action}")
    yield ContestBegun(
        key=occasion,
        pattern=pattern.id,
        action=pattern.action,
        sector=sector,
        distance=Distance.of(galaxy, origin, sector) or 0,
        attacker=attacker,
        defender=defender,
        faction=galaxy.faction_at(sector) if bases and pattern.target == POLITICAL else "",
        attacked_with=name_attackers(pattern.attacker, decision),
        cost=cost,
        price=made_of,
    )
