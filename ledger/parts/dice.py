"""Dice: a question that asks for some, and dice compared in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from ledger.kernel.chance import ChanceQuestion, Roll


class RollQuestion(ChanceQuestion):
    """A roll of one kind of dice. The game's class cites the rule, and says what they are for."""

    sides: ClassVar[int] = 6
    dice: ClassVar[int] = 1

    def count(self, state: Any) -> int:
        return self.dice

    def wish(self, state: Any) -> Roll:
        return Roll(sides=self.sides, count=self.count(state))


def rank(dice: Iterable[int]) -> tuple[int, ...]:
    """Returns dice from the highest down."""
    return tuple(sorted(dice, reverse=True))


def pair(attack: Iterable[int], defence: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yields the highest dice of both sides, then the second, until one side has none left."""
    yield from zip(rank(attack), rank(defence), strict=False)
