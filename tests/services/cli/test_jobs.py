"""The jobs of workers from the command line."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rq.utils import utcformat

from services.jobs.queue import QUEUE, JobQueue, server_at
from tests.support.cli.calls import Hegemon
from tests.support.servers import Server


@pytest.fixture
def queue(jobs_server: Server, monkeypatch: pytest.MonkeyPatch) -> JobQueue:
    monkeypatch.setenv("HEGEMON_JOBS_URL", jobs_server.url)
    return JobQueue(server_at(jobs_server.url))


def _fail(queue: JobQueue, job: str) -> None:
    queue.server.lrem(f"rq:queue:{QUEUE}", 0, job)
    now = datetime.now(UTC)
    told = {"status": "failed", "ended_at": utcformat(now)}
    queue.server.hset(f"rq:job:{job}", mapping=told)
    queue.server.zadd(f"rq:failed:{QUEUE}", {job: now.timestamp() + 1_000})


def test_nothing_is_to_do_to_begin_with(hegemon: Hegemon, queue: JobQueue) -> None:
    assert hegemon.done("jobs").out == "No job runs, waits, or has failed.\n"
    assert hegemon.done("jobs", "--json").json == []


def test_what_waits_and_what_has_failed_is_listed(hegemon: Hegemon, queue: JobQueue) -> None:
    queue.ask("replay", "replay-1", {"match": "a"})
    queue.ask("replay", "replay-2", {"match": "b"})
    _fail(queue, "replay-1")
    assert hegemon.done("jobs").out == "replay-2  queued\nreplay-1  failed\n"
    listed = hegemon.done("jobs", "--json").json
    assert [(one["job"], one["state"], one["name"]) for one in listed] == [
        ("replay-2", "queued", "replay"),
        ("replay-1", "failed", "replay"),
    ]


def test_what_has_failed_is_done_again(hegemon: Hegemon, queue: JobQueue) -> None:
    for number in (1, 2, 3):
        queue.ask("replay", f"replay-{number}", {"match": "a"})
        _fail(queue, f"replay-{number}")
    assert hegemon.done("jobs", "--retry", "replay-2").out == "1 job will run again.\n"
    assert [one.job for one in queue.all() if one.state == "queued"] == ["replay-2"]
    assert hegemon.done("jobs", "--retry", "all").out == "2 jobs will run again.\n"
    assert {one.state for one in queue.all()} == {"queued"}
    assert "no failed job has this name" in hegemon.refused("jobs", "--retry", "replay-2")


def test_without_a_server_it_says_what_is_missing(
    hegemon: Hegemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = hegemon("jobs")
    assert ran.code == 7
    assert "hegemon up" in ran.err
    monkeypatch.setenv("HEGEMON_JOBS_URL", "unix:///nowhere/s")
    ran = hegemon("jobs")
    assert ran.code == 7
    assert "does not answer" in ran.err
