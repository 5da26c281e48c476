"""Logs in memory, from which stores answer, and a store that has nothing else.

It is for tests, for experiments, and for matches that need not be kept.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from ledger.log.format.chain import EMPTY, Event, Opening, Tip, goes_on

from .protocol import (
    BATCH_MAX,
    Answer,
    Appended,
    Batch,
    Changed,
    Closed,
    Command,
    Conflict,
    DamagedLog,
    Duplicate,
    Parked,
    Snapshot,
)


def fits(match: str, tip: Tip, batch: Batch) -> bool:
    """Returns whether a batch continues a log with this `tip`, event by event."""
    right = batch.expect == tip and 0 < len(batch.events) <= BATCH_MAX
    return right and goes_on(match, tip, batch.events)


class LogInMemory:
    """One log in memory, from which stores answer."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.openings: dict[int, list[Opening]] = {}
        self.commands: dict[str, tuple[bytes, int, Tip]] = {}
        self.closed = False
        self.parked: bytes | None = None

    @property
    def tip(self) -> Tip:
        return self.events[-1].tip if self.events else EMPTY

    def refusal(self, match: str, batch: Batch) -> Answer | None:
        """Returns the refusal of a batch, in order of precedence, or None."""
        answered = None if batch.command is None else self.answered(batch.command)
        if answered is not None:
            return answered
        if self.parked is not None and batch.decides:
            return Parked(self.tip, self.parked)
        if self.closed and not batch.after_close:
            return Closed(self.tip)
        if not fits(match, self.tip, batch):
            return Conflict(self.tip, tuple(self.events[batch.expect.version :]))
        return None

    def answered(self, command: Command) -> Duplicate | Changed | None:
        if command.id not in self.commands:
            return None
        fingerprint, first, tip = self.commands[command.id]
        return Duplicate(first, tip) if fingerprint == command.fingerprint else Changed(command.id)

    def add(self, batch: Batch) -> Appended:
        """Adds a batch without checking it again."""
        self.events += batch.events
        for opening in batch.openings:
            self.openings.setdefault(opening.version, []).append(opening)
        # A ruling with a remedy opens a closed log again: its batch says that it does not close.
        self.closed = batch.closes
        if batch.command is not None:
            first = batch.expect.version + 1
            self.commands[batch.command.id] = (batch.command.fingerprint, first, self.tip)
        return Appended(self.tip)

    def span(self, first: int, last: int | None) -> list[Event]:
        """Returns the events from `first` to `last`."""
        return self.events[max(first, 1) - 1 : None if last is None else max(last, 0)]


class LogsInMemory:
    """The common part of stores that read their logs into memory; safe for many threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # file locks do not part the threads of one process

    def _log(self, match: str) -> LogInMemory:
        raise NotImplementedError

    def answered(self, match: str, command: Command) -> Duplicate | Changed | None:
        with self._lock:
            return self._log(match).answered(command)

    def tip(self, match: str) -> Tip:
        with self._lock:
            return self._log(match).tip

    def tips(self, matches: Sequence[str]) -> list[Tip]:
        found: list[Tip] = []
        for match in matches:
            try:
                found.append(self.tip(match))
            except (DamagedLog, OSError, ValueError):  # one damaged log must not hide the others
                found.append(EMPTY)
        return found

    def events(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        with self._lock:
            return iter(self._log(match).span(first, last))

    def openings(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Opening]:
        with self._lock:
            log = self._log(match)
            opened = [log.openings.get(event.version, ()) for event in log.span(first, last)]
            return iter([opening for of_event in opened for opening in of_event])


class MemoryStore(LogsInMemory):
    def __init__(self) -> None:
        super().__init__()
        self._logs: dict[str, LogInMemory] = {}
        self._beside: dict[tuple[str, str], bytes] = {}
        self._parked: dict[str, bytes] = {}
        self._snapshots: dict[str, dict[tuple[int, str, str], Snapshot]] = {}

    def append(self, match: str, batch: Batch) -> Answer:
        with self._lock:
            log = self._log(match)
            log.parked = self._parked.get(match)
            refusal = log.refusal(match, batch)
            if refusal is not None:
                return refusal
            self._logs[match] = log
            return log.add(batch)

    def park(self, match: str, notice: bytes) -> None:
        self._parked[match] = notice

    def unpark(self, match: str) -> None:
        self._parked.pop(match, None)

    def parked(self, match: str) -> bytes | None:
        return self._parked.get(match)

    def matches(self) -> list[str]:
        return sorted(name for name in self._logs if "/" not in name and ":" not in name)

    def books(self) -> list[str]:
        return sorted(name for name in self._logs if ":" in name)

    def keep(self, match: str, name: str, value: bytes) -> None:
        already = self._beside.setdefault((match, name), value)
        if already != value:
            raise ValueError(f"{name} of {match} is stored already, with another value")

    def kept(self, match: str, name: str) -> bytes | None:
        return self._beside.get((match, name))

    def parked_matches(self) -> list[str]:
        return sorted(self._parked)

    def save(self, match: str, snapshot: Snapshot) -> None:
        key = (snapshot.version, snapshot.edition, snapshot.source)
        self._snapshots.setdefault(match, {})[key] = snapshot

    def snapshot(
        self, match: str, at_most: int, edition: str | None, source: str
    ) -> Snapshot | None:
        every = self._snapshots.get(match, {}).values()
        fitting = [held for held in every if held.fits(at_most, edition, source)]
        return max(fitting, key=lambda held: held.version, default=None)

    def _log(self, match: str) -> LogInMemory:
        return self._logs.get(match) or LogInMemory()
