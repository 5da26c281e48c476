"""Sentences of this game: how templates name its things, and sums that explain themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ledger.games.hegemonic.state.components import BASES, COLORS, UNITS
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Seen
from ledger.parts.text import Namings, counted, join_words, sentences, with_article

from .names import (
    board_name,
    card_words,
    faction_name,
    leader_name,
    lender_name,
    order_name,
    pattern_name,
    source_name,
    technology_name,
    tile_words,
)

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
    "board": lambda _, board: board_name(board),
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
plain = sentences(NAMINGS)


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
