"""A trial store: what a command does there is later written to the real store or forgotten.

Commands with several steps take them here first. If any step fails, the real store has not
changed by one byte.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.refusals import Refused
from ledger.log.format.secrets import KEPT_AS
from ledger.log.read.history import OVERLAY, History
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import (
    BATCH_MAX,
    Answer,
    Appended,
    Batch,
    Closed,
    Conflict,
    Store,
)
from ledger.log.write.lifecycle import make_refusal


class Trial(MemoryStore):
    """A store in memory that records what was put into it, in order."""

    def __init__(self) -> None:
        super().__init__()
        self._things: list[tuple[str, str, bytes]] = []
        self._batches: list[tuple[str, Batch]] = []

    def append(self, match: str, batch: Batch) -> Answer:
        """Appends a batch, and records it."""
        answer = super().append(match, batch)
        if isinstance(answer, Appended):
            self._batches.append((match, batch))
        return answer

    def keep(self, match: str, name: str, value: bytes) -> None:
        """Keeps a value for a log, and records it."""
        super().keep(match, name, value)
        self._things.append((match, name, value))

    def borrow(self, match: str, real: Store) -> None:
        """Copies a match from the real store. Only what is added later is written back."""
        for name in (KEPT_AS, OVERLAY):
            value = real.kept(match, name)
            if value is not None:
                super().keep(match, name, value)
        events = tuple(real.events(match))
        openings = list(real.openings(match))
        for first in range(0, len(events), BATCH_MAX):
            part = events[first : first + BATCH_MAX]
            known = {event.version for event in part}
            opened = tuple(one for one in openings if one.version in known)
            super().append(match, Batch(expect=self.tip(match), events=part, openings=opened))

    def write_to(self, real: Store) -> None:
        """Repeats in the real store what was done here."""
        # Secrets first: a log whose secrets are lost could never be opened.
        for match, name, value in self._things:
            real.keep(match, name, value)
        for match, batch in _merge_batches(self._batches):
            check_appended(real.append(match, batch))


def _merge_batches(batches: list[tuple[str, Batch]]) -> Iterator[tuple[str, Batch]]:
    """Joins batches into fewer appends, each of which waits for the disk. Splits no batch."""
    waiting: tuple[str, Batch] | None = None
    for match, batch in batches:
        if waiting is not None:
            before = waiting[1]
            fits = len(before.events) + len(batch.events) <= BATCH_MAX
            if waiting[0] == match and fits:
                whole = Batch(
                    expect=before.expect,
                    events=before.events + batch.events,
                    openings=before.openings + batch.openings,
                    closes=batch.closes,
                )
                waiting = (match, whole)
                continue
            yield waiting
        waiting = (match, batch)
    if waiting is not None:
        yield waiting


def check_appended(answer: Answer) -> None:
    """Refuses if another writer was first."""
    if isinstance(answer, Conflict):
        evidence = {"events": answer.tip.version}
        raise Refused(
            "stale", "", "Another process wrote to the store meanwhile: look again.", evidence
        )
    if isinstance(answer, Closed):
        raise make_refusal("match_closed", {"version": answer.tip.version})
    assert isinstance(answer, Appended), "no command is named, so none is known already"


def put(real: Store, history: History) -> int:
    """Writes the events that a store lacks, and returns their number."""
    tip, match = real.tip(history.match), history.match
    common = min(tip.version, history.tip.version)
    if common:
        theirs = next(iter(real.events(match, common, common)))
        if theirs.head != history.events[common - 1].head:
            message = "The store has another history under this id."
            raise Refused("other_history", "", message, {"match": match})
    new = history.events[common:]
    if not new:
        return 0
    if real.kept(match, KEPT_AS) is not None:
        # Anybody can write events that follow on a log; this store is the one to write these.
        message = "This match is written here, so you cannot import events into it."
        raise Refused("other_history", "", message, {"match": match, "events": tip.version})
    if history.overlay is not None:
        real.keep(match, OVERLAY, history.overlay)
    for first in range(common, history.tip.version, BATCH_MAX):
        part = tuple(history.events[first : first + BATCH_MAX])
        versions = {event.version for event in part}
        last = part[-1].version == history.tip.version
        batch = Batch(
            expect=real.tip(match),
            events=part,
            openings=tuple(one for path, one in history.openings.items() if path[0] in versions),
            closes=history.life.closed and last,
        )
        check_appended(real.append(match, batch))
    return len(new)
