"""Collects the steps of each deal of a match from its first offer on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.kernel.story import DealStep
from replays.document.structs import Deal, Step

Mark: TypeAlias = Mapping[str, int]


class Dealings:
    """The deals of a match, collected event by event."""

    def __init__(self) -> None:
        self.found: list[Deal] = []
        self._numbers: dict[str, int] = {}  # on this line: after a rewind an id may come again

    def mark(self) -> Mark:
        """Returns the deals on the current line, to come back to after a rewind."""
        return dict(self._numbers)

    def back(self, mark: Mark) -> None:
        """Goes back to the deals of a mark."""
        self._numbers = dict(mark)

    def take(self, version: int, step: DealStep, said: str) -> None:
        """Adds a step to its deal, and lists the deal if it is new."""
        if step.deal not in self._numbers:
            self._numbers[step.deal] = len(self.found)
            deal = Deal(id=step.deal, seats=list(step.seats), label=step.label, steps=[])
            self.found.append(deal)
        number = self._numbers[step.deal]
        self.found[number].steps.append(Step(n=version, what=step.what, said=said))
