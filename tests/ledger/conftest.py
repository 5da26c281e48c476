"""The stores that the tests of the log run over: every kind there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.log.stores.files import FileStore
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Store
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.cluster import connection_to
from tests.support.clusters import AnyCluster
from tests.support.servers import AnyLedger, programs

STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _folder: MemoryStore(),
    "files": FileStore,
}


CLUSTERS = {f"cluster of {name}": name for name in programs()}


@pytest.fixture(params=(*STORES, *programs(), *CLUSTERS))
def store(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    any_ledger: AnyLedger,
    any_cluster: AnyCluster,
) -> Iterator[Store]:
    """An empty store of each kind; a new kind is one more line in STORES."""
    if request.param in STORES:
        yield STORES[request.param](tmp_path)
        return
    where = any_cluster if request.param in CLUSTERS else any_ledger
    connection = connection_to(where(CLUSTERS.get(request.param, request.param)).url)
    yield RedisStore(connection)
    connection.close()
