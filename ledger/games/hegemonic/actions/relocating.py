"""Relocating bases: for a BUILD action with none left to build, or by technology.

A base may leave its own home and come back to it (`build.relocate-home`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.games.hegemonic.map.placing import BaseMoved
from ledger.games.hegemonic.map.reach import Reach
from ledger.games.hegemonic.state.components import BASE_OF, MARTIAL, POLITICAL, figure, limit
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.locations import check_foreign_home, check_location
from ledger.games.hegemonic.state.technologies import (
    BRANE_MANIPULATION,
    TRANSCENDENCY_ROUTINE,
    holds,
)
from ledger.games.hegemonic.state.tracks import Cost, Track
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.prices import Price
from ledger.parts.refusals import passes

from .items import Item

EMPTY_SUPPLY: Final = "empty-supply"
TRANSCENDENCY: Final = "transcendency"
BRANE: Final = "brane"


class RelocateBase(Decision, tag="build.relocate-base"):
    """Move a base of yours to a new location: with none left to build, or by a technology."""

    base: Open[str]  # its type of power
    origin: Open[str]
    sector: Open[str]
    basis: Open[str] = EMPTY_SUPPLY


def reaches(galaxy: Galaxy, seat: Seat, type_: str, origin: str, sector: str) -> bool:
    """`build.relocate-range`: measured on the map before the move, the moving base included.

    By a reading it is excluded: a stack then reaches as far as the outposts that stay.
    """
    if not Reach.covers(galaxy, seat, type_, sector):
        return False
    if Reach.covers(galaxy, seat, type_, sector, without=origin):
        return True
    return bool(galaxy.reads("relocate.self-range"))


def check_relocation(
    galaxy: Galaxy, seat: Seat, type_: str, origin: str, sector: str, *, anywhere: bool = False
) -> None:
    """`build.relocate`: a base goes from anywhere on the map to a new location in range.

    `build.relocate-home`: never into another player's home.
    """
    rule, evidence = "build.relocate", {"type": type_, "origin": origin, "sector": sector}
    if not galaxy.houses[seat].bases_at(type_, origin):
        raise Refused("no_own_base", rule, "The player has no such base there.", evidence)
    if origin == sector:
        raise Refused("same_place", rule, "The base is there already.", evidence)
    check_foreign_home(galaxy, seat, sector, "build.relocate-home")
    check_location(galaxy, seat, type_, sector)
    if not anywhere and not reaches(galaxy, seat, type_, origin, sector):
        message = "The player has no base or unit that reaches the sector."
        raise Refused("out_of_range", "build.relocate-range", message, evidence)


class Basis:
    """The basis of a relocation.

    `build.relocate`: no base of the type is left to build.
    `tech.transcendency-routine`: embassies go anywhere, whatever is left, for a price each.
    `tech.brane-manipulation`: outposts go to a place in range, whatever is left, for a price each.
    """

    # The technology that a basis needs, what it moves, and the rule that says so.
    BY_TECHNOLOGY: Final = {
        TRANSCENDENCY: (TRANSCENDENCY_ROUTINE, POLITICAL, "tech.transcendency-routine"),
        BRANE: (BRANE_MANIPULATION, MARTIAL, "tech.brane-manipulation"),
    }

    @staticmethod
    def check(galaxy: Galaxy, seat: Seat, type_: str, basis: str) -> None:
        """Refuses a basis that the player does not have."""
        evidence: dict[str, object] = {"basis": basis, "type": type_}
        if basis == EMPTY_SUPPLY:
            left = Track.left(galaxy, seat, type_)
            if left:
                message = "The player still has bases of this type to build."
                raise Refused("bases_left", "build.relocate", message, evidence | {"left": left})
            return
        technology, moved, rule = Basis.BY_TECHNOLOGY.get(basis, ("", "", "build.relocate"))
        if moved != type_:
            message = "The player has nothing with this name that relocates such a base."
            raise Refused("no_such_basis", rule, message, evidence)
        if not holds(galaxy, seat, technology):
            message = "The player has no such advanced technology."
            raise Refused("not_advanced", rule, message, evidence)

    @staticmethod
    def price(galaxy: Galaxy, type_: str, basis: str) -> Price:
        """`build.relocate-cost`: the left-most cost of the track, or what the technology says."""
        if basis == TRANSCENDENCY:
            return Price.flat("tech.transcendency-routine", figure(galaxy, "tech.transcend"))
        if basis == BRANE:
            return Price.flat("tech.brane-manipulation", figure(galaxy, "tech.brane"))
        fixed = limit(galaxy, "build.relocate-cost")
        cost = Cost.left_most(galaxy, type_) if fixed is None else fixed
        return Price.flat("build.relocate-cost", cost)


class RelocationItem(Item, frozen=True):
    """`build.relocate`: a base of the player goes to a new location, on a given basis."""

    decision = RelocateBase
    relocates = True
    base: Open[str]
    origin: Open[str]
    sector: Open[str]
    basis: Open[str]

    @property
    def piece(self) -> str:
        return BASE_OF.get(self.base, "")

    def check(self, galaxy: Galaxy) -> None:
        Basis.check(galaxy, self.seat, self.base, self.basis)
        anywhere = self.basis == TRANSCENDENCY
        check_relocation(galaxy, self.seat, self.base, self.origin, self.sector, anywhere=anywhere)

    def price(self, galaxy: Galaxy) -> Price:
        return Basis.price(galaxy, self.base, self.basis)

    def place(self, galaxy: Galaxy) -> Happenings:
        yield BaseMoved(self.seat, self.piece, self.origin, self.sector)

    @classmethod
    def thinkable(cls, galaxy: Galaxy, seat: Seat, type_: str) -> Iterator[Decision]:
        """Yields each move of a base to a location with room, on every basis of the player."""
        bases = (EMPTY_SUPPLY, *Basis.BY_TECHNOLOGY)
        found = [basis for basis in bases if passes(Basis.check, galaxy, seat, type_, basis)]
        places = galaxy.list_room(seat, type_) if found else []
        for basis in found:
            for origin in galaxy.houses[seat].bases(type_):
                yield from (RelocateBase(type_, origin, to, basis) for to in places)
