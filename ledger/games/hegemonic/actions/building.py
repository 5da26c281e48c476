"""BUILD: bases and units of the card's type, in any number and order, one item after another.

BuildAction ─▶ BuildNext ─▶ an Item: checked, paid, placed ─▶ BuildNext ... ─▶ build.finish
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

import msgspec

from ledger.games.hegemonic.actions.base import Action, check_done, check_untouched, turn_of
from ledger.games.hegemonic.leaders.activation import Interrupted, Resume
from ledger.games.hegemonic.map.gates import GateElsewhere, NewGate
from ledger.games.hegemonic.map.placing import BasePlaced, UnitPlaced
from ledger.games.hegemonic.map.reach import Reach
from ledger.games.hegemonic.state.caps import check_price
from ledger.games.hegemonic.state.components import (
    AGENT,
    BASE_OF,
    COMPLEX,
    EMBASSY,
    FLEET,
    INDUSTRIAL,
    ORDERS,
    OUTPOST,
    TYPE_OF,
    limit,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.house import SUPPLY
from ledger.games.hegemonic.state.locations import check_foreign_home, check_location, tile_in
from ledger.games.hegemonic.state.technologies import QUANTUM_TUNNEL_LATTICE, holds
from ledger.games.hegemonic.state.tracks import Track
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.prices import Price
from ledger.parts.seats import SeatQuestion

from .items import Item, base_price, unit_price
from .relocating import RelocationItem
from .turn import ActionTakenBack, CancelAction


class StartBuild(Decision, tag="turn.start-build"):
    """Begin to build."""


class PlaceComplex(Decision, tag="build.place-complex"):
    """Build a complex."""

    sector: Open[str]


class PlaceEmbassy(Decision, tag="build.place-embassy"):
    """Build an embassy."""

    sector: Open[str]


class PlaceOutpost(Decision, tag="build.place-outpost"):
    """Build an outpost."""

    sector: Open[str]


class PlaceAgent(Decision, tag="build.place-agent"):
    """Build an agent in a sector with your embassy."""

    unit: Open[int]
    sector: Open[str]


class PlaceFleet(Decision, tag="build.place-fleet"):
    """Build a fleet in a sector with your outpost."""

    unit: Open[int]
    sector: Open[str]


class FinishBuild(Decision, tag="build.finish"):
    """Build no more in this action."""


# --- bases ----------------------------------------------------------------------------------------


def reaches(galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> bool:
    """`build.range`: a player builds a base in range of its bases or units of the same type.

    `build.chain`: a base built a moment ago counts too.
    `tech.quantum-tunnel-lattice`: it builds a complex in range of any of its pieces.

    Returns whether a base of the type may be built there, judged by range alone.
    """
    if Reach.covers(galaxy, seat, type_, sector):
        return True
    lattice = type_ == INDUSTRIAL and holds(galaxy, seat, QUANTUM_TUNNEL_LATTICE)
    return lattice and Reach.covers_by_any(galaxy, seat, sector)


def check_base(galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> None:
    """Refuses a base that may not be built in a sector, whatever it costs."""
    evidence = {"type": type_, "sector": sector}
    tile_in(galaxy, sector, "build.location")
    check_foreign_home(galaxy, seat, sector)
    if not Track.left(galaxy, seat, type_):
        message = "The player board has no such base left."
        raise Refused("none_left", "general.piece-limits", message, evidence)
    check_location(galaxy, seat, type_, sector)
    if not reaches(galaxy, seat, type_, sector):
        message = "The player has no base or unit that reaches the sector."
        raise Refused("out_of_range", "build.range", message, evidence)


class BaseItem(Item, frozen=True):
    """`build.location`: a player builds a base on a free location of its type, in range."""

    sector: Open[str]

    def check(self, galaxy: Galaxy) -> None:
        check_base(galaxy, self.seat, TYPE_OF[self.piece], self.sector)

    def price(self, galaxy: Galaxy) -> Price:
        return base_price(galaxy, self.seat, TYPE_OF[self.piece], self.sector)

    def place(self, galaxy: Galaxy) -> Happenings:
        yield BasePlaced(self.seat, self.piece, self.sector)

    @classmethod
    def thinkable(cls, galaxy: Galaxy, seat: Seat, type_: str) -> Iterator[Decision]:
        """Yields every sector with a location that is free for the player."""
        if type_ == TYPE_OF[cls.of_piece]:
            yield from map(cls.decision, galaxy.list_room(seat, type_))


class ComplexItem(BaseItem, frozen=True):
    """`card.industrialize`: Industrialize builds complexes."""

    decision = PlaceComplex
    of_piece = COMPLEX


class EmbassyItem(BaseItem, frozen=True):
    """`card.politicize`: Politicize builds embassies."""

    decision = PlaceEmbassy
    of_piece = EMBASSY


class OutpostItem(BaseItem, frozen=True):
    """`card.martialize`: outposts are built by Martialize."""

    decision = PlaceOutpost
    of_piece = OUTPOST


# --- agents and fleets ----------------------------------------------------------------------------


class UnitItem(Item, frozen=True):
    """`build.unit-limit`: a player builds a unit that waits on its board; it is not relocated.

    `build.agent`: an agent in a sector with its embassy, a new one or that of its home.
    `build.fleet`: a fleet in a sector with its outpost, a new one included.
    """

    rule: ClassVar[str]
    unit: Open[int]
    sector: Open[str]

    def check(self, galaxy: Galaxy) -> None:
        tile_in(galaxy, self.sector, self.rule)
        check_foreign_home(galaxy, self.seat, self.sector)
        check_waiting(galaxy, self.seat, self.piece, self.unit, "build.unit-limit")
        type_ = TYPE_OF[self.piece]
        if not galaxy.houses[self.seat].bases_at(type_, self.sector):
            evidence = {"sector": self.sector, "needs": BASE_OF[type_]}
            message = "The player has no base of this type there."
            raise Refused("no_own_base", self.rule, message, evidence)

    def price(self, galaxy: Galaxy) -> Price:
        return unit_price(galaxy, self.piece)

    def place(self, galaxy: Galaxy) -> Happenings:
        yield UnitPlaced(self.seat, self.piece, self.unit, self.sector)

    @classmethod
    def thinkable(cls, galaxy: Galaxy, seat: Seat, type_: str) -> Iterator[Decision]:
        """Yields every waiting unit in every sector with a base of its type."""
        house = galaxy.houses[seat]
        for unit in house.in_supply(cls.of_piece) if type_ == TYPE_OF[cls.of_piece] else ():
            for sector in house.bases(type_):
                yield cls.decision(unit, sector)


class AgentItem(UnitItem, frozen=True):
    """`build.agent`: an agent goes to the player's embassy, a new one or that of its home."""

    decision = PlaceAgent
    of_piece = AGENT
    rule = "build.agent"


