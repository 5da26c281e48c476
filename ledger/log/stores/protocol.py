"""The store: where logs are kept. One protocol, one contract suite for everything that keeps it.

An append stands or falls as one: the events, their openings and the command's answer. What it must
refuse it refuses before anything is written, in this order of precedence:

    known command, same fingerprint  → Duplicate   the first answer again
    known command, another body      → Changed
    a decision for a parked match    → Parked
    the log has been closed          → Closed
    version or head not as expected  → Conflict    with the events since
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Final, Protocol, TypeAlias

import msgspec

from ledger.log.format.chain import EMPTY, Event, Tip, head_after
from ledger.log.format.commitments import Opening

BATCH_MAX: Final = 32  # a decision and the chance answers it calls for


class DamagedLog(Exception):
    """A log is not what was written."""


class Unavailable(Exception):
    """The store cannot be asked now. What was to be written is not there, unless it is `unknown`.

    Who asks again with the same command gets one event and a definite answer.
    """

    def __init__(self, why: str, *, unknown: bool = False) -> None:
        super().__init__(why)
        self.unknown = unknown


class Command(msgspec.Struct, frozen=True, array_like=True):
    """Who asks twice gets one event: the client's id, and a keyed hash of what it asked."""

    id: str
    fingerprint: bytes


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What stands or falls together."""

    expect: Tip
    events: tuple[Event, ...]
    openings: tuple[Opening, ...] = ()
    command: Command | None = None
    closes: bool = False
    after_close: bool = False  # a dispute or its ruling: all that a closed log takes
    decides: bool = False  # it folds decisions, which a parked match does not take


class Appended(msgspec.Struct, frozen=True):
    """The batch is in the log."""

    tip: Tip


class Duplicate(msgspec.Struct, frozen=True):
    """The command was carried out before: these events, after which the log ended so."""

    first: int
    tip: Tip


class Changed(msgspec.Struct, frozen=True):
    """The command's id was used before for something else."""

    command: str


class Parked(msgspec.Struct, frozen=True):
    """The match cannot be folded and takes no decisions until somebody has seen to it."""

    tip: Tip
    notice: bytes


class Closed(msgspec.Struct, frozen=True):
    """The log takes nothing more."""

    tip: Tip


class Conflict(msgspec.Struct, frozen=True):
    """Somebody else was first, or the caller has another log in mind."""

    tip: Tip
    events: tuple[Event, ...]  # since the version that was expected


