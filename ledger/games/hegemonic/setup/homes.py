"""Setup, homes: the players' homes, their first bases, and the first tile next to each."""

from __future__ import annotations

from ledger.games.hegemonic.map.placing import BasePlaced
from ledger.games.hegemonic.map.tiles import check_empty
from ledger.games.hegemonic.state.components import BASES, CORE, in_force
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.cards import TurnUp
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep


class PlaceHome(Decision, tag="setup.place-home"):
    """Put your home on a hex."""

    sector: Open[str]


class PlaceFirstTile(Decision, tag="setup.place-first-tile"):
    """Put one of your tiles next to your home."""

    tile: Open[str]
    sector: Open[str]


class HomePlaced(SeatFact, tag="setup.home-placed"):
    """A player placed its home on the map."""

    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.put_home(self.seat, self.sector)


class FirstTileDrawn(SeatFact, tag="setup.first-tile-drawn"):
    """In the Learning Game a player drew its first tile from the stack."""

    irrevocable = True
    tile: Open[str]
    epoch: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.tiles.take((self.tile,), self.epoch)
        galaxy.stack -= 1
        galaxy.houses[self.seat].tiles.append(self.tile)


class FirstTilePlaced(SeatFact, tag="setup.first-tile-placed"):
    """A player placed its first tile next to its home."""

    tile: Open[str]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].tiles.remove(self.tile)
        galaxy.sectors[self.sector].tile = self.tile


# --- homes ----------------------------------------------------------------------------------------


class PlaceHomes(Step):
    """`setup.home-order`, `arbiter.setup`: players place homes one by one, clockwise from the
    arbiter.

    `learn.home`: in the Learning Game homes lie on the marked sectors.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        yield from map(ChooseHome, galaxy.clockwise(galaxy.arbiter))


class ChooseHome(SeatQuestion):
    """`setup.home-placement`: a home goes on an empty hex of a galaxy board that has no home yet.

    `setup.home-not-adjacent`: a home never goes next to another player's home.
    """

    answers = (PlaceHome,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"setup/home/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PlaceHome) -> bool:
        """Refuses with the first rule that fails."""
        sector, evidence = decision.sector, {"sector": decision.sector}
        check_empty(galaxy, sector, "setup.home-placement")
        homes = [house.home for house in galaxy.houses if house.home]
        board = galaxy.sectors[sector].board
        if board == CORE:
            message = "A home may not be on the core board."
            raise Refused("core_board", "setup.home-placement", message, evidence)
        if any(galaxy.sectors[home].board == board for home in homes):
            message = "The board has a home already."
            raise Refused("board_has_home", "setup.home-placement", message, evidence)
        beside = not set(galaxy.chart.beside[sector]).isdisjoint(homes)
        if beside and in_force(galaxy, "setup.home-adjacent-ban"):
            message = "Another player's home is next to it."
            raise Refused("beside_home", "setup.home-not-adjacent", message, evidence)
        if sector not in galaxy.marked and galaxy.reads("learning"):
            message = "The sector is not marked for homes."
            raise Refused("not_marked", "learn.home", message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[PlaceHome]:
        return self.legal(galaxy, seat, map(PlaceHome, galaxy.empty_sectors()))

    def decide(self, galaxy: Galaxy, seat: Seat, decision: PlaceHome) -> Happenings:
        yield HomePlaced(seat, decision.sector)
        yield BuildFirstBases(seat)


class BuildFirstBases(SeatStep):
    """`setup.home-bases`: each player gets a complex, an embassy and an outpost for free."""

    def run(self, galaxy: Galaxy) -> Happenings:
        for piece in BASES:
            yield BasePlaced(self.seat, piece, galaxy.houses[self.seat].home)


# --- the first tile -------------------------------------------------------------------------------


class PlaceFirstTiles(Step):
    """`setup.first-tile`: clockwise from the arbiter each player puts a tile next to its home.

    `learn.first-tile`: in the Learning Game the tile that it draws from the stack.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        for seat in galaxy.clockwise(galaxy.arbiter):
            if galaxy.reads("learning"):
                yield DrawFirstTile(seat)
            yield FirstTile(seat)


class DrawFirstTile(TurnUp):
    """`learn.first-tile`: chance decides which tile is on top."""

    deck = "tiles"
    where = "setup/tile/s{}/draw"
    told = FirstTileDrawn


class FirstTile(SeatStep):
    """`setup.first-tile`: with no hex left next to the home, the tile goes to the pool too."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Homes near each other can leave no hex."""
        if _list_near_home(galaxy, self.seat):
            yield ChooseFirstTile(self.seat)


class ChooseFirstTile(SeatQuestion):
    """`setup.first-tile`: the player puts one of its tiles on an empty hex next to its home.

    A hex of the core board is as good as any other.
    """

    answers = (PlaceFirstTile,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"setup/tile/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PlaceFirstTile) -> bool:
        """Accepts a tile that the player has, on an empty hex next to its home."""
        if decision.tile not in galaxy.houses[seat].tiles:
            message, evidence = "The player has no such tile.", {"tile": decision.tile}
            raise Refused("tile_not_held", "setup.first-tile", message, evidence)
        check_empty(galaxy, decision.sector, "setup.first-tile")
        if decision.sector not in _list_near_home(galaxy, seat):
            message = "The hex is not next to the player's home."
            evidence = {"sector": decision.sector}
            raise Refused("not_beside_home", "setup.first-tile", message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[PlaceFirstTile]:
        places, tiles = _list_near_home(galaxy, seat), galaxy.houses[seat].tiles
        return [PlaceFirstTile(tile, place) for tile in tiles for place in places]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: PlaceFirstTile) -> Happenings:
        yield FirstTilePlaced(seat, decision.tile, decision.sector)


def _list_near_home(galaxy: Galaxy, seat: Seat) -> list[str]:
    beside = galaxy.chart.beside[galaxy.houses[seat].home]
    return [sector for sector in beside if galaxy.sectors[sector].empty]
