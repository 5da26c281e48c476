"""The hub wakes listeners for what is written, also to a server that has gone back."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.feeds.hub import Hub
from tests.support.log.filling import grow
from tests.support.servers import Server

MATCH = "aaaabbbbccccdddd"


@pytest.fixture
def store(ledger: Server) -> Iterator[RedisStore]:
    line = Connection(ledger.url)
    yield RedisStore(line)
    line.close()


def test_listeners_are_woken_by_what_is_written_after_the_server_has_gone_back(store: RedisStore):
    rng = random.Random(1)
    for _ in range(5):
        grow(store, MATCH, rng)
    hub = Hub(store.connection.another)
    try:
        with hub.listening([MATCH]) as bell:
            assert bell.wait(5)  # it has just begun
            bell.clear()
            grow(store, MATCH, rng)
            assert bell.wait(5)
            bell.clear()
            store.connection.call("FLUSHALL")
            assert bell.wait(10), "whoever watches has to look again"
            while not hub.news([MATCH]):
                pass
            bell.clear()
            grow(store, MATCH, rng)  # at a position that was read long ago
            assert bell.wait(5)
    finally:
        hub.stop()
