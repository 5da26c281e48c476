"""Setup, homes: where the players begin, their first bases, and the first tile beside them."""

from __future__ import annotations

from typing import ClassVar

from ledger.games.hegemonic.map.placing import BasePlaced
from ledger.games.hegemonic.map.tiles import check_empty
from ledger.games.hegemonic.state.components import BASES, CORE, in_force
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.chance import ChanceQuestion, Draw, Drawn
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused


class PlaceHome(Decision, tag="setup.place-home"):
    """Put one's home on a hex."""

    sector: Open[str]


class PlaceFirstTile(Decision, tag="setup.place-first-tile"):
    """Put one of one's tiles next to the home."""

    tile: Open[str]
    sector: Open[str]


class HomePlaced(Fact, tag="setup.home-placed"):
    """A home lies on the map."""

    seat: Open[Seat]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """It has the three locations of every home."""
        galaxy.put_home(self.seat, self.sector)


class FirstTileDrawn(Fact, tag="setup.first-tile-drawn"):
    """In the Learning Game a player drew its first tile from the stack."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    tile: Open[str]
    epoch: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """It is placed next."""
        galaxy.tiles.take((self.tile,), self.epoch)
        galaxy.stack -= 1
        galaxy.houses[self.seat].tiles.append(self.tile)


class FirstTilePlaced(Fact, tag="setup.first-tile-placed"):
    """A player's first tile lies next to its home."""

    seat: Open[Seat]
    tile: Open[str]
    sector: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """The other tile stays with the player for now."""
        galaxy.houses[self.seat].tiles.remove(self.tile)
        galaxy.sectors[self.sector].tile = self.tile


# --- homes ----------------------------------------------------------------------------------------


class PlaceHomes(Step):
    """`setup.home-order`: one by one, clockwise from the arbiter (`arbiter.setup`).

    `learn.home`: on the marked sectors in the Learning Game.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Each with its bases."""
        for seat in galaxy.clockwise(galaxy.arbiter):
            yield ChooseHome(seat)


class ChooseHome(Question):
    """`setup.home-placement`: an empty hex of a galaxy board that has no home yet.

    `setup.home-not-adjacent`: and not next to another player's home.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (PlaceHome,)
    seat: Open[Seat]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """Whose home it is."""
        return (self.seat,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """Each player has one."""
        return f"setup/home/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PlaceHome) -> bool:
        """What fails first is told."""
        sector = decision.sector
        check_empty(galaxy, sector, "setup.home-placement")
        homes = [house.home for house in galaxy.houses if house.home]
        board = galaxy.sectors[sector].board
        if board == CORE:
            raise refused("core_board", "setup.home-placement", "No home lies on the core.", sector)
        if any(galaxy.sectors[home].board == board for home in homes):
            raise refused("board_has_home", "setup.home-placement", "The board has a home.", sector)
        beside = not set(galaxy.chart.beside[sector]).isdisjoint(homes)
        if beside and in_force(galaxy, "setup.home-adjacent-ban"):
            raise refused(
                "beside_home", "setup.home-not-adjacent", "A home lies next to it.", sector
            )
        if sector not in galaxy.marked and galaxy.reads("learning"):
            raise refused("not_marked", "learn.home", "The sector is not marked.", sector)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[PlaceHome]:
        """Every hex that a home may lie on."""
        found = (PlaceHome(sector) for sector in galaxy.empty_sectors())
        return [one for one in found if self._possible(galaxy, seat, one)]

    def _possible(self, galaxy: Galaxy, seat: Seat, decision: PlaceHome) -> bool:
        try:
            return self.allows(galaxy, seat, decision)
        except Refused:
            return False

    def decide(self, galaxy: Galaxy, seat: Seat, decision: PlaceHome) -> Happenings:
        """The bases follow."""
        yield HomePlaced(seat, decision.sector)
        yield BuildFirstBases(seat)


class BuildFirstBases(Step):
    """`setup.home-bases`: a complex, an embassy and an outpost stand at home, for nothing."""

    seat: Open[Seat]

    def run(self, galaxy: Galaxy) -> Happenings:
        """One on each track."""
        for piece in BASES:
            yield BasePlaced(self.seat, piece, galaxy.houses[self.seat].home)


# --- the first tile -------------------------------------------------------------------------------


class PlaceFirstTiles(Step):
    """`setup.first-tile`: clockwise from the arbiter each player puts a tile next to its home.

    `learn.first-tile`: in the Learning Game the one that it draws from the stack.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """One after another."""
        for seat in galaxy.clockwise(galaxy.arbiter):
            if galaxy.reads("learning"):
                yield DrawFirstTile(seat)
            yield FirstTile(seat)


class DrawFirstTile(ChanceQuestion):
    """`learn.first-tile`: which tile lies on top."""

    seat: Open[Seat]

    def address(self, galaxy: Galaxy) -> str:
        """Each player draws one."""
        return f"setup/tile/s{self.seat}/draw"

    def wish(self, galaxy: Galaxy) -> Draw:
        """One of those that nobody has seen."""
        return Draw(galaxy.tiles)

    def fallen(self, galaxy: Galaxy, answer: Drawn) -> Happenings:
        """It is placed next."""
        yield FirstTileDrawn(self.seat, answer.cards[0], answer.epoch)


class FirstTile(Step):
    """`setup.first-tile`: where no hex next to the home is left, the tile goes to the pool too."""

    seat: Open[Seat]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Homes near each other can leave no hex."""
        if _beside_home(galaxy, self.seat):
            yield ChooseFirstTile(self.seat)


class ChooseFirstTile(Question):
    """`setup.first-tile`: one of the player's tiles, on an empty hex next to its home.

    A hex of the core board is as good as any other.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (PlaceFirstTile,)
    seat: Open[Seat]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """Whose tile it is."""
        return (self.seat,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """Each player places one."""
        return f"setup/tile/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: PlaceFirstTile) -> bool:
        """A tile that the player has, on a hex that is beside its home."""
        if decision.tile not in galaxy.houses[seat].tiles:
            message, evidence = "The player has no such tile.", {"tile": decision.tile}
            raise Refused("tile_not_held", "setup.first-tile", message, evidence)
        check_empty(galaxy, decision.sector, "setup.first-tile")
        if decision.sector not in _beside_home(galaxy, seat):
            message = "The hex is not next to the player's home."
            raise refused("not_beside_home", "setup.first-tile", message, decision.sector)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[PlaceFirstTile]:
        """Every tile on every hex."""
        places, tiles = _beside_home(galaxy, seat), galaxy.houses[seat].tiles
        return [PlaceFirstTile(tile, place) for tile in tiles for place in places]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: PlaceFirstTile) -> Happenings:
        """The map grows."""
        yield FirstTilePlaced(seat, decision.tile, decision.sector)


def _beside_home(galaxy: Galaxy, seat: Seat) -> list[str]:
    beside = galaxy.chart.beside[galaxy.houses[seat].home]
    return [sector for sector in beside if galaxy.sectors[sector].empty]


def refused(code: str, rule: str, message: str, sector: str) -> Refused:
    return Refused(code, rule, message, {"sector": sector})
