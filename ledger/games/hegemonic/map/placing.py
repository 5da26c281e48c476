"""Pieces that are placed on the map, move on it and leave it: facts used by all chapters."""

from __future__ import annotations

from ledger.games.hegemonic.state.components import TYPE_OF
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import SUPPLY
from ledger.kernel.audience import Open
from ledger.parts.seats import SeatFact


class BasePlaced(SeatFact, tag="piece.base-placed"):
    """A base left the player board and was placed in a sector."""

    piece: Open[str]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """Puts the base in play at once (`general.immediate`)."""
        galaxy.houses[self.seat].add_base(TYPE_OF[self.piece], self.sector)


class BaseMoved(SeatFact, tag="piece.base-moved"):
    """A base moved from one sector to another."""

    piece: Open[str]
    origin: Open[str]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """Leaves the player board as it is."""
        house = galaxy.houses[self.seat]
        house.remove_base(TYPE_OF[self.piece], self.origin)
        house.add_base(TYPE_OF[self.piece], self.sector)


class BaseReturned(SeatFact, tag="piece.base-returned"):
    """A base went back to the right-most empty space of the player board."""

    piece: Open[str]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].remove_base(TYPE_OF[self.piece], self.sector)


class UnitPlaced(SeatFact, tag="piece.unit-placed"):
    """An agent or a fleet left the player board."""

    unit: Open[str]
    number: Open[int]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """`build.units-no-location`: a unit takes up no location."""
        movers = galaxy.houses[self.seat].movers(self.unit)
        assert movers[self.number] == SUPPLY, f"{self.unit} {self.number} is on the map already"
        movers[self.number] = self.sector


class UnitMoved(SeatFact, tag="piece.unit-moved"):
    """An agent or a fleet moved from one sector to another."""

    unit: Open[str]
    number: Open[int]
    path: Open[tuple[str, ...]]  # from where it stood to where it stands

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].movers(self.unit)[self.number] = self.path[-1]


class UnitReturned(SeatFact, tag="piece.unit-returned"):
    """An agent or a fleet went back to the player board."""

    unit: Open[str]
    number: Open[int]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].movers(self.unit)[self.number] = SUPPLY


class GatePlaced(SeatFact, tag="piece.gate-placed"):
    """A gate pair was placed in two sectors, newly or in a new place."""

    number: Open[int]
    first: Open[str]
    second: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """`gate.adjacency`: the two sectors are neighbours from now on."""
        galaxy.link(self.seat, self.number, self.first, self.second)


class GateReturned(SeatFact, tag="piece.gate-returned"):
    """Both halves of a gate pair went back to the player board."""

    number: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.link(self.seat, self.number, SUPPLY, SUPPLY)


class PlayerBoardFilled(SeatFact, tag="piece.supplied"):
    """A player put these units on the player board; its tracks count the bases."""

    agents: Open[int]
    fleets: Open[int]
    gates: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].supply(self.agents, self.fleets, self.gates)
