"""The parts of a replay besides its sentences: headings, fights and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ledger.games.galactic_hegemony.phases.tracks import PHASES
from ledger.games.galactic_hegemony.state.board import ACTIVE, PLAYER, STOCK
from ledger.games.galactic_hegemony.state.components import RESOURCES
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import (
    Begins,
    ConflictBegun,
    ConflictDecided,
    ConflictEnded,
    ConflictStep,
    Fought,
    HeadingRule,
    PartsAdded,
    SeatFigures,
    Share,
    Story,
    Tagged,
    tagged,
)

from .scene import Seen, cell_id, size_seen
from .sentences import TELLING, planet_name

TURN, PHASE, CONFLICT = LEVELS = ("round", "phase", "conflict")

# --- headings -------------------------------------------------------------------------------------


def _attack_label(fact: Seen) -> str:
    return f"Attack on saboteurs at ({fact['hex'][0]},{fact['hex'][1]})"


def _military_label(fact: Seen, door: Lookup) -> str:
    return f"Military action on {planet_name(door, fact['planet'])}"


def _said(level: str, label: str) -> Begins:
    return lambda _, __: HeadingRule(level, label)


BEGINS: Final[Mapping[str, Begins]] = {
    "setup.tiles-shuffled": lambda _, __: HeadingRule(TURN, "Setup", whole=True),
    "track.turn-begun": lambda fact, _: HeadingRule(TURN, f"Turn {fact['turn']}"),
    "track.phase-begun": lambda fact, _: HeadingRule(PHASE, PHASES[fact["phase"] - 1]),
    "saboteur.attacked": lambda fact, _: HeadingRule(CONFLICT, _attack_label(fact), whole=True),
    "planet.attacked": lambda fact, door: HeadingRule(
        CONFLICT, _military_label(fact, door), whole=True
    ),
    "end.won": _said(TURN, "The end"),
    "end.lost": _said(TURN, "The end"),
}

# --- tags -----------------------------------------------------------------------------------------

FOUGHT: Final = (
    "saboteur.attacked", "planet.attacked", "combat.attack-rolled", "combat.defence-rolled",
    "combat.saboteur-destroyed", "combat.spacecraft-destroyed",
)  # fmt: skip

TAGS: Final[Mapping[str, Tagged]] = {
    **dict.fromkeys(FOUGHT, tagged("conflict")),
    "end.won": tagged("scoring"),
    "end.lost": tagged("scoring"),
}

# --- fights ---------------------------------------------------------------------------------------


def _attack(fact: Seen, _: Lookup, __: ConflictBegun | None) -> Sequence[ConflictStep]:
    sides = ((PLAYER, "the spacecraft"), (None, "the saboteurs"))
    return [ConflictBegun(_attack_label(fact), cell_id(fact["hex"]), sides, summed=False)]


def _military(fact: Seen, door: Lookup, _: ConflictBegun | None) -> Sequence[ConflictStep]:
    sides = ((PLAYER, "the spacecraft"), (None, "the revolt"))
    return [ConflictBegun(_military_label(fact, door), None, sides, summed=False)]


def _dice(side: int) -> Fought:
    """Lists the dice of a side. They are compared pair by pair, so their sum means nothing."""

    def rolled(fact: Seen, _: Lookup, __: ConflictBegun | None) -> Sequence[ConflictStep]:
        seat = PLAYER if side == 0 else None
        parts = tuple(Share(f"die {n}", die, "combat.roll", seat) for n, die in _numbered(fact))
        added = PartsAdded(side, parts)
        return [added, ConflictEnded()] if side else [added]

    return rolled


def _numbered(fact: Seen) -> Iterator[tuple[int, int]]:
    return enumerate(fact["dice"], 1)


def _came_of_it(fact: Seen, door: Lookup, _: ConflictBegun | None) -> Sequence[ConflictStep]:
    return [ConflictDecided(TELLING[fact["type"]](fact, door))]


CONFLICTS: Final[Mapping[str, Fought]] = {
    "saboteur.attacked": _attack,
    "planet.attacked": _military,
    "combat.attack-rolled": _dice(0),
    "combat.defence-rolled": _dice(1),
    **dict.fromkeys(
        ("combat.saboteur-destroyed", "combat.spacecraft-destroyed", "revolt.morale-set"),
        _came_of_it,
    ),
}

# --- figures --------------------------------------------------------------------------------------


def _curves(seen: Seen, _: Lookup) -> Iterator[SeatFigures]:
    """Yields the game's figures, each with the single player's value."""
    board = seen["state"]
    stock = board["accounts"]["balances"][RESOURCES].get(STOCK, 0)
    active = sum(one["status"] == ACTIVE for one in board["saboteurs"])
    yield SeatFigures("size", "hegemony size", (size_seen(board),), column=True)
    yield SeatFigures("stock", "resources", (stock,), column=True)
    yield SeatFigures("spacecraft", "spacecraft", (len(board["spacecraft"]),))
    yield SeatFigures("saboteurs", "saboteurs in the game", (active,))


RETELLING: Final = Story(
    levels=LEVELS,
    begins=BEGINS,
    ends={"combat.defence-rolled": CONFLICT},
    tags=TAGS,
    conflicts=CONFLICTS,
    curves=lambda seen, door: tuple(_curves(seen, door)),
)