class FleetItem(UnitItem, frozen=True):
    """`build.fleet`: a fleet goes to the player's outpost, a new one included."""

    decision = PlaceFleet
    of_piece = FLEET
    rule = "build.fleet"


def check_waiting(galaxy: Galaxy, seat: Seat, kind: str, unit: int, rule: str) -> None:
    """Refuses an agent or a fleet that is not on the player board."""
    movers = galaxy.houses[seat].movers(kind)
    evidence = {"unit": unit, "left": movers.count(SUPPLY)}
    if not 0 <= unit < len(movers):
        raise Refused("no_such_unit", rule, "The player has no such unit.", evidence)
    if movers[unit] != SUPPLY:
        raise Refused("unit_placed", rule, "The unit is on the map already.", evidence)


# --- the action -----------------------------------------------------------------------------------

ITEMS: Final[Mapping[type[Decision], type[Item]]] = {kind.decision: kind for kind in (
    ComplexItem, EmbassyItem, OutpostItem, AgentItem, FleetItem, NewGate, GateElsewhere,
    RelocationItem,
)}  # fmt: skip


class BuildAction(Action):
    """`build.by-card`: a card builds bases and units of one type, and nothing else."""

    listed = "build"

    def run(self, galaxy: Galaxy) -> Happenings:
        yield BuildNext(self.seat, self.occasion)


class BuildNext(SeatQuestion):
    """`build.any-quantity`: any number of items in any order, as long as the player can pay each.

    A player who builds nothing takes the action back. `leader.interrupt-unpaid`: the player may
    drop an action that a leader has interrupted.
    """

    answers = (*ITEMS, FinishBuild, CancelAction, Resume)
    occasion: Open[str]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/item/{turn_of(galaxy).done + 1}{Interrupted.key(galaxy)}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        """Accepts an item of the card's type that the player can pay."""
        if isinstance(decision, CancelAction):
            check_untouched(galaxy, "build.any-quantity")
            return True
        if isinstance(decision, FinishBuild):
            check_done(galaxy, "build.any-quantity")
            return True
        if isinstance(decision, Resume):
            Interrupted.check(galaxy)
            return True
        item = _item(galaxy, seat, decision)
        item.check(galaxy)
        price = item.price(galaxy)
        check_price(galaxy, seat, price.total, price.rule)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        """Lists every item that can be built, then finishing or taking back, then resuming."""
        builds = _builds(galaxy)
        found = (one for kind in ITEMS.values() for one in kind.thinkable(galaxy, seat, builds))
        possible = self.legal(galaxy, seat, found)
        return [*possible, self.default(galaxy, seat), *Interrupted.options(galaxy)]

    def default(self, galaxy: Galaxy, seat: Seat) -> Decision:
        """Builds nothing: finishes the action or takes it back."""
        return FinishBuild() if turn_of(galaxy).done else CancelAction()

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> Happenings:
        """`build.chain`: a built piece counts for the next item."""
        if isinstance(decision, CancelAction):
            yield ActionTakenBack(seat)
        elif isinstance(decision, Resume):
            yield from Interrupted.decide(seat, decision, self)
        elif not isinstance(decision, FinishBuild):
            yield from _item(galaxy, seat, decision).run(galaxy)
            most = limit(galaxy, "build.max-items")
            if most is None or turn_of(galaxy).done < most:
                yield self


def _builds(galaxy: Galaxy) -> str:
    builds = ORDERS.of(galaxy)[turn_of(galaxy).card].builds
    assert builds is not None, "the card lists no BUILD"
    return builds


def _item(galaxy: Galaxy, seat: Seat, decision: Decision) -> Item:
    """Returns the item that a decision builds; refuses one that the card does not build."""
    fields: tuple[Any, ...] = msgspec.structs.astuple(decision)
    item = ITEMS[type(decision)](seat, *fields)
    builds = _builds(galaxy)
    if TYPE_OF.get(item.piece) != builds:
        evidence = {"card": turn_of(galaxy).card, "builds": builds, "piece": item.piece}
        message = "The card does not allow the player to build this."
        raise Refused("not_built_by_card", "build.by-card", message, evidence)
    return item
