"""Setup: creates the galaxy, the home planet and the tracks; then the first turn begins."""

from __future__ import annotations

from typing import Final

from ledger.games.galactic_hegemony.phases.tracks import TokenMoved
from ledger.games.galactic_hegemony.phases.turn import Turn
from ledger.games.galactic_hegemony.state.board import (
    ACTIVE,
    ASIDE,
    STOCK,
    TILES,
    Board,
    Colony,
    Hex,
    Tile,
)
from ledger.games.galactic_hegemony.state.components import (
    INFRASTRUCTURE,
    KINDS,
    NUMBERS,
    PLANETS_COUNT,
    RESOURCES,
    SPACECRAFT,
    SUPPLY,
)
from ledger.games.galactic_hegemony.state.hexes import COLUMNS, ROWS, column_of
from ledger.kernel.accounts import BANK, pay
from ledger.kernel.audience import Open
from ledger.kernel.chance import ChanceQuestion, Drawn, Rolled, Spread, Uncover
from ledger.kernel.records import Fact, Happenings, Step
from ledger.parts.dice import RollQuestion

ERT: Final = 1


# --- facts ----------------------------------------------------------------------------------------


class TilesShuffled(Fact, tag="setup.tiles-shuffled"):
    """The tiles were shuffled; the home planet's tile is face up among them, or all are face
    down.
    """

    home: Open[int]  # 0 where nobody knows it yet

    def apply(self, board: Board) -> None:
        """Stores the face-down tiles without an order, because none is known."""
        if self.home:
            hidden = [number for number in NUMBERS if number != str(self.home)]
            board.face_down, board.home = Spread.of(TILES, hidden, ()), self.home


class HomePlaceFound(Fact, tag="setup.home-place-found"):
    """The home planet's position in the order of laying was found."""

    place: Open[int]

    def apply(self, board: Board) -> None:
        """Gives the other positions to the face-down tiles."""
        board.home_place = self.place
        hidden = board.face_down.deck.unseen
        places = [one for one in NUMBERS if not board.home or one != str(self.place)]
        board.face_down = Spread.of(TILES, hidden, places)


class TileRowRolled(Fact, tag="setup.tile-row-rolled"):
    """The row of a tile was rolled."""

    place: Open[int]
    row: Open[int]


class TileBlocked(Fact, tag="setup.tile-blocked"):
    """The hex rolled for a tile already has one."""

    place: Open[int]
    hex: Open[Hex]


class TileLaid(Fact, tag="setup.tile-laid"):
    """A tile was laid on the map."""

    place: Open[int]
    hex: Open[Hex]
    planet: Open[int | None]  # what lies face up

    def apply(self, board: Board) -> None:
        board.tiles.append(Tile(self.hex, self.planet, self.planet is not None))


class TileNamed(Fact, tag="setup.tile-named"):
    """The planet of a face-down tile was named in advance."""

    place: Open[int]
    planet: Open[int]
    epoch: Open[int]

    def apply(self, board: Board) -> None:
        """Makes the planet known, but not explored."""
        board.face_down.turn_up(str(self.place), str(self.planet), self.epoch)
        board.tiles[self.place - 1].planet = self.planet


class HomeTurnedUp(Fact, tag="setup.home-turned-up"):
    """The last tile laid was turned up: it is the home planet."""

    planet: Open[int]
    epoch: Open[int]

    def apply(self, board: Board) -> None:
        tile = board.tiles[board.home_place - 1]
        if tile.planet is None:
            place = str(board.home_place)
            board.face_down.turn_up(place, str(self.planet), self.epoch)
        tile.planet, tile.explored, board.home = self.planet, True, self.planet


class SaboteursReady(Fact, tag="setup.saboteurs-ready"):
    """The saboteurs of this match were counted out; none is on the map yet."""

    count: Open[int]

    def apply(self, board: Board) -> None:
        """Puts the others out of this match."""
        for saboteur in board.saboteurs:
            saboteur.status = ACTIVE if saboteur.number <= self.count else ASIDE


class HomeSetUp(Fact, tag="setup.home-set-up"):
    """The home planet got its card, infrastructure, colony and spacecraft."""

    planet: Open[int]
    civil: Open[int]
    factory: Open[int]
    shipyard: Open[int]
    spacecraft: Open[int]

    def apply(self, board: Board) -> None:
        """Colonises the home planet from the start."""
        built = (self.civil, self.factory, self.shipyard)
        board.colonies.append(Colony(self.planet, 1, *built))
        board.spacecraft += [board.hex_of(self.planet)] * self.spacecraft


# --- the sequence of setup ------------------------------------------------------------------------


class Setup(Step):
    """`setup`: the galaxy, the home planet, the tracks; then the first turn."""

    def run(self, board: Board) -> Happenings:
        yield ShuffleTiles()
        yield LayTiles()
        yield SetSaboteursAside()
        yield SetUpHome()
        yield SetTracks()
        yield Turn()


class ShuffleTiles(Step):
    """`setup.tiles-shuffled`: the home planet's tile is shuffled face up among the others.

    `variant.random-home`: all are shuffled face down, and the last one laid is the home.
    """

    def run(self, board: Board) -> Happenings:
        """Follows the choice that the match made when it was created."""
        if board.reads("random-home"):
            yield TilesShuffled(0)
            yield HomePlaceFound(PLANETS_COUNT)
        else:
            yield TilesShuffled(ERT)
            yield FindHomePlace()


