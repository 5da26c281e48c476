"""Sites for the tests of the web."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from services.run.settings import Settings
from services.web.app import waiting
from tests.support.servers import AnyLedger, Server, programs
from tests.support.services.workers import Working
from tests.support.web.visitors import Site


@pytest.fixture
def a_site(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Makes sites on one empty server: each is a process of its own, as far as it can tell."""
    server = any_ledger(next(iter(programs())))
    made: list[Site] = []

    def make(**settings: Any) -> Site:
        # Tests ask more often than people do; those of the limits say otherwise.
        said = {"limits": False, "log": "quiet"} | settings
        made.append(Site(Settings(data=tmp_path, ledger_url=server.url, **said)))
        return made[-1]

    yield make
    for site in made:
        site.close()


@pytest.fixture
def site(a_site: Callable[..., Site]) -> Site:
    return a_site()


@pytest.fixture
def busy(a_site: Callable[..., Site], jobs_server: Server, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site with a jobs' server; nobody waits for a job within a request."""
    monkeypatch.setattr(waiting, "AWAITED_SECONDS", 0.0)
    return a_site(jobs_url=jobs_server.url)


@pytest.fixture
def worker(busy: Site, jobs_server: Server, tmp_path: Path) -> Iterator[Callable[[], Working]]:
    """Starts workers of that site, each a process of its own."""
    started: list[Working] = []
    ledger = busy.settings.ledger_url
    assert ledger is not None, "the site is on a server"

    def start() -> Working:
        started.append(Working(tmp_path, ledger, jobs_server.url, "services.worker"))
        return started[-1]

    yield start
    for one in started:
        one.kill()
