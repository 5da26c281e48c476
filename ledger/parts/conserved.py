"""Conservation: whatever happens, every card, tile and piece is somewhere, and none twice.

    "cards missing": count_missing(CARDS.of(state), state.draw_pile, *hands, *discards)

A game's audit names such counts; they must be the same after every event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized


def count_missing(every: Sized, *places: Sized | int) -> int:
    """Returns how many of all things are in none of the places; below 0, some are there twice.

    A place is what lies there, or only its number. A mapping may be a table, with a row for each
    thing, or have numbers: so many of each kind.
    """
    return _count(every) - sum(map(_count, places))


def _count(things: Sized | int) -> int:
    if isinstance(things, int):
        return things
    if isinstance(things, Mapping):
        return sum(held if isinstance(held, int) else 1 for held in things.values())
    return len(things)


def count_beyond(standing: Iterable[tuple[int, int]]) -> int:
    """Returns how many pieces stand beyond their limits, of pairs of a number and its limit."""
    return sum(max(0, number - limit) for number, limit in standing)
