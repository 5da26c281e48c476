"""Sector tiles: turning them from the stack into the pool, and placing them on the map."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.locations import check_sector
from ledger.kernel.audience import Open
from ledger.kernel.chance import ChanceQuestion, Draw, Drawn
from ledger.kernel.records import Decision, Fact, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep


class PlaceTile(Decision, tag="expansion.place-tile"):
    """Place a tile of the pool on an empty hex."""

    tile: Open[str]
    sector: Open[str]


class TileTurned(Fact, tag="expansion.tile-turned"):
    """The top tile of the stack was turned up into the pool."""

    irrevocable = True
    tile: Open[str]
    epoch: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.tiles.take((self.tile,), self.epoch)
        galaxy.stack -= 1
        galaxy.pool.append(self.tile)


class StackEmpty(Fact, tag="expansion.stack-empty"):
    """A tile should have been turned, and none was left."""


class TilePlaced(SeatFact, tag="expansion.tile-placed"):
    """A tile of the pool was placed on the map."""

    tile: Open[str]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.pool.remove(self.tile)
        galaxy.sectors[self.sector].tile = self.tile


class TurnTile(Step):
    """`expansion.flip`: the top tile of the stack is turned face up into the pool.

    `expansion.flip-empty`: with an empty stack nothing is turned.
    """

    occasion: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        if galaxy.stack:
            yield FlipTile(self.occasion)
        else:
            yield StackEmpty()


class FlipTile(ChanceQuestion):
    """`expansion.flip`: chance decides which tile is on top."""

    occasion: Open[str]

    def address(self, galaxy: Galaxy) -> str:
        return f"{self.occasion}/flip"

    def wish(self, galaxy: Galaxy) -> Draw:
        return Draw(galaxy.tiles)

    def fallen(self, galaxy: Galaxy, answer: Drawn) -> Happenings:
        yield TileTurned(answer.cards[0], answer.epoch)


class PlaceFromPool(SeatStep):
    """`expansion.place`: a tile of the pool must be placed, while a tile and a hex are left."""

    occasion: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks nothing where one tile is left for one hex."""
        places = galaxy.empty_sectors()
        if len(galaxy.pool) == len(places) == 1:
            yield TilePlaced(self.seat, galaxy.pool[0], places[0])
        elif galaxy.pool and places:
            yield ChooseTileAndHex(self.seat, self.occasion)


class ChooseTileAndHex(SeatQuestion):
    """`expansion.place`: the player chooses a tile of the pool and a hex.

    `expansion.hex`: any hex of any board in play without a tile, near or far.
    `expansion.no-center`: the centre is not such a hex.
    """

    answers = (PlaceTile,)
    occasion: Open[str]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{self.occasion}/place"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PlaceTile) -> bool:
        if decision.tile not in galaxy.pool:
            evidence = {"tile": decision.tile}
            raise Refused("not_in_pool", "expansion.place", "The pool has no such tile.", evidence)
        check_empty(galaxy, decision.sector, "expansion.hex")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> Iterator[PlaceTile]:
        places = galaxy.empty_sectors()
        return (PlaceTile(tile, place) for tile in galaxy.pool for place in places)

    def decide(self, galaxy: Galaxy, seat: Seat, decision: PlaceTile) -> Happenings:
        yield TilePlaced(seat, decision.tile, decision.sector)


def check_empty(galaxy: Galaxy, sector: str, rule: str) -> None:
    """Refuses a sector that is no hex of a board in play, such as the centre, or has a tile."""
    check_sector(galaxy, sector, rule)
    if not galaxy.sectors[sector].empty:
        raise Refused("sector_taken", rule, "The sector has a tile already.", {"sector": sector})
