"""Sends deliveries from the mailbox, many at a time in one thread.

Attempts wait concurrently. Another thread writes their outcomes, so a server that hangs
delays no attempt. A receiver can affect only its own attempt, and that ends within seconds.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from ledger.club.webhooks import Webhooks
from ledger.kernel.refusals import Refused
from services.run.outages import OUTAGES
from services.webhooks.addresses import target_of
from services.webhooks.book import Registry
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Delivery, Lane, Patience, RetrySchedule
from services.webhooks.signatures import headers

from .attempt import AttemptOutcome, Poster

TICK_SECONDS: Final = 0.05
LOOK_SECONDS: Final = 0.25  # between two looks at what was asked for, and at the webhooks
GONE: Final = 410
STOP_SECONDS: Final = 1.0  # for the attempts
WRITE_SECONDS: Final = 2.0  # then for the writes in the queue
AFTER_FAILURE_MS: Final = 5_000  # of ours
FAILED_A_DAY: Final = "no delivery has arrived for a day"
SAID_GONE: Final = "it answered 410: the address is gone"
OTHER_KEY: Final = "the service has a new key: make a new secret, then start it again"
NOT_ANY_MORE: Final = "its address is no longer allowed"
TOO_MANY: Final = "too many deliveries were waiting"


@dataclass
class Sender:
    """Sends the waiting deliveries."""

    registry: Registry
    mailbox: Mailbox
    posters: Mapping[Lane, Poster]
    patience: Patience
    plain: bool  # http is allowed, without TLS
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self._schedule = RetrySchedule(self.patience, random.random)
        self._inbox: deque[Delivery] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._looked = float("-inf")
        self._hooks = Webhooks()

    def take(self, deliveries: Iterable[Delivery]) -> None:
        """Queues deliveries that are already in the mailbox. May be called from any thread."""
        self._inbox.extend(deliveries)

    def begin(self) -> None:
        """Loads the receivers' records, the webhooks and the deliveries that wait already."""
        self._schedule.receivers = self.mailbox.receivers()
        self._hooks = self.registry.read()
        self.take(self.mailbox.waiting())

    async def run(self, going: Callable[[], bool]) -> None:
        """Sends until told to stop. `asyncio.run` then cancels the attempts that have not ended."""
        # All that talks to a server runs in one thread, so it is written in order.
        clerk = ThreadPoolExecutor(1, "courier's clerk")
        asyncio.get_running_loop().set_default_executor(clerk)
        try:
            while going():
                await self._tick()
                await asyncio.sleep(TICK_SECONDS)
        finally:
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=STOP_SECONDS)
                # To cancel an attempt also cancels its write in the queue: these go first.
                written = asyncio.wrap_future(clerk.submit(int))
                await asyncio.wait([written], timeout=WRITE_SECONDS)

    async def _tick(self) -> None:
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self.take(await asyncio.to_thread(self.mailbox.asked))
            self._hooks = await asyncio.to_thread(self.registry.read)
            self._looked = time.monotonic()
            await self._end_stopped()
        fresh = [self._inbox.popleft() for _ in range(len(self._inbox))]
        for one in self._schedule.add(fresh):
            one.state, one.why = "given up", TOO_MANY
            await self._record(one)
        for one in self._schedule.begin(self.registry.clock(), self._owner):
            task = asyncio.create_task(self._deliver(one))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _owner(self, webhook: str) -> str:
        hook = self._hooks.all.get(webhook)
        return "" if hook is None else hook.person

    async def _end_stopped(self) -> None:
        """Forgets the deliveries of a deleted webhook, and gives up those of a stopped one."""
        for webhook in self._schedule.webhooks:
            hook = self._hooks.all.get(webhook)
            if hook is None or hook.stopped:
                await self._give_up(webhook, hook.stopped if hook else "")

    async def _give_up(self, webhook: str, why: str) -> None:
        """Ends all deliveries to a webhook; without a reason it was deleted, and so is its log."""
        left = self._schedule.drop(webhook)
        for one in left:
            one.state, one.why = "given up", one.why or why
        await asyncio.to_thread(self.mailbox.over, webhook, left, forget=not why)

    async def _stop(self, webhook: str, why: str) -> None:
        await asyncio.to_thread(self.registry.stop, webhook, why)
        await self._give_up(webhook, why)

    async def _record(self, one: Delivery) -> None:
        """Writes the outcome of an attempt."""
        receiver = self._schedule.receiver(one.webhook)
        await asyncio.to_thread(self.mailbox.tried, one, receiver)

    # --- one delivery --------------------------------------------------------------------------

    async def _deliver(self, one: Delivery) -> None:
        """Makes one attempt and records its outcome. Our own failures do not count against a
        receiver.
        """
        try:
            await self._attempt(one)
        except Exception as failure:  # noqa: BLE001 - it waits, and is tried again
            if not isinstance(failure, OUTAGES):  # of which is told elsewhere, once
                self.tell(f"could not deliver {one.id}: {type(failure).__name__}: {failure}"[:300])
            one.due = self.registry.clock() + AFTER_FAILURE_MS
        finally:
            self._schedule.set_aside(one.webhook)

    async def _attempt(self, one: Delivery) -> None:
        hook = self._hooks.all.get(one.webhook)
        if hook is None or hook.stopped:
            return  # the next look ends it
        now = self.registry.clock()
        signing = self.registry.key.signed(hook, now)
        if not signing:
            await self._stop(one.webhook, OTHER_KEY)
            return
        try:
            target = target_of(hook.url, plain=self.plain)
        except Refused:
            await self._stop(one.webhook, NOT_ANY_MORE)
            return
        said = headers(signing, one.id, now // 1_000, one.body)
        poster = self.posters[self._schedule.lane(one.webhook)]
        await self._came(one, await poster.post(target, said, one.body))

    async def _came(self, one: Delivery, outcome: AttemptOutcome) -> None:
        now = self.registry.clock()
        one.status, one.why, one.milliseconds = outcome.status, outcome.why, outcome.milliseconds
        stopped = ""
        if outcome.delivered:
            self._schedule.delivered(one, now)
        elif self._schedule.failed(one, now, outcome.retry_after * 1_000):
            stopped = FAILED_A_DAY
        if one.webhook not in self._hooks.all:
            return  # deleted meanwhile, and forgotten
        await self._record(one)
        if outcome.status == GONE:
            stopped = SAID_GONE
        if stopped:
            await self._stop(one.webhook, stopped)
