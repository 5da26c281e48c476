"""Where a match stands: in a journal's memory, and read anew from its store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.games.tictactoe.play import Mark
from ledger.kernel.refusals import Refused
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from tests.support.log.matches import PLAIN, started

Position = tuple[bytes, dict[Any, int]]


def code_of(attempt: Callable[[], object]) -> str:
    """The code with which an attempt is refused."""
    with pytest.raises(Refused) as refusal:
        attempt()
    return refusal.value.code


def fresh(journal: Journal) -> History:
    """The history as anybody reads it from the store now."""
    return History.of(journal.around.store, journal.match_id, journal.around.rules_of)


def position(journal: Journal) -> Position:
    """The match in memory as bytes, and what its line has asked of the rules."""
    match = journal.match()
    return match.terms.snapshot(match), dict(match.used)


def fresh_position(journal: Journal) -> Position:
    """The same from the store."""
    match = fresh(journal).at()
    assert match is not None
    return match.terms.snapshot(match), dict(match.used)


def marked(*cells: int, plan: Plan = PLAIN, store: Store | None = None) -> Journal:
    """A match in which these cells have been marked in turn."""
    journal = started(plan, store=store)
    for cell in cells:
        journal.decide(journal.match().asked()[0], Mark(cell))
    return journal
