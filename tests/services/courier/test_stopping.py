"""What the sender still writes when it is stopped."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

from services.courier.attempt import AttemptOutcome
from services.courier.sender import Sender
from services.webhooks.retries import Delivery, Patience


class SlowMailbox:
    """A mailbox whose server takes a while for each write."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def asked(self) -> list[Delivery]:
        return []

    def tried(self, delivery: Delivery, _receiver: object) -> None:
        time.sleep(0.3)
        self.written.append(delivery.state)


class QuickPoster:
    async def post(self, *_words: object) -> AttemptOutcome:
        return AttemptOutcome(200, "", 1)


def test_what_has_arrived_is_written_before_the_sender_stops(monkeypatch: Any):
    monkeypatch.setattr("services.courier.sender.STOP_SECONDS", 0.1)
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
    posters: Any = {"sound": poster, "doubtful": poster}
    sender = Sender(registry, mailbox, posters, Patience(), True, print)
    sender.take(
        Delivery(id=f"d{number}", webhook=f"w{number}", kind="ping", made=1, body=b"{}")
        for number in range(3)
    )
    until = time.monotonic() + 0.2
    asyncio.run(sender.run(lambda: time.monotonic() < until))
    assert mailbox.written == ["delivered"] * 3
