"""Range: how far each base and unit reaches, and which sectors a player's pieces cover."""

from __future__ import annotations

from ledger.games.hegemonic.state.components import (
    AGENT,
    FLEET,
    INDUSTRIAL,
    MARTIAL,
    POLITICAL,
    TYPES,
    figure,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import SUPPLY
from ledger.games.hegemonic.state.technologies import (
    PSI_SUBVERSION_PROBES,
    SENTIENT_PROPAGANDA,
    holds,
)
from ledger.kernel.records import Seat


class Distance:
    """`range.metric`: the fewest steps over the boards in play; a gate counts as one step.

    The centre blocks the way or, by a reading, is one step. `range.meaning`: a range of r covers
    every sector at a distance of at most r, its own included.
    """

    @staticmethod
    def within(galaxy: Galaxy, start: str, end: str, range_: int) -> bool:
        """Returns whether one sector is in range of another."""
        chart, beyond = galaxy.chart, range_ + 1
        if chart.steps_across(start).get(end, beyond) > range_:
            return False  # no way is shorter than one on which the centre may lie
        near: bool = chart.steps(start).get(end, beyond) <= range_
        return near or galaxy.reads("range.center") == "open"

    @staticmethod
    def of(galaxy: Galaxy, start: str, end: str) -> int | None:
        """Returns the distance; None where no way leads there."""
        steps = galaxy.chart.steps(start).get(end)
        across = galaxy.chart.steps_across(start).get(end)
        if across is None or across == steps:
            return steps
        return across if galaxy.reads("range.center") == "open" else steps


class Range:
    """`range.complex`, `range.embassy`: each reaches 1. `range.outpost`: the height less 1.

    `range.agent`, `range.fleet`: 0, or 1 with the technologies for it. `range.gate`: it has none.
    """

    @staticmethod
    def of_complex(galaxy: Galaxy) -> int:
        return figure(galaxy, "range.complex")

    @staticmethod
    def of_stack(height: int) -> int:
        return height - 1

    @staticmethod
    def of_base(galaxy: Galaxy, type_: str, height: int) -> int:
        """Returns the range of so many bases of a type in one sector."""
        if type_ == MARTIAL:
            return Range.of_stack(height)
        return figure(galaxy, "range.complex" if type_ == INDUSTRIAL else "range.embassy")

    @staticmethod
    def of_unit(galaxy: Galaxy, seat: Seat, unit: str) -> int:
        """`tech.sentient-propaganda`: an agent with it reaches one further.

        `tech.psi-subversion-probes`: a fleet with it reaches one further.
        """
        technology, further = {
            AGENT: (SENTIENT_PROPAGANDA, "tech.sentient"),
            FLEET: (PSI_SUBVERSION_PROBES, "tech.psi"),
        }[unit]
        more = figure(galaxy, further) if holds(galaxy, seat, technology) else 0
        return figure(galaxy, f"range.{unit}") + more


class Reach:
    """`action.in-range`: an action needs a piece of the proper type whose range covers the sector.

    `build.range`: bases and units give range for building, or bases alone.
    """

    @staticmethod
    def of_bases(
        galaxy: Galaxy, seat: Seat, type_: str, without: str = ""
    ) -> list[tuple[str, int]]:
        """Returns the sectors of a player's bases of a type, with their ranges.

        `build.relocate-range`: `without` leaves out one base of that sector.
        """
        standing = galaxy.houses[seat].bases(type_).items()
        left = [(at, height - (at == without)) for at, height in standing]
        left = [(at, height) for at, height in left if height]
        if type_ == MARTIAL or not left:
            return [(at, Range.of_stack(height)) for at, height in left]
        range_ = Range.of_base(galaxy, type_, 1)  # the same for all
        return [(at, range_) for at, _ in left]

    @staticmethod
    def of_units(galaxy: Galaxy, seat: Seat, type_: str) -> list[tuple[str, int]]:
        """Returns the same for agents or fleets; gates have no range."""
        if type_ == INDUSTRIAL:
            return []
        unit = AGENT if type_ == POLITICAL else FLEET
        on_map = [at for at in galaxy.houses[seat].movers(unit) if at != SUPPLY]
        range_ = Range.of_unit(galaxy, seat, unit) if on_map else 0
        return [(at, range_) for at in dict.fromkeys(on_map)]

    @staticmethod
    def covers(galaxy: Galaxy, seat: Seat, type_: str, sector: str, without: str = "") -> bool:
        """Returns whether range allows a base of the type to be built in a sector."""
        by_bases = Reach.of_bases(galaxy, seat, type_, without)
        if any(Distance.within(galaxy, at, sector, range_) for at, range_ in by_bases):
            return True
        reaching = any(
            Distance.within(galaxy, at, sector, range_)
            for at, range_ in Reach.of_units(galaxy, seat, type_)
        )
        return reaching and bool(galaxy.reads("build.from-units"))

    @staticmethod
    def covers_by_any(galaxy: Galaxy, seat: Seat, sector: str) -> bool:
        """Returns whether any piece of a player, of any type, covers a sector."""
        return any(Reach.covers(galaxy, seat, type_, sector) for type_ in TYPES)
