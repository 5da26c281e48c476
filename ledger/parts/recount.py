"""Plumbing of recounts: stated and counted totals, and what counts a fact by itself.

It counts nothing. What a recount counts, and how, is the game's own, apart from its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Fact, Seat
from ledger.kernel.recount import Recount, StatedTotal, TotalItem

from .battle import Contribution

Book = TypeVar("Book")


def by_itself(
    book: Callable[[Any, Lookup], Book], count: Callable[[Any, Book], Iterator[StatedTotal]]
) -> Recount:
    """Returns the recount of a fact whatever facts are beside it, from the game's own book."""

    def recount(
        state: Any, facts: Sequence[Fact], place: int, lookup: Lookup
    ) -> Iterator[StatedTotal]:
        return count(facts[place], book(state, lookup))

    return recount


def items_of(contributions: Iterable[Contribution]) -> tuple[TotalItem, ...]:
    """Returns the contributions of a fact as items."""
    return tuple(
        TotalItem(one.rule, one.piece, one.amount, one.count, one.sector, one.distance)
        for one in contributions
    )


def single_total(check: str, about: str, item: TotalItem, stated: int) -> StatedTotal:
    """Returns the total of one item, which a fact states as a number."""
    return StatedTotal(check, about, item.rule, (item._replace(value=stated),), (item,))


def totals_by_seat(
    check: str,
    about: str,
    rule: str,
    stated: Iterable[tuple[Seat, int]],
    counted: Iterable[tuple[Seat, int]],
) -> StatedTotal:
    """Returns the total of a number for each seat."""
    said, right = (
        tuple(TotalItem(rule, f"seat {seat}", value) for seat, value in pairs)
        for pairs in (stated, counted)
    )
    return StatedTotal(check, about, rule, said, right)
