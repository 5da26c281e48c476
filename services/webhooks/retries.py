"""Decides which delivery is tried next, and when. Pure: the caller passes the time.

A failed delivery waits twice as long each time, up to an hour. So does its webhook: while a
receiver is down, only one of its waiting deliveries is tried. Each webhook gets one
delivery at a time, and the webhooks of one person two.

There are two lanes. A webhook that took its last delivery quickly is in the sound lane. All
others, new ones too, are in the doubtful lane. However many receivers hang, they fill only
the doubtful lane, and the sound one goes on. A new webhook is tried there first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import msgspec

SECOND: Final = 1_000
DAY: Final = 24 * 3_600 * SECOND
QUICK: Final = 2 * SECOND
WAITING_MAX: Final = 1_000  # deliveries of one webhook; what comes then is given up at once
PERSON_MAX: Final = 2  # deliveries of one person's under way

Lane: TypeAlias = Literal["sound", "doubtful"]


class Delivery(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A notice for a webhook, and the outcome of its attempts so far."""

    id: str
    webhook: str
    kind: str
    made: int
    body: bytes
    match: str = ""
    version: int = 0
    attempts: int = 0
    due: int = 0
    state: Literal["waiting", "delivered", "given up"] = "waiting"
    tried: int = 0  # when last
    status: int = 0
    why: str = ""
    milliseconds: int = 0
    failing_since: int = 0
    asked: bool = False  # somebody wants it sent (again)


def make_delivery(webhook: str, name: str, kind: str, said: dict[str, Any]) -> Delivery:
    """Returns a delivery whose body is its id, its kind and what is `said`."""
    return Delivery(
        id=name,
        webhook=webhook,
        kind=kind,
        made=said["at"],
        body=msgspec.json.encode({"id": name, "kind": kind, **said}),
        match=said.get("match", ""),
        version=said.get("version", 0),
    )


class Receiver(msgspec.Struct, kw_only=True, omit_defaults=True):
    failures: int = 0  # in a row
    failing_since: int = 0
    gate: int = 0  # it is not tried before
    sound: bool = False


@dataclass(frozen=True)
class Patience:
    """The waiting times between attempts, and the total before giving up."""

    first: int = 5 * SECOND
    most: int = 3_600 * SECOND
    whole: int = DAY
    at_once: tuple[tuple[Lane, int], ...] = (("sound", 128), ("doubtful", 64))

    def pause(self, failures: int, luck: float) -> int:
        """Returns the pause after so many failures. `luck`, from 0 to 1, spreads the retries."""
        longest = min(self.first << min(failures - 1, 20), self.most)
        return int(longest * (0.5 + luck / 2))


class RetrySchedule:
    def __init__(self, patience: Patience, luck: Callable[[], float]) -> None:
        self._patience = patience
        self._luck = luck
        self._waiting: dict[str, dict[str, Delivery]] = {}  # by webhook, then by id
        self.receivers: dict[str, Receiver] = {}
        self._under_way: dict[str, tuple[str, Lane]] = {}  # webhook: whose, in which lane

    def add(self, deliveries: Iterable[Delivery]) -> list[Delivery]:
        """Adds deliveries; returns those beyond the limit of their webhook."""
        refused = []
        for one in deliveries:
            there = self._waiting.setdefault(one.webhook, {})
            if one.id not in there and len(there) >= WAITING_MAX:
                refused.append(one)
                continue
            there.setdefault(one.id, one)
            if one.asked and not one.attempts:  # its owner thinks that it will go now
                there[one.id].due = self.receiver(one.webhook).gate = 0
        return refused

    def drop(self, webhook: str) -> list[Delivery]:
        """Removes a webhook; returns the deliveries that waited for it."""
        self.receivers.pop(webhook, None)
        return list(self._waiting.pop(webhook, {}).values())

    @property
    def webhooks(self) -> list[str]:
        return [webhook for webhook, there in self._waiting.items() if there]

    def receiver(self, webhook: str) -> Receiver:
        return self.receivers.setdefault(webhook, Receiver())

    def begin(self, now: int, owner: Callable[[str], str]) -> list[Delivery]:
        """Returns the deliveries to try now. Each is under way until its outcome is reported."""
        ready: list[tuple[int, str, Delivery]] = []
        for webhook, there in self._waiting.items():
            if not there or webhook in self._under_way:
                continue
            gate = self.receiver(webhook).gate
            if gate > now:
                continue
            first = min(there.values(), key=lambda one: (one.due, one.made, one.version))
            if first.due <= now:
                ready.append((max(first.due, gate), webhook, first))
        begun = []
        for _, webhook, first in sorted(ready, key=lambda one: one[:2]):
            lane: Lane = "sound" if self.receiver(webhook).sound else "doubtful"
            who = owner(webhook)
            if self._full(lane, who):
                continue
            self._under_way[webhook] = (who, lane)
            begun.append(first)
        return begun

    def _full(self, lane: Lane, who: str) -> bool:
        under_way = list(self._under_way.values())
        most = dict(self._patience.at_once)[lane]
        of_lane = sum(one == lane for _, one in under_way)
        return of_lane >= most or sum(one == who for one, _ in under_way) >= PERSON_MAX

    def lane(self, webhook: str) -> Lane:
        return self._under_way[webhook][1]

    def delivered(self, one: Delivery, now: int) -> None:
        """Records a delivery. The receiver's other deliveries may be tried at once."""
        self._under_way.pop(one.webhook, None)
        self._waiting.get(one.webhook, {}).pop(one.id, None)
        one.attempts, one.tried, one.state, one.why = one.attempts + 1, now, "delivered", ""
        self.receivers[one.webhook] = Receiver(sound=one.milliseconds <= QUICK)

    def failed(self, one: Delivery, now: int, wait: int = 0) -> bool:
        """Records a failure; returns whether the receiver has failed long enough to be stopped."""
        self._under_way.pop(one.webhook, None)
        receiver = self.receiver(one.webhook)
        receiver.sound = False
        receiver.failures += 1
        receiver.failing_since = receiver.failing_since or now
        wait = min(wait, self._patience.most)
        receiver.gate = now + max(self._patience.pause(receiver.failures, self._luck()), wait)
        one.attempts, one.tried = one.attempts + 1, now
        one.due = now + max(self._patience.pause(one.attempts, self._luck()), wait)
        one.failing_since = one.failing_since or now
        if now - one.failing_since >= self._patience.whole:
            one.state = "given up"
            self._waiting.get(one.webhook, {}).pop(one.id, None)
        return now - receiver.failing_since >= self._patience.whole

    def set_aside(self, webhook: str) -> None:
        """Ends an attempt that says nothing about the receiver."""
        self._under_way.pop(webhook, None)
