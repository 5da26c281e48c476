"""Takes jobs and has them done.

rq provides the queue and the formats. Our changes to its worker let it be killed at any
moment:

- while a job runs its worker says so every second, and holds it for six: then another takes it up
- every two seconds a worker looks for such jobs, and for those taken and never begun
- the process that does a job ends with the worker that waits for it
- asked to stop, a worker gives its job a moment more, and then puts it back to the front
"""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from redis import Redis
from rq import Queue
from rq.exceptions import DequeueTimeout, NoSuchJobError
from rq.job import Job
from rq.registry import StartedJobRegistry
from rq.serializers import JSONSerializer as Json
from rq.utils import utcformat
from rq.worker import Worker

from services.jobs.queue import JOBS, OUTAGES, QUEUE, TableJob, beat, count, leave
from services.run.children import ask_kernel
from services.run.outages import PAUSE_SECONDS, Retry

LEASE_SECONDS: Final = 6
BEAT_SECONDS: Final = 1
LOOK_SECONDS: Final = 2.0
LOST_SECONDS: Final = 3.0  # taken from the queue, and not begun
STOP_SECONDS: Final = 1.0  # more for the job that runs
_LOOKING: Final = "hegemon:looking-after"
_LOG: Final = logging.getLogger("services.jobs")

Going = Callable[[], bool]


class JobWorker(Worker):
    """An rq worker with the changes described above."""

    def __init__(self, server: Redis, going: Going, tell: Callable[[str], None]) -> None:
        logging.getLogger("rq").setLevel(logging.CRITICAL)  # what there is to say is said here
        super().__init__(
            [QUEUE],
            connection=server,
            job_class=TableJob,
            serializer=Json,
            worker_ttl=30,
            job_monitoring_interval=BEAT_SECONDS,
        )
        self._going = going
        self._looked = 0.0
        self._asked_to_stop = 0.0
        self._retry = Retry(tell)

    # --- the loop ------------------------------------------------------------------------------

    def run(self) -> None:
        """Does jobs until told to stop, and survives outages of the server."""
        born = False
        while self._going():
            try:
                if not born:
                    self.register_birth()  # type: ignore[no-untyped-call]
                    born = True
                self._look_after()
                self._take_one()
                self._retry.went()
            except OUTAGES as why:
                self._end_horse()
                self._retry.failed(f"waits for its server: {why}")
                self._retry.wait()
            except Exception:  # noqa: BLE001 - the one place for whatever else goes wrong
                # The entry may be no job at all; the worker goes on with the others.
                self._end_horse()
                _LOG.exception("a queued job cannot be read")
                time.sleep(PAUSE_SECONDS)
        with contextlib.suppress(*OUTAGES):
            leave(self.connection, self.name)
            self.register_death()  # type: ignore[no-untyped-call]

    def _take_one(self) -> None:
        try:
            found = self.queue_class.dequeue_any(
                self.queues,
                1,
                connection=self.connection,
                job_class=self.job_class,
                serializer=Json,
                death_penalty_class=self.death_penalty_class,
            )
        except DequeueTimeout:
            self.heartbeat()
            return
        if found is not None:
            self._have_done(*found)

    def _have_done(self, job: Job, queue: Queue) -> None:
        began = time.perf_counter()
        match: Any = None
        with contextlib.suppress(Exception):  # then it is no job of ours, which is said below
            match = job.args[0].get("match")
        self.execute_job(job, queue)
        outcome = self._outcome(job)
        about = {
            "job": job.description,
            "id": job.id[:24],
            "match": match if isinstance(match, str) else None,
            "outcome": outcome,
            "ms": round((time.perf_counter() - began) * 1_000, 1),
        }
        level = logging.ERROR if outcome == "failed" else logging.INFO
        _LOG.log(level, "%s", "job", extra={"about": about})
        count(self.connection, _job_label_of(job.description), outcome)

    def _outcome(self, job: Job) -> str:
        """Returns how a job ended. A job that is done no longer exists."""
        status: Any = self.connection.hget(job.key, "status")
        return {None: "done", b"failed": "failed"}.get(status, "put back")

    # --- one job -------------------------------------------------------------------------------

    def get_heartbeat_ttl(self, job: Job) -> int:
        """Returns how long a job is held without a heartbeat."""
        return LEASE_SECONDS

    def maintain_heartbeats(self, job: Job) -> None:
        """Runs every second during a job: holds it, and puts it back if asked to stop."""
        with contextlib.suppress(*OUTAGES):  # the job itself may not need it
            super().maintain_heartbeats(job)
            self._look_after()
        if self._going():
            return
        self._asked_to_stop = self._asked_to_stop or time.monotonic()
        if time.monotonic() - self._asked_to_stop >= STOP_SECONDS:
            job.retries_left = (job.retries_left or 0) + 1  # it is no fault of the job's
            self.kill_horse()

    def setup_work_horse_signals(self) -> None:
        """Ties the process that does a job to the worker."""
        super().setup_work_horse_signals()  # type: ignore[no-untyped-call]
        if sys.platform == "linux":
            ask_kernel(self.pid or 0)

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Fails a job without retries, unless a server was away."""
        kind, raised = exc_info[0], exc_info[1]
        passing = getattr(kind, "__name__", "") in ("Unavailable", "NoReply", "NotSent", "Refusing")
        if not passing and not isinstance(raised, OUTAGES):
            job.retries_left = 0
        _LOG.error("job %s failed: %s", job.id[:24], kind.__name__, exc_info=raised)

    def _end_horse(self) -> None:
        if self.horse_pid:
            with contextlib.suppress(OSError):
                self.kill_horse()
            self.wait_for_horse()
            self._horse_pid = 0

    def procline(self, message: Any) -> None:
        """Does nothing, so that processes keep their names."""

    # --- jobs whose worker has ended -----------------------------------------------------------

    def _look_after(self) -> None:
        """Sends a heartbeat, and puts back the jobs that no worker holds."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        server = self.connection
        beat(server, self.name)
        self.heartbeat()
        if not server.set(_LOOKING, self.name, nx=True, px=int(LOOK_SECONDS * 1_000)):
            return  # another does
        queue = self.queues[0]
        for job in put_back_abandoned(queue):
            failed = fails_for_good(server, job)
            what = "has failed too often" if failed else "runs again"
            _LOG.warning("job %s lost its worker and %s", job[:24], what)
            count(server, _job_label_of(job.partition("-")[0]), "failed" if failed else "put back")
        put_back_lost(queue)
        queue.failed_job_registry.cleanup()
        queue.finished_job_registry.cleanup()


