"""The printed components as rows of tables: boards, tiles, cards, player boards, and figures."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from ledger.kernel.content import Row, Table
from ledger.kernel.lookup import Lookup
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
    """A kind of piece: the number each player has, and the cost of a unit."""

    number: int
    cost: int | None = None


class Space(Row):
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
    name: str
    type: TypeName
    tier: int
    cost: int
    text: str


class TechnologyCard(Row):
    technology: str
    industrial: int
    political: int
    martial: int
    small: bool = False


class Leader(Row):
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
    """A colour or a faction."""

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
    """The place of a galaxy board in suggested layouts."""

    q: int
    r: int
    rotation: int


class Layout(Row):
    """A suggested layout."""

    players: int
    slots: tuple[str, ...]
    homes: tuple[str, ...]


class Players(Row):
    """The setup figures for a number of players."""

    boards: int
    small: bool


class TierRow(Row):
    """The gate distance of a technology tier."""

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
    """The fate of pieces in a draw."""

    fate: Literal["destroyed", "survive"]


PIECES = Table("pieces", Piece, {"": "general.piece-limits", "/cost": "build.unit-cost"})
SPACES = Table(
    "spaces",
    Space,
    {
        "": "board.build-order",
        "/cost": "board.cost",
        "/income": "board.income",
        "/retention": "board.retention",
        "/tier": "board.tier",
    },
)
TILES = Table(
    "tiles",
    Tile,
    {"": "setup.tiles-select", "/small": "setup.tiles-icon", "/faction": "step2.faction"},
)
HOMES = Table("homes", Tile, {"": "setup.home-bases"})
TECHNOLOGIES = Table(
    "technologies",
    Technology,
    {
        "": "advance.effect",
        "*": "tech.{row}",
        "/cost": "advance.cost",
        "/tier": "advance.tier-by-base",
    },
)
CARDS = Table("cards", TechnologyCard, {"": "setup.tech-deck", "/small": "setup.tech-icon"})
LEADERS = Table("leaders", Leader, {"": "setup.leaders"})
COLORS = Table("colors", Name, {"": "setup.color"})
FACTIONS = Table("factions", Name, {"": "step2.faction"})
CORE_SECTORS = Table("core", CoreSector, {"": "setup.core"})
SHAPE = Table("shape", ShapeHex, {"": "setup.layout-suggested"})
SLOTS = Table("slots", Slot, {"": "setup.layout-suggested"})
LAYOUTS = Table("layouts", Layout, {"": "setup.layout-suggested"})
PLAYERS = Table("players", Players, {"": "setup.boards-by-count", "/small": "setup.tech-icon"})
TIERS = Table("tiers", TierRow, {"": "gate.distance"})
ORDERS = Table("orders", Order, {"": "action.order", "*": "card.{row}"})
PATTERNS = Table(
    "patterns",
    Pattern,
    {
        "": "pattern.one-per-action",
        "*": "pattern.{row}",
        # Each type against its own is no pattern of the card, but for a reading.
        "assault.industrial-industrial": "card.assault",
        "assault.sabotage-political": "card.assault",
        "assault.raze-martial": "card.assault",
    },
)
# The figures, switches and fates that the rules know, each with its rule.
_NAMED_AFTER_RULE: Final = (
    "build.relocate-cost", "cost.destroy", "cost.takeover", "move.fleet-cost", "range.agent",
    "range.complex", "range.embassy", "range.fleet", "score.control", "score.core",
    "score.exclusive", "score.home-embassy", "score.influence", "score.presence",
    "score.tie-first", "score.tie-second",
)  # fmt: skip
FIGURED: Final = {
    **dict(zip(_NAMED_AFTER_RULE, _NAMED_AFTER_RULE, strict=True)),
    "setup.hand": "setup.tech-deck",
    "setup.tiles-per-player": "setup.tiles-select",
    "setup.pool-extra-2p": "setup.pool-two-players",
    "learn.tiles-per-player": "learn.tiles",
    "advance.slots": "advance.slot",
    "action.max": "action.two",
    "basic.caps": "basic.collect",
    "build.max-items": "build.any-quantity",
    "move.agent-border": "move.agent-cost",
    "move.fleet-range": "move.fleet",
    "conflict.attacks-per-phase": "target.once-per-phase",
    "fleet.outpost-uses": "step1.fleet-limit",
    "final.vp-per-tier": "end.final-tech",
    "end.extra-rounds": "end.when",
    "tech.relay": "tech.mass-translation-relay",
    "tech.dyson": "tech.dyson-sphere-assembly",
    "tech.nanofab": "tech.nano-fabricants",
    "tech.efficiency": "tech.efficiency-paradigm",
    "tech.emergent": "tech.emergent-economics",
    "tech.predictive": "tech.predictive-algorithms",
    "tech.telepathy": "tech.subliminal-telepathy",
    "tech.nanoacc": "tech.nano-accelerants",
    "tech.psionic": "tech.psionic-ecology",
    "tech.sentient": "tech.sentient-propaganda",
    "tech.transcend": "tech.transcendency-routine",
    "tech.phased": "tech.phased-teleportation",
    "tech.drones": "tech.self-replicating-drones",
    "tech.ftl-range": "tech.singularity-ftl-drive",
    "tech.ftl-cost": "tech.singularity-ftl-drive",
    "tech.hyper": "tech.hyper-cannon-batteries",
    "tech.bio": "tech.bio-adaptive-hulls",
    "tech.psi": "tech.psi-subversion-probes",
    "tech.brane": "tech.brane-manipulation",
}
SWITCHED: Final = {
    "advance.unique": "advance.unique",
    "end.hexes": "end.hexes",
    "end.stack": "end.stack",
    "retention.on": "arb.retention",
    "setup.home-adjacent-ban": "setup.home-not-adjacent",
}
FATED: Final = {
    "draw.bases": "step4.draw-bases",
    "draw.attacking-units": "step4.draw-attackers",
    "draw.defending-units": "step4.draw-defenders",
}
FIGURES = Table("figures", Figure, FIGURED)
SWITCHES = Table("switches", Switch, SWITCHED)
FATES = Table("fates", Fate, FATED)
TABLES: Final[tuple[Table[Any], ...]] = (
    PIECES, SPACES, TILES, HOMES, TECHNOLOGIES, CARDS, LEADERS, COLORS, FACTIONS, CORE_SECTORS,
    SHAPE, SLOTS, LAYOUTS, PLAYERS, TIERS, ORDERS, PATTERNS, FIGURES, SWITCHES, FATES,
)  # fmt: skip


def figure(state: State, name: str) -> int:
    """Returns the figure in force, which must exist."""
    value = FIGURES.of(state)[name].value
    assert value is not None, f"{name} has no figure"
    return value


def limit(state: State, name: str) -> int | None:
    """Returns the figure in force, or None where there is no limit."""
    return FIGURES.of(state)[name].value


def in_force(state: State, name: str) -> bool:
    return SWITCHES.of(state)[name].on


def tile_row(lookup: Lookup, tile: str) -> Tile:
    """Returns the tile with an id; home tiles share one row."""
    return HOMES.behind(lookup)[HOME] if tile == HOME else TILES.behind(lookup)[tile]
