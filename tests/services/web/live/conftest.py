"""The service under gunicorn, for the tests of what is live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.live.served import Gunicorn, Tokens, club_on
from tests.support.servers import AnyLedger, Server, programs


@pytest.fixture
def server(any_ledger: AnyLedger) -> Server:
    return any_ledger(next(iter(programs())))


@pytest.fixture
def club(server: Server) -> Iterator[Tokens]:
    found = club_on(server.url)
    yield found
    found.store.connection.close()


@pytest.fixture
def serve(server: Server, tmp_path: Path) -> Iterator[Callable[..., Gunicorn]]:
    """Starts the service; what still runs at the end is killed."""
    started: list[Gunicorn] = []

    def start(*words: str, **environment: Any) -> Gunicorn:
        started.append(Gunicorn(tmp_path, server.url, *words, **environment))
        return started[-1].start()

    yield start
    for one in started:
        one.kill()
