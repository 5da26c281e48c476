"""Movement: one agent or one fleet, inside a conflict action and before the conflict."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.actions.base import turn_of
from ledger.games.hegemonic.map.placing import UnitMoved
from ledger.games.hegemonic.state.caps import check_price, spend
from ledger.games.hegemonic.state.components import (
    AGENT,
    FLEET,
    INDUSTRIAL,
    UNIT_OF,
    Pattern,
    figure,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import SUPPLY
from ledger.games.hegemonic.state.locations import check_sector
from ledger.games.hegemonic.state.technologies import SINGULARITY_FTL_DRIVE, holds
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.graph import find_paths
from ledger.parts.refusals import passes
from ledger.parts.seats import SeatFact


class MoveUnit(Decision, tag="conflict.move-unit"):
    """Move an agent to a sector, or a fleet along a path of sectors, the last of them its end."""

    unit: Open[str]
    number: Open[int]
    path: Open[tuple[str, ...]]  # without the sector where it stands


class MoverNamed(SeatFact, tag="move.made"):
    """A player moved a unit in a conflict action; only this unit may attack."""

    unit: Open[str]
    number: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """`move.same-unit`: only the unit that moved attacks; the action is not taken back now."""
        turn = turn_of(galaxy)
        turn.mover = (self.unit, self.number)
        turn.done += 1


def check_may_move(galaxy: Galaxy, pattern: Pattern, decision: MoveUnit) -> None:
    """`move.when`: in a political or martial conflict action, before its conflict, one unit moves.

    Complexes do not move, and a second unit does not move in the same action.

    Refuses a move that this action does not allow.
    """
    if pattern.attacker == INDUSTRIAL:
        message = "Complexes do not move: they attack where they are."
        raise Refused("no_movement", "move.when", message, {"pattern": pattern.id})
    if decision.unit != UNIT_OF[pattern.attacker]:
        evidence = {"pattern": pattern.id, "unit": decision.unit}
        message = "The action moves the other kind of unit."
        raise Refused("wrong_unit", "move.when", message, evidence)
    if turn_of(galaxy).mover is not None:
        message = "The player has already moved a unit in this action."
        raise Refused("already_moved", "move.when", message)


class AgentMove:
    """`move.agent`: an agent moves from its sector to any other sector tile on the map.

    `move.agent-cost`: a price for each border between boards that it crosses, nothing within one.
    `err.06`: the price is 1 CAP for each border.
    """

    @staticmethod
    def check(path: tuple[str, ...]) -> None:
        """Refuses a path: an agent names only its destination."""
        if len(path) != 1:
            message = "For an agent, name only the sector where it ends."
            raise Refused("not_a_path", "move.agent", message, {"path": list(path)})

    @staticmethod
    def price(galaxy: Galaxy, start: str, end: str) -> int:
        """`move.agent-path`: an agent pays for the way that crosses the fewest borders.

        `gate.not-for-agents`: no gate saves a crossing.
        """
        return galaxy.chart.borders(start)[end] * figure(galaxy, "move.agent-border")

    @staticmethod
    def paths(galaxy: Galaxy, start: str) -> Iterator[tuple[str, ...]]:
        """Yields every sector that the agent can get to."""
        return ((end,) for end in galaxy.chart.borders(start))


class FleetMove:
    """`move.fleet`: a fleet moves up to three hexes. `move.fleet-cost`: one price, however many.

    `move.fleet-gates`: a step from one half of a gate to the other counts like one to the next hex,
    whoever owns the gate. `move.center`, `move.off-board`: no step crosses the centre or leaves the
    boards. `tech.singularity-ftl-drive`: five hexes, and no price.
    """

    @staticmethod
    def check(galaxy: Galaxy, seat: Seat, start: str, path: tuple[str, ...]) -> None:
        """Refuses a path that skips a sector or is too long."""
        joined = galaxy.chart.joined
        steps = zip((start, *path), path, strict=False)
        if not path or not all(there in joined[here] for here, there in steps):
            message = "A fleet moves from sector to neighbouring sector."
            raise Refused("not_a_path", "move.fleet", message, {"start": start, "path": list(path)})
        if len(path) > FleetMove.most(galaxy, seat):
            evidence = {"hexes": len(path), "most": FleetMove.most(galaxy, seat)}
            message = "The path is longer than the fleet can move."
            raise Refused("too_far", "move.fleet", message, evidence)

    @staticmethod
    def most(galaxy: Galaxy, seat: Seat) -> int:
        """Returns the greatest number of hexes."""
        fast = holds(galaxy, seat, SINGULARITY_FTL_DRIVE)
        return figure(galaxy, "tech.ftl-range" if fast else "move.fleet-range")

    @staticmethod
    def price(galaxy: Galaxy, seat: Seat) -> int:
        """Returns the price of the whole move."""
        fast = holds(galaxy, seat, SINGULARITY_FTL_DRIVE)
        return figure(galaxy, "tech.ftl-cost" if fast else "move.fleet-cost")

    @staticmethod
    def paths(galaxy: Galaxy, seat: Seat, start: str) -> Iterator[tuple[str, ...]]:
        """Yields a shortest path to every sector that the fleet can get to."""
        return find_paths(galaxy.chart.joined, start, FleetMove.most(galaxy, seat))


def check_end(galaxy: Galaxy, seat: Seat, start: str, end: str) -> None:
    """`move.end-on-tile`: a move ends on a sector tile or a home tile; it may cross empty hexes.

    `move.foreign-home`: never in another player's home, which may be crossed.

    Assumes that the sectors on the way are on the boards.
    """
    evidence = {"sector": end}
    if end == start:
        raise Refused("same_place", "move.end-on-tile", "The unit is there already.", evidence)
    if galaxy.sectors[end].empty:
        raise Refused("no_tile", "move.end-on-tile", "The sector has no tile.", evidence)
    if galaxy.foreign_home(seat, end):
        message = "A unit cannot end its move in another player's home."
        raise Refused("foreign_home", "move.foreign-home", message, evidence)


def can_end(galaxy: Galaxy, seat: Seat, start: str, end: str) -> bool:
    """Answers the same test without a refusal, for callers that try every end."""
    return end != start and galaxy.has_tile(end) and not galaxy.foreign_home(seat, end)


class Movement:
    """`move.agent`, `move.fleet`: the rules for a move of one unit, whatever allows the move."""

    @staticmethod
    def check(
        galaxy: Galaxy,
        seat: Seat,
        unit: str,
        number: int,
        path: tuple[str, ...],
        *,
        free: bool = False,
    ) -> None:
        """Refuses a unit not on the map, an illegal path or end, and a price too high."""
        rule = f"move.{unit}"
        if unit not in (AGENT, FLEET) or not on_map(galaxy, seat, unit, number):
            evidence = {"unit": unit, "number": number}
            raise Refused("no_such_unit", "move.when", "The player has no such unit.", evidence)
        for sector in path:
            check_sector(galaxy, sector, rule)
        start = galaxy.houses[seat].movers(unit)[number]
        if unit == AGENT:
            AgentMove.check(path)
        else:
            FleetMove.check(galaxy, seat, start, path)
        check_end(galaxy, seat, start, path[-1])
        if not free:
            price = Movement.price(galaxy, seat, unit, number, path)
            check_price(galaxy, seat, price, f"{rule}-cost")

    @staticmethod
    def price(galaxy: Galaxy, seat: Seat, unit: str, number: int, path: tuple[str, ...]) -> int:
        if unit == FLEET:
            return FleetMove.price(galaxy, seat)
        return AgentMove.price(galaxy, galaxy.houses[seat].agents[number], path[-1])

    @staticmethod
    def options(galaxy: Galaxy, seat: Seat, unit: str, *, free: bool = False) -> Iterator[MoveUnit]:
        """Yields one move to each possible end for every unit of a kind."""
        for number, start in enumerate(galaxy.houses[seat].movers(unit)):
            if start == SUPPLY:
                continue
            ways = (
                AgentMove.paths(galaxy, start)
                if unit == AGENT
                else FleetMove.paths(galaxy, seat, start)
            )
            for path in ways:
                possible = can_end(galaxy, seat, start, path[-1])
                if possible and passes(Movement.check, galaxy, seat, unit, number, path, free=free):
                    yield MoveUnit(unit, number, path)


def on_map(galaxy: Galaxy, seat: Seat, unit: str, number: int) -> bool:
    movers = galaxy.houses[seat].movers(unit)
    return 0 <= number < len(movers) and movers[number] != SUPPLY


def move(
    galaxy: Galaxy, seat: Seat, unit: str, number: int, path: tuple[str, ...], *, free: bool = False
) -> Happenings:
    """`move.cost-kept`: the player pays the price first, whatever follows."""
    if not free:
        price = Movement.price(galaxy, seat, unit, number, path)
        yield from spend(galaxy, seat, price, f"move.{unit}-cost")
    start = galaxy.houses[seat].movers(unit)[number]
    yield UnitMoved(seat, unit, number, (start, *path))
