"""Quantum gates: pairs that make their two sectors neighbours for all. The Chart joins them."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.actions.items import Item, unit_price
from ledger.games.hegemonic.state.components import GATE, INDUSTRIAL, TIERS, figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import House
from ledger.games.hegemonic.state.locations import check_foreign_home, tile_in
from ledger.games.hegemonic.state.technologies import MASS_TRANSLATION_RELAY, holds
from ledger.games.hegemonic.state.tracks import Tier
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.prices import Price

from .placing import GatePlaced


class PlaceGate(Decision, tag="build.place-gate"):
    """Build a gate pair: one half at your complex, the other at an industrial location."""

    gate: Open[int]
    first: Open[str]
    second: Open[str]


class RelocateGate(Decision, tag="build.relocate-gate"):
    """Put a gate pair that is on the map in a new place."""

    gate: Open[int]
    first: Open[str]
    second: Open[str]


def limit_distance(galaxy: Galaxy, seat: Seat) -> int:
    """`gate.distance`: the industrial tier sets how many hexes apart the halves may be.

    `gate.no-shortcut`: gates already on the map do not shorten the way.
    `tech.mass-translation-relay`: one hex further with it.

    Returns the greatest distance at which a player may place two halves now.
    """
    tier = Tier.of(galaxy, seat, INDUSTRIAL)
    further = holds(galaxy, seat, MASS_TRANSLATION_RELAY)
    return TIERS.of(galaxy)[str(tier)].gate + (figure(galaxy, "tech.relay") if further else 0)


def check_distance(galaxy: Galaxy, seat: Seat, first: str, second: str) -> None:
    """Refuses the same sector twice, and sectors too far apart."""
    if first == second:
        message = "The halves of a gate must be in different sectors."
        raise Refused("same_sector", "gate.distance", message, {"sector": first})
    apart, limit = galaxy.chart.hexes(first).get(second), limit_distance(galaxy, seat)
    if apart is None or apart > limit:
        evidence = {"distance": apart, "limit": limit}
        message = "The halves of the gate would be too far apart."
        raise Refused("too_far_apart", "gate.distance", message, evidence)


def check_gate_places(galaxy: Galaxy, seat: Seat, first: str, second: str) -> None:
    """`gate.first-half`: one half in a sector with the player's complex, a just built one included.

    `gate.second-half`: the other in one with an industrial location, whoever occupies it.
    `gate.foreign-home`: neither in another player's home. `gate.tier-loss`: these rules are tested
    when a pair is placed, and never again: it outlives the tier and the complex that it needed.

    Refuses a place where a pair may not be put.
    """
    tile_in(galaxy, first, "gate.first-half")
    other = tile_in(galaxy, second, "gate.second-half")
    for sector in (first, second):
        check_foreign_home(galaxy, seat, sector, "gate.foreign-home")
    if first not in galaxy.houses[seat].complexes:
        message = "The player has no complex there."
        raise Refused("no_own_complex", "gate.first-half", message, {"sector": first})
    if not other.industrial:
        message = "The sector has no industrial location."
        raise Refused("no_location", "gate.second-half", message, {"sector": second})
    check_distance(galaxy, seat, first, second)


def list_gate_places(galaxy: Galaxy, seat: Seat) -> Iterator[tuple[str, str]]:
    """Yields every two sectors that could be legal: from a complex, up to the limit."""
    if not galaxy.houses[seat].complexes:
        return
    limit = limit_distance(galaxy, seat)
    for first in galaxy.houses[seat].complexes:
        for second, apart in galaxy.chart.hexes(first).items():
            if not 0 < apart <= limit or galaxy.foreign_home(seat, second):
                continue
            tile = galaxy.tile_at(second)
            if tile is not None and tile.industrial:
                yield first, second


class GateItem(Item, frozen=True):
    """`gate.pair`: a player places both halves at once, for one price."""

    of_piece = GATE
    gate: Open[int]
    first: Open[str]
    second: Open[str]

    def check(self, galaxy: Galaxy) -> None:
        self.check_pair(galaxy)
        check_gate_places(galaxy, self.seat, self.first, self.second)

    def check_pair(self, galaxy: Galaxy) -> None:
        """Refuses a pair that this item cannot use."""
        raise NotImplementedError

    def price(self, galaxy: Galaxy) -> Price:
        return unit_price(galaxy, GATE)

    def place(self, galaxy: Galaxy) -> Happenings:
        yield GatePlaced(self.seat, self.gate, self.first, self.second)


class NewGate(GateItem, frozen=True):
    """`gate.pair`: a pair that waits on the player board, by `build.unit-limit`."""

    decision = PlaceGate

    def check_pair(self, galaxy: Galaxy) -> None:
        house = galaxy.houses[self.seat]
        check_number(house, self.gate)
        if house.gates[self.gate].placed:
            evidence = {"gate": self.gate, "left": len(house.in_supply(GATE))}
            message = "The pair is on the map already."
            raise Refused("unit_placed", "build.unit-limit", message, evidence)

    @classmethod
    def thinkable(cls, galaxy: Galaxy, seat: Seat, type_: str) -> Iterator[Decision]:
        """Yields every unbuilt pair in every place that could be legal."""
        waiting = galaxy.houses[seat].in_supply(GATE) if type_ == INDUSTRIAL else ()
        for gate in waiting:
            for first, second in list_gate_places(galaxy, seat):
                yield PlaceGate(gate, first, second)


class GateElsewhere(GateItem, frozen=True):
    """`gate.relocate`: a pair on the map goes to a new legal place, for the price of a new one.

    One or both halves move; pairs waiting on the player board do not prevent it.
    """

    decision = RelocateGate
    relocates = True

    def check_pair(self, galaxy: Galaxy) -> None:
        house = galaxy.houses[self.seat]
        check_number(house, self.gate, "gate.relocate")
        standing = house.gates[self.gate]
        evidence = {"gate": self.gate}
        if not standing.placed:
            message = "The pair is not on the map."
            raise Refused("unit_not_placed", "gate.relocate", message, evidence)
        if {self.first, self.second} == set(standing.sectors):
            raise Refused("same_place", "gate.relocate", "The pair is there already.", evidence)

    @classmethod
    def thinkable(cls, galaxy: Galaxy, seat: Seat, type_: str) -> Iterator[Decision]:
        """Yields every pair on the map in every place that could be legal."""
        gates = galaxy.houses[seat].gates if type_ == INDUSTRIAL else ()
        for gate in (number for number, one in enumerate(gates) if one.placed):
            for first, second in list_gate_places(galaxy, seat):
                yield RelocateGate(gate, first, second)


def check_number(house: House, gate: int, rule: str = "build.unit-limit") -> None:
    """Refuses a number that none of the player's pairs has."""
    if not 0 <= gate < len(house.gates):
        raise Refused("no_such_unit", rule, "The player has no such gate pair.", {"gate": gate})
