"""A store in memory: for tests, for experiments, and for matches that need not be kept."""

from __future__ import annotations

from .protocol import Answer, Batch, LogInMemory, LogsInMemory, Snapshot


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
