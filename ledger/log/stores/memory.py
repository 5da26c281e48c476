"""A store in memory: for tests, for trying things out, and for matches that nobody keeps."""

from __future__ import annotations

from .protocol import Answer, Batch, Kept, LogsInMemory, Snapshot


class MemoryStore(LogsInMemory):
    """Logs in dictionaries."""

    def __init__(self) -> None:
        super().__init__()
        self._logs: dict[str, Kept] = {}
        self._beside: dict[tuple[str, str], bytes] = {}
        self._parked: dict[str, bytes] = {}
        self._snapshots: dict[str, dict[tuple[int, str, str], Snapshot]] = {}

    def append(self, match: str, batch: Batch) -> Answer:
        """Add a batch, or say why not."""
        with self._lock:
            log = self._log(match)
            log.parked = self._parked.get(match)
            refusal = log.refusal(match, batch)
            if refusal is not None:
                return refusal
            self._logs[match] = log
            return log.add(batch)

    def park(self, match: str, notice: bytes) -> None:
        """Take no more decisions for a match that cannot be folded."""
        self._parked[match] = notice

    def unpark(self, match: str) -> None:
        """Take decisions again."""
        self._parked.pop(match, None)

    def parked(self, match: str) -> bytes | None:
        """Why a match is parked; None where it is not."""
        return self._parked.get(match)

    def matches(self) -> list[str]:
        """The ids of all logs, sorted."""
        return sorted(name for name in self._logs if "/" not in name and ":" not in name)

    def books(self) -> list[str]:
        """The names of all books beside the matches, sorted."""
        return sorted(name for name in self._logs if ":" in name)

    def keep(self, match: str, name: str, value: bytes) -> None:
        """Keep something beside a log, once."""
        already = self._beside.setdefault((match, name), value)
        if already != value:
            msg = f"{name} of {match} is kept already, and differs"
            raise ValueError(msg)

    def kept(self, match: str, name: str) -> bytes | None:
        """What was kept under a name."""
        return self._beside.get((match, name))

    def parked_matches(self) -> list[str]:
        """The ids of all parked matches, sorted."""
        return sorted(self._parked)

    def save(self, match: str, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        key = (snapshot.version, snapshot.edition, snapshot.source)
        self._snapshots.setdefault(match, {})[key] = snapshot

    def snapshot(
        self, match: str, at_most: int, edition: str | None, source: str
    ) -> Snapshot | None:
        """The latest fitting snapshot."""
        every = self._snapshots.get(match, {}).values()
        fitting = [held for held in every if held.fits(at_most, edition, source)]
        return max(fitting, key=lambda held: held.version, default=None)

    def _log(self, match: str) -> Kept:
        return self._logs.get(match) or Kept()
