"""The projector when a disk is full or a server is gone."""

from __future__ import annotations

import itertools
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys, shard_of
from ledger.log.stores.segments.reader import SegmentReader
from ledger.log.stores.segments.witness import Witness
from ledger.log.write.journal import Journal
from services.keep.guard import check_not_gone_back
from services.projector.loop import Projector
from tests.support.log.matches import FULL_PLAN, played, started
from tests.support.servers import programs, running
from tests.support.services.settled import check_projected, settle, spoil, standings


def test_a_disk_that_is_full_stops_the_segments_and_nothing_else(
    store: RedisStore, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    journal = started(store=store)
    said: list[str] = []
    rounds = iter(range(8))

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("ledger.log.stores.segments.witness.write_all", full)
        patched.setattr("services.run.outages.TELL_SECONDS", 0.0)
        patched.setattr("services.projector.loop.PAUSE_SECONDS", 0.001)
        patched.setattr("services.projector.segments.SYNC_SECONDS", 0.0)
        patched.setattr("services.projector.loop.WAIT_MS", 1)
        projector = Projector(store, ruleset, Witness(folder), tell=said.append)
        projector.run(lambda: next(rounds, None) is not None)
    assert any("cannot write its segments: [Errno 28]" in line for line in said)
    check_projected(store, journal)
    again = Projector(store, ruleset, Witness(folder))
    settle(again)
    again.stop()
    check_not_gone_back(store.connection, folder)
    reader = SegmentReader(folder, shard_of(journal.match_id))
    assert reader.heads()[journal.match_id] == journal.history.tip


def test_a_projector_waits_for_its_server_and_goes_on(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    program = next(iter(programs().values()))
    with running(program, tmp_path / "server") as server:
        store = RedisStore(Connection(server.url))
        journal = played(FULL_PLAN, store=store)
        said: list[str] = []
        projector = Projector(store, ruleset, Witness(folder), tell=said.append)
        monkeypatch.setattr("services.run.outages.TELL_SECONDS", 0.0)
        rounds = iter(range(30))

        def going() -> bool:
            number = next(rounds, None)
            if number == 3:
                server.kill()
            if number == 6:
                server.start()
            return number is not None

        projector.run(going)
        assert any("waits for its server" in line for line in said)
        assert said[-1] == "goes on"
        check_projected(store, journal)


def test_a_log_that_somebody_changed_is_parked_and_the_others_of_its_shard_go_on(
    store: RedisStore, folder: Path
):
    journals = [started(seed=seed, store=store) for seed in range(40)]
    shard = shard_of(journals[0].match_id)
    damaged, other = [one for one in journals if shard_of(one.match_id) == shard][:2]
    said: list[str] = []
    projector = Projector(store, ruleset, Witness(folder), tell=said.append)
    settle(projector)
    for journal in (damaged, other):
        journal.decide(0, journal.match().options(0)[0])
    store.connection.call("XDEL", log_keys(damaged.match_id).events, "5-0")
    settle(projector)
    assert store.parked_matches() == [damaged.match_id]
    assert b"lacks events" in (store.parked(damaged.match_id) or b"")
    check_projected(store, other)
    other.decide(1, other.match().options(1)[0])
    settle(projector)
    check_projected(store, other)
    assert any(f"no longer copies shard {shard} to its segments" in line for line in said)
    projector.stop()
    # The next one knows as much, and copies what came before the damage and nothing behind it.
    again = Projector(store, ruleset, Witness(folder), tell=said.append)
    settle(again)
    check_projected(store, other)
    again.stop()
    heads = SegmentReader(folder, shard).heads()
    assert heads[damaged.match_id].version == 4
    assert heads[other.match_id].version == 4


def lag(projector: Projector, store: RedisStore, journal: Journal) -> float:
    """Seconds from a decision's acknowledgement until it is projected."""
    seat = journal.match().asked()[0]
    journal.decide(seat, journal.match().options(seat)[0])
    began = time.monotonic()
    while True:
        projector.step(5)
        if standings(store)[journal.match_id].version == journal.history.tip.version:
            return time.monotonic() - began


def test_the_others_lag_no_more_while_matches_are_parked(store: RedisStore, projector: Projector):
    others = [started(seed=seed, store=store) for seed in range(12)]
    spoiled = [started(seed=seed, store=store) for seed in range(100, 112)]
    settle(projector)
    before = [lag(projector, store, journal) for journal in others]
    after = []
    for journal, other in zip(spoiled, others, strict=True):
        spoil(store, journal)
        after.append(lag(projector, store, other))
    settle(projector)
    assert store.parked_matches() == sorted(journal.match_id for journal in spoiled)
    assert statistics.median(after) < statistics.median(before) + 0.1
    # What else the machine does can hold up one of them, not most.
    assert sorted(after)[len(after) * 3 // 4] < 1.0


def test_a_disk_that_stays_full_is_tried_more_and_more_seldom_and_projections_go_on(
    store: RedisStore, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    journal = started(store=store)
    projector = Projector(store, ruleset, Witness(folder))
    tried: list[float] = []

    def full(*_: Any) -> None:
        tried.append(time.monotonic())
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("ledger.log.stores.segments.witness.write_all", full)
        until = time.monotonic() + 2.0
        while time.monotonic() < until:
            projector.step(20)
        pauses = [after - before for before, after in itertools.pairwise(tried)]
        assert 2 <= len(pauses) <= 5
        assert pauses == sorted(pauses)
        check_projected(store, journal)
    until = time.monotonic() + 5.0
    reader = SegmentReader(folder, shard_of(journal.match_id))
    while journal.match_id not in reader.heads() and time.monotonic() < until:
        projector.step(20)
    assert reader.heads()[journal.match_id] == journal.history.tip
    projector.stop()
