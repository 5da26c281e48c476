"""A fleet of worker processes on this machine.

A worker process that dies takes one match with it, and that match is tried once more alone.
If the worker dies again, the match's verdict is an error. A worker that ignores signals is
killed after a multiple of the match's limit.
"""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Pipe, wait
from typing import Any, Final

import msgspec

from services.run.children import Child, python
from services.run.settings import ROOT

from .batches import DIED, KILLED, TRIES, Job, MatchDone, RunItem, abandon_match, patience_of
from .run import Tell
from .worker import END

STOPS_WITHIN_S: Final = 2.0


class _Worker:
    """A worker process and its current job."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.pipe, theirs = Pipe()
        with theirs:
            number = theirs.fileno()
            command = python("-m", "services.jobs.reprojection.worker", str(number), *words)
            self.child = Child(
                "worker", command, folder=ROOT, environment=environment, descriptors=(number,)
            )
        self.job: Job | None = None
        self.left: deque[RunItem] = deque()
        self.deadline = 0.0

    def give(self, job: Job) -> None:
        self.job, self.left = job, deque(job.items)
        self.wait_anew()
        with suppress(OSError):  # where it is dead, the next read says so too
            self.pipe.send_bytes(msgspec.msgpack.encode(job))

    def wait_anew(self) -> None:
        """Sets the full deadline for the next match."""
        assert self.job is not None, "it has a job"
        self.deadline = time.monotonic() + patience_of(self.job.terms)

    def read(self) -> bytes | None:
        """Returns the next message that the worker has sent, or None if it is dead."""
        try:
            return self.pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def close(self) -> None:
        """Ends the worker, and closes its pipe."""
        self.child.ask_to_stop()
        self.child.wait(time.monotonic() + STOPS_WITHIN_S)
        self.pipe.close()

    def kill(self) -> None:
        self.child.wait(0.0)
        self.pipe.close()


class Processes:
    def __init__(
        self,
        workers: int,
        environment: Mapping[str, str] | None = None,
        rules_from: str = "",  # MODULE:NAME of another way to find rulesets
        started: Callable[[int], None] = lambda _: None,  # is told the number of each process
    ) -> None:
        self.hands = workers
        self._environment = dict(os.environ if environment is None else environment)
        self._words = [rules_from] if rules_from else []
        self._started = started
        self._workers: list[_Worker] = []
        self._again: deque[Job] = deque()
        self._deaths: Counter[str] = Counter()

    def run(self, jobs: Iterator[Job], tell: Tell) -> None:
        try:
            while self._busy_with(jobs):
                self._hear(tell)
        finally:
            for worker in self._workers:
                worker.close()
            self._workers.clear()

    def _busy_with(self, jobs: Iterator[Job]) -> bool:
        """Gives jobs to idle workers; returns whether any worker has a job."""
        idle = [worker for worker in self._workers if worker.job is None]
        while idle or len(self._workers) < self.hands:
            job = self._again.popleft() if self._again else next(jobs, None)
            if job is None:
                break
            worker = idle.pop() if idle else self._start()
            worker.give(job)
        return any(worker.job is not None for worker in self._workers)

    def _start(self) -> _Worker:
        worker = _Worker(self._words, self._environment)
        self._workers.append(worker)
        self._started(worker.child.pid)
        return worker

    def _hear(self, tell: Tell) -> None:
        """Waits for a worker's message, or until a worker's time is up."""
        busy = [worker for worker in self._workers if worker.job is not None]
        until = min(worker.deadline for worker in busy)
        by_pipe: dict[Any, _Worker] = {worker.pipe: worker for worker in self._workers}
        for pipe in wait(list(by_pipe), max(0.0, until - time.monotonic())):
            worker = by_pipe[pipe]
            message = worker.read()
            if message is None:
                self._bury(worker, tell, DIED)
            elif message == END:
                worker.job = None
            else:
                done = msgspec.msgpack.decode(message, type=MatchDone)
                worker.left.popleft()
                worker.wait_anew()
                tell(done)
        for worker in busy:
            if worker in self._workers and worker.job and time.monotonic() > worker.deadline:
                self._bury(worker, tell, KILLED, tries=1)

    def _bury(self, worker: _Worker, tell: Tell, why: str, tries: int = TRIES) -> None:
        """Removes a dead worker. Others take its remaining matches; the one that killed it runs
        alone.
        """
        self._workers.remove(worker)
        worker.kill()
        if worker.job is None or not worker.left:
            return
        terms, item = worker.job.terms, worker.left.popleft()
        self._deaths[item.source] += 1
        if self._deaths[item.source] < tries:
            self._again.append(Job(terms=terms, items=[item]))
        else:
            tell(abandon_match(worker.job, item, why))
        if worker.left:
            self._again.append(Job(terms=terms, items=list(worker.left)))
