"""A job that ends every worker that takes it: it has failed, is counted so, and is left alone."""

from __future__ import annotations

import os
import signal

from rq.registry import StartedJobRegistry

from services.jobs.queue import ATTEMPTS, COUNTS
from services.worker.loop import JobWorker
from tests.services.jobs.conftest import Office


def _die(office: Office) -> None:
    """A worker takes the next job, and both end in the middle without a word."""
    hand = JobWorker(office.server, lambda: True, print)
    hand.register_birth()  # type: ignore[no-untyped-call]
    found = hand.queue_class.dequeue_any(
        hand.queues,
        None,
        connection=office.server,
        job_class=hand.job_class,
        serializer=hand.serializer,
    )
    assert found is not None
    job, queue = found
    if (pid := os.fork()) == 0:
        hand.prepare_execution(job)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    registry = StartedJobRegistry(queue=queue, job_class=hand.job_class)
    for one in office.server.zrange(registry.key, 0, -1):
        office.server.zadd(registry.key, {one: 1})


def _looks_after(office: Office) -> None:
    office.server.delete("hegemon:looking-after")
    hand = JobWorker(office.server, lambda: True, print)
    hand.register_birth()  # type: ignore[no-untyped-call]
    hand._look_after()


def test_a_job_that_ends_its_workers_has_failed_and_is_not_tried_again_at_once(office: Office):
    name = office.ask("slow", seconds=0)
    for _ in range(ATTEMPTS + 1):
        assert office.is_(name, "queued")
        _die(office)
        _looks_after(office)
    assert office.is_(name, "failed")
    office.ask("slow", seconds=0)
    assert office.state(name).state == "failed", "whoever asks has it end the next worker"
    counts = office.server.hgetall(COUNTS)
    assert counts == {b"slow put back": b"%d" % ATTEMPTS, b"slow failed": b"1"}
