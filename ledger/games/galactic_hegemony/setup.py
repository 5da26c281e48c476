"""Setup: the galaxy is generated, the home planet set up, the tracks set; then the first turn."""

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
from ledger.kernel.chance import ChanceQuestion, Drawn, Roll, Rolled, Spread, Uncover
from ledger.kernel.records import Fact, Happenings, Step

ERT: Final = 1


# --- facts ----------------------------------------------------------------------------------------


class TilesShuffled(Fact, tag="setup.tiles-shuffled"):
    """The tiles were shuffled, the home planet's face up among them or all face down."""

    home: Open[int]  # 0 where nobody knows it yet

    def apply(self, board: Board) -> None:
        """What lies face down has no order that anybody knows."""
        if self.home:
            hidden = [number for number in NUMBERS if number != str(self.home)]
            board.face_down, board.home = Spread.of(TILES, hidden, ()), self.home


class HomePlaceFound(Fact, tag="setup.home-place-found"):
    """Which of the tiles, in the order of laying them, is the home planet."""

    place: Open[int]

    def apply(self, board: Board) -> None:
        """The others lie face down, in this order of laying."""
        board.home_place = self.place
        hidden = board.face_down.deck.unseen
        places = [one for one in NUMBERS if not board.home or one != str(self.place)]
        board.face_down = Spread.of(TILES, hidden, places)


class TileRowRolled(Fact, tag="setup.tile-row-rolled"):
    """The row of a tile was rolled."""

    place: Open[int]
    row: Open[int]


class TileBlocked(Fact, tag="setup.tile-blocked"):
    """The hex that was rolled for a tile has one already."""

    place: Open[int]
    hex: Open[Hex]


class TileLaid(Fact, tag="setup.tile-laid"):
    """A tile was laid on the map."""

    place: Open[int]
    hex: Open[Hex]
    planet: Open[int | None]  # what lies face up

    def apply(self, board: Board) -> None:
        """Put it there."""
        board.tiles.append(Tile(self.hex, self.planet, self.planet is not None))


class TileNamed(Fact, tag="setup.tile-named"):
    """It was said beforehand which planet a tile is that lies face down."""

    place: Open[int]
    planet: Open[int]
    epoch: Open[int]

    def apply(self, board: Board) -> None:
        """It is known, and not explored."""
        board.face_down.turn_up(str(self.place), str(self.planet), self.epoch)
        board.tiles[self.place - 1].planet = self.planet


class HomeTurnedUp(Fact, tag="setup.home-turned-up"):
    """The last tile laid was turned up: it is the home planet."""

    planet: Open[int]
    epoch: Open[int]

    def apply(self, board: Board) -> None:
        """It is explored."""
        tile = board.tiles[board.home_place - 1]
        if tile.planet is None:
            place = str(board.home_place)
            board.face_down.turn_up(place, str(self.planet), self.epoch)
        tile.planet, tile.explored, board.home = self.planet, True, self.planet


class SaboteursReady(Fact, tag="setup.saboteurs-ready"):
    """So many saboteurs lie beside the map."""

    count: Open[int]

    def apply(self, board: Board) -> None:
        """The others are out of this match."""
        for saboteur in board.saboteurs:
            saboteur.status = ACTIVE if saboteur.number <= self.count else ASIDE


class HomeSetUp(Fact, tag="setup.home-set-up"):
    """The home planet has its card, its infrastructure, its colony and its spacecraft."""

    planet: Open[int]
    civil: Open[int]
    factory: Open[int]
    shipyard: Open[int]
    spacecraft: Open[int]

    def apply(self, board: Board) -> None:
        """It is colonised from the start."""
        built = (self.civil, self.factory, self.shipyard)
        board.colonies.append(Colony(self.planet, 1, *built))
        board.spacecraft += [board.hex_of(self.planet)] * self.spacecraft


# --- the sequence of setup ------------------------------------------------------------------------


class Setup(Step):
    """`setup`: the galaxy, the home planet, the tracks; the first turn follows."""

    def run(self, board: Board) -> Happenings:
        """The sequence of setup."""
        yield ShuffleTiles()
        yield LayTiles()
        yield SetSaboteursAside()
        yield SetUpHome()
        yield SetTracks()
        yield Turn()


class ShuffleTiles(Step):
    """`setup.tiles-shuffled`: the home planet's tile is shuffled face up among the others.

    `variant.random-home`: or all are shuffled face down, and the last one laid is the home.
    """

    def run(self, board: Board) -> Happenings:
        """A match chooses between the two when it is created."""
        if board.reads("random-home"):
            yield TilesShuffled(0)
            yield HomePlaceFound(PLANETS_COUNT)
        else:
            yield TilesShuffled(ERT)
            yield FindHomePlace()


class FindHomePlace(ChanceQuestion):
    """`setup.tiles-shuffled`: where in the shuffled row the tile lies that is face up."""

    def address(self, board: Board) -> str:
        """There is one shuffle in a match."""
        return "setup/order"

    def wish(self, board: Board) -> Roll:
        """A place of the row; at a real table it is seen and not rolled."""
        return Roll(sides=PLANETS_COUNT)

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        """That tile is the home planet."""
        yield HomePlaceFound(answer.values[0])


