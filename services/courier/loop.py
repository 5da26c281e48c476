"""The courier reads the feeds and sends deliveries while it holds the lease.

Reading and folding run in the main thread, where a rule that never ends can be stopped.
Sending has its own thread. If that thread ends, so does this round, and the next one starts
from the mailbox.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from ledger.games import ruleset
from ledger.log.stores.redis.store import RedisStore
from services.matches.club import now_ms
from services.run.logs import teller
from services.run.outages import OUTAGES, Retry
from services.run.settings import Settings
from services.webhooks.addresses import LookUp, look_up
from services.webhooks.book import Registry
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Lane, Patience
from services.webhooks.signatures import key_of

from .attempt import Bounds, Names, Poster
from .reader import Reader
from .sender import Sender

LEASE_MS: Final = 5_000
CLAIM_SECONDS: Final = 1.5
WAIT_MS: Final = 200
BREATH_SECONDS: Final = 0.05  # after news: what comes next is read with it
TELL: Final = teller("courier")
NAMES_AT_ONCE: Final[dict[Lane, int]] = {"sound": 32, "doubtful": 64}


@dataclass
class Courier:
    """Reads the feeds and delivers, unless another process does."""

    settings: Settings
    store: RedisStore
    patience: Patience = field(default_factory=Patience)
    bounds: Bounds = field(default_factory=Bounds)
    look: LookUp = look_up
    clock: Callable[[], int] = now_ms
    tell: Callable[[str], None] = TELL

    def __post_init__(self) -> None:
        key = key_of(self.settings.data, self.settings.webhook_key)
        self._registry = Registry(self.store, key, self.clock)
        self._mailbox = Mailbox(self.store.cache)
        self._owner = secrets.token_hex(8)
        self._retry = Retry(self.tell)

    def run(self, going: Callable[[], bool]) -> None:
        """Delivers until told to stop, and survives outages of the servers."""
        while going():
            try:
                if self._mailbox.claim(self._owner, LEASE_MS):
                    self._session(going)
                else:
                    time.sleep(CLAIM_SECONDS / 2)
            except OUTAGES as why:
                self._retry.failed(f"waits for its server: {why}")
                self._retry.wait()

    def _session(self, going: Callable[[], bool]) -> None:
        """Runs until told to stop, until the lease is lost, or until a server is gone."""
        reader, sender = self._new_reader(), self._new_sender()
        reader.begin()
        sender.begin()
        over = threading.Event()
        with ThreadPoolExecutor(1, "courier's sender") as threads:
            sending = threads.submit(asyncio.run, sender.run(lambda: not over.is_set()))
            try:
                self._read(reader, sender, lambda: going() and not sending.done())
            finally:
                over.set()
        sending.result()
        self._mailbox.release(self._owner)

    def _read(self, reader: Reader, sender: Sender, going: Callable[[], bool]) -> None:
        claimed = time.monotonic()
        while going():
            sender.take(reader.step(WAIT_MS))
            self._retry.went()
            if time.monotonic() - claimed > CLAIM_SECONDS:
                if not self._mailbox.claim(self._owner, LEASE_MS):
                    self.tell("lets another courier deliver")
                    return
                claimed = time.monotonic()
            time.sleep(BREATH_SECONDS)

    def _new_reader(self) -> Reader:
        site = self.settings.public_url or ""
        return Reader(self.store, self._registry, self._mailbox, ruleset, site, self.tell)

    def _new_sender(self) -> Sender:
        networks = self.settings.webhook_networks
        posters = {
            lane: Poster(Names(self.look, at_once), networks, self.bounds)
            for lane, at_once in NAMES_AT_ONCE.items()
        }
        plain = bool(networks)
        return Sender(self._registry, self._mailbox, posters, self.patience, plain, self.tell)
