"""Names of players, and lists of words, in sentences of any game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ledger.kernel.story import Seen

NOBODY: Final = "nobody"


def listed(words: Sequence[str], nothing: str = "nothing") -> str:
    """Joins words with commas, and an `and` before the last."""
    *first, last = words or (nothing,)
    return f"{', '.join(first)} and {last}" if first else last


def name_of(fact: Seen, seat: int | None) -> str:
    """Returns the name that the table knows a player by."""
    if seat is None:
        return NOBODY
    called = fact.get("called", ())
    return called[seat] if 0 <= seat < len(called) else f"Seat {seat}"


def who(fact: Seen) -> str:
    """Returns the name of the player whom a fact is about."""
    return name_of(fact, fact["seat"])


def names(fact: Seen, seats: Iterable[int]) -> str:
    return listed([name_of(fact, seat) for seat in seats], NOBODY)
