"""The queue of jobs: the table of jobs, requests for them, and their states.

The queue holds a name from the table and plain arguments in JSON. A worker calls what the
table says and nothing else: no module name, no callback, no address to be notified. So
write access to the jobs' server lets a person request jobs, but not run code.

A job's id is derived from its result's name, so equal requests share one job. Its state,
progress and error are stored under that id, so finding them needs no search. Jobs that ended and
workers that are alive are counted here, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import import_module
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias

import msgspec
from redis import Redis
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import TimeoutError as NoAnswer
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.job import Job
from rq.serializers import JSONSerializer as Json

from replays.walk import Progress

from .results import ResultStore

QUEUE: Final = "hegemon"
SECONDS_MAX: Final = 120  # of one job; then it has failed
WAITS_MAX: Final = 900  # seconds in the queue; who still wants it asks again
ATTEMPTS: Final = 3  # where a worker ends in the middle
FAILED_KEPT: Final = 7 * 24 * 3_600

# A job's work takes the jobs' server, its arguments, and a function that reports progress.
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
ROOM: Final = 200  # jobs that wait
ROOM_EACH: Final = 20  # ... or run, of those that one person has asked for
AGAIN_SECONDS: Final = 60  # after a failure nobody's asking makes it be tried again before
OUTAGES: Final = (NoConnection, NoAnswer)

# For /metrics. Each figure has its own key, so no job is looked at.
COUNTS: Final = "hegemon:jobs"  # by name and outcome
BEAT_SECONDS: Final = 15.0  # a worker that has said nothing for longer is none
WORKERS: Final = "hegemon:workers"  # by name, when each said last that it is there
FAILED: Final = f"rq:failed:{QUEUE}"
STARTED: Final = f"rq:wip:{QUEUE}"

Standing: TypeAlias = Literal["queued", "running", "failed"]


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


# --- requests and states --------------------------------------------------------------------------


class Full(Exception):
    """The queue is full, so no job is accepted."""


class FullForOne(Full):
    """A person has too many waiting jobs, so no other is accepted from them."""


class JobState(msgspec.Struct, frozen=True, kw_only=True):
    job: str
    state: Standing
    done: int = 0
    of: int = 0
    name: str = ""
    since: str = ""  # when it was asked for
    ended: str = ""
    why: str = ""


def server_at(url: str, seconds: float = 2.0) -> Redis:
    timeouts: dict[str, Any] = {"socket_timeout": seconds}
    if not url.startswith("unix://"):
        timeouts["socket_connect_timeout"] = seconds
    return Redis.from_url(url, **timeouts)


def asked_key(by: str) -> str:
    return f"hegemon:asked:{by}"


def id_of(result: str) -> str:
    return result.replace(":", "-")


class JobQueue:
    """The job requests of one process."""

    def __init__(self, server: Redis, room: int = ROOM, each: int = ROOM_EACH) -> None:
        self.server = server
        self.results = ResultStore(server)
        self._room = room
        self._each = each
        self._queue = Queue(
            QUEUE,
            connection=server,
            job_class=TableJob,
            serializer=Json,
        )

    def ask(self, name: str, job: str, arguments: Mapping[str, Any], by: str = "") -> JobState:
        """Requests a job, unless it waits or runs already or has failed just now.

        Each requester (`by`) has a limit, so that there is room for others. A request without one
        counts against no limit.
        """
        found = self.state(job)
        if found is not None and not self._may_try_again(found):
            return found
        if found is not None:
            self._forget(job)
        if self._queue.count >= self._room:
            raise Full
        if by and self._waited_for(by) >= self._each:
            raise FullForOne
        made = TableJob.create(
            name,
            (dict(arguments),),
            connection=self.server,
            id=job,
            description=name,
            timeout=SECONDS_MAX,
            result_ttl=0,  # the result lies with the results
            failure_ttl=FAILED_KEPT,
            ttl=WAITS_MAX,
            origin=QUEUE,
            serializer=Json,
        )
        made.retries_left = ATTEMPTS
        made.enqueue_at_front_on_retry = True
        try:
            self._queue.enqueue_job(made, unique=True)
        except DuplicateJobError:  # somebody else asked at this moment
            return self.state(job) or JobState(job=job, state="queued", name=name)
        if by:
            self.server.sadd(asked_key(by), job)
            self.server.expire(asked_key(by), WAITS_MAX + ATTEMPTS * SECONDS_MAX)
        return JobState(job=job, state="queued", name=name)

    def _waited_for(self, by: str) -> int:
        mine: Any = self.server.smembers(asked_key(by))
        states = {job: self.state(_text(job)) for job in sorted(mine)}
        over = [job for job, found in states.items() if found is None or found.state == "failed"]
        if over:
            self.server.srem(asked_key(by), *over)
        return len(mine) - len(over)

    def state(self, job: str) -> JobState | None:
        """Returns a job's state, or None if it was never requested or is done."""
        told: Any = self.server.hmget(
            f"rq:job:{job}", "status", "description", "enqueued_at", "ended_at"
        )
        status = _text(told[0])
        if not status:
            return None
        standing: Standing = {"failed": "failed", "started": "running"}.get(status, "queued")  # type: ignore[assignment]
        done, of = 0, 0
        if standing == "running":
            far: Any = self.server.get(progress_key(job))
            done, of = map(int, (far or b"0 0").split())
        return JobState(
            job=job,
            state=standing,
            done=done,
            of=of,
            name=_text(told[1]),
            since=_text(told[2]),
            ended=_text(told[3]),
            why=self._why(job) if standing == "failed" else "",
        )

    def all(self, most: int = 1_000) -> list[JobState]:
        """Returns the jobs that run, wait and have failed, in this order."""
        ids = [
            *self._started(),
            *self._queue.get_job_ids(0, most),
            *self._failed(most),
        ]
        found = (self.state(one) for one in dict.fromkeys(ids))
        return [one for one in found if one is not None]

    def retry(self, job: str) -> bool:
        """Requests a failed job again; returns False if it has not failed."""
        if job not in self._failed(FAILED_KEPT):
            return False
        again = TableJob.fetch(job, connection=self.server, serializer=Json)
        name, arguments = str(again.func_name), again.args[0]
        self._forget(job)
        self.ask(name, job, arguments)
        return True

    def _started(self) -> list[str]:
        """Returns the ids of the running jobs, without the attempt that rq appends."""
        found: Any = self.server.zrange(STARTED, 0, -1)
        return [_text(one).rpartition(":")[0] for one in found]

    def _failed(self, most: int) -> list[str]:
        found: Any = self.server.zrevrange(FAILED, 0, most - 1)
        return [_text(one) for one in found]

    def _forget(self, job: str) -> None:
        """Deletes a failed job, so that it can be requested again under its name."""
        self.server.zrem(FAILED, job)
        self.server.delete(f"rq:job:{job}", f"rq:results:{job}", progress_key(job))

    def _why(self, job: str) -> str:
        """Returns the last line of a failed job's error."""
        from rq.results import Result

        made = TableJob(job, connection=self.server, serializer=Json)
        result = Result.fetch_latest(made, serializer=Json)
        lines = [] if result is None else (result.exc_string or "").strip().splitlines()
        return lines[-1][:300] if lines else ""

    @staticmethod
    def _may_try_again(found: JobState) -> bool:
        if found.state != "failed":
            return False
        if not found.ended:
            return True
        ended = datetime.fromisoformat(found.ended)
        return (datetime.now(UTC) - ended).total_seconds() > AGAIN_SECONDS


def _text(found: bytes | str | None) -> str:
    return found.decode() if isinstance(found, bytes) else (found or "")


# --- figures --------------------------------------------------------------------------------------


def count(server: Redis, name: str, outcome: str) -> None:
    """Counts an ended job by its outcome."""
    server.hincrby(COUNTS, f"{name} {outcome}", 1)


def beat(server: Redis, worker: str) -> None:
    """Records that a worker is alive."""
    now = time.time()
    server.zadd(WORKERS, {worker: now})
    server.zremrangebyscore(WORKERS, 0, now - 100 * BEAT_SECONDS)


def leave(server: Redis, worker: str) -> None:
    """Removes a worker that ends."""
    server.zrem(WORKERS, worker)


def workers_now(server: Redis) -> int:
    found: Any = server.zcount(WORKERS, time.time() - BEAT_SECONDS, "+inf")
    return int(found)