def put_back_abandoned(queue: Queue) -> list[str]:
    """Puts back running jobs with silent workers; fails those that lost too many."""
    registry = StartedJobRegistry(queue=queue, job_class=TableJob)
    server, now = queue.connection, time.time()
    found: Any = server.zrangebyscore(registry.key, 0, now)
    lost = [one.decode().partition(":") for one in found]
    for job, _, attempt in lost:
        # Else rq looks for what the attempt has left, which is gone by the time the job is done.
        server.zrem(f"rq:executions:{job}", attempt)
    registry.cleanup(now)
    return [job for job, _, _ in lost]


def fails_for_good(server: Redis, job: str) -> bool:
    """Returns whether a job failed for good by losing workers; if so, also records the time."""
    key = TableJob.key_for(job)
    status: Any = server.hget(key, "status")
    if status != b"failed":
        return False
    # rq leaves it out here, and who asks for the job waits a while from then on.
    server.hset(key, "ended_at", utcformat(datetime.now(UTC)))
    return True


def put_back_lost(queue: Queue) -> None:
    """Puts back jobs that were taken but never begun, because the worker ended in between."""
    server, taken = queue.connection, queue.intermediate_queue
    for job in taken.get_job_ids():
        if any(one == job for one in queue.started_job_registry.get_job_ids(cleanup=False)):
            continue
        seen = f"hegemon:taken:{job}"
        first = server.set(seen, time.time(), nx=True, ex=60)
        found: Any = server.get(seen)
        if first or found is None or time.time() - float(found) < LOST_SECONDS:
            continue
        with server.pipeline() as together:
            together.lrem(taken.key, 1, job)
            try:
                TableJob.fetch(job, connection=server, serializer=Json)
            except NoSuchJobError:
                pass  # nobody waits for it any more
            except Exception:  # noqa: BLE001 - whatever ails it, it would stop every worker
                together.delete(TableJob.key_for(job))
            else:
                together.lpush(queue.key, job)
            together.delete(seen)
            together.execute()


def _job_label_of(name: str | None) -> str:
    return name if name is not None and name in JOBS else "unknown"
