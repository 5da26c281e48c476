"""A store on a real server, and a projector over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.games import ruleset
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.witness import Witness
from services.projector.loop import Projector
from tests.support.servers import Server


@pytest.fixture
def store(ledger: Server) -> RedisStore:
    return RedisStore(Connection(ledger.url))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "segments"


@pytest.fixture
def projector(store: RedisStore, folder: Path) -> Iterator[Projector]:
    made = Projector(store, ruleset, Witness(folder))
    yield made
    made.stop()
