"""A sender that is stopped still writes the outcomes that have arrived."""

from __future__ import annotations

import asyncio
import threading
import time
from types import SimpleNamespace
from typing import Any

from services.courier.attempt import AttemptOutcome
from services.courier.sender import Sender
from services.webhooks.retries import Delivery, Patience


class SlowMailbox:
    """A mailbox whose server begins no write before the sender waits for them."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.awaited = threading.Event()

    def asked(self) -> list[Delivery]:
        return []

    def tried(self, delivery: Delivery, _receiver: object) -> None:
        assert self.awaited.wait(20), "nobody waits for the writes"
        self.written.append(delivery.state)


class QuickPoster:
    def __init__(self) -> None:
        self.posted = 0

    async def post(self, *_words: object) -> AttemptOutcome:
        self.posted += 1
        return AttemptOutcome(200, "", 1)


def test_what_has_arrived_is_written_before_the_sender_stops(monkeypatch: Any):
    monkeypatch.setattr("services.courier.sender.STOP_SECONDS", 0)
    hooks: Any = {
        f"w{number}": SimpleNamespace(person=f"p{number}", stopped="", url="http://10.0.0.1/")
        for number in range(3)
    }
    registry: Any = SimpleNamespace(
        read=lambda: SimpleNamespace(all=hooks),
        clock=lambda: int(time.time() * 1_000),
        key=SimpleNamespace(signed=lambda *_: [b"k" * 32]),
    )
    mailbox: Any = SlowMailbox()
    poster: Any = QuickPoster()
    wrap_future = asyncio.wrap_future

    def await_writes(future: Any) -> Any:
        mailbox.awaited.set()
        return wrap_future(future)

    monkeypatch.setattr("services.courier.sender.asyncio.wrap_future", await_writes)
    posters: Any = {"sound": poster, "doubtful": poster}
    sender = Sender(registry, mailbox, posters, Patience(), True, print)
    sender.take(
        Delivery(id=f"d{number}", webhook=f"w{number}", kind="ping", made=1, body=b"{}")
        for number in range(3)
    )
    asyncio.run(sender.run(lambda: poster.posted < 3))
    assert mailbox.written == ["delivered"] * 3
