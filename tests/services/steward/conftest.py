"""A steward on a real server, by a clock that the test moves, and tables for it to tend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.log.stores.redis.connection import Connection
from services.feeds.hub import Hub
from services.matches.cache import MatchCache
from services.run.settings import Settings
from services.steward.loop import Steward
from tests.support.servers import AnyLedger, programs
from tests.support.services.hall import Hall
from tests.support.web.visitors import Site


@pytest.fixture
def hall(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Hall]:
    """A site and its stewards, who all go by the test's clock."""
    server = any_ledger(next(iter(programs())))
    site = Site(Settings(data=tmp_path, ledger_url=server.url))
    store = site.club.store
    tables = MatchCache(store, site.clock)
    site.app.extensions["match_cache"] = lambda: tables
    said: list[str] = []
    hubs: list[Hub] = []

    def steward() -> Steward:
        hubs.append(Hub(lambda: Connection(server.url)))
        return Steward(store, hubs[-1], clock=site.clock, tell=said.append)  # type: ignore[arg-type]

    yield Hall(site, tables, steward, said)
    for hub in hubs:
        hub.stop()
    site.close()


@pytest.fixture
def a_steward(hall: Hall) -> Callable[[], Steward]:
    return hall.steward
