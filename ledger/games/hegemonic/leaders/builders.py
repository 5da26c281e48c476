"""Leaders that build and survey: The Prefects, The Gardener.

LD03 builds complexes for less; LD10 surveys, relocates a base, builds any base at half cost.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.actions.base import turn_of
from ledger.games.hegemonic.actions.building import check_base
from ledger.games.hegemonic.actions.discover import SurveyAction
from ledger.games.hegemonic.actions.items import ItemDone, base_price
from ledger.games.hegemonic.actions.relocating import check_relocation
from ledger.games.hegemonic.map.placing import BaseMoved, BasePlaced
from ledger.games.hegemonic.rounds.clock import EXPANSION
from ledger.games.hegemonic.state.caps import check_price, spend
from ledger.games.hegemonic.state.components import (
    BASE_OF,
    BASES,
    COMPLEX,
    INDUSTRIAL,
    ORDERS,
    TYPE_OF,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.abilities import Use
from ledger.parts.prices import Part
from ledger.parts.seats import SeatFact

from .activation import RULE, Ability, Activate, Moment


class ComplexCheapened(SeatFact, tag="leader.complex-cheapened"):
    """The next complex of the BUILD in progress costs less."""

    amount: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """Applies to the next complex only, by counting those built."""
        built = galaxy.houses[self.seat].built(INDUSTRIAL)
        turn_of(galaxy).saving = (built, self.amount)


def _building(galaxy: Galaxy, seat: Seat) -> str:
    """Returns the type of the BUILD that a player is in the middle of, or an empty string."""
    turn = galaxy.turn
    if turn is None or turn.seat != seat or turn.action != "build":
        return ""
    return ORDERS.of(galaxy)[turn.card].builds or ""


# --- LD03 The Prefects ----------------------------------------------------------------------------


class CheapenComplex(Ability):
    """`leader.anytime`, `LD03` level 1: inside its own BUILD, the next complex costs 1 less."""

    counts = True

    def open(self, galaxy: Galaxy, seat: Seat) -> bool:
        return _building(galaxy, seat) == INDUSTRIAL

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield ComplexCheapened(use.seat, self.amount(galaxy))


class BuildAtOnce(Ability):
    """`leader.anytime`: outside of conflicts, the player builds a base for a lower price.

    In range, on a free location, with a base left to build, as in a BUILD (`build.range`).
    """

    needs = ("piece", "sector")
    pieces: tuple[str, ...] = BASES

    def price(self, galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> int:
        """Returns the reduced price."""
        raise NotImplementedError

    def check(self, galaxy: Galaxy, use: Use) -> None:
        piece, sector = use.said.piece, use.said.sector
        if piece not in self.pieces:
            raise self.untargeted("The leader cannot build this piece.", piece=piece)
        check_base(galaxy, use.seat, TYPE_OF[piece], sector)
        price = self.price(galaxy, use.seat, TYPE_OF[piece], sector)
        check_price(galaxy, use.seat, price, RULE)

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        for piece in self.pieces:
            for sector in galaxy.list_room(seat, TYPE_OF[piece]):
                yield Activate(self.level, piece=piece, sector=sector)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        type_, sector = TYPE_OF[use.said.piece], use.said.sector
        price = self.price(galaxy, use.seat, type_, sector)
        yield from spend(galaxy, use.seat, price, RULE)
        yield BasePlaced(use.seat, use.said.piece, sector)


class BuildComplex(BuildAtOnce):
    """`leader.choose`, `LD03` level 2: the player builds one complex for 2 less, but not
    below 0.
    """

    pieces = (COMPLEX,)
    counts = True

    def price(self, galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> int:
        price = base_price(galaxy, seat, type_, sector)
        return price.less(RULE, self.amount(galaxy)).total


class GiveComplex(BuildAtOnce):
    """`leader.choose`, `LD03` level 3: the player builds one complex for free."""

    pieces = (COMPLEX,)

    def price(self, galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> int:
        return 0


# --- LD10 The Gardener ----------------------------------------------------------------------------


class SurveyAtOnce(Ability):
    """`leader.anytime`, `LD10` level 1: SURVEY without an action, outside of conflicts.

    `expansion.place`: it leaves a tile and a hex for a player who is about to place one.
    """

    asks_further = True

    def check(self, galaxy: Galaxy, use: Use) -> None:
        SurveyAction(use.seat, use.occasion).check(galaxy)
        placing = galaxy.phase == EXPANSION or (
            galaxy.turn is not None and galaxy.turn.action == "survey"
        )
        tiles = len(galaxy.pool) + min(galaxy.stack, 1)
        if placing and min(tiles, len(galaxy.empty_sectors())) < 2:
            message = "The placing in progress needs the last tile, or the last hex."
            raise Refused("nothing_to_survey", "expansion.place", message, {"tiles": tiles})

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield SurveyAction(use.seat, use.occasion)


class RelocateFree(Ability):
    """`leader.anytime`, `LD10` level 2: inside its own BUILD, a base of its type moves for free.

    In range (`build.relocate-range`), and even while bases are left to build. It is an item of that
    BUILD, which can no longer be taken back (`build.any-quantity`).
    """

    needs = ("piece", "path")

    def open(self, galaxy: Galaxy, seat: Seat) -> bool:
        return bool(_building(galaxy, seat))

    def check(self, galaxy: Galaxy, use: Use) -> None:
        piece, path = use.said.piece, use.said.path
        builds = _building(galaxy, use.seat)
        if piece != BASE_OF[builds]:
            evidence = {"builds": builds, "piece": piece}
            message = "The card does not allow the player to build this."
            raise Refused("not_built_by_card", "build.by-card", message, evidence)
        if len(path) != 2 or path[1] not in galaxy.sectors:
            raise self.untargeted("A base must move from one sector to another.", path=list(path))
        check_relocation(galaxy, use.seat, builds, *path)

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        builds = _building(galaxy, seat)
        places = galaxy.list_room(seat, builds)
        for origin in galaxy.houses[seat].bases(builds):
            for to in places:
                yield Activate(self.level, piece=BASE_OF[builds], path=(origin, to))

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        origin, to = use.said.path
        yield BaseMoved(use.seat, use.said.piece, origin, to)
        yield ItemDone(use.seat, use.said.piece, relocated=True, price=0, parts=(Part(RULE, 0),))


class BuildAtHalf(BuildAtOnce):
    """`leader.choose`, `LD10` level 3: one base of any type at half cost, rounded up."""

    def price(self, galaxy: Galaxy, seat: Seat, type_: str, sector: str) -> int:
        return (base_price(galaxy, seat, type_, sector).total + 1) // 2
