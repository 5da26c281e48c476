"""A store in memory: for tests, for trying things out, and for matches that nobody keeps."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from .chain import Event, Tip
from .commitments import Opening
from .store import Answer, Batch, Changed, Command, Duplicate, Kept, Snapshot


class MemoryStore:
    """Logs in dictionaries."""

    def __init__(self) -> None:
        self._logs: dict[str, Kept] = {}
        self._beside: dict[tuple[str, str], bytes] = {}
        self._lock = threading.RLock()
        self._snapshots: dict[str, dict[tuple[int, str, str], Snapshot]] = {}

    def append(self, match: str, batch: Batch) -> Answer:
        """Add a batch, or say why not."""
        with self._lock:
            log = self._log(match)
            refusal = log.refusal(match, batch)
            if refusal is not None:
                return refusal
            self._logs[match] = log
            return log.add(batch)

    def answered(self, match: str, command: Command) -> Duplicate | Changed | None:
        """What became of a command that was carried out before."""
        return self._log(match).answered(command)

    def tip(self, match: str) -> Tip:
        """The end of a log."""
        return self._log(match).tip

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

    def matches(self) -> list[str]:
        """The ids of all logs, sorted."""
        return sorted(self._logs)

    def keep(self, match: str, name: str, value: bytes) -> None:
        """Keep something beside a log, once."""
        already = self._beside.setdefault((match, name), value)
        if already != value:
            msg = f"{name} of {match} is kept already, and differs"
            raise ValueError(msg)

    def kept(self, match: str, name: str) -> bytes | None:
        """What was kept under a name."""
        return self._beside.get((match, name))

    def save(self, match: str, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        key = (snapshot.version, snapshot.edition, snapshot.source)
        self._snapshots.setdefault(match, {})[key] = snapshot

    def snapshot(self, match: str, at_most: int, edition: str, source: str) -> Snapshot | None:
        """The latest fitting snapshot."""
        fitting = [
            held
            for (version, *key), held in self._snapshots.get(match, {}).items()
            if version <= at_most and key == [edition, source]
        ]
        return max(fitting, key=lambda held: held.version, default=None)

    def _log(self, match: str) -> Kept:
        return self._logs.get(match) or Kept()
