"""A slow disk: under `always` nothing that was acknowledged is lost, however long it takes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ledger.log.format.chain import EMPTY, link
from ledger.log.stores.protocol import Appended, Batch
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from tests.support.durability.slowing import can_slow, loss, slow_server
from tests.support.servers import programs

pytestmark = pytest.mark.skipif(
    not can_slow(), reason="strace, which slows the disk down, is not here or may not trace"
)


@pytest.mark.parametrize("server", programs())
def test_a_kill_on_a_slow_disk_loses_nothing_under_always(server: str, tmp_path: Path):
    seen = loss(programs()[server], tmp_path, "landing", "always", 60, seconds=(0.8, 1.2))
    print(seen)
    assert seen.wrong == []
    assert seen.lost == 0
    assert seen.acknowledged > 10


@pytest.mark.parametrize("server", programs())
def test_an_answer_waits_for_the_slow_disk(server: str, tmp_path: Path):
    """Else the test above would show nothing."""
    with slow_server(programs()[server], tmp_path, "always", 250) as slow:
        store = RedisStore(Connection(slow.url))
        began = time.monotonic()
        event = link("m", EMPTY, b"one")
        assert store.append("m", Batch(expect=EMPTY, events=(event,))) == Appended(event.tip)
        assert time.monotonic() - began > 0.25
        store.connection.close()
