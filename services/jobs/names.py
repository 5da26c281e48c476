"""The table of jobs, and the only things a worker accepts as one.

The queue holds a name from the table and plain arguments in JSON. A worker calls what the
table says and nothing else: no module name, no callback, no address to be notified. So
write access to the jobs' server lets a person request jobs, but not run code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from operator import attrgetter
from typing import Any, Final, TypeAlias

from redis import Redis
from rq.job import Job

from replays.walk import Progress

QUEUE: Final = "hegemon"
SECONDS_MAX: Final = 120  # of one job; then it has failed
WAITS_MAX: Final = 900  # seconds in the queue; who still wants it asks again
ATTEMPTS: Final = 3  # where a worker ends in the middle
FAILED_KEPT: Final = 7 * 24 * 3_600

# What a job is given: the jobs' server, its arguments, and how to tell how far it is.
Work: TypeAlias = Callable[[Redis, Mapping[str, Any], Progress], None]

JOBS: Final[Mapping[str, str]] = {
    "replay": "services.jobs.replays:WantedReplay.work",
    "audit": "services.jobs.audits:WantedAudit.work",
    "tournament_audit": "services.jobs.tournament_audits:WantedOfTournament.work",
    "comparison": "services.jobs.comparisons:WantedComparison.work",
    "dossier": "services.jobs.dossiers:WantedDossier.work",
    "reprojection": "services.jobs.reprojection.kept:work_on_run",
    "reprojection_part": "services.jobs.reprojection.parts:work_on_part",
}


class NotAJob(Exception):
    """The queue holds something that is not one of our jobs."""


def work_of(name: str | None) -> Work:
    if name is None or name not in JOBS:
        raise NotAJob(f"there is no job {str(name)[:40]!r}")
    module, _, function = JOBS[name].partition(":")
    work: Work = attrgetter(function)(import_module(module))
    return work


class TableJob(Job):
    """A job that runs only what the table says, and ignores rq's other fields."""

    @property
    def func(self) -> Callable[..., Any]:
        """Returns the function that does the job with its arguments."""
        if self.instance is not None or self.kwargs or len(self.args) != 1:
            raise NotAJob("a job must have only a name and plain arguments")
        work = work_of(self.func_name)

        def do(arguments: Any) -> None:
            if not isinstance(arguments, dict):
                raise NotAJob("the arguments of a job must be named")
            work(self.connection, arguments, make_progress(self.connection, self.id))

        return do

    def restore(self, raw_data: Any) -> None:
        """Loads the job without its callbacks, webhooks and repeats."""
        super().restore(raw_data)
        self._success_callback_name = self._failure_callback_name = None
        self._stopped_callback_name = None
        self.webhooks = []
        self.repeats_left = None


def make_progress(server: Redis, job: str) -> Progress:
    """Returns a function that reports a job's progress, in steps of 2 percent."""
    told = [-1]

    def tell(done: int, of: int) -> None:
        part = done * 50 // max(of, 1)
        if part != told[0]:
            told[0] = part
            server.set(progress_key(job), f"{done} {of}", ex=SECONDS_MAX * 2)

    return tell


def progress_key(job: str) -> str:
    return f"hegemon:progress:{job}"
