"""All matches: looked at when something is written there, and when something falls due.

A failure in one match is reported once and retried at growing intervals; the others go on.
If a server does not answer nothing is lost: the steward looks at everything again when it
does.
"""

from __future__ import annotations

import logging
import os
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Closed
from ledger.log.format.bodies import ActBody, read_body
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.store import RedisStore
from services.feeds.hub import Hub
from services.matches.cache import MatchCache
from services.matches.club import now_ms
from services.run.outages import OUTAGES, Retry

from .heartbeat import Alive
from .match import Attending, Away, Next

FAILURES: Final = (*OUTAGES, OSError)  # of a server or of this machine, not of a match
WAIT_MS: Final = 1_000
AGAIN_MS: Final = 1_000  # after the first failure; each time twice as long
AGAIN_MOST_MS: Final = 60_000
_TABLE: Final = "table:"
_LOG: Final = logging.getLogger(__name__)


class Steward:
    def __init__(
        self,
        store: RedisStore,
        hub: Hub,
        *,
        clock: Callable[[], int] = now_ms,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._hub = hub
        self._clock = clock
        self._tell = tell
        self._tables = MatchCache(store, clock)
        self._alive = Alive(store)
        self._waiting: OrderedDict[str, None] = OrderedDict()  # to be looked at now
        self._due: dict[str, int] = {}
        self._failed: dict[str, tuple[int, str]] = {}  # how often in a row, and why
        self._heard: dict[str, dict[Seat, str]] = {}  # which offers each bot has thought about
        self._retry = Retry(tell)
        self._all = True  # look at all of them, whatever has rung

    def run(self, going: Callable[[], bool]) -> None:
        with self._hub.listening_to_all() as everything:
            while going():
                names = everything.taken()
                try:
                    self.wake(names)
                    self.step()
                except FAILURES as why:
                    self._retry.failed(f"waits for its server: {why}")
                    everything.add(None)  # what was to be looked at is to be looked at again
                    everything.bell.clear()
                    everything.bell.wait(WAIT_MS / 1_000)
                    continue
                self._retry.went()
                if not self._waiting:
                    everything.bell.wait(self.wait_ms() / 1_000)

    def wake(self, names: set[str] | None) -> None:
        """Queues the matches whose logs were written to; None queues all."""
        self._all = self._all or names is None
        for name in sorted(names or ()):
            match = name.removeprefix(_TABLE)
            if not keys.is_book(match) and "/" not in match:
                self._waiting[match] = None

    def step(self) -> None:
        """Writes a heartbeat, and looks once at each queued match."""
        now = self._clock()
        if self._all or self._alive.due(now):
            away = self._alive.away(now)
            if self._all or away is not None:
                self._look_at_all(away)  # before anybody's time is found to be over
                self._all = False
            self._alive.say(now)
        for match in [match for match, due in self._due.items() if due <= now]:
            del self._due[match]
            self._waiting[match] = None
        for match in list(self._waiting):
            del self._waiting[match]
            self._look_at(match, None)
            if self._alive.due(self._clock()):
                self._alive.say(self._clock())  # bots may think for long

    def settle(self, rounds: int = 1_000) -> None:
        """Steps until nothing waits at this moment."""
        for _ in range(rounds):
            self.step()
            if not self._waiting and self.wait_ms() > 0:
                return
        raise AssertionError("the steward does not become idle")

    def wait_ms(self) -> int:
        """Returns the milliseconds until something falls due, at most until the next heartbeat."""
        due = min(self._due.values(), default=None)
        return WAIT_MS if due is None else max(0, min(WAIT_MS, due - self._clock()))

    # --- inside --------------------------------------------------------------------------------

    def _look_at_all(self, away: Away | None) -> None:
        for book in self._store.books():
            match = book.removeprefix(_TABLE)
            if match != book and not self._over(match):
                self._look_at(match, away)

    def _over(self, match: str) -> bool:
        """Returns whether a match's last event closed it. Such a log takes no decisions."""
        tip = self._store.tip(match).version
        for event in self._store.events(match, tip, tip):
            body = read_body(event.body)
            return isinstance(body, ActBody) and isinstance(body.act, Closed)
        return True

    def _look_at(self, match: str, away: Away | None) -> None:
        try:
            with self._tables.opened(match) as opened:
                heard = self._heard.setdefault(match, {})
                found = Attending(opened, os.urandom, heard).attend(away)
                if opened.history.life.closed:
                    del self._heard[match]
        except FAILURES:
            raise
        except Refused as refusal:
            if refusal.code == "no_such_match":
                return
            found = self._fail(match, refusal)
        except Exception as why:  # noqa: BLE001 - one match must not keep the others waiting
            found = self._fail(match, why)
        else:
            if self._failed.pop(match, None):
                self._tell(f"continues match {match}")
        self._due.pop(match, None)
        if found.at_once:
            self._waiting[match] = None
        elif found.at is not None:
            self._due[match] = found.at

    def _fail(self, match: str, why: Exception) -> Next:
        """Leaves a match for later. Reports only the kind of error, since its text may name
        secrets.
        """
        cause = why.__cause__ or why
        said = cause.code if isinstance(cause, Refused) else type(cause).__name__
        count, before = self._failed.get(match, (0, ""))
        if said != before:
            self._tell(f"leaves match {match} for now: {said}")
        count += 1
        self._failed[match] = count, said
        _LOG.debug("match %s", match, exc_info=why)
        return Next(self._clock() + min(AGAIN_MS << min(count - 1, 10), AGAIN_MOST_MS))
