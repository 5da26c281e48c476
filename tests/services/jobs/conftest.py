"""A jobs' server, a queue on it, and workers in processes of their own."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from services.jobs.queue import JobQueue, JobState, id_of, server_at
from services.jobs.results import name_of
from tests.support.servers import AnyLedger, Server, programs
from tests.support.services.processes import wait_until
from tests.support.services.slow_worker import know_them
from tests.support.services.workers import Working


@dataclass
class Office:
    """A jobs' server, a queue, and whatever workers there are."""

    ledger: Server
    jobs: Server
    folder: Path
    workers: list[Working] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server: Redis = server_at(self.jobs.url)
        self.queue = JobQueue(self.server)
        self.notes = self.folder / "notes"

    def worker(self, module: str = "tests.support.services.slow_worker", **more: str) -> Working:
        made = Working(self.folder, self.ledger.url, self.jobs.url, module, **more)
        self.workers.append(made)
        return made

    def ask(self, name: str, **arguments: Any) -> str:
        """Have a job done; gives the name of its result."""
        result = name_of(name, arguments)
        self.queue.ask(name, id_of(result), self.told(result, arguments))
        return result

    def told(self, result: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {**arguments, "notes": str(self.notes), "result": result}

    def result(self, name: str) -> bytes | None:
        found = self.queue.results.packed(name)
        return None if found is None else gzip.decompress(found)

    def comes(self, name: str, seconds: float = 60.0) -> bool:
        return wait_until(lambda: self.result(name) is not None, seconds)

    def state(self, name: str) -> JobState | None:
        return self.queue.state(id_of(name))

    def is_(self, name: str, state: str, seconds: float = 60.0) -> bool:
        def so() -> bool:
            found = self.state(name)
            return found is not None and found.state == state

        return wait_until(so, seconds)

    @property
    def begun(self) -> list[str]:
        """Returns what jobs noted when they began."""
        return self.notes.read_text().split() if self.notes.exists() else []


@pytest.fixture
def office(any_ledger: AnyLedger, jobs_server: Server, tmp_path: Path) -> Iterator[Office]:
    know_them()
    found = Office(any_ledger(next(iter(programs()))), jobs_server, tmp_path)
    yield found
    for worker in found.workers:
        worker.kill()
    found.server.close()


@pytest.fixture
def sure(office: Office) -> Callable[[str], bool]:
    """Whether a process of this number is there no more."""

    def gone(pid: str) -> bool:
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        return False

    return gone
