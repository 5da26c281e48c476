"""The mailbox: what waits to be delivered and what came of it, on the jobs' server.

    {courier}:lease              who delivers; runs out by itself
    {courier}:feeds              how far each feed was read, and what stands there
    {courier}:asked              pings, and what somebody wants sent again
    {courier}:waiting:<webhook>  by id
    {courier}:receivers          how each receiver has done, by webhook
    {courier}:log:<webhook>      what was delivered or given up, the newest first
    {courier}:asking:<webhook>   there for a moment after somebody has asked
    {courier}:made               of what waits, when it was made
    {courier}:counts             what came of attempts

Deliveries are written together with the position of the feed that they come from, and taken out
together with what came of them: a process that is killed in between has done both or neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from ledger.log.stores.redis.connection import Line, Word

from .retries import Delivery, Receiver

LOG_MAX: Final = 100  # of each webhook
ASKED_AT_ONCE: Final = 100
ASKING_MS: Final = 5_000  # between two that somebody asks for, to one webhook
_TAG: Final = "{courier}"
_LEASE: Final = f"{_TAG}:lease"
_FEEDS: Final = f"{_TAG}:feeds"
_ASKED: Final = f"{_TAG}:asked"
_HOOKS: Final = f"{_TAG}:webhooks"  # those for which something waits
_RECEIVERS: Final = f"{_TAG}:receivers"
_MADE: Final = f"{_TAG}:made"
_COUNTS: Final = f"{_TAG}:counts"
OUTCOMES: Final = ("delivered", "failed", "given up")  # of an attempt; of a delivery, at last

_DELIVERIES: Final = msgspec.msgpack.Decoder(Delivery)
_RECEIVED: Final = msgspec.msgpack.Decoder(Receiver)
_ENCODER: Final = msgspec.msgpack.Encoder()

Commands = list[tuple[Word, ...]]


class Position(msgspec.Struct, frozen=True, array_like=True):
    """How far a feed was read, and what stands there."""

    place: int
    says: bytes


_POSITIONS: Final = msgspec.msgpack.Decoder(Position)


class Mailbox:
    """The mailbox on a server."""

    def __init__(self, line: Line) -> None:
        self._line = line

    # --- who delivers --------------------------------------------------------------------------

    def claim(self, owner: str, milliseconds: int) -> bool:
        """Whether it is this process that delivers; said again now and then."""
        words: Commands = [("SET", _LEASE, owner, "NX", "PX", milliseconds), ("GET", _LEASE)]
        if self._line.calls(words)[1] != owner.encode():
            return False
        self._line.call("PEXPIRE", _LEASE, milliseconds)
        return True

    def release(self, owner: str) -> None:
        """Let another deliver."""
        if self._line.call("GET", _LEASE) == owner.encode():
            self._line.call("DEL", _LEASE)

    # --- feeds ---------------------------------------------------------------------------------

    def positions(self) -> dict[int, Position]:
        """How far each feed was read."""
        found = self._line.ask("HGETALL", _FEEDS)
        pairs = zip(found[::2], found[1::2], strict=True)
        return {int(shard): _POSITIONS.decode(packed) for shard, packed in pairs}

    def noticed(self, deliveries: Iterable[Delivery], positions: Mapping[int, Position]) -> None:
        """What the feeds brought up to these positions."""
        words = [*_put(deliveries)]
        for shard, position in positions.items():
            words.append(("HSET", _FEEDS, shard, _ENCODER.encode(position)))
        self._together(words)

    # --- what somebody asks for ----------------------------------------------------------------

    def ask(self, delivery: Delivery) -> bool:
        """Have something sent; False where the same webhook was asked for a moment ago."""
        key = f"{_TAG}:asking:{delivery.webhook}"
        if self._line.call("SET", key, 1, "NX", "PX", ASKING_MS) is None:
            return False
        self._line.call("RPUSH", _ASKED, _ENCODER.encode(delivery))
        return True

    def asked(self) -> list[Delivery]:
        """What was asked for; it waits like all others from now on."""
        found = self._line.ask("LRANGE", _ASKED, 0, ASKED_AT_ONCE - 1)
        if not found:
            return []
        deliveries = [_DELIVERIES.decode(packed) for packed in found]
        self._together([*_put(deliveries), ("LTRIM", _ASKED, len(found), -1)])
        return deliveries

    # --- delivering ----------------------------------------------------------------------------

    def waiting(self) -> list[Delivery]:
        """Everything that waits."""
        return [one for webhook in self._hooks() for one in self.waiting_for(webhook)]

    def waiting_for(self, webhook: str) -> list[Delivery]:
        """What waits for one webhook."""
        found = self._line.ask("HVALS", _waiting(webhook))
        return [_DELIVERIES.decode(packed) for packed in found]

    def receivers(self) -> dict[str, Receiver]:
        """How each receiver has done."""
        found = self._line.ask("HGETALL", _RECEIVERS)
        pairs = zip(found[::2], found[1::2], strict=True)
        return {webhook.decode(): _RECEIVED.decode(packed) for webhook, packed in pairs}

    def tried(self, one: Delivery, receiver: Receiver) -> None:
        """What came of an attempt."""
        words: Commands = [("HSET", _RECEIVERS, one.webhook, _ENCODER.encode(receiver))]
        words.append(("HINCRBY", _COUNTS, "delivered" if one.state == "delivered" else "failed", 1))
        if one.state == "waiting":
            self._together([*words, *_put([one])])
        else:
            self._together([*words, *_done([one])])

    def over(self, webhook: str, deliveries: Sequence[Delivery], *, forget: bool = False) -> None:
        """Nothing goes to a webhook any more; `forget` what went, too."""
        there = self._line.ask("HKEYS", _waiting(webhook))
        words: Commands = [("HDEL", _RECEIVERS, webhook), *_done(deliveries)]
        words += [("ZREM", _MADE, _member(webhook, one.decode())) for one in there]
        words += [("DEL", _waiting(webhook)), ("SREM", _HOOKS, webhook)]
        if forget:
            words.append(("DEL", _log(webhook)))
        self._together(words)

    def log(self, webhook: str) -> list[Delivery]:
        """What went to a webhook and what waits for it, the newest first; each once."""
        words: Commands = [("HVALS", _waiting(webhook)), ("LRANGE", _log(webhook), 0, LOG_MAX - 1)]
        waiting, done = self._line.asks(words)
        found = [_DELIVERIES.decode(packed) for packed in (*waiting, *done)]
        latest: dict[str, Delivery] = {}
        for one in found:
            latest.setdefault(one.id, one)
        return sorted(latest.values(), key=lambda one: (-one.made, -one.version, one.id))

    # --- figures -------------------------------------------------------------------------------

    def counts(self) -> dict[str, int]:
        """What came of attempts, and how many deliveries were given up."""
        found = self._line.ask("HMGET", _COUNTS, *OUTCOMES)
        return {
            name.replace(" ", "_"): int(number or 0)
            for name, number in zip(OUTCOMES, found, strict=True)
        }

    def oldest(self) -> tuple[int, int | None]:
        """How many deliveries wait, and when the first of them was made."""
        count, first = self._line.asks([("ZCARD", _MADE), ("ZRANGE", _MADE, 0, 0, "WITHSCORES")])
        return int(count), int(float(first[1])) if first else None

    # --- inside --------------------------------------------------------------------------------

    def _hooks(self) -> list[str]:
        return sorted(one.decode() for one in self._line.ask("SMEMBERS", _HOOKS))

    def _together(self, words: Commands) -> None:
        if words:
            self._line.calls([("MULTI",), *words, ("EXEC",)])


def _put(deliveries: Iterable[Delivery]) -> Commands:
    words: Commands = []
    for one in deliveries:
        words.append(("HSET", _waiting(one.webhook), one.id, _ENCODER.encode(one)))
        words.append(("SADD", _HOOKS, one.webhook))
        words.append(("ZADD", _MADE, one.made, _member(one.webhook, one.id)))
    return words


def _done(deliveries: Iterable[Delivery]) -> Commands:
    words: Commands = []
    for one in deliveries:
        words.append(("HDEL", _waiting(one.webhook), one.id))
        words.append(("ZREM", _MADE, _member(one.webhook, one.id)))
        if one.state == "given up":
            words.append(("HINCRBY", _COUNTS, one.state, 1))
        words.append(("LPUSH", _log(one.webhook), _ENCODER.encode(one)))
        words.append(("LTRIM", _log(one.webhook), 0, LOG_MAX - 1))
    return words


def _member(webhook: str, delivery: str) -> str:
    return f"{webhook} {delivery}"


def _waiting(webhook: str) -> str:
    return f"{_TAG}:waiting:{webhook}"


def _log(webhook: str) -> str:
    return f"{_TAG}:log:{webhook}"
