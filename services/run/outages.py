"""Outages of a server: what they look like, and how a loop waits until one is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ledger.log.stores.protocol import Unavailable
from ledger.log.stores.redis.connection import NoReply, NotSent, Refusing

OUTAGES: Final = (Unavailable, NotSent, NoReply, Refusing)  # of a server, not of a match
TELL_SECONDS: Final = 2.0  # a server that is started again is no news
PAUSE_SECONDS: Final = 0.5


@contextmanager
def report_outage(said: str, *, unknown: bool = False) -> Iterator[None]:
    """Turns an outage of the server in the block into `Unavailable`, with these words before it."""
    try:
        yield
    except (NotSent, NoReply, Refusing) as reason:
        raise Unavailable(f"{said}: {reason}", unknown=unknown) from None


class Retry:
    """The pauses of work that fails for now, and its messages to the operator: one, and its end."""

    def __init__(
        self, tell: Callable[[str], None], again: str = "goes on", pause: float = PAUSE_SECONDS
    ) -> None:
        self._tell = tell
        self._again = again
        self._first = pause
        self._since = self._next = self._pause = 0.0
        self._told = False

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._next

    def failed(self, why: str, longest: float = PAUSE_SECONDS) -> None:
        """Records a failure. Each further failure makes the pause longer, up to the longest."""
        now = time.monotonic()
        self._since = self._since or now
        self._pause = min(self._pause * 2 or self._first, longest)
        self._next = now + self._pause
        if not self._told and now - self._since > TELL_SECONDS:
            self._tell(why)
            self._told = True

    def went(self) -> None:
        """Records a success."""
        if self._told:
            self._tell(self._again)
        self._since = self._pause = 0.0
        self._told = False

    def wait(self) -> None:
        """Sleeps until the next try."""
        time.sleep(max(0.0, self._next - time.monotonic()))
