"""Runs that are kept: asked for once, moved along by jobs, and brought to an end whatever ends."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe.play import Mark
from ledger.log.read.history import History
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.store import RedisStore
from replays.reproject.change import Change
from replays.reproject.policies import Policies
from replays.reproject.report import RunReport, compare_reports
from services.jobs.queue import Full, JobQueue, server_at
from services.jobs.reprojection import kept as kept_runs
from services.jobs.reprojection.batches import RunTerms, Stored
from services.jobs.reprojection.kept import AT_ONCE, Asked, KeptRun, read_report
from tests.services.jobs.reprojection.test_runs import BESIDE, RISING
from tests.support.log.matches import started
from tests.support.servers import AnyLedger, Server, programs
from tests.support.services.processes import wait_until
from tests.support.services.workers import Working


@pytest.fixture
def ledger_server(any_ledger: AnyLedger) -> Server:
    return any_ledger(next(iter(programs())))


@pytest.fixture
def queue(jobs_server: Server) -> Iterator[JobQueue]:
    server = server_at(jobs_server.url)
    yield JobQueue(server)
    server.close()


@pytest.fixture
def worker(
    ledger_server: Server, jobs_server: Server, tmp_path: Path
) -> Iterator[Callable[..., Working]]:
    begun: list[Working] = []

    def start(**more: str) -> Working:
        module = "tests.support.services.broken_worker"
        begun.append(Working(tmp_path, ledger_server.url, jobs_server.url, module, **more))
        return begun[-1]

    yield start
    for one in begun:
        one.kill()


@pytest.fixture
def store(ledger_server: Server) -> Iterator[RedisStore]:
    connection = Connection(ledger_server.url)
    yield RedisStore(connection)
    connection.close()


def stored(store: RedisStore, seed: int) -> Stored:
    """A match of tic-tac-toe in the ledger."""
    journal = started(seed=seed, store=store)
    for cell in RISING if seed % 3 == 0 else BESIDE:
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.close()
    tip = journal.history.tip
    return Stored(match=journal.history.match, version=tip.version, head=tip.head.hex())


def asked(matches: list[Stored], edition: str = "e2", **more: object) -> Asked:
    return Asked(
        terms=RunTerms(change=Change(edition=edition), policies=Policies(), limit_s=5.0),
        ruleset="tictactoe",
        source=ruleset("tictactoe").source,
        matches=tuple(matches),
        **more,  # type: ignore[arg-type]
    )


def reported(run: KeptRun, seconds: float = 60.0) -> RunReport:
    assert wait_until(lambda: run.far().state == "done", seconds), run.far()
    packed = run.report()
    assert packed is not None
    return read_report(packed)


def test_a_run_says_how_far_it_is_and_outlives_its_workers(
    queue: JobQueue, store: RedisStore, worker: Callable[..., Working]
):
    matches = [stored(store, seed) for seed in range(24)]
    run = KeptRun.begun(queue, asked(matches))
    assert run.far().state == "queued"
    assert KeptRun.begun(queue, asked(matches)).id == run.id
    hand, far = worker(HEGEMON_TEST_SLOW="0.1"), set[int]()

    def further() -> bool:
        far.add(run.far().done)
        return len(far - {0}) >= 2

    assert wait_until(further, 60)
    hand.kill()
    done = run.far().done
    assert done < 24
    worker()
    first = reported(run)
    assert first.table.matches == 24
    assert first.table.classes["unchanged"] == 16
    again = KeptRun.begun(queue, asked(matches, program="another"))
    assert again.id != run.id
    second = reported(again)
    assert second.matches == first.matches
    assert compare_reports(first, second) == []
    csv = run.csv()
    assert csv is not None
    assert gzip.decompress(csv).decode().count("\n") == 25
    verdict = run.verdict(matches[0].match)
    assert verdict is not None
    assert verdict.match == matches[0].match
    assert wait_until(lambda: queue.server.zcard(kept_runs.OPEN) == 0, 60)  # after its report


def test_what_somebody_was_killed_with_in_his_hands_is_done_by_the_next(
    queue: JobQueue,
    store: RedisStore,
    worker: Callable[..., Working],
    monkeypatch: pytest.MonkeyPatch,
):
    """Killed between handing parts out and noting it; and after noting it, before asking on."""
    run = KeptRun.begun(queue, asked([stored(store, seed) for seed in range(6)]))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for step in ("_keep", "go_on"):
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(KeptRun, step, killed)
            run.look(0, store)
    worker()
    assert reported(run).table.matches == 6


def test_no_more_runs_are_taken_than_there_is_room_for(queue: JobQueue, store: RedisStore):
    matches = [stored(store, 0)]
    for number in range(AT_ONCE):
        KeptRun.begun(queue, asked(matches, program=str(number)))
    assert KeptRun.begun(queue, asked(matches, program="0")).far().state == "queued"
    with pytest.raises(Full):
        KeptRun.begun(queue, asked(matches, program="one more"))


def test_a_worker_never_asks_for_the_secrets_of_a_match(queue: JobQueue, store: RedisStore):
    """The match runs: what falls next follows from keys that only who writes it may have."""
    from services.jobs.reprojection import parts
    from services.jobs.reprojection.batches import Job, StoredItem

    journal = started(seed=1, store=store)
    journal.decide(journal.match().asked()[0], Mark(4))
    tip = journal.history.tip
    match = journal.history.match
    here = Stored(match=match, version=tip.version, head=tip.head.hex())
    secrets = store.kept(match, "secrets")
    assert secrets is not None
    asked_for: list[str] = []

    class Spied(RedisStore):
        def kept(self, match: str, name: str) -> bytes | None:
            asked_for.append(name)
            return super().kept(match, name)

    job = Job(terms=asked([here]).terms, items=[StoredItem(source=match, stored=here)])
    part = parts.PartOf.laid(queue.server, job)
    parts.work_with(
        queue.server, {"part": part.name}, lambda _, __: None, Spied(store.connection), ruleset
    )
    [done] = part.done()
    assert done.verdict.verdict in ("unchanged", "unfinished")
    assert asked_for == ["overlay"]
    salt_key = History.of(store, match, ruleset).salt_key
    assert salt_key
    for key in queue.server.keys("part:*"):
        kind = queue.server.type(key)
        held = queue.server.lrange(key, 0, -1) if kind == b"list" else [queue.server.dump(key)]
        assert not any(salt_key in one or secrets in one for one in held if one)


def test_a_log_that_is_another_one_by_now_is_an_error(queue: JobQueue, store: RedisStore):
    from services.jobs.reprojection import parts
    from services.jobs.reprojection.batches import Job, StoredItem

    found = stored(store, 1)
    other = Stored(match=found.match, version=found.version, head="00" * 32)
    job = Job(terms=asked([other]).terms, items=[StoredItem(source="m", stored=other)])
    part = parts.PartOf.laid(queue.server, job)
    parts.work_with(queue.server, {"part": part.name}, lambda _, __: None, store, ruleset)
    [done] = part.done()
    assert done.verdict.error.startswith("damaged: event")
