"""Prices of what is built: the printed figure, less the effects of technologies and leaders."""

from __future__ import annotations

from ledger.games.hegemonic.leaders.activation import discount
from ledger.games.hegemonic.map.reach import Distance, Range
from ledger.games.hegemonic.state.components import BASE_OF, INDUSTRIAL, MARTIAL, PIECES, figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import (
    NANO_FABRICANTS,
    SELF_REPLICATING_DRONES,
    holds,
)
from ledger.games.hegemonic.state.tracks import Cost
from ledger.kernel.records import Seat
from ledger.parts.prices import Price


class BasePrice:
    """`build.base-cost`: each base costs the figure of its space at that moment.

    `tech.nano-fabricants`: a complex within range of another player's complex costs less.
    `tech.self-replicating-drones`: so does an outpost on the player's own stack.
    """

    @staticmethod
    def of(galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> Price:
        """Returns the price of the next base of a type in a sector."""
        price = Price.flat("build.base-cost", Cost.of_next(galaxy, seat, type_))
        if type_ == INDUSTRIAL and _near_another(galaxy, seat, sector):
            price = price.less("tech.nano-fabricants", figure(galaxy, "tech.nanofab"))
        if type_ == MARTIAL and _on_own_stack(galaxy, seat, sector):
            price = price.less("tech.self-replicating-drones", figure(galaxy, "tech.drones"))
        return price.less("leader.choose", discount(galaxy, seat, BASE_OF[type_]))


class UnitPrice:
    """`build.unit-cost`: a gate pair, an agent and a fleet have fixed costs."""

    @staticmethod
    def of(galaxy: Galaxy, unit: str) -> Price:
        """Returns the same price for all players and sectors."""
        cost = PIECES.of(galaxy)[unit].cost
        assert cost is not None, f"a {unit} has no price"
        return Price.flat("build.unit-cost", cost)


def _near_another(galaxy: Galaxy, seat: Seat, sector: str) -> bool:
    if not holds(galaxy, seat, NANO_FABRICANTS):
        return False
    range_ = Range.of_base(galaxy, INDUSTRIAL, 1)
    return any(
        Distance.within(galaxy, at, sector, range_)
        for other in galaxy.others(seat)
        for at in other.complexes
    )


def _on_own_stack(galaxy: Galaxy, seat: Seat, sector: str) -> bool:
    has_stack = sector in galaxy.houses[seat].outposts
    return has_stack and holds(galaxy, seat, SELF_REPLICATING_DRONES)
