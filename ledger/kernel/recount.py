"""Recounting: compares a total that a fact states with a second, independent count.

A ruleset may count again the power, prices, points and payments that its facts state. It
counts from the table as it was before the fact, and shares no code with the rule that made
the fact. A fold that agrees with itself only shows that the same program ran twice. A
recount shows that the program is right.

    fact ── before it is applied ──▶ StatedTotal: stated, counted, the rule; equal, or not
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from .lookup import Lookup
from .records import Fact

CONFLICTS: Final = "conflicts"
RESULT: Final = "result"
DEALS: Final = "deals"


class TotalItem(NamedTuple):
    """One item of a total: its amount, and the rule it follows from."""

    rule: str
    piece: str  # or whatever else adds
    value: int
    number: int = 1  # of pieces
    sector: str = ""
    distance: int = 0


class StatedTotal(NamedTuple):
    """A total that a fact states, and the same total counted again."""

    check: str  # of the audit: conflicts, result, deals
    about: str  # in words, for people
    rule: str
    stated: tuple[TotalItem, ...]
    counted: tuple[TotalItem, ...]

    @property
    def right(self) -> bool:
        """Returns whether both have the same items, in any order."""
        return self.stated == self.counted or sorted(self.stated) == sorted(self.counted)


# Takes the state before a fact, all facts of its event, and the fact's place among them.
Recount: TypeAlias = Callable[[Any, Sequence[Fact], int, Lookup], Iterator[StatedTotal]]


def total(items: Sequence[TotalItem]) -> int:
    return sum(item.value for item in items)
