"""The state of the table: galaxy, tiles, tracking area and tracks. The player sees all of it.

No one knows the planet of a face-down tile. The state holds these tiles as a spread of cards whose
order is stored nowhere.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from ledger.kernel.accounts import Accounts
from ledger.kernel.audience import Open
from ledger.kernel.chance import Spread
from ledger.kernel.records import Happenings, State, Step

from .components import NUMBERS, RESOURCES

Hex: TypeAlias = tuple[int, int]  # row from the top, column from the left, both from 1

PLAYER = 0
SABOTEURS_MAX = 4
STOCK = "stockpile"  # the account of what the player has
TILES = "tiles"  # the deck of what lies face down
ASIDE, ACTIVE, DESTROYED = "aside", "active", "destroyed"
WON = "won"  # every other outcome is a loss, and says why


class Tile(msgspec.Struct, array_like=True):
    """A planet tile on the map."""

    hex: Open[Hex]
    planet: Open[int | None] = None  # None: nobody knows yet
    explored: Open[bool] = False


class Colony(msgspec.Struct, array_like=True):
    """A colonised planet: its card in the tracking area, with everything built there."""

    planet: Open[int]
    morale: Open[int] = 1
    civil: Open[int] = 0
    factory: Open[int] = 0
    shipyard: Open[int] = 0
    fell: Open[int] = 0  # the turn in which the present revolt began; 0 where there is none

    @property
    def in_revolt(self) -> bool:
        return self.morale < 0

    def built(self, kind: str) -> int:
        """Returns the number of pieces of a kind here."""
        count: int = getattr(self, kind)
        return count


class Saboteur(msgspec.Struct, array_like=True):
    """A saboteur token."""

    number: Open[int]
    status: Open[str] = ASIDE
    hex: Open[Hex | None] = None


class Fight(msgspec.Struct, array_like=True):
    """The last attack, until another action is taken: the hex, and the survivors."""

    hex: Open[Hex]
    left: Open[int]  # of the spacecraft that attacked
    planet: Open[int | None] = None  # the planet in revolt, in military action
    rolling: Open[bool] = True  # its dice have not all fallen yet


class Board(State):
    """The state of one match's table.

    `track.hegemony`: the hegemony size is the number of planets under control, and is not stored.
    `map.orbit`: the spacecraft on a hex are in orbit of its planet, if it has one.
    """

    tiles: Open[list[Tile]]  # in the order in which they were laid
    face_down: Open[Spread]  # on places, which are tiles by their number in the order of laying
    colonies: Open[list[Colony]]  # by planet number
    spacecraft: Open[list[Hex]]  # where each one in play is
    saboteurs: Open[list[Saboteur]]  # all four tokens
    accounts: Open[Accounts]
    home: Open[int] = 0  # the home planet; 0 until it is known
    home_place: Open[int] = 0  # which tile, in the order of laying, it is
    turn: Open[int] = 0  # counted from 1
    token: Open[int] = 0  # what the turn track shows
    counts_up: Open[bool] = False  # Play to Win
    phase: Open[int] = 0
    actions: Open[int] = 0  # of this turn; they name the questions
    fight: Open[Fight | None] = None
    fights: Open[dict[str, int]] = msgspec.field(
        default_factory=dict
    )  # of this turn, by whom they are against
    uneasy: Open[tuple[int, ...]] = ()  # what was in revolt when the morale checks began
    bonus_due: Open[int] = 0  # bonuses put off until after the checks
    overcounted: Open[int] = 0  # steps that the hegemony token lies too low
    debt: Open[int] = 0
    notes: Open[int] = 0
    outcome: Open[str | None] = None
    score: Open[int] = 0

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def stock(self) -> int:
        """Returns the player's resources."""
        return self.accounts.balance(RESOURCES, STOCK)

    def controlled(self) -> int:
        return sum(not colony.in_revolt for colony in self.colonies)

    def size(self) -> int:
        return max(0, self.controlled() - self.overcounted)

    def colony(self, planet: int) -> Colony | None:
        return next((one for one in self.colonies if one.planet == planet), None)

    def of(self, planet: int) -> Colony:
        """Returns the card of a planet that is known to be colonised."""
        found = self.colony(planet)
        assert found is not None, f"planet {planet} is not colonised"
        return found

    def tile_at(self, place: Hex) -> Tile | None:
        return next((tile for tile in self.tiles if tile.hex == place), None)

    def place_of(self, place: Hex) -> int:
        """Returns the position, in the order of laying, of the tile on a hex."""
        return [tile.hex for tile in self.tiles].index(place) + 1

    def tile_of(self, planet: int) -> Tile | None:
        """Returns the tile of an explored planet, or None."""
        return next((t for t in self.tiles if t.explored and t.planet == planet), None)

    def hex_of(self, planet: int) -> Hex:
        """Returns the hex of an explored planet."""
        tile = self.tile_of(planet)
        assert tile is not None, f"planet {planet} has not been explored"
        return tile.hex

    def colony_at(self, place: Hex) -> Colony | None:
        """Returns the colony on a hex, or None."""
        tile = self.tile_at(place)
        explored = tile is not None and tile.explored and tile.planet is not None
        return self.colony(tile.planet or 0) if explored and tile is not None else None

    def ships_at(self, place: Hex) -> int:
        return self.spacecraft.count(place)

    def active(self) -> list[Saboteur]:
        return [one for one in self.saboteurs if one.status == ACTIVE]

    def saboteurs_at(self, place: Hex) -> list[Saboteur]:
        return [one for one in self.active() if one.hex == place]


class Phase(Step):
    """A step that does nothing once the game has ended."""

    def run(self, board: Board) -> Happenings:
        """Runs `play` unless the game has ended."""
        if not board.over:
            yield from self.play(board)

    def play(self, board: Board) -> Happenings:
        """Yields what happens and what comes next; overridden by each step."""
        raise NotImplementedError


def empty_table(seats: int) -> Board:
    """Returns the table at the beginning: twelve tiles in a heap, all tokens in the supply."""
    assert seats == 1, "one plays"
    return Board(
        tiles=[],
        face_down=Spread.of(TILES, NUMBERS, NUMBERS),
        colonies=[],
        spacecraft=[],
        saboteurs=[Saboteur(number) for number in range(1, SABOTEURS_MAX + 1)],
        accounts=Accounts.opened(RESOURCES),
    )
