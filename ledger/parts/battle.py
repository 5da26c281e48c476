"""Battles whose totals explain themselves.

A side's power is a list of contributions: each names its piece or effect, its rule and its amount,
so a viewer and an audit can count the total again.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Seat


class Contribution(Frozen, frozen=True, array_like=True):
    """The power that one piece or one effect adds to a side, and the rule for it."""

    rule: Open[str]
    piece: Open[str]  # a kind of piece; or the id of a card, a leader, a technology
    count: Open[int]  # how many pieces
    sector: Open[str]
    distance: Open[int]  # from where the side, or the stack that lends, stands; 0 where none counts
    amount: Open[int]


class Force(Frozen, frozen=True, array_like=True):
    """The pieces that fight on a side, as declared."""

    seat: Open[Seat]
    type: Open[str]  # of power
    sector: Open[str]  # where it stands
    bases: Open[int] = 0
    units: Open[tuple[int, ...]] = ()


class Lost(Frozen, frozen=True, array_like=True):
    """A piece that was destroyed in this conflict; reactions refer to it."""

    seat: Open[Seat]
    piece: Open[str]
    sector: Open[str]
    count: Open[int]  # of bases
    unit: Open[int | None] = None  # the number of a unit
    taken_over: Open[bool] = False


def total(contributions: Iterable[Contribution]) -> int:
    """Returns the sum of the contributions."""
    return sum(contribution.amount for contribution in contributions)
