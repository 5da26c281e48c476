"""Power: what each piece adds to a side of a conflict, as a list that explains itself.

Each function yields the contributions of a side at this moment; `total` adds them up.
No piece is counted twice on a side. No piece out of range is counted, except embassies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ledger.games.hegemonic.map.reach import Distance, Range
from ledger.games.hegemonic.state.components import (
    AGENT,
    COMPLEX,
    EMBASSY,
    FLEET,
    INDUSTRIAL,
    MARTIAL,
    OUTPOST,
    POLITICAL,
    figure,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import House
from ledger.games.hegemonic.state.technologies import (
    DYSON_SPHERE_ASSEMBLY,
    HYPER_CANNON_BATTERIES,
    NANO_ACCELERANTS,
    holds,
)
from ledger.games.hegemonic.state.tracks import Tier
from ledger.kernel.records import Seat
from ledger.parts.battle import Contribution

Contributions: TypeAlias = Iterator[Contribution]


def base_power(galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> int:
    """`power.types`: the power of a player's bases of one type in a sector, by themselves.

    `power.complex`: 1 each, and those of one owner add up. `power.embassy`: the figure of the
    location. `power.home-embassy`: an embassy in a home has none. `power.outpost`: the height of
    the stack.
    `power.gate`, `gate.no-power`: a gate is worth nothing.

    Returns 0 where the player has no such base.
    """
    house = galaxy.houses[seat]
    if type_ == INDUSTRIAL:
        return house.complexes.get(sector, 0)
    if type_ == MARTIAL:
        return house.outposts.get(sector, 0)
    assert type_ == POLITICAL, f"there are no bases of the type {type_}"
    tile = galaxy.tile_at(sector)
    if sector not in house.embassies or tile is None or tile.faction is None:
        return 0
    return tile.political


# --- industrial -----------------------------------------------------------------------------------


def of_complexes(galaxy: Galaxy, seat: Seat, sector: str) -> Contributions:
    """`step1.complex`: a player's complexes in a sector, and all others in range.

    `tech.dyson-sphere-assembly`: each of the player's gate halves there adds to the group.
    """
    house = galaxy.houses[seat]
    yield from _complexes_near(galaxy, house, sector, "step1.complex")
    gates = len(house.gates_at(sector))
    if gates and holds(galaxy, seat, DYSON_SPHERE_ASSEMBLY):
        amount = gates * figure(galaxy, "tech.dyson")
        rule = "tech.dyson-sphere-assembly"
        yield Contribution(rule, DYSON_SPHERE_ASSEMBLY, gates, sector, 0, amount)


def of_gates(galaxy: Galaxy, seat: Seat, sector: str) -> Contributions:
    """`step1.gate`: gates alone are defended by all complexes whose range extends to them."""
    yield from _complexes_near(galaxy, galaxy.houses[seat], sector, "step1.gate")


def _complexes_near(galaxy: Galaxy, house: House, sector: str, rule: str) -> Contributions:
    """`range.power-needs-range`: only complexes whose range covers the sector count.

    `step1.home`: complexes at home count like any other.
    """
    range_ = Range.of_complex(galaxy)
    for at, count in _nearest(house.complexes, sector):
        if at == sector:
            yield Contribution(rule, COMPLEX, count, at, 0, count)
        elif Distance.within(galaxy, at, sector, range_):
            distance = Distance.of(galaxy, sector, at) or 0
            yield Contribution(rule, COMPLEX, count, at, distance, count)


# --- political ------------------------------------------------------------------------------------


def of_faction(galaxy: Galaxy, seat: Seat, faction: str, rule: str) -> Contributions:
    """Yields the power of all a player's embassies of a faction, wherever they are.

    `opt.wild`, `opt.wild-conflict`: a wild home embassy belongs to every faction, for 1 power.
    """
    house = galaxy.houses[seat]
    for at in house.embassies:
        if at != house.home and galaxy.faction_at(at) == faction:
            yield Contribution(rule, EMBASSY, 1, at, 0, base_power(galaxy, seat, POLITICAL, at))
    if house.home in house.embassies and galaxy.reads("opt.wild"):
        yield Contribution("opt.wild-conflict", EMBASSY, 1, house.home, 0, 1)


def of_embassy(galaxy: Galaxy, seat: Seat, sector: str) -> Contributions:
    """`step1.embassy`: the embassy, the others of its faction, and the agents in its sector."""
    yield from of_faction(galaxy, seat, galaxy.faction_at(sector), "step1.embassy")
    agents = galaxy.houses[seat].movers_at(AGENT, sector)
    yield from _agents(galaxy, seat, len(agents), sector, "step1.embassy")


def of_agents(
    galaxy: Galaxy, seat: Seat, agents: tuple[int, ...], sector: str, faction: str
) -> Contributions:
    """`step1.agent`: 1 for each agent, and the power of the faction drawn on, if any."""
    yield from _agents(galaxy, seat, len(agents), sector, "step1.agent")
    if faction:
        yield from of_faction(galaxy, seat, faction, "step1.agent")


def _agents(galaxy: Galaxy, seat: Seat, count: int, sector: str, rule: str) -> Contributions:
    """`power.agent`: each has 1. `tech.nano-accelerants`: each agent that counts gives more."""
    if not count:
        return
    yield Contribution(rule, AGENT, count, sector, 0, count)
    if holds(galaxy, seat, NANO_ACCELERANTS):
        amount = count * figure(galaxy, "tech.nanoacc")
        yield Contribution("tech.nano-accelerants", NANO_ACCELERANTS, count, sector, 0, amount)


# --- martial --------------------------------------------------------------------------------------


def of_outposts(
    galaxy: Galaxy, seat: Seat, sector: str, fighting: tuple[int, ...] = ()
) -> Contributions:
    """`step1.outpost`: a stack, the stacks in its range or that reach it, and the fleets there.

    `step1.fleet-no-double`: fleets that take part themselves are not counted again.
    """
    house = galaxy.houses[seat]
    own = Range.of_stack(house.outposts[sector])
    for at, height in _nearest(house.outposts, sector):
        reached = max(own, Range.of_stack(height))
        if at == sector or Distance.within(galaxy, sector, at, reached):
            distance = Distance.of(galaxy, sector, at) or 0
            yield Contribution("step1.outpost", OUTPOST, height, at, distance, height)
    beside = [one for one in house.movers_at(FLEET, sector) if one not in fighting]
    yield from _fleets(galaxy, seat, len(beside), sector, "step1.outpost")


def of_fleets(
    galaxy: Galaxy, seat: Seat, fleets: tuple[int, ...], sector: str, lender: str
) -> Contributions:
    """`step1.fleet`: the martial tier for each fleet, plus the lending stack's power, if any."""
    yield from _fleets(galaxy, seat, len(fleets), sector, "step1.fleet")
    if lender:
        yield from of_outposts(galaxy, seat, lender, fleets)


def lenders(galaxy: Galaxy, seat: Seat, sector: str) -> list[str]:
    """Returns the sectors of a player's stacks whose range reaches a sector."""
    return [
        at
        for at, height in galaxy.houses[seat].outposts.items()
        if Distance.within(galaxy, at, sector, Range.of_stack(height))
    ]


def _fleets(galaxy: Galaxy, seat: Seat, count: int, sector: str, rule: str) -> Contributions:
    """`power.fleet`: each has the martial tier.

    `tech.hyper-cannon-batteries`: each that counts gives more.
    """
    if not count:
        return
    tier = Tier.of(galaxy, seat, MARTIAL)
    yield Contribution(rule, FLEET, count, sector, 0, count * tier)
    if holds(galaxy, seat, HYPER_CANNON_BATTERIES):
        amount = count * figure(galaxy, "tech.hyper")
        rule = "tech.hyper-cannon-batteries"
        yield Contribution(rule, HYPER_CANNON_BATTERIES, count, sector, 0, amount)


def _nearest(standing: dict[str, int], sector: str) -> list[tuple[str, int]]:
    """Returns bases by sector: the sector itself first, the others in the order built."""
    return sorted(standing.items(), key=lambda one: one[0] != sector)