class LayTiles(Step):
    """`setup.explored`: tile by tile in the shuffled order; only the home planet ends face up."""

    def run(self, board: Board) -> Happenings:
        """A home that nobody knows is turned up when all have been laid."""
        for place in range(1, PLANETS_COUNT + 1):
            yield RollTileRow(place, 1)
            yield NameTile(place)
        yield TurnUpHome()


class RollTileRow(ChanceQuestion):
    """`setup.place-roll`: a d6 for the row and a d10 for the column of a tile."""

    place: Open[int]
    attempt: Open[int]

    def address(self, board: Board) -> str:
        """By the tile and the attempt to lay it."""
        return f"setup/place/{self.place}/{self.attempt}/row"

    def wish(self, board: Board) -> Roll:
        """The row."""
        return Roll(sides=ROWS)

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        """The column is rolled next."""
        (row,) = answer.values
        yield TileRowRolled(self.place, row)
        yield RollTileColumn(self.place, self.attempt, row)


class RollTileColumn(ChanceQuestion):
    """`setup.place-collision`: one tile a hex; where one lies already, both dice roll again."""

    place: Open[int]
    attempt: Open[int]
    row: Open[int]

    def address(self, board: Board) -> str:
        """By the tile and the attempt to lay it."""
        return f"setup/place/{self.place}/{self.attempt}/col"

    def wish(self, board: Board) -> Roll:
        """The column."""
        return Roll(sides=COLUMNS)

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        """Lay it, or roll again."""
        where = (self.row, column_of(board, answer.values[0]))
        if board.tile_at(where) is not None:
            yield TileBlocked(self.place, where)
            yield RollTileRow(self.place, self.attempt + 1)
        else:
            face_up = board.home if self.place == board.home_place else 0
            yield TileLaid(self.place, where, face_up or None)


class NameTile(Step):
    """`setup.explored`: nobody knows what lies face down, unless a table names it beforehand."""

    place: Open[int]

    def run(self, board: Board) -> Happenings:
        """It is turned up when it is explored."""
        if board.tiles[self.place - 1].explored:
            return
        if board.reads("entered-tiles") == "at-setup":
            yield DrawTile(self.place)


class DrawTile(ChanceQuestion):
    """`setup.explored`: which planet a tile is, said when it is laid."""

    place: Open[int]

    def address(self, board: Board) -> str:
        """By the tile."""
        return f"setup/tile/{self.place}"

    def wish(self, board: Board) -> Uncover:
        """Any of those that lie face down."""
        return Uncover(board.face_down, str(self.place))

    def fallen(self, board: Board, answer: Drawn) -> Happenings:
        """It is known, and not explored."""
        yield TileNamed(self.place, int(answer.cards[0]), answer.epoch)


class TurnUpHome(Step):
    """`variant.random-home`: where the home planet is not known yet, the last tile is turned up."""

    def run(self, board: Board) -> Happenings:
        """With all tiles laid."""
        if board.home:
            return
        known = board.tiles[board.home_place - 1].planet
        if known is None:
            yield DrawHome()
        else:
            yield HomeTurnedUp(known, board.face_down.deck.epoch)


class DrawHome(ChanceQuestion):
    """`variant.random-home`: which planet the last tile is."""

    def address(self, board: Board) -> str:
        """There is one home in a match."""
        return "setup/home"

    def wish(self, board: Board) -> Uncover:
        """Any planet."""
        return Uncover(board.face_down, str(board.home_place))

    def fallen(self, board: Board, answer: Drawn) -> Happenings:
        """It is the home planet."""
        yield HomeTurnedUp(int(answer.cards[0]), answer.epoch)


class SetSaboteursAside(Step):
    """`setup.saboteurs-aside`: three saboteurs lie beside the map, the fourth is not used.

    `variant.four-saboteurs`: or all four are.
    """

    def run(self, board: Board) -> Happenings:
        """None is on the map yet."""
        yield SaboteursReady(board.reads("saboteurs"))


class SetUpHome(Step):
    """`setup.home-card`: the home planet's card is in the tracking area from the start.

    It has one of each infrastructure (`setup.home-infrastructure`), morale 1
    (`setup.home-morale`), a spacecraft (`setup.home-spacecraft`) and a colony
    (`setup.home-colony`), whichever planet it is (`variant.random-home-infra`).
    """

    def run(self, board: Board) -> Happenings:
        """The first planet of the hegemony."""
        table = INFRASTRUCTURE.of(board)
        civil, factory, shipyard = (table[kind].start for kind in KINDS)
        ships = SUPPLY.of(board)[SPACECRAFT].start
        yield HomeSetUp(board.home, civil, factory, shipyard, ships)


class SetTracks(Step):
    """`setup.tracks`: hegemony size 1, resources 4, turn token 10.

    `variant.fewer-turns`: the token may start lower. `variant.play-to-win-count`: or at 0, and go
    up. `variant.combine`: every variant goes with every other, but for these two.
    """

    def run(self, board: Board) -> Happenings:
        """The hegemony size follows from the home planet."""
        start = SUPPLY.of(board)[RESOURCES].start
        yield from pay(board.accounts, RESOURCES, BANK, STOCK, start, "setup.tracks")
        if board.reads("play-to-win"):
            yield TokenMoved(0, counts_up=True)
        else:
            yield TokenMoved(board.reads("turns"), counts_up=False)
