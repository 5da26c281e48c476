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
from typing import Final

from services.run.outages import OUTAGES, Retry
from services.webhooks.mailbox import Mailbox

from .reader import Reader
from .sender import Sender

LEASE_MS: Final = 5_000
CLAIM_SECONDS: Final = 1.5
WAIT_MS: Final = 200
BREATH_SECONDS: Final = 0.05  # after news: what comes next is read with it


class Courier:
    """Reads the feeds and delivers, unless another process does."""

    def __init__(
        self,
        mailbox: Mailbox,
        reader: Callable[[], Reader],
        sender: Callable[[], Sender],
        *,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.owner = secrets.token_hex(8)
        self._mailbox = mailbox
        self._new_reader = reader
        self._new_sender = sender
        self._tell = tell
        self._retry = Retry(tell)

    def run(self, going: Callable[[], bool]) -> None:
        """Delivers until told to stop, and survives outages of the servers."""
        while going():
            try:
                if self._mailbox.claim(self.owner, LEASE_MS):
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
        failed: list[BaseException] = []

        def send() -> None:
            try:
                asyncio.run(sender.run(lambda: not over.is_set()))
            except BaseException as why:  # noqa: BLE001 - it is raised again in the main thread
                failed.append(why)
            finally:
                over.set()

        thread = threading.Thread(target=send, name="courier's sender", daemon=True)
        thread.start()
        try:
            self._read(reader, sender, lambda: going() and not over.is_set())
        finally:
            over.set()
            thread.join()
        if failed:
            raise failed[0]
        self._mailbox.release(self.owner)

    def _read(self, reader: Reader, sender: Sender, going: Callable[[], bool]) -> None:
        claimed = time.monotonic()
        while going():
            made = reader.step(WAIT_MS)
            sender.take(made)
            self._retry.went()
            if time.monotonic() - claimed > CLAIM_SECONDS:
                if not self._mailbox.claim(self.owner, LEASE_MS):
                    self._tell("lets another courier deliver")
                    return
                claimed = time.monotonic()
            time.sleep(BREATH_SECONDS)
