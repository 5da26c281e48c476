"""Cards that a player holds, as a view shows them: each by itself, or only their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ledger.kernel.audience import hidden
from ledger.kernel.records import Seat
from ledger.kernel.scene import Card


def length(held: Any) -> int:
    """Returns the number of things in a part of a view, hidden or not."""
    count: int = held["hidden"] if hidden(held) else len(held)
    return count


def visible(held: Any) -> Any:
    """Returns the things in a part of a view; none where they are hidden."""
    return () if hidden(held) else held


def held_cards(
    name: str, place: str, held: Any, seat: Seat, words: Callable[[str], str]
) -> Iterator[Card]:
    """Yields a card for each thing that the viewer sees, or one for all that are hidden."""
    if hidden(held) and length(held):
        yield Card(id=f"{name}-s{seat}", place=place, seat=seat, count=length(held))
    for card in visible(held):
        yield Card(id=card, place=place, name=words(card), seat=seat)