class FindHomePlace(RollQuestion):
    """`setup.tiles-shuffled`: a roll for the position of the face-up tile in the shuffled row."""

    sides = PLANETS_COUNT

    def address(self, board: Board) -> str:
        return "setup/order"

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        yield HomePlaceFound(answer.values[0])


class LayTiles(Step):
    """`setup.explored`: tile by tile in the shuffled order; only the home planet ends face up."""

    def run(self, board: Board) -> Happenings:
        """Lays all tiles, then turns up a home that is still unknown."""
        for place in range(1, PLANETS_COUNT + 1):
            yield RollTileRow(place, 1)
            yield NameTile(place)
        yield TurnUpHome()


class RollTileRow(RollQuestion):
    """`setup.place-roll`: a d6 for the row and a d10 for the column of a tile."""

    sides = ROWS
    place: Open[int]
    attempt: Open[int]

    def address(self, board: Board) -> str:
        return f"setup/place/{self.place}/{self.attempt}/row"

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        (row,) = answer.values
        yield TileRowRolled(self.place, row)
        yield RollTileColumn(self.place, self.attempt, row)


class RollTileColumn(RollQuestion):
    """`setup.place-collision`: one tile on each hex; on an occupied hex both dice are rolled
    again.
    """

    sides = COLUMNS
    place: Open[int]
    attempt: Open[int]
    row: Open[int]

    def address(self, board: Board) -> str:
        return f"setup/place/{self.place}/{self.attempt}/col"

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        """Lays the tile, or rolls again."""
        where = (self.row, column_of(board, answer.values[0]))
        if board.tile_at(where) is not None:
            yield TileBlocked(self.place, where)
            yield RollTileRow(self.place, self.attempt + 1)
        else:
            face_up = board.home if self.place == board.home_place else 0
            yield TileLaid(self.place, where, face_up or None)


class NameTile(Step):
    """`setup.explored`: no one knows the face-down tiles, unless a table names them in
    advance.
    """

    place: Open[int]

    def run(self, board: Board) -> Happenings:
        """Leaves the tile unknown until it is explored, unless the reading names it now."""
        if board.tiles[self.place - 1].explored:
            return
        if board.reads("entered-tiles") == "at-setup":
            yield DrawTile(self.place)


class DrawTile(ChanceQuestion):
    """`setup.explored`: a draw for the planet of a tile, made when it is laid."""

    place: Open[int]

    def address(self, board: Board) -> str:
        return f"setup/tile/{self.place}"

    def wish(self, board: Board) -> Uncover:
        return Uncover(board.face_down, str(self.place))

    def fallen(self, board: Board, answer: Drawn) -> Happenings:
        yield TileNamed(self.place, int(answer.cards[0]), answer.epoch)


class TurnUpHome(Step):
    """`variant.random-home`: if the home planet is not known yet, the last tile is turned up."""

    def run(self, board: Board) -> Happenings:
        if board.home:
            return
        known = board.tiles[board.home_place - 1].planet
        if known is None:
            yield DrawHome()
        else:
            yield HomeTurnedUp(known, board.face_down.deck.epoch)


class DrawHome(ChanceQuestion):
    """`variant.random-home`: a draw for the planet of the last tile."""

    def address(self, board: Board) -> str:
        return "setup/home"

    def wish(self, board: Board) -> Uncover:
        return Uncover(board.face_down, str(board.home_place))

    def fallen(self, board: Board, answer: Drawn) -> Happenings:
        yield HomeTurnedUp(int(answer.cards[0]), answer.epoch)


class SetSaboteursAside(Step):
    """`setup.saboteurs-aside`: three saboteurs are ready off the map, the fourth is not used.

    `variant.four-saboteurs`: all four saboteurs are ready.
    """

    def run(self, board: Board) -> Happenings:
        yield SaboteursReady(board.reads("saboteurs"))


class SetUpHome(Step):
    """`setup.home-card`: the home planet's card is in the tracking area from the start.

    It has one of each infrastructure (`setup.home-infrastructure`), morale 1
    (`setup.home-morale`), a spacecraft (`setup.home-spacecraft`) and a colony
    (`setup.home-colony`), for any planet that is the home (`variant.random-home-infra`).
    """

    def run(self, board: Board) -> Happenings:
        table = INFRASTRUCTURE.of(board)
        civil, factory, shipyard = (table[kind].start for kind in KINDS)
        ships = SUPPLY.of(board)[SPACECRAFT].start
        yield HomeSetUp(board.home, civil, factory, shipyard, ships)


class SetTracks(Step):
    """`setup.tracks`: hegemony size 1, resources 4, turn token 10.

    `variant.fewer-turns`: the token may start lower. `variant.play-to-win-count`: it may start
    at 0, and go up. `variant.combine`: every variant combines with every other, except for these
    two.
    """

    def run(self, board: Board) -> Happenings:
        """Sets resources and turn token; the hegemony size follows from the home planet."""
        start = SUPPLY.of(board)[RESOURCES].start
        yield from pay(board.accounts, RESOURCES, BANK, STOCK, start, "setup.tracks")
        if board.reads("play-to-win"):
            yield TokenMoved(0, counts_up=True)
        else:
            yield TokenMoved(board.reads("turns"), counts_up=False)
