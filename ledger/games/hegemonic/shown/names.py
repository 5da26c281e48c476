"""Names of players, pieces, tiles, cards and numbers, in the scene and in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ledger.games.hegemonic.state.components import (
    AGENT,
    CARDS,
    COLORS,
    COMPLEX,
    EMBASSY,
    FACTIONS,
    FLEET,
    GATE,
    HOME,
    LEADERS,
    ORDERS,
    OUTPOST,
    PATTERNS,
    TECHNOLOGIES,
    tile_row,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.lookup import Lookup

SIGNS: Final = {
    COMPLEX: "C", EMBASSY: "E", OUTPOST: "O", GATE: "G", AGENT: "A", FLEET: "F",
}  # fmt: skip
MANY: Final = {COMPLEX: "complexes", EMBASSY: "embassies"}
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def called(galaxy: Galaxy, door: Lookup) -> tuple[str, ...]:
    """Returns the names of the seats: their colours, as soon as they have taken them."""
    return seat_names([house.color for house in galaxy.houses], door)


def seat_names(colors: Iterable[str], door: Lookup) -> tuple[str, ...]:
    """Returns the names of the seats, from the colours in seat order."""
    rows = COLORS.behind(door)
    return tuple(
        rows[color].name if color in rows else f"Seat {seat}" for seat, color in enumerate(colors)
    )


def names_of(seen: Mapping[str, Any], door: Lookup) -> tuple[str, ...]:
    """Returns the names of the seats in a view."""
    return seat_names([house["color"] for house in seen["state"]["houses"]], door)


def listed(words: Sequence[str], nothing: str = "nothing") -> str:
    """Joins words with commas, and an `and` before the last."""
    *first, last = words or (nothing,)
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, one: str, many: str = "") -> str:
    """Counts things in figures: 1 CAP, 2 CAPs."""
    return f"{number} {one if number == 1 else many or MANY.get(one, one + 's')}"


def spelled(number: int, one: str, many: str = "") -> str:
    """Counts things in words up to nine."""
    said = NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)
    return f"{said} {one if number == 1 else many or MANY.get(one, one + 's')}"


def faction_name(door: Lookup, faction: str) -> str:
    """Names a faction by its species."""
    rows = FACTIONS.behind(door)
    return rows[faction].name if faction in rows else faction


def tile_faction(door: Lookup, tile: str) -> str:
    """Names the faction of a tile, with its power."""
    row = tile_row(door, tile)
    return f"{faction_name(door, row.faction)} {row.political}" if row.faction else ""


def tile_offers(door: Lookup, tile: str) -> str:
    """Lists the other locations of a tile: political, industrial, martial."""
    row = tile_row(door, tile)
    offers = ["P"] if row.political and not row.faction else []
    powers = (("I", row.industrial), ("M", row.martial))
    return " ".join((*offers, *(f"{power}{number}" for power, number in powers if number)))


def tile_words(door: Lookup, tile: str) -> str:
    """Describes a tile with all that it offers."""
    row = tile_row(door, tile)
    offers = []
    if row.faction:
        offers.append(f"{faction_name(door, row.faction)} {row.political}")
    if row.industrial:
        offers.append(f"industrial {row.industrial}")
    if row.martial:
        offers.append(f"martial {row.martial}")
    name = "a home" if tile == HOME else f"tile {tile}"
    return f"{name} ({', '.join(offers) or 'empty space'})"


def technology_name(door: Lookup, card: str) -> str:
    """Names a technology card by its title."""
    name: str = TECHNOLOGIES.behind(door)[CARDS.behind(door)[card].technology].name
    return name


def card_words(door: Lookup, card: str) -> str:
    """Describes a technology card with its figures."""
    row = CARDS.behind(door)[card]
    technology = TECHNOLOGIES.behind(door)[row.technology]
    values = f"{row.industrial}/{row.political}/{row.martial}"
    about = f"{technology.type} {technology.tier}, costs {technology.cost}, power {values}"
    return f"{technology.name} ({about})"


def order_name(door: Lookup, card: str) -> str:
    rows = ORDERS.behind(door)
    return rows[card].name if card in rows else card


def pattern_name(door: Lookup, pattern: str) -> str:
    """Names an attack pattern as its card does."""
    rows = PATTERNS.behind(door)
    return rows[pattern].name if pattern in rows else pattern


def leader_name(door: Lookup, leader: str) -> str:
    rows = LEADERS.behind(door)
    return rows[leader].name if leader in rows else leader


def source_name(door: Lookup, name: str) -> str:
    """Names a source in a sum: a piece, or a technology by id or card, or a leader."""
    technologies = TECHNOLOGIES.behind(door)
    if name in CARDS.behind(door):
        return technology_name(door, name)
    return technologies[name].name if name in technologies else leader_name(door, name)
