"""Prices that explain themselves: the amounts that rules and effects add or take off."""

from __future__ import annotations

from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen


class Part(Frozen, frozen=True, array_like=True):
    """The amount that one rule or effect adds to a price, or takes off it."""

    rule: Open[str]
    amount: Open[int]


class Price(Frozen, frozen=True, array_like=True):
    """A price; it is paid under the rule of its first part."""

    parts: Open[tuple[Part, ...]]

    @property
    def rule(self) -> str:
        """Returns the rule under which the price is paid."""
        return self.parts[0].rule

    @property
    def total(self) -> int:
        return sum(part.amount for part in self.parts)

    def less(self, rule: str, amount: int) -> Price:
        """Returns a reduced price, never below zero."""
        taken = min(amount, self.total)
        return Price((*self.parts, Part(rule, -taken))) if taken > 0 else self

    @classmethod
    def flat(cls, rule: str, amount: int) -> Price:
        """Returns a price that nothing has changed."""
        return cls((Part(rule, amount),))
