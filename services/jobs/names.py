"""Which jobs there are, and what a worker takes for one.

What lies in the queue is a name of the table and plain arguments in JSON. A worker calls what the
table says and nothing else: no name of a module, no callback, no address that is told of an end.
Whoever can write to the jobs' server can therefore have jobs done, and no code run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, TypeAlias

from redis import Redis
from rq.job import Job

QUEUE: Final = "hegemon"
SECONDS_MAX: Final = 120  # of one job; then it has failed
WAITS_MAX: Final = 900  # seconds in the queue; who still wants it asks again
ATTEMPTS: Final = 3  # where a worker ends in the middle
FAILED_KEPT: Final = 7 * 24 * 3_600

# What a job is given: the jobs' server, its arguments, and how to tell how far it is.
Progress: TypeAlias = Callable[[int, int], None]
Work: TypeAlias = Callable[[Redis, Mapping[str, Any], Progress], None]

JOBS: Final[Mapping[str, str]] = {
    "replay": "services.jobs.replays:work",
    "audit": "services.jobs.audits:work",
    "tournament_audit": "services.jobs.audits:work_on_tournament",
    "comparison": "services.jobs.comparisons:work",
    "reprojection": "services.jobs.reprojection.kept:work_on_run",
    "reprojection_part": "services.jobs.reprojection.parts:work_on_part",
    "dossier": "services.jobs.dossiers:work",
}


class NotAJob(Exception):
    """What lies in the queue is no job of ours."""


class Json:
    """Arguments are plain, in JSON."""

    @staticmethod
    def dumps(value: Any) -> bytes:
        """In bytes."""
        return json.dumps(value).encode()

    @staticmethod
    def loads(packed: bytes) -> Any:
        """Out of bytes."""
        return json.loads(packed)


def work_of(name: str | None) -> Work:
    """What is done for a job."""
    if name is None or name not in JOBS:
        raise NotAJob(f"there is no job {str(name)[:40]!r}")
    module, _, function = JOBS[name].partition(":")
    found: Work = getattr(import_module(module), function)
    return found


class Named(Job):
    """A job by the table alone; what else may lie beside it is not heeded."""

    @property
    def func(self) -> Callable[..., Any]:
        """What is done with the arguments."""
        if self.instance is not None or self.kwargs or len(self.args) != 1:
            raise NotAJob("a job has a name and plain arguments, and no more")
        work = work_of(self.func_name)

        def do(arguments: Any) -> None:
            if not isinstance(arguments, dict):
                raise NotAJob("the arguments of a job are named")
            work(self.connection, arguments, telling(self.connection, self.id))

        return do

    def restore(self, raw_data: Any) -> None:
        """As it lies there, but for what would be called beside it."""
        super().restore(raw_data)
        self._success_callback_name = self._failure_callback_name = None
        self._stopped_callback_name = None
        self.webhooks = []
        self.repeats_left = None


def telling(server: Redis, job: str) -> Progress:
    """Lets a job say how far it is; not so often that it costs anything."""
    told = [-1]

    def tell(done: int, of: int) -> None:
        part = done * 50 // max(of, 1)
        if part != told[0]:
            told[0] = part
            server.set(progress_key(job), f"{done} {of}", ex=SECONDS_MAX * 2)

    return tell


def progress_key(job: str) -> str:
    """Where it lies how far a job is."""
    return f"hegemon:progress:{job}"
