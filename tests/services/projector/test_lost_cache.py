"""The projector when the server that may forget does forget, or is gone, or full."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import SHARDS, shard_of, tag
from ledger.log.stores.redis.projections import Fenced, Projections
from ledger.log.stores.segments.reader import SegmentReader
from ledger.log.stores.segments.witness import Witness
from ledger.log.write.journal import Journal
from services.keep.guard import check_not_gone_back
from services.projector.loop import Projector
from tests.support.log.matches import started
from tests.support.servers import Server, programs, running
from tests.support.services.settled import check_projected, settle


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Server]:
    """A cache: nothing of it is on the disk."""
    program = next(iter(programs().values()))
    with running(program, tmp_path / "jobs", {"appendonly": "no", "save": ""}) as server:
        yield server


@pytest.fixture
def store(ledger: Server, jobs: Server) -> RedisStore:
    return RedisStore(Connection(ledger.url), Connection(jobs.url))


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.projector.loop.CLAIM_SECONDS", 0.0)
    monkeypatch.setattr("services.projector.loop.PAUSE_SECONDS", 0.01)
    monkeypatch.setattr("services.projector.loop.PAUSE_MOST", 0.01)
    monkeypatch.setattr("services.run.outages.TELL_SECONDS", 0.0)
    monkeypatch.setattr("services.projector.segments.SYNC_SECONDS", 0.0)


def play(journal: Journal) -> None:
    seat = journal.match().asked()[0]
    journal.decide(seat, journal.match().options(seat)[0])


def steps(projector: Projector, number: int = 8) -> None:
    for _ in range(number):
        projector.step(20)


def witnessed(folder: Path, journal: Journal) -> bool:
    heads = SegmentReader(folder, shard_of(journal.match_id)).heads()
    return heads[journal.match_id] == journal.history.tip


def test_a_server_that_has_forgotten_all_is_projected_to_anew(
    store: RedisStore, jobs: Server, projector: Projector, folder: Path
):
    journal = started(store=store)
    settle(projector)
    jobs.restart()
    assert store.cache.ask("DBSIZE") == 0
    play(journal)
    steps(projector)
    assert witnessed(folder, journal)
    check_projected(store, journal)


def test_segments_go_on_while_the_jobs_server_is_gone(
    store: RedisStore, jobs: Server, folder: Path
):
    journal = started(store=store)
    said: list[str] = []
    projector = Projector(store, ruleset, Witness(folder), tell=said.append)
    settle(projector)
    jobs.kill()
    for _ in range(3):
        play(journal)
        steps(projector, 4)
        assert witnessed(folder, journal)
    assert any(line.startswith("cannot project for now: ") for line in said)
    jobs.start()
    steps(projector)
    check_projected(store, journal)
    assert said[-1] == "projects again"
    projector.stop()
    check_not_gone_back(store.connection, folder)


def test_segments_go_on_while_the_jobs_server_is_full(
    store: RedisStore, projector: Projector, folder: Path
):
    journal = started(store=store)
    settle(projector)
    store.cache.call("CONFIG", "SET", "maxmemory", "1")
    play(journal)
    steps(projector)
    assert witnessed(folder, journal)
    with pytest.raises(AssertionError):
        check_projected(store, journal)
    store.cache.call("CONFIG", "SET", "maxmemory", "0")
    steps(projector)
    check_projected(store, journal)


def test_a_projector_starts_without_its_jobs_server(store: RedisStore, jobs: Server, folder: Path):
    journal = started(store=store)
    jobs.kill()
    projector = Projector(store, ruleset, Witness(folder))
    steps(projector)
    assert witnessed(folder, journal)
    jobs.start()
    steps(projector)
    check_projected(store, journal)
    projector.stop()


def test_a_generation_that_was_evicted_is_followed_by_a_new_one(
    store: RedisStore, projector: Projector
):
    journal = started(store=store)
    settle(projector)
    before = {number: shard.generation for number, shard in projector._shards.items()}
    store.cache.call("DEL", *[f"{tag(number)}:generation" for number in range(SHARDS)])
    play(journal)
    steps(projector)
    after = {number: shard.generation for number, shard in projector._shards.items()}
    assert all(before[number] < after[number] for number in range(SHARDS))
    check_projected(store, journal)


def test_an_owner_of_before_is_fenced_though_the_server_has_forgotten_it(
    store: RedisStore, folder: Path, tmp_path: Path
):
    first = Projector(store, ruleset, Witness(folder))
    first.step(0)
    store.cache.call("FLUSHALL")
    second = Projector(store, ruleset, Witness(tmp_path / "other"))
    second.step(0)
    shard = first._shards[3]
    shard._moved = True
    with pytest.raises(Fenced):
        shard.flush()
    first.stop()
    second.stop()


def test_only_the_library_of_projections_is_loaded_again(ledger: Server, folder: Path):
    store = RedisStore(Connection(ledger.url))
    projector = Projector(store, ruleset, Witness(folder))
    settle(projector)
    store.connection.call("FUNCTION", "FLUSH")
    steps(projector)
    found = store.connection.ask("FUNCTION", "LIST")
    names = [dict(zip(one[::2], one[1::2], strict=True))[b"library_name"] for one in found]
    assert names == [b"hegemon_projections_1"]
    projector.stop()


def test_a_standing_that_cannot_be_read_is_made_anew(store: RedisStore, projector: Projector):
    journal = started(store=store)
    settle(projector)
    key = f"{tag(shard_of(journal.match_id))}:standings"
    store.cache.call("HSET", key, journal.match_id, b"\x81\xa5match\x07")
    projector._lose()
    assert Projections(store.cache).standings()[journal.match_id].endswith(b"\x07")
    play(journal)
    steps(projector)
    check_projected(store, journal)
