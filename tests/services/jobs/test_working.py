"""Workers: one job for all who ask, done whatever becomes of the worker, and seen to its end."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from rq import Queue
from rq.serializers import JSONSerializer as Json

from services.jobs import queue as queues
from services.jobs.queue import QUEUE, Full, FullForOne, JobQueue, NotAJob, id_of, work_of
from services.jobs.results import ResultStore
from tests.services.jobs.conftest import Office
from tests.support.services.processes import wait_until


def test_who_asks_for_the_same_asks_for_one_job(office: Office):
    names = {office.ask("slow", seconds=0.1) for _ in range(5)}
    assert len(names) == 1
    assert office.server.llen(f"rq:queue:{QUEUE}") == 1
    office.worker()
    assert office.comes(names.pop())
    assert len(office.begun) == 1


def test_how_far_a_job_is_stands_under_its_name(office: Office):
    name = office.ask("slow", seconds=3)
    assert office.state(name).state == "queued"
    office.worker()
    assert office.is_(name, "running")
    far: list[int] = []

    def further() -> bool:
        found = office.state(name)
        if found is not None and found.done not in far:
            assert found.of in (0, 100)
            far.append(found.done)
        return len(far) > 3

    assert wait_until(further)
    assert far == sorted(far)
    assert office.comes(name)
    assert wait_until(lambda: office.state(name) is None)


def test_a_job_whose_worker_was_killed_is_done_by_another_within_seconds(
    office: Office, sure: Callable[[str], bool]
):
    name = office.ask("slow", seconds=2)
    first = office.worker()
    assert wait_until(lambda: len(office.begun) == 1, 15)
    first.kill()
    [pid] = office.begun
    assert wait_until(lambda: sure(pid)), "what did the job lives on without its worker"
    office.worker()
    assert office.comes(name, 20)
    assert len(office.begun) == 2
    assert wait_until(lambda: office.state(name) is None), "it was done and has failed"
    second = office.workers[1]
    assert any("lost its worker" in line.get("said", "") for line in second.lines)


def test_a_busy_worker_takes_up_what_another_has_lost(office: Office):
    lost, other = office.ask("slow", seconds=1.5), None
    first = office.worker()
    assert wait_until(lambda: len(office.begun) == 1, 15)
    other = office.ask("slow", seconds=12)
    office.worker()
    assert wait_until(lambda: len(office.begun) == 2, 15)
    first.kill()
    office.worker()  # free to do it, and finds it put back
    assert office.comes(lost, 20)
    assert office.result(other) is None


def test_what_was_taken_and_never_begun_is_put_back(office: Office):
    name = office.ask("slow", seconds=0.1)
    queue = Queue(QUEUE, connection=office.server, serializer=Json)
    office.server.lmove(queue.key, queue.intermediate_queue_key, "LEFT", "RIGHT")
    office.worker()
    assert office.comes(name, 15)
    assert office.server.llen(queue.intermediate_queue_key) == 0


def test_a_job_that_was_killed_alone_is_done_again(office: Office):
    name = office.ask("slow", seconds=2)
    office.worker()
    assert wait_until(lambda: len(office.begun) == 1, 15)
    os.kill(int(office.begun[0]), signal.SIGKILL)
    assert office.comes(name, 15)
    assert len(office.begun) == 2


def test_a_worker_that_is_asked_to_stop_puts_its_job_back(office: Office):
    name = office.ask("slow", seconds=30)
    worker = office.worker()
    assert office.is_(name, "running")
    code, seconds = worker.stop()
    assert code == 0
    assert seconds < 4
    assert office.is_(name, "queued", 1)


def test_an_idle_worker_stops_at_once(office: Office):
    worker = office.worker()
    assert office.comes(office.ask("slow", seconds=0))
    code, seconds = worker.stop()
    assert code == 0
    assert seconds < 2.5


def test_what_goes_wrong_is_tried_once_and_kept_with_its_reason(office: Office):
    worker = office.worker(HEGEMON_LOG="json")
    name = office.ask("broken")
    assert office.is_(name, "failed")
    assert len(office.begun) == 1
    assert office.state(name).why == "ValueError: there is a hole in it"
    office.ask("broken")  # nobody's asking makes it be tried again so soon
    assert office.state(name).state == "failed"
    assert [one.job for one in office.queue.all()] == [id_of(name)]
    assert wait_until(lambda: any("outcome" in line for line in worker.lines))
    [line] = [line for line in worker.lines if line.get("outcome") == "failed"]
    assert (line["process"], line["job"], line["level"]) == ("worker", "broken", "error")


def test_a_job_that_has_failed_can_be_tried_again(office: Office):
    office.worker()
    name = office.ask("broken")
    assert office.is_(name, "failed")
    assert office.queue.retry(id_of(name))
    assert wait_until(lambda: len(office.begun) == 2)
    assert office.is_(name, "failed")
    assert not office.queue.retry("slow-0")


def test_after_a_while_asking_makes_it_be_tried_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(queues, "AGAIN_SECONDS", 0)
    office.worker()
    assert office.is_(office.ask("broken"), "failed")
    office.ask("broken")
    assert wait_until(lambda: len(office.begun) == 2)


def test_a_job_that_takes_too_long_has_failed(office: Office, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(queues, "SECONDS_MAX", 1)
    office.worker()
    name = office.ask("endless")
    assert office.is_(name, "failed")
    assert "JobTimeoutException" in office.state(name).why


def test_no_more_jobs_wait_than_there_is_room_for(office: Office):
    small = JobQueue(office.server, room=3)
    for number in range(3):
        small.ask("slow", f"slow-{number}", {})
    assert small.ask("slow", "slow-1", {}).state == "queued"  # it waits already
    with pytest.raises(Full):
        small.ask("slow", "slow-3", {})


def test_who_asks_for_much_leaves_room_for_others(office: Office):
    queue = JobQueue(office.server, each=2)
    for number in range(2):
        queue.ask("slow", f"slow-{number}", {}, by="ann")
    assert queue.ask("slow", "slow-1", {}, by="ann").state == "queued"  # it waits already
    with pytest.raises(FullForOne):
        queue.ask("slow", "slow-2", {}, by="ann")
    assert queue.ask("slow", "slow-2", {}, by="bob").state == "queued"
    assert queue.ask("slow", "slow-3", {}).state == "queued"  # nobody's in particular
    office.server.delete("rq:job:slow-0")  # as it is when it is done
    assert queue.ask("slow", "slow-4", {}, by="ann").state == "queued"


@pytest.mark.parametrize("name", ["os:system", "services.jobs.replays:work", "", None, "Replay"])
def test_only_names_of_the_table_are_jobs(name: str | None):
    with pytest.raises(NotAJob):
        work_of(name)


NO_JOBS = [
    ("os.system", None, ["true"], {}),
    ("slow", None, [{}, {}], {}),
    ("slow", None, [[1]], {}),
    ("slow", None, [{}], {"seconds": 1}),
    ("slow", "anything", [{}], {}),
]


def test_what_is_no_job_of_ours_fails_and_runs_nothing(office: Office):
    names = [office.ask("slow", seconds=0, number=number) for number in range(len(NO_JOBS))]
    evil = {"failure_callback_name": "os.abort", "success_callback_name": "os.abort"}
    for name, said in zip(names, NO_JOBS, strict=True):
        job = f"rq:job:{id_of(name)}"
        office.server.hset(job, mapping={"data": Json.dumps(said), **evil})
    worker = office.worker()
    for name in names:
        assert office.is_(name, "failed")
        assert "NotAJob" in office.state(name).why
    assert worker.process.poll() is None
    assert office.begun == []


def test_what_cannot_be_read_as_a_job_stops_nobody_and_is_gone(office: Office):
    spoiled = office.ask("slow", seconds=0)
    office.server.hset(f"rq:job:{id_of(spoiled)}", "enqueued_at", "some day")
    worker = office.worker()
    assert office.comes(office.ask("slow", seconds=0.01))
    assert wait_until(lambda: office.state(spoiled) is None, 20)
    assert worker.process.poll() is None
    assert any("cannot be read" in line.get("said", "") for line in worker.lines)


def test_a_worker_forgets_keys_that_it_has_no_use_for(office: Office):
    office.worker(HEGEMON_WEBHOOK_KEY="5a" * 32, HEGEMON_METRICS_TOKEN="watch")
    name = office.ask("keys", number=1)
    assert office.comes(name)
    assert not office.result(name)


def test_a_worker_waits_for_its_server_and_goes_on(office: Office):
    worker = office.worker()
    assert office.comes(office.ask("slow", seconds=0))
    office.jobs.restart()
    name = office.ask("slow", seconds=0.2)
    assert office.comes(name)
    assert worker.process.poll() is None


def test_without_a_jobs_server_a_worker_says_so_and_ends(office: Office):
    worker = office.worker(HEGEMON_JOBS_URL="")
    assert worker.process.wait(20) == 2
    [line] = worker.lines
    assert line["process"] == "worker"
    assert "HEGEMON_JOBS_URL" in line["said"]


def test_a_result_lies_there_for_as_long_as_it_is_asked_for(office: Office):
    results = ResultStore(office.server)
    results.put("replay:1", b"a replay", 1_000)
    assert office.server.ttl("replay:1") == 1_000
    office.server.expire("replay:1", 400)
    assert results.packed("replay:1", 1_000) is not None
    assert office.server.ttl("replay:1") == 1_000
    results.put("replay:2", b"for a moment", 30)
    assert results.packed("replay:2") is not None
    assert office.server.ttl("replay:2") <= 30
