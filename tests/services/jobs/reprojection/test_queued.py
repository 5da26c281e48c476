"""Runs by the workers of the queue: the same as here, whatever becomes of a worker or a match."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from ledger.games import ruleset
from ledger.log.read.bundle import write_bundle
from ledger.log.stores.memory import MemoryStore
from replays.reproject.report import RunRow
from services.jobs.queue import ATTEMPTS, JobQueue, server_at
from services.jobs.reprojection import parts
from services.jobs.reprojection.batches import DIED, KILLED, FileItem, Job, RunTerms
from services.jobs.reprojection.parts import PART, PartOf
from services.jobs.reprojection.queue_fleet import Queued
from services.jobs.reprojection.run import LocalFleet, Run, Source
from tests.services.jobs.reprojection.test_runs import (
    BESIDE,
    CENTRE,
    RISING,
    RULES,
    by_name,
    match,
    source,
)
from tests.services.jobs.reprojection.test_runs import terms as terms_of
from tests.support.servers import AnyLedger, Server, programs
from tests.support.services.processes import wait_until
from tests.support.services.workers import Working

AWorker = Callable[..., Working]


@pytest.fixture
def queue(jobs_server: Server) -> Iterator[JobQueue]:
    server = server_at(jobs_server.url)
    yield JobQueue(server)
    server.close()


@pytest.fixture
def worker(any_ledger: AnyLedger, jobs_server: Server, tmp_path: Path) -> Iterator[AWorker]:
    ledger = any_ledger(next(iter(programs())))
    started: list[Working] = []

    def start(broken: str = "", **more: str) -> Working:
        said = {"HEGEMON_TEST_BROKEN": broken, "HEGEMON_TEST_KILLED": str(tmp_path / "killed")}
        module = "tests.support.services.broken_worker"
        started.append(Working(tmp_path, ledger.url, jobs_server.url, module, **said, **more))
        return started[-1]

    yield start
    for one in started:
        one.kill()


def by_workers(queue: JobQueue, terms: RunTerms, sources: list[Source]) -> list[RunRow]:
    return Run(terms, RULES).over(sources, Queued(queue))


def working(server: Redis, count: int) -> bool:
    return wait_until(lambda: server.zcard("hegemon:workers") == count, 30)


def test_workers_of_the_queue_find_what_this_process_finds(
    queue: JobQueue, worker: AWorker, tmp_path: Path
):
    sources = [source(seed, RISING if seed % 3 == 0 else BESIDE) for seed in range(24)]
    path = tmp_path / "one.hgm"
    with path.open("wb") as file:
        write_bundle(file, match(3, RISING))
    item, gone = (
        FileItem(source="one", path=str(path)),
        FileItem(source="gone", path="/nowhere.hgm"),
    )
    sources += [Source("one", "", lambda: item), Source("gone", "", lambda: gone)]
    worker()
    worker()
    assert working(queue.server, 2)
    rows = by_workers(queue, terms_of("e2"), sources)
    here = Run(terms_of("e2"), RULES).over(sources[:-1], LocalFleet())
    assert [row for row in rows if row.source != "gone"] == here
    assert by_name(rows)["gone"] == "error"
    left = {key for key in queue.server.keys("part:*") if queue.server.ttl(key) > parts.HEARD_S}
    assert left == set(), "what was heard is not kept for long"


def test_a_worker_that_is_killed_costs_nothing_and_what_it_had_done_is_not_done_again(
    queue: JobQueue, worker: AWorker
):
    sources = [source(seed, RISING if seed % 2 == 0 else BESIDE) for seed in range(30)]
    first = worker(HEGEMON_TEST_SLOW="0.15")
    assert working(queue.server, 1)
    killed: list[int] = []

    def kill() -> None:
        wait_until(lambda: bool(queue.server.keys("part:*:done")), 30)
        time.sleep(0.4)
        killed.append(first.process.pid)
        first.kill()
        worker()

    killing = threading.Thread(target=kill)
    killing.start()
    told: list[str] = []
    rows = Run(terms_of("e2"), RULES, tell=lambda row: told.append(row.source)).over(
        sources, Queued(queue)
    )
    killing.join()
    assert killed
    assert rows == Run(terms_of("e2"), RULES).over(sources, LocalFleet())
    assert sorted(told) == sorted({one.name for one in sources}), "none twice, none not at all"


@pytest.mark.parametrize(
    ("broken", "limit", "why"),
    [
        ("endless", 0.5, "out_of_time: stopped after 0.5 s"),
        ("deaf", 0.3, KILLED),
        ("deadly", 5.0, DIED),
    ],
)
def test_a_match_that_cannot_be_folded_is_an_error_of_its_own_and_holds_nothing_up(
    queue: JobQueue,
    worker: AWorker,
    broken: str,
    limit: float,
    why: str,
):
    sources = [source(seed, CENTRE if seed in (1, 4) else BESIDE) for seed in range(6)]
    worker(broken, **({"HEGEMON_TEST_PATIENCE": "1.5"} if broken == "deaf" else {}))
    assert working(queue.server, 1)
    rows = by_workers(queue, terms_of(broken, limit_s=limit), sources)
    wrong = [row for row in rows if row.verdict.verdict == "error"]
    assert [row.source for row in wrong] == ["m001", "m004"]
    assert all(row.verdict.error.startswith(why) for row in wrong)
    assert {row.verdict.verdict for row in rows} == {"error", "unchanged"}


def part_of(queue: JobQueue, *seeds: int) -> PartOf:
    items = [source(seed).item() for seed in seeds]
    return PartOf.laid(queue.server, Job(terms=terms_of("e2"), items=items))


def test_a_part_has_the_name_of_all_that_it_asks_for(queue: JobQueue):
    assert part_of(queue, 1, 2).name == part_of(queue, 1, 2).name
    assert part_of(queue, 1, 2).name != part_of(queue, 2, 1).name


def test_no_file_is_read_for_whoever_can_write_to_the_queue(queue: JobQueue):
    item = FileItem(source="passwords", path="/etc/passwd")
    part = PartOf.laid(queue.server, Job(terms=terms_of("e2"), items=[item]))
    parts.work_with(queue.server, {"part": part.name}, lambda _, __: None, None, None)  # type: ignore[arg-type]
    [done] = part.done()
    assert done.verdict.error == parts.NO_FILES


def test_what_takes_too_long_under_one_name_goes_on_under_another(
    queue: JobQueue, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(parts, "PART_S", 0.0)
    sources = [source(seed) for seed in range(4)]
    asked: list[str] = []

    class Doing(JobQueue):
        def ask(self, name: str, job: str, arguments: object) -> object:  # type: ignore[override]
            asked.append(job)
            assert name == PART
            parts.work_with(self.server, arguments, lambda _, __: None, MemoryStore(), ruleset)  # type: ignore[arg-type]
            return None

    rows = Run(terms_of("e2"), RULES).over(sources, Queued(Doing(queue.server)))
    assert len(rows) == 4
    assert len(asked) == 4, "each part came to one match, and the rest is another part"


def test_who_hears_of_a_part_that_is_forgotten_asks_for_it_no_more(queue: JobQueue):
    part = part_of(queue, 1, 2)
    part.forget()
    queued = Queued(queue, {part.name: 0})
    assert not queued.step(iter(()), lambda _: None)
    assert queued.handed == {}


def test_a_part_that_ended_too_many_workers_goes_on_behind_the_match_it_was_at(queue: JobQueue):
    part = part_of(queue, 1, 2, 3)
    told: list[str] = []
    queued = Queued(queue, {part.name: 0})
    queue.ask(PART, part.name.replace(":", "-"), {"part": part.name})
    queue.server.hset(f"rq:job:{part.name.replace(':', '-')}", "status", "failed")
    assert queued.step(iter(()), lambda done: told.append(done.verdict.error))
    assert told == [DIED]
    [rest] = queued.handed
    found = PartOf(queue.server, rest).job
    assert found is not None
    assert [item.source for item in found.items] == ["m002", "m003"]
    assert ATTEMPTS > 2, "a match that is deadly twice is found out before the job has failed"
