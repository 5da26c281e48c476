"""Recounting: what a fact says that something comes to, beside what it comes to when counted again.

A ruleset may count a second time what its facts say of power, prices, points and payments, from
the table as it lay before the fact and by none of the code that made the fact. A fold that agrees
with itself only shows that the same program ran twice; a recount shows that the program is right.

    fact ── before it is applied ──▶ Claim: stated, counted, the rule; equal, or not
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from .lookup import Door
from .records import Fact

CONFLICTS: Final = "conflicts"
RESULT: Final = "result"
DEALS: Final = "deals"


class Item(NamedTuple):
    """One line of an account: what adds how much, and by which rule."""

    rule: str
    piece: str  # or whatever else adds
    value: int
    number: int = 1  # of pieces
    sector: str = ""
    distance: int = 0


class Claim(NamedTuple):
    """What a fact says that something comes to, and what it comes to."""

    check: str  # of the audit: conflicts, result, deals
    about: str  # in words, for people
    rule: str
    stated: tuple[Item, ...]
    counted: tuple[Item, ...]

    @property
    def right(self) -> bool:
        """Whether both are the same, in whatever order."""
        return self.stated == self.counted or sorted(self.stated) == sorted(self.counted)


# Of the state before a fact, all facts of its event, and the fact's place among them.
Recounting: TypeAlias = Callable[[Any, Sequence[Fact], int, Door], Iterator[Claim]]


def total(items: Sequence[Item]) -> int:
    """What they come to."""
    return sum(item.value for item in items)
