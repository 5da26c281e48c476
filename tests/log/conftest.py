"""The stores that the tests of the log run over: every kind there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.log.files import FileStore
from ledger.log.memory import MemoryStore
from ledger.log.redis import RedisStore
from ledger.log.redis.connection import Line
from ledger.log.store import Store
from tests.servers import AnyLedger, programs

STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _folder: MemoryStore(),
    "files": FileStore,
}


@pytest.fixture(params=(*STORES, *programs()))
def store(request: pytest.FixtureRequest, tmp_path: Path, any_ledger: AnyLedger) -> Store:
    """An empty store of each kind; a new kind is one more line in STORES."""
    if request.param in STORES:
        return STORES[request.param](tmp_path)
    return RedisStore(Line(any_ledger(request.param).url))
