"""Things that a player holds, as a view shows them: each by itself, or only their number."""

from __future__ import annotations

from typing import Any

from ledger.kernel.audience import hidden


def length(held: Any) -> int:
    """Returns the number of things in a part of a view, hidden or not."""
    count: int = held["hidden"] if hidden(held) else len(held)
    return count


def visible(held: Any) -> Any:
    """Returns the things in a part of a view; none where they are hidden."""
    return () if hidden(held) else held