Answer: TypeAlias = Appended | Duplicate | Changed | Parked | Closed | Conflict


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A match as bytes after an event, under the edition that its log had in force there.

    It is void under another source of the rules, and for a log that had another head there.
    """

    version: int
    head: bytes
    edition: str
    source: str
    held: bytes
    used: bytes  # the rule-use index of its line

    def fits(self, at_most: int, edition: str | None, source: str) -> bool:
        """Whether it may be used for a version, under an edition (None: any) and a source."""
        return self.version <= at_most and self.source == source and edition in (None, self.edition)


class Store(Protocol):
    """Where logs are kept."""

    def append(self, match: str, batch: Batch) -> Answer:
        """Add a batch, or say why not."""

    def answered(self, match: str, command: Command) -> Duplicate | Changed | None:
        """What became of a command that was carried out before; None where it was not."""

    def tip(self, match: str) -> Tip:
        """The end of a log; `EMPTY` where there is none."""

    def tips(self, matches: Sequence[str]) -> list[Tip]:
        """The ends of several logs; `EMPTY` also where one cannot be read."""

    def events(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        """The events from `first` to `last`."""

    def openings(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Opening]:
        """The openings of the commitments in these events. Secret: see serving.py."""

    def matches(self) -> list[str]:
        """The ids of all logs, sorted."""

    def books(self) -> list[str]:
        """The names of all books beside the matches, sorted (books.py)."""

    def keep(self, match: str, name: str, value: bytes) -> None:
        """Keep something beside a log: its secrets, its overlay. Written once."""

    def kept(self, match: str, name: str) -> bytes | None:
        """What was kept under a name."""

    def park(self, match: str, notice: bytes) -> None:
        """Take no more decisions for a match that cannot be folded."""

    def unpark(self, match: str) -> None:
        """Take decisions again."""

    def parked(self, match: str) -> bytes | None:
        """Why a match is parked; None where it is not."""

    def parked_matches(self) -> list[str]:
        """The ids of all parked matches, sorted."""

    def save(self, match: str, snapshot: Snapshot) -> None:
        """Keep a snapshot: a cache, not the log."""

    def snapshot(
        self, match: str, at_most: int, edition: str | None, source: str
    ) -> Snapshot | None:
        """The latest snapshot up to a version, made under this source and edition (None: any)."""


def fits(match: str, tip: Tip, batch: Batch) -> bool:
    """Whether a batch continues a log that ends at `tip`, link by link."""
    if batch.expect != tip or not 0 < len(batch.events) <= BATCH_MAX:
        return False
    for event in batch.events:
        right = event.version == tip.version + 1
        if not right or event.head != head_after(match, tip, event.body):
            return False
        tip = event.tip
    return True


class Kept:
    """One log in memory: what every store answers from."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.openings: dict[int, list[Opening]] = {}
        self.commands: dict[str, tuple[bytes, int, Tip]] = {}
        self.closed = False
        self.parked: bytes | None = None

    @property
    def tip(self) -> Tip:
        """The end of the log."""
        return self.events[-1].tip if self.events else EMPTY

    def refusal(self, match: str, batch: Batch) -> Answer | None:
        """Why a batch cannot be added, in order of precedence."""
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
        """What became of a command that was carried out before."""
        if command.id not in self.commands:
            return None
        fingerprint, first, tip = self.commands[command.id]
        return Duplicate(first, tip) if fingerprint == command.fingerprint else Changed(command.id)

    def add(self, batch: Batch) -> Appended:
        """Add a batch that nothing speaks against."""
        self.events += batch.events
        for opening in batch.openings:
            self.openings.setdefault(opening.version, []).append(opening)
        # A ruling with a remedy opens a closed log again: its batch says that it does not close.
        self.closed = batch.closes
        if batch.command is not None:
            first = batch.expect.version + 1
            self.commands[batch.command.id] = (batch.command.fingerprint, first, self.tip)
        return Appended(self.tip)

    def openings_of(self, versions: Sequence[int]) -> Iterator[Opening]:
        """The openings of some events."""
        for version in versions:
            yield from self.openings.get(version, ())

    def span(self, first: int, last: int | None) -> range:
        """The versions from `first` to `last` that there are."""
        end = len(self.events) if last is None else min(last, len(self.events))
        return range(max(first, 1), end + 1)


class LogsInMemory:
    """What every store that reads its logs into memory answers alike, thread by thread."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # file locks do not part the threads of one process

    def _log(self, match: str) -> Kept:
        raise NotImplementedError

    def answered(self, match: str, command: Command) -> Duplicate | Changed | None:
        """What became of a command that was carried out before."""
        with self._lock:
            return self._log(match).answered(command)

    def tip(self, match: str) -> Tip:
        """The end of a log."""
        with self._lock:
            return self._log(match).tip

    def tips(self, matches: Sequence[str]) -> list[Tip]:
        """The ends of several logs."""
        found: list[Tip] = []
        for match in matches:
            try:
                found.append(self.tip(match))
            except (DamagedLog, OSError, ValueError):  # one damaged log must not hide the others
                found.append(EMPTY)
        return found

    def events(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        """The events from `first` to `last`."""
        with self._lock:
            log = self._log(match)
            return iter([log.events[version - 1] for version in log.span(first, last)])

    def openings(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Opening]:
        """The openings of the commitments in these events."""
        with self._lock:
            log = self._log(match)
            return iter(list(log.openings_of(log.span(first, last))))
