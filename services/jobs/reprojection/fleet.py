"""A fleet of worker processes on this machine.

A worker process that dies takes one match with it, and that match is tried once more alone.
If the worker dies again, the match's verdict is an error. A worker that ignores signals is
killed after a multiple of the match's limit.
"""

from __future__ import annotations

import os
import selectors
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from services.run.children import Child, python
from services.run.settings import ROOT

from .batches import DIED, KILLED, TRIES, Job, MatchDone, RunItem, abandon_match, patience_of
from .run import Tell
from .worker import Readable, read_frame, write_frame

STOPS_WITHIN_S: Final = 2.0


class _Worker:
    """A worker process and its current job."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        descriptors = (theirs_in, theirs_out)
        command = python("-m", "services.jobs.reprojection.worker", *map(str, descriptors), *words)
        try:
            self.child = Child(
                "worker", command, folder=ROOT, environment=environment, descriptors=descriptors
            )
        finally:
            for theirs in descriptors:
                os.close(theirs)
        self._jobs = os.fdopen(ours_out, "wb")
        self.verdicts = os.fdopen(ours_in, "rb", buffering=0)
        self.job: Job | None = None
        self.left: deque[RunItem] = deque()
        self.deadline = 0.0

    def give(self, job: Job) -> None:
        self.job, self.left = job, deque(job.items)
        self.wait_anew()
        # Where it is dead, the end of its other pipe says so too.
        with suppress(BrokenPipeError):
            write_frame(self._jobs, msgspec.msgpack.encode(job))

    def wait_anew(self) -> None:
        """Sets the full deadline for the next match."""
        assert self.job is not None, "it has a job"
        self.deadline = time.monotonic() + patience_of(self.job.terms)

    def read(self) -> bytes | None:
        """Returns the next frame that the worker has sent, or None if it is dead."""
        return read_frame(_Whole(self.verdicts))

    def close(self) -> None:
        """Ends the worker, and closes its pipes."""
        self._close_jobs()
        self.child.ask_to_stop()
        self.child.wait(time.monotonic() + STOPS_WITHIN_S)
        self.verdicts.close()

    def kill(self) -> None:
        self._close_jobs()
        self.child.wait(0.0)
        self.verdicts.close()

    def _close_jobs(self) -> None:
        with suppress(BrokenPipeError):
            self._jobs.close()


class _Whole:
    """A pipe whose reads return everything that was asked for."""

    def __init__(self, pipe: Readable) -> None:
        self._pipe = pipe

    def read(self, size: int, /) -> bytes:
        """Reads `size` bytes, or fewer if the pipe has ended."""
        parts = b""
        while len(parts) < size:
            more = self._pipe.read(size - len(parts))
            if not more:
                return parts
            parts += more
        return parts


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
        with selectors.DefaultSelector() as selector:
            try:
                while self._busy_with(jobs, selector):
                    self._hear(selector, tell)
            finally:
                for worker in self._workers:
                    worker.close()
                self._workers.clear()

    def _busy_with(self, jobs: Iterator[Job], selector: selectors.BaseSelector) -> bool:
        """Gives jobs to idle workers; returns whether any worker has a job."""
        idle = [worker for worker in self._workers if worker.job is None]
        while idle or len(self._workers) < self.hands:
            job = self._again.popleft() if self._again else next(jobs, None)
            if job is None:
                break
            worker = idle.pop() if idle else self._start(selector)
            worker.give(job)
        return any(worker.job is not None for worker in self._workers)

    def _start(self, selector: selectors.BaseSelector) -> _Worker:
        worker = _Worker(self._words, self._environment)
        self._workers.append(worker)
        selector.register(worker.verdicts, selectors.EVENT_READ, worker)
        self._started(worker.child.pid)
        return worker

    def _hear(self, selector: selectors.BaseSelector, tell: Tell) -> None:
        """Waits for a worker's frame, or until a worker's time is up."""
        busy = [worker for worker in self._workers if worker.job is not None]
        until = min(worker.deadline for worker in busy)
        for key, _ in selector.select(max(0.0, until - time.monotonic())):
            worker: _Worker = key.data
            frame = worker.read()
            if frame is None:
                self._bury(worker, selector, tell, DIED)
            elif not frame:
                worker.job = None
            else:
                done = msgspec.msgpack.decode(frame, type=MatchDone)
                worker.left.popleft()
                worker.wait_anew()
                tell(done)
        for worker in busy:
            if worker in self._workers and worker.job and time.monotonic() > worker.deadline:
                self._bury(worker, selector, tell, KILLED, tries=1)

    def _bury(
        self,
        worker: _Worker,
        selector: selectors.BaseSelector,
        tell: Tell,
        why: str,
        tries: int = TRIES,
    ) -> None:
        """Removes a dead worker. Others take its remaining matches; the one that killed it runs
        alone.
        """
        selector.unregister(worker.verdicts)
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
