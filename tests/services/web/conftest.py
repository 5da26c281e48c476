"""Sites for the tests of the web."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from services.settings import Settings
from tests.servers import AnyLedger, programs
from tests.services.web.visitors import Site


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
