"""All tests share the profile of Hypothesis, and a real server for tests of the log."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from ledger.log.stores.redis.cluster import connection_to
from ledger.log.stores.redis.connection import Connection
from services.feeds.hub import stop_all
from tests.support.clusters import AnyCluster, Cluster
from tests.support.servers import AnyLedger, Server, programs
from tests.support.sweeper import Sweeper
from tests.support.tiers import NEEDS, Guard, needs_of

# A slow machine is no failure; each law says itself how many examples it wants.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


sweeper = Sweeper()
guard = Guard()
# A script's background job, or nohup, starts us with SIGINT ignored, and children inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by what it starts; before `-m` chooses among them."""
    for item in items:
        if isinstance(item, pytest.Function):
            for need in sorted(needs_of(item)):
                item.add_marker(need)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let a test start processes only if it has a mark that says so."""
    # What is measured alone or at full size is never in the quick tier.
    marks = (*NEEDS, "alone", "full")
    marked = any(item.get_closest_marker(mark) for mark in marks)
    guard.test = "" if marked else item.nodeid
    try:
        return (yield)
    finally:
        guard.test = ""


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over ten thousand tests, which are here to stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def _ledgers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Server]]:
    """One server of each kind for all tests of a process that do not break it."""
    started: dict[str, Server] = {}
    yield started
    for server in started.values():
        server.close()


@pytest.fixture
def any_ledger(_ledgers: dict[str, Server], tmp_path_factory: pytest.TempPathFactory) -> AnyLedger:
    """Gives the server of a name, empty, with the ledger's settings; the disk is not waited for."""

    def named(name: str) -> Server:
        if name not in _ledgers:
            folder = tmp_path_factory.mktemp(name)
            _ledgers[name] = Server(programs()[name], folder, {"appendfsync": "no"}).start()
        stop_all()  # a hub that an earlier test left would say that the server has lost data
        Connection(_ledgers[name].url).call("FLUSHALL")
        return _ledgers[name]

    return named


@pytest.fixture(scope="session")
def _clusters() -> Iterator[dict[str, Cluster]]:
    """One cluster of each kind for all tests of a process that do not break it."""
    started: dict[str, Cluster] = {}
    yield started
    for cluster in started.values():
        cluster.close()


@pytest.fixture
def any_cluster(
    _clusters: dict[str, Cluster], tmp_path_factory: pytest.TempPathFactory
) -> AnyCluster:
    """Gives a cluster of servers of a name, empty; the disk is not waited for."""

    def named(name: str) -> Cluster:
        if name not in _clusters:
            folder = tmp_path_factory.mktemp(f"cluster-{name}")
            made = Cluster(programs()[name], folder, {"appendfsync": "no"})
            _clusters[name] = made.start()
        connection = connection_to(_clusters[name].url)
        connection.call("FLUSHALL")
        connection.close()
        return _clusters[name]

    return named


@pytest.fixture(params=tuple(programs()))
def cluster(request: pytest.FixtureRequest, any_cluster: AnyCluster) -> Cluster:
    """An empty cluster of each kind of servers."""
    return any_cluster(request.param)


@pytest.fixture(params=tuple(programs()))
def ledger(request: pytest.FixtureRequest, any_ledger: AnyLedger) -> Server:
    """An empty server with the ledger's settings, of each kind there is."""
    return any_ledger(request.param)
