"""Sends deliveries from the mailbox, many at a time in one thread.

Attempts wait concurrently. Another thread writes their outcomes, so a server that hangs
delays no attempt. A receiver can affect only its own attempt, and that ends within seconds.
"""

from __future__ import annotations

import asyncio
import queue
import random
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from ledger.club.webhooks import Webhook, Webhooks
from ledger.kernel.refusals import Refused
from services.run.outages import OUTAGES
from services.webhooks.addresses import Destination, target_of
from services.webhooks.book import Registry
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Delivery, Lane, Patience, RetrySchedule
from services.webhooks.signatures import headers

from .attempt import AttemptOutcome, Poster

TICK_SECONDS: Final = 0.05
LOOK_SECONDS: Final = 0.25  # between two looks at what was asked for, and at the webhooks
GONE: Final = 410
STOP_SECONDS: Final = 1.0
AFTER_FAILURE_MS: Final = 5_000  # of ours
FAILED_A_DAY: Final = "no delivery has arrived for a day"
SAID_GONE: Final = "it answered 410: the address is gone"
OTHER_KEY: Final = "the service has a new key: make a new secret, then start it again"
NOT_ANY_MORE: Final = "its address is no longer allowed"
TOO_MANY: Final = "too many deliveries were waiting"

Result = TypeVar("Result")


class Sender:
    """Sends the waiting deliveries."""

    def __init__(
        self,
        registry: Registry,
        mailbox: Mailbox,
        posters: Mapping[Lane, Poster],
        *,
        patience: Patience | None = None,
        plain: bool = False,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._registry = registry
        self._mailbox = mailbox
        self._posters = posters
        self._plain = plain
        self._tell = tell
        self.rounds = RetrySchedule(patience or Patience(), random.random)
        self._inbox: queue.SimpleQueue[Delivery] = queue.SimpleQueue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._clerk = ThreadPoolExecutor(1, "courier's clerk")
        self._looked = float("-inf")
        self._hooks = Webhooks()

    def take(self, deliveries: Iterable[Delivery]) -> None:
        """Queues deliveries that are already in the mailbox. May be called from any thread."""
        for one in deliveries:
            self._inbox.put(one)

    def begin(self) -> None:
        """Loads the receivers' records, the webhooks and the deliveries that wait already."""
        self.rounds.receivers = self._mailbox.receivers()
        self._hooks = self._registry.read()
        self.take(self._mailbox.waiting())

    async def run(self, going: Callable[[], bool]) -> None:
        try:
            while going():
                await self._tick()
                await asyncio.sleep(TICK_SECONDS)
        finally:
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=STOP_SECONDS)
            for task in self._tasks:
                task.cancel()
            self._clerk.shutdown(wait=True)

    async def _tick(self) -> None:
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self.take(await self._written(self._mailbox.asked))
            self._hooks = await self._written(self._registry.read)
            self._looked = time.monotonic()
            await self._end_what_is_over()
        fresh: list[Delivery] = []
        with suppress(queue.Empty):
            while True:
                fresh.append(self._inbox.get_nowait())
        for one in self.rounds.add(fresh):
            one.state, one.why = "given up", TOO_MANY
            receiver = self.rounds.receiver(one.webhook)
            await self._written(lambda one=one, r=receiver: self._mailbox.tried(one, r))  # type: ignore[misc]
        for one in self.rounds.begin(self._registry.clock(), self._owner):
            task = asyncio.create_task(self._deliver(one))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _owner(self, webhook: str) -> str:
        found = self._hooks.all.get(webhook)
        return "" if found is None else found.person

    async def _end_what_is_over(self) -> None:
        """Forgets the deliveries of a deleted webhook, and gives up those of a stopped one."""
        for webhook in self.rounds.webhooks:
            found = self._hooks.all.get(webhook)
            if found is None:
                await self._give_up(webhook, "", forget=True)
            elif found.stopped:
                await self._give_up(webhook, found.stopped)

    async def _give_up(self, webhook: str, why: str, *, forget: bool = False) -> None:
        left = self.rounds.drop(webhook)
        for one in left:
            one.state, one.why = "given up", one.why or why
        await self._written(lambda: self._mailbox.over(webhook, left, forget=forget))

    async def _written(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, work)

    # --- one delivery --------------------------------------------------------------------------

    async def _deliver(self, one: Delivery) -> None:
        """Makes one attempt and records its outcome. Our own failures do not count against a
        receiver.
        """
        try:
            await self._attempt(one)
        except Exception as failure:  # noqa: BLE001 - it waits, and is tried again
            if not isinstance(failure, OUTAGES):  # of which is told elsewhere, once
                self._tell(f"could not deliver {one.id}: {type(failure).__name__}: {failure}"[:300])
            one.due = self._registry.clock() + AFTER_FAILURE_MS
        finally:
            self.rounds.set_aside(one.webhook)

    async def _attempt(self, one: Delivery) -> None:
        hook = self._hooks.all.get(one.webhook)
        if hook is None or hook.stopped:
            return  # the next look ends it
        now = self._registry.clock()
        signing = self._registry.key.signed(hook, now)
        target = self._target(hook)
        if not signing or target is None:
            await self._stop(one.webhook, NOT_ANY_MORE if signing else OTHER_KEY)
            return
        said = headers(signing, one.id, now // 1_000, one.body)
        outcome = await self._posters[self.rounds.lane(one.webhook)].post(target, said, one.body)
        await self._came(one, outcome)

    def _target(self, hook: Webhook) -> Destination | None:
        try:
            return target_of(hook.url, plain=self._plain)
        except Refused:
            return None

    async def _came(self, one: Delivery, outcome: AttemptOutcome) -> None:
        now = self._registry.clock()
        one.status, one.why, one.milliseconds = outcome.status, outcome.why, outcome.milliseconds
        stopped = ""
        if outcome.delivered:
            self.rounds.delivered(one, now)
        elif self.rounds.failed(one, now, outcome.retry_after * 1_000):
            stopped = FAILED_A_DAY
        if one.webhook not in self._hooks.all:
            return  # deleted meanwhile, and forgotten
        receiver = self.rounds.receiver(one.webhook)
        await self._written(lambda: self._mailbox.tried(one, receiver))
        if outcome.status == GONE:
            stopped = SAID_GONE
        if stopped:
            await self._stop(one.webhook, stopped)

    async def _stop(self, webhook: str, why: str) -> None:
        await self._written(lambda: self._registry.stop(webhook, why))
        await self._give_up(webhook, why)
