"""The store: the place of all logs. One protocol, and one contract suite for all stores.

An append succeeds or fails as a whole: the events, their openings and the command's answer.
It refuses before it writes anything, in this order of precedence:

    known command, same fingerprint  → Duplicate   the first answer again
    known command, another body      → Changed
    a decision for a parked match    → Parked
    the log has been closed          → Closed
    version or head not as expected  → Conflict    with the events since
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol, TypeAlias

import msgspec

from ledger.kernel.lookup import Use
from ledger.log.format.chain import Event, Opening, Tip

BATCH_MAX: Final = 32  # a decision and the chance answers it calls for


class DamagedLog(Exception):
    """A log is not what was written."""


class Unavailable(Exception):
    """The store cannot be reached now. Nothing was written, unless the outcome is `unknown`.

    Sending the same command again yields one event and a definite answer.
    """

    def __init__(self, why: str, *, unknown: bool = False) -> None:
        super().__init__(why)
        self.unknown = unknown


class Command(msgspec.Struct, frozen=True, array_like=True):
    """A client's id and a keyed hash of its request: sending it twice yields one event."""

    id: str
    fingerprint: bytes


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Events that one append writes together, or not at all."""

    expect: Tip
    events: tuple[Event, ...]
    openings: tuple[Opening, ...] = ()
    command: Command | None = None
    closes: bool = False
    after_close: bool = False  # a dispute or its ruling: all that a closed log takes
    decides: bool = False  # it folds decisions, which a parked match does not take


class Appended(msgspec.Struct, frozen=True):
    tip: Tip


class Duplicate(msgspec.Struct, frozen=True):
    """The command was carried out before: its first event, and the tip after its batch."""

    first: int
    tip: Tip


class Changed(msgspec.Struct, frozen=True):
    """The command's id was used before for something else."""

    command: str


class Parked(msgspec.Struct, frozen=True):
    """The match cannot be folded and takes no decisions until a person unparks it."""

    tip: Tip
    notice: bytes


class Closed(msgspec.Struct, frozen=True):
    tip: Tip


class Conflict(msgspec.Struct, frozen=True):
    """Another writer was first, or the caller expected another log."""

    tip: Tip
    events: tuple[Event, ...]  # since the version that was expected


Answer: TypeAlias = Appended | Duplicate | Changed | Parked | Closed | Conflict


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A match as bytes after an event, under the edition that its log had in force there.

    It is invalid under another source of the rules, and for a log with another head there.
    """

    version: int
    head: bytes
    edition: str
    source: str
    held: bytes
    used: bytes  # the rule-use index of its line

    def fits(self, at_most: int, edition: str | None, source: str) -> bool:
        """Returns whether it fits a version, an edition (None: any) and a source of the rules."""
        return self.version <= at_most and self.source == source and edition in (None, self.edition)


def used_bytes(used: dict[Use, int]) -> bytes:
    """Returns a rule-use index as bytes to store."""
    return msgspec.msgpack.encode(sorted((list(use), first) for use, first in used.items()))


class Store(Protocol):
    """The interface of all stores of logs."""

    def append(self, match: str, batch: Batch) -> Answer:
        """Adds a batch, or returns the reason why not."""

    def answered(self, match: str, command: Command) -> Duplicate | Changed | None:
        """Returns the result of a command that was carried out before, or None."""

    def tip(self, match: str) -> Tip:
        """Returns the tip of a log; `EMPTY` if there is none."""

    def tips(self, matches: Sequence[str]) -> list[Tip]:
        """Returns the tips of several logs; `EMPTY` also for one that cannot be read."""

    def events(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        """Yields the events from `first` to `last`."""

    def openings(self, match: str, first: int = 1, last: int | None = None) -> Iterator[Opening]:
        """Yields the openings of the commitments in these events. Secret: see served.py."""

    def matches(self) -> list[str]:
        """Returns the ids of all logs, sorted."""

    def books(self) -> list[str]:
        """Returns the names of all books, sorted (books.py)."""

    def keep(self, match: str, name: str, value: bytes) -> None:
        """Stores a value with a log: its secrets, its overlay. Written once."""

    def kept(self, match: str, name: str) -> bytes | None:
        """Returns the value kept under a name, or None."""

    def park(self, match: str, notice: bytes) -> None:
        """Stops decisions for a match that cannot be folded."""

    def unpark(self, match: str) -> None:
        """Allows decisions again."""

    def parked(self, match: str) -> bytes | None:
        """Returns the reason why a match is parked, or None."""

    def parked_matches(self) -> list[str]:
        """Returns the ids of all parked matches, sorted."""

    def save(self, match: str, snapshot: Snapshot) -> None:
        """Stores a snapshot. It is a cache, not part of the log."""

    def snapshot(
        self, match: str, at_most: int, edition: str | None, source: str
    ) -> Snapshot | None:
        """Returns the latest snapshot up to a version, of this source and edition (None: any)."""
