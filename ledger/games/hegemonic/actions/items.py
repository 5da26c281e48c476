"""The items of a BUILD action, each checked, paid and placed before the next.

Item ─┬─ BaseItem, UnitItem (building.py)    bases; agents and fleets
      ├─ GateItem (gates.py)                 gate pairs, new or in a new place
      └─ RelocationItem (relocating.py)      bases in a new place

An item is not a step: it runs inside the answer to the question that chose it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ledger.games.hegemonic.action import turn_of
from ledger.games.hegemonic.state.caps import spend
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.parts.prices import Part, Price
from ledger.parts.seats import SeatFact


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
