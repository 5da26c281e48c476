"""The items of a BUILD action and their prices. Each is checked, paid and placed before the next.

Item ─┬─ BaseItem, UnitItem (building.py)    bases; agents and fleets
      ├─ GateItem (gates.py)                 gate pairs, new or in a new place
      └─ RelocationItem (relocating.py)      bases in a new place

An item is not a step: it runs inside the answer to the question that chose it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ledger.games.hegemonic.actions.base import turn_of
from ledger.games.hegemonic.leaders.activation import discount
from ledger.games.hegemonic.map.reach import Distance, Range
from ledger.games.hegemonic.state.caps import spend
from ledger.games.hegemonic.state.components import BASE_OF, INDUSTRIAL, MARTIAL, PIECES, figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import (
    NANO_FABRICANTS,
    SELF_REPLICATING_DRONES,
    holds,
)
from ledger.games.hegemonic.state.tracks import Cost
from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.parts.prices import Part, Price
from ledger.parts.seats import SeatFact

# --- prices ---------------------------------------------------------------------------------------


def base_price(galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> Price:
    """`build.base-cost`: each base costs the figure of its space at that moment.

    `tech.nano-fabricants`: a complex within range of another player's complex costs less.
    `tech.self-replicating-drones`: an outpost on the player's own stack costs less.

    Returns the price of the next base of a type in a sector.
    """
    price = Price.flat("build.base-cost", Cost.of_next(galaxy, seat, type_))
    if type_ == INDUSTRIAL and _near_another(galaxy, seat, sector):
        price = price.less("tech.nano-fabricants", figure(galaxy, "tech.nanofab"))
    on_stack = type_ == MARTIAL and sector in galaxy.houses[seat].outposts
    if on_stack and holds(galaxy, seat, SELF_REPLICATING_DRONES):
        price = price.less("tech.self-replicating-drones", figure(galaxy, "tech.drones"))
    return price.less("leader.choose", discount(galaxy, seat, BASE_OF[type_]))


def unit_price(galaxy: Galaxy, unit: str) -> Price:
    """`build.unit-cost`: a gate pair, an agent and a fleet have fixed costs.

    Returns the same price for all players and sectors.
    """
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


# --- items ----------------------------------------------------------------------------------------


class ItemDone(SeatFact, tag="build.item-done"):
    """A player paid for an item of its BUILD action and received it."""

    item: Open[str]  # the piece that was placed
    relocated: Open[bool]
    price: Open[int]
    parts: Open[tuple[Part, ...]]

    def apply(self, galaxy: Galaxy) -> None:
        """The player can no longer take the action back."""
        turn_of(galaxy).done += 1


class Item(Frozen, frozen=True):
    """One item of a BUILD action. Its own fields come first, then those of its decision."""

    decision: ClassVar[type[Decision]]
    of_piece: ClassVar[str] = ""
    relocates: ClassVar[bool] = False  # whether it places a piece that is on the map already
    seat: Open[Seat]

    @property
    def piece(self) -> str:
        return self.of_piece

    @classmethod
    def thinkable(cls, galaxy: Galaxy, seat: Seat, type_: str) -> Iterator[Decision]:
        """Yields each decision that could be legal in a BUILD of a type, once."""
        raise NotImplementedError

    def check(self, galaxy: Galaxy) -> None:
        """Refuses an item that the rules forbid. The caller tests the price afterwards."""
        raise NotImplementedError

    def price(self, galaxy: Galaxy) -> Price:
        raise NotImplementedError

    def place(self, galaxy: Galaxy) -> Happenings:
        """Yields the facts that place its pieces."""
        raise NotImplementedError

    def run(self, galaxy: Galaxy) -> Happenings:
        """`general.pay-first`; `general.immediate`: the very next item can use the piece."""
        price = self.price(galaxy)
        yield from spend(galaxy, self.seat, price.total, price.rule)
        yield from self.place(galaxy)
        yield ItemDone(self.seat, self.piece, self.relocates, price.total, price.parts)
