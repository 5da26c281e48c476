"""Checks players against every answer of the store, and against the match folded anew."""

from __future__ import annotations

from typing import Any

from ledger.games import ruleset
from ledger.kernel.match import Match
from ledger.kernel.records import Fact
from ledger.kernel.ruleset import Ruleset
from ledger.log.format.secrets import KEPT_AS, Secrets
from ledger.log.read.history import OVERLAY, History
from ledger.log.stores.protocol import Answer, Appended, Batch
from tests.support.durability.simulation.truth import Truth
from tests.support.log.dicey import RULES as DICEY
from tests.support.parlour.game import PARLOUR


def rules_of(name: str) -> Ruleset:
    """The rules of the games, and of two that exist for the tests."""
    return {"parlour": PARLOUR, "dicey": DICEY}.get(name) or ruleset(name)


class Watched:
    """A store through which a journal writes: every answer is compared with the truth."""

    def __init__(self, store: Any, truth: Truth) -> None:
        self._store = store
        self._truth = truth
        self.written: list[Batch] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append(self, match: str, batch: Batch) -> Answer:
        since = self._truth.now()
        answer: Answer = self._store.append(match, batch)
        self._truth.counted[type(answer).__name__] += 1
        self._truth.answered(match, batch, answer, since)
        if isinstance(answer, Appended):
            self.written.append(batch)
        return answer


class Folded:
    """A match as anybody folds it anew from the log, at any of its points."""

    def __init__(self, truth: Truth, match: str) -> None:
        kept = truth.kept
        self.losses = truth.losses
        self.history = History(match, rules_of, kept.get((match, OVERLAY)))
        self.history.salt_key = Secrets.read(kept[match, KEPT_AS]).salt_key
        self._truth = truth
        self._at: dict[int, tuple[bytes, Any] | None] = {}

    def grow(self) -> History:
        log = self._truth.log(self.history.match)
        for event in log.events[len(self.history.events) :]:
            self.history.know(log.openings.get(event.version, ()))
            self.history.add(event)
        return self.history

    def at(self, version: int) -> tuple[bytes, Any] | None:
        if version not in self._at:
            match = self.grow().at(version)
            self._at[version] = None if match is None else position(match)
        return self._at[version]

    def facts(self, first: int, last: int) -> list[Fact]:
        moments = self.grow().replay(last)
        return [fact for one in moments if one.version >= first for fact in one.facts]


def position(match: Match) -> tuple[bytes, Any]:
    """The match as bytes, and what its line has asked of the rules."""
    return match.terms.snapshot(match), dict(match.used)
