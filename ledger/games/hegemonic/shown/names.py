"""Names of players, pieces, tiles and cards, and how templates name things in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ledger.games.hegemonic.state.components import (
    BASES,
    CARDS,
    COLORS,
    CORE,
    FACTIONS,
    HOME,
    LEADERS,
    ORDERS,
    PATTERNS,
    TECHNOLOGIES,
    UNITS,
    tile_row,
)
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import hidden
from ledger.kernel.content import Table
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Seen
from ledger.parts.text import Naming, Namings, counted, join_words, with_article


def name_seats(galaxy: Galaxy, lookup: Lookup) -> tuple[str, ...]:
    """Returns the names of the seats: their colours, as soon as they have taken them."""
    return seat_names([house.color for house in galaxy.houses], lookup)


def seat_names(colors: Iterable[str], lookup: Lookup) -> tuple[str, ...]:
    """Returns the names of the seats, from the colours in seat order."""
    rows = COLORS.behind(lookup)
    return tuple(
        rows[color].name if color in rows else f"Seat {seat}" for seat, color in enumerate(colors)
    )


def names_of(seen: Seen, lookup: Lookup) -> tuple[str, ...]:
    """Returns the names of the seats in a view."""
    return seat_names([house["color"] for house in seen["state"]["houses"]], lookup)


def _named(table: Table[Any]) -> Naming:
    """Returns how rows of a table are named; a name that it does not have stays as it is."""

    def named(lookup: Lookup, name: str) -> str:
        rows = table.behind(lookup)
        return str(rows[name].name) if name in rows else name

    return named


faction_name, leader_name = _named(FACTIONS), _named(LEADERS)
order_name, pattern_name = _named(ORDERS), _named(PATTERNS)


def lender_name(lookup: Lookup, name: str) -> str:
    """Names a faction, or the outposts of a sector."""
    faction = faction_name(lookup, name)
    return f"the outposts at {name}" if faction == name else faction


def board_name(board: str) -> str:
    return "The core" if board == CORE else f"Board {board}"


def tile_faction(lookup: Lookup, tile: str) -> str:
    """Names the faction of a tile, with its power."""
    row = tile_row(lookup, tile)
    return f"{faction_name(lookup, row.faction)} {row.political}" if row.faction else ""


def tile_offers(lookup: Lookup, tile: str) -> str:
    """Lists the other locations of a tile: political, industrial, martial."""
    row = tile_row(lookup, tile)
    offers = ["P"] if row.political and not row.faction else []
    powers = (("I", row.industrial), ("M", row.martial))
    return " ".join((*offers, *(f"{power}{number}" for power, number in powers if number)))


def tile_words(lookup: Lookup, tile: str) -> str:
    """Describes a tile with all that it offers."""
    row = tile_row(lookup, tile)
    offers = []
    if row.faction:
        offers.append(f"{faction_name(lookup, row.faction)} {row.political}")
    if row.industrial:
        offers.append(f"industrial {row.industrial}")
    if row.martial:
        offers.append(f"martial {row.martial}")
    name = "a home" if tile == HOME else f"tile {tile}"
    return f"{name} ({', '.join(offers) or 'empty space'})"


def technology_name(lookup: Lookup, card: str) -> str:
    """Names a technology card by its title."""
    name: str = TECHNOLOGIES.behind(lookup)[CARDS.behind(lookup)[card].technology].name
    return name


def card_words(lookup: Lookup, card: str) -> str:
    """Describes a technology card with its figures."""
    row = CARDS.behind(lookup)[card]
    technology = TECHNOLOGIES.behind(lookup)[row.technology]
    values = f"{row.industrial}/{row.political}/{row.martial}"
    about = f"{technology.type} {technology.tier}, costs {technology.cost}, power {values}"
    return f"{technology.name} ({about})"


def source_name(lookup: Lookup, name: str) -> str:
    """Names a source in a sum: a piece, or a technology by id or card, or a leader."""
    technologies = TECHNOLOGIES.behind(lookup)
    if name in CARDS.behind(lookup):
        return technology_name(lookup, name)
    return technologies[name].name if name in technologies else leader_name(lookup, name)


# --- in sentences ---------------------------------------------------------------------------------

PIECES_COUNTED: Final = frozenset((*BASES, *UNITS))


def cards_seen(lookup: Lookup, cards: Any) -> str:
    """Lists cards by title; only counts them where they are hidden."""
    if hidden(cards):
        return counted(cards["hidden"], "card")
    return join_words([technology_name(lookup, card) for card in cards], "no card")


def tiles_seen(lookup: Lookup, tiles: Any) -> str:
    """Describes tiles; only counts them where they are hidden."""
    if hidden(tiles):
        return counted(tiles["hidden"], "tile")
    return join_words([tile_words(lookup, tile) for tile in tiles])


NAMINGS: Final[Namings] = {
    "a": lambda _, piece: with_article(piece),
    "amount": lambda _, part: str(part["amount"]),
    "amount_by": lambda lookup, part: (
        f"{part['amount']} more by {source_name(lookup, part['piece'])}"
    ),
    "card": technology_name,
    "cards": cards_seen,
    "color": lambda lookup, color: COLORS.behind(lookup)[color].name,
    "faction": faction_name,
    "figures": card_words,
    "leader": leader_name,
    "number": lambda _, number: str(number + 1),
    "lenders": lambda lookup, on: join_words([lender_name(lookup, name) for name in on]),
    "order": order_name,
    "pattern": pattern_name,
    "source": source_name,
    "sum": lambda lookup, parts: (
        f"{sum(one['amount'] for one in parts)}: {list_contributions(parts, lookup)}"
    ),
    "tile": tile_words,
    "tiles": tiles_seen,
    "titles": lambda lookup, cards: join_words([technology_name(lookup, card) for card in cards]),
}


def list_contributions(contributions: Iterable[Seen], lookup: Lookup) -> str:
    """Lists each contribution: 3 complexes at S2b +3, Dyson Sphere Assembly +1."""
    said = [f"{part_words(part, lookup)} {part['amount']:+d}" for part in contributions]
    return ", ".join(said) or "nothing"


def part_words(part: Seen, lookup: Lookup) -> str:
    """Names the source of a contribution: 3 complexes at S2b, Dyson Sphere Assembly."""
    source = source_name(lookup, part["piece"])
    where = f" at {part['sector']}" if part["sector"] else ""
    what = counted(part["count"], source) if source in PIECES_COUNTED else source
    return f"{what}{where}"
