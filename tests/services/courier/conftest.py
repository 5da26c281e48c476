"""A site whose players have programs on this machine that are told, and couriers to tell them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.courier.attempt import Bounds
from services.courier.loop import Courier
from services.matches.club import now_ms
from services.run.settings import Settings, read_networks
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Patience
from tests.support.servers import AnyLedger, programs
from tests.support.web.visitors import Site, Visitor

QUICK = Bounds(seconds=0.8, look_up_seconds=0.3, connect_seconds=0.4, body_seconds=0.1)
HASTE = Patience(first=100, most=400, whole=1_500)


@dataclass
class Town:
    """A site, and what its couriers need."""

    settings: Settings
    site: Site = field(init=False)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.site = Site(self.settings)
        self.site.club.clock = now_ms  # the courier has the real time
        self.site.club.book._clock = now_ms

    @property
    def store(self) -> RedisStore:
        store = self.site.club.store
        assert isinstance(store, RedisStore)
        return store

    @property
    def mailbox(self) -> Mailbox:
        return Mailbox(self.store.cache)

    def deliver(
        self,
        done: Callable[[], bool],
        seconds: float = 8.0,
        patience: Patience = HASTE,
        **more: Any,
    ) -> bool:
        """Run a courier until it is so; False where it has not become so."""
        until = time.monotonic() + seconds
        more.setdefault("bounds", QUICK)
        courier = Courier(
            self.settings,
            self.store,
            patience=patience,
            tell=self.said.append,
            **more,
        )
        courier.run(lambda: not done() and time.monotonic() < until)
        return done()


def hooked(who: Visitor, url: str, *kinds: str) -> dict[str, Any]:
    """A webhook of somebody's."""
    asked = {"url": url, **({"kinds": list(kinds)} if kinds else {})}
    answer = who.asks("POST", "/me/webhooks", asked)
    assert answer.status_code == 201, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def deliveries(who: Visitor, webhook: str) -> list[dict[str, Any]]:
    """Returns the deliveries of a webhook, as its owner reads them."""
    found: list[dict[str, Any]] = who.asks("GET", f"/me/webhooks/{webhook}/deliveries").json[
        "deliveries"
    ]
    return found


@pytest.fixture
def town(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Town]:
    server = any_ledger(next(iter(programs())))
    settings = Settings(
        data=tmp_path,
        ledger_url=server.url,
        public_url="http://localhost",
        webhook_networks=read_networks("127.0.0.0/8", "here"),
    )
    made = Town(settings)
    yield made
    made.site.close()


@pytest.fixture
def connection(town: Town) -> Connection:
    return town.store.cache
