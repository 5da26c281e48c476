"""The printed components as rows of tables: boards, tiles, cards, player boards, and figures."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from ledger.kernel.content import Row, Table
from ledger.kernel.door import Door
from ledger.kernel.records import State

# `power.types`: three kinds of power, each with a base and a unit.
INDUSTRIAL: Final = "industrial"
POLITICAL: Final = "political"
MARTIAL: Final = "martial"
TYPES: Final = (INDUSTRIAL, POLITICAL, MARTIAL)
COMPLEX, EMBASSY, OUTPOST = "complex", "embassy", "outpost"
GATE, AGENT, FLEET = "gate", "agent", "fleet"
BASE_OF: Final = {INDUSTRIAL: COMPLEX, POLITICAL: EMBASSY, MARTIAL: OUTPOST}
UNIT_OF: Final = {INDUSTRIAL: GATE, POLITICAL: AGENT, MARTIAL: FLEET}
BASES: Final = tuple(BASE_OF.values())
UNITS: Final = tuple(UNIT_OF.values())
TYPE_OF: Final = {piece: type_ for of in (BASE_OF, UNIT_OF) for type_, piece in of.items()}

HOME: Final = "home"  # the one row of the home tiles, and the tile id of every home
CORE: Final = "K"  # the id of the core board
DESTROY, TAKEOVER = "destroy", "takeover"
DESTROYED, SURVIVE = "destroyed", "survive"

TypeName: TypeAlias = Literal["industrial", "political", "martial"]


class Piece(Row):
    """A kind of piece of each player's: how many there are; and what a unit costs."""

    number: int
    cost: int | None = None


class Space(Row):
    """A space of a player board."""

    cost: int
    income: int
    retention: int
    tier: int


class Tile(Row):
    """A sector tile or a home tile."""

    faction: str | None = None
    political: int = 0
    industrial: int = 0
    martial: int = 0
    small: bool = False


class Technology(Row):
    """A technology."""

    name: str
    type: TypeName
    tier: int
    cost: int
    text: str


class TechnologyCard(Row):
    """A technology card."""

    technology: str
    industrial: int
    political: int
    martial: int
    small: bool = False


class Leader(Row):
    """A leader card."""

    dynasty: str
    name: str
    named: bool
    level_1: str
    level_2: str
    level_3: str
    amount_1: int | None = None  # what an ability amounts to, where that is a number
    amount_2: int | None = None
    amount_3: int | None = None


class Name(Row):
    """A colour, or a faction."""

    name: str


class CoreSector(Row):
    """A usable sector of the core board."""

    q: int
    r: int


class ShapeHex(Row):
    """A hex of a galaxy board."""

    along: int
    across: int


class Slot(Row):
    """Where a galaxy board lies in suggested layouts."""

    q: int
    r: int
    rotation: int


class Layout(Row):
    """A suggested layout."""

    players: int
    slots: tuple[str, ...]
    homes: tuple[str, ...]


class Players(Row):
    """What depends on the number of players."""

    boards: int
    small: bool


class Tier(Row):
    """What a technology tier is good for."""

    gate: int


class Order(Row):
    """An action card."""

    name: str
    number: int
    actions: tuple[Literal["build", "conflict", "basic", "capitalize", "survey", "research"], ...]
    builds: TypeName | None = None


class Pattern(Row):
    """An attack pattern of an action card."""

    card: str
    action: Literal["destroy", "takeover"]
    attacker: TypeName
    target: TypeName
    name: str
    own_type: bool = False


class Figure(Row):
    """A figure of the rules."""

    value: int | None = None


class Switch(Row):
    """A rule that is in force or not."""

    on: bool


class Fate(Row):
    """What becomes of pieces."""

    fate: Literal["destroyed", "survive"]


PIECES = Table("pieces", Piece)
SPACES = Table("spaces", Space)
TILES = Table("tiles", Tile)
HOMES = Table("homes", Tile)
TECHNOLOGIES = Table("technologies", Technology)
CARDS = Table("cards", TechnologyCard)
LEADERS = Table("leaders", Leader)
COLORS = Table("colors", Name)
FACTIONS = Table("factions", Name)
CORE_SECTORS = Table("core", CoreSector)
SHAPE = Table("shape", ShapeHex)
SLOTS = Table("slots", Slot)
LAYOUTS = Table("layouts", Layout)
PLAYERS = Table("players", Players)
TIERS = Table("tiers", Tier)
ORDERS = Table("orders", Order)
PATTERNS = Table("patterns", Pattern)
FIGURES = Table("figures", Figure)
SWITCHES = Table("switches", Switch)
FATES = Table("fates", Fate)
TABLES: Final[tuple[Table[Any], ...]] = (
    PIECES, SPACES, TILES, HOMES, TECHNOLOGIES, CARDS, LEADERS, COLORS, FACTIONS, CORE_SECTORS,
    SHAPE, SLOTS, LAYOUTS, PLAYERS, TIERS, ORDERS, PATTERNS, FIGURES, SWITCHES, FATES,
)  # fmt: skip


def figure(state: State, name: str) -> int:
    """The figure in force."""
    value = FIGURES.of(state)[name].value
    assert value is not None, f"{name} has no figure"
    return value


def limit(state: State, name: str) -> int | None:
    """The figure in force, or nothing where there is no limit."""
    return FIGURES.of(state)[name].value


def in_force(state: State, name: str) -> bool:
    """Whether a rule is in force."""
    return SWITCHES.of(state)[name].on


def tile_row(door: Door, tile: str) -> Tile:
    """The tile of an id, a home tile included."""
    return HOMES.behind(door)[HOME] if tile == HOME else TILES.behind(door)[tile]
