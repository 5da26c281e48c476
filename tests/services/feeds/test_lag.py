"""The lag of the projections: by what was seen of the feeds, whatever events say of their time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import shard_of
from ledger.log.stores.redis.projections import FeedPosition, Projections
from services.feeds import lag
from services.feeds.lag import LagWatch
from tests.support.log.filling import grow
from tests.support.servers import Server

MATCH = "aaaabbbbccccdddd"
SHARD = shard_of(MATCH)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store(ledger: Server) -> Iterator[RedisStore]:
    line = Connection(ledger.url)
    yield RedisStore(line)
    line.close()


def project(store: RedisStore, position: int) -> None:
    projections = Projections(store.cache)
    generation = projections.claim(SHARD, "a test", 60_000)
    assert generation is not None
    projections.project(SHARD, generation, FeedPosition(position, b"mark"), {}, [], {})


def test_the_lag_is_counted_from_when_an_entry_was_first_seen(store: RedisStore):
    clock, rng = Clock(), random.Random(1)
    watch = LagWatch(clock)
    assert watch.look(store) == (0, 0.0)
    clock.now += 100
    grow(store, MATCH, rng)
    grow(store, MATCH, rng)
    assert watch.look(store) == (2, 0.0)
    clock.now += 10
    grow(store, MATCH, rng)
    assert watch.look(store) == (3, 10.0)
    clock.now += 5
    project(store, 1)
    assert watch.look(store) == (2, 15.0)
    project(store, 2)
    assert watch.look(store) == (1, 5.0)
    project(store, 3)
    assert watch.look(store) == (0, 0.0)
    clock.now += 50
    grow(store, MATCH, rng)
    assert watch.look(store) == (1, 0.0)


def test_what_is_kept_of_looks_is_bounded_and_the_oldest_stays(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lag, "LOOKS_MAX", 3)
    clock, rng = Clock(), random.Random(2)
    watch = LagWatch(clock)
    for number in range(10):
        grow(store, MATCH, rng)
        assert watch.look(store) == (number + 1, number)
        clock.now += 1
    assert len(watch._ends[SHARD]) == 3
    project(store, 9)
    assert watch.look(store) == (1, 8.0)  # seen with the third, as far as is known


def test_a_feed_that_has_gone_back_is_seen_anew(store: RedisStore):
    clock, rng = Clock(), random.Random(3)
    watch = LagWatch(clock)
    grow(store, MATCH, rng)
    grow(store, MATCH, rng)
    watch.look(store)
    clock.now += 70
    store.connection.call("FLUSHALL")
    grow(store, MATCH, rng)
    assert watch.look(store) == (1, 0.0)
