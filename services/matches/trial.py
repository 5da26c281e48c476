"""A trial store: what a command does there is later written to the real store or forgotten.

Commands with several steps take them here first. If any step fails, the real store has not
changed by one byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ledger.kernel.refusals import Refused
from ledger.log.format.chain import Event, Opening
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
        for part, opened in _in_batches(list(real.events(match)), list(real.openings(match))):
            super().append(match, Batch(expect=self.tip(match), events=part, openings=opened))

    def write_to(self, real: Store) -> None:
        """Repeats in the real store what was done here."""
        # Secrets first: a log whose secrets are lost could never be opened.
        for match, name, value in self._things:
            real.keep(match, name, value)
        for match, batch in _merge_batches(self._batches):
            check_appended(real.append(match, batch))


def _in_batches(
    events: Sequence[Event], openings: Collection[Opening]
) -> Iterator[tuple[tuple[Event, ...], tuple[Opening, ...]]]:
    """Splits events and their openings into parts that one append takes."""
    for first in range(0, len(events), BATCH_MAX):
        part = tuple(events[first : first + BATCH_MAX])
        versions = {event.version for event in part}
        yield part, tuple(one for one in openings if one.version in versions)


def _merge_batches(batches: list[tuple[str, Batch]]) -> list[tuple[str, Batch]]:
    """Joins batches into fewer appends, each of which waits for the disk. Splits no batch."""
    merged: list[tuple[str, Batch]] = []
    for match, batch in batches:
        before = merged[-1][1] if merged and merged[-1][0] == match else None
        if before is None or len(before.events) + len(batch.events) > BATCH_MAX:
            merged.append((match, batch))
            continue
        whole = Batch(
            expect=before.expect,
            events=before.events + batch.events,
            openings=before.openings + batch.openings,
            closes=batch.closes,
        )
        merged[-1] = (match, whole)
    return merged


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
    for part, openings in _in_batches(new, history.openings.values()):
        closes = history.life.closed and part[-1].version == history.tip.version
        batch = Batch(expect=real.tip(match), events=part, openings=openings, closes=closes)
        check_appended(real.append(match, batch))
    return len(new)
