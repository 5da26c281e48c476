"""The mailbox: waiting deliveries and their outcomes, on the jobs' server.

    {courier}:lease              the process that delivers; expires by itself
    {courier}:feeds              how far each feed was read, and the entry there
    {courier}:asked              pings, and deliveries that a person wants sent again
    {courier}:waiting:<webhook>  by id
    {courier}:receivers          the record of each receiver, by webhook
    {courier}:log:<webhook>      deliveries delivered or given up, the newest first
    {courier}:asking:<webhook>   exists for a moment after a request
    {courier}:made               the time each waiting delivery was made
    {courier}:counts             the outcomes of attempts

Deliveries are written together with the feed position they come from, and removed together
with their outcome. A process that is killed in between has done both or neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from ledger.log.stores.redis.connection import Connection, Word
from services.feeds.reader import FeedPlace

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
_PLACES: Final = msgspec.msgpack.Decoder(FeedPlace)
_ENCODER: Final = msgspec.msgpack.Encoder()

Commands = list[tuple[Word, ...]]


class Mailbox:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # --- who delivers --------------------------------------------------------------------------

    def claim(self, owner: str, milliseconds: int) -> bool:
        """Takes or renews the lease; returns whether this process delivers."""
        words: Commands = [("SET", _LEASE, owner, "NX", "PX", milliseconds), ("GET", _LEASE)]
        if self._connection.calls(words)[1] != owner.encode():
            return False
        self._connection.call("PEXPIRE", _LEASE, milliseconds)
        return True

    def release(self, owner: str) -> None:
        """Gives up the lease, so that another process can deliver."""
        if self._connection.call("GET", _LEASE) == owner.encode():
            self._connection.call("DEL", _LEASE)

    # --- feeds ---------------------------------------------------------------------------------

    def places(self) -> dict[int, FeedPlace]:
        """Returns how far each feed was read."""
        found = self._connection.ask("HGETALL", _FEEDS)
        pairs = zip(found[::2], found[1::2], strict=True)
        return {int(shard): _PLACES.decode(packed) for shard, packed in pairs}

    def noticed(self, deliveries: Iterable[Delivery], places: Mapping[int, FeedPlace]) -> None:
        """Stores new deliveries together with the places in the feeds they come from."""
        read = [("HSET", _FEEDS, shard, _ENCODER.encode(at)) for shard, at in places.items()]
        self._together([*_put(deliveries), *read])

    # --- what somebody asks for ----------------------------------------------------------------

    def ask(self, delivery: Delivery) -> bool:
        """Requests a delivery. Returns False if the same webhook had a request a moment ago."""
        key = f"{_TAG}:asking:{delivery.webhook}"
        if self._connection.call("SET", key, 1, "NX", "PX", ASKING_MS) is None:
            return False
        self._connection.call("RPUSH", _ASKED, _ENCODER.encode(delivery))
        return True

    def asked(self) -> list[Delivery]:
        """Moves requested deliveries to the waiting ones, and returns them."""
        found = self._connection.ask("LRANGE", _ASKED, 0, ASKED_AT_ONCE - 1)
        if not found:
            return []
        deliveries = [_DELIVERIES.decode(packed) for packed in found]
        self._together([*_put(deliveries), ("LTRIM", _ASKED, len(found), -1)])
        return deliveries

    # --- delivering ----------------------------------------------------------------------------

    def waiting(self) -> list[Delivery]:
        """Returns the deliveries that wait, by webhook."""
        webhooks = sorted(one.decode() for one in self._connection.ask("SMEMBERS", _HOOKS))
        replies = (self._connection.ask("HVALS", _waiting(webhook)) for webhook in webhooks)
        return [_DELIVERIES.decode(packed) for reply in replies for packed in reply]

    def receivers(self) -> dict[str, Receiver]:
        found = self._connection.ask("HGETALL", _RECEIVERS)
        pairs = zip(found[::2], found[1::2], strict=True)
        return {webhook.decode(): _RECEIVED.decode(packed) for webhook, packed in pairs}

    def tried(self, one: Delivery, receiver: Receiver) -> None:
        """Records the outcome of an attempt."""
        outcome = "delivered" if one.state == "delivered" else "failed"
        after = _put([one]) if one.state == "waiting" else _finish_deliveries([one])
        receiving = ("HSET", _RECEIVERS, one.webhook, _ENCODER.encode(receiver))
        self._together([receiving, ("HINCRBY", _COUNTS, outcome, 1), *after])

    def over(self, webhook: str, deliveries: Sequence[Delivery], *, forget: bool = False) -> None:
        """Ends all deliveries to a webhook; `forget` also removes its log."""
        there = self._connection.ask("HKEYS", _waiting(webhook))
        words: Commands = [("HDEL", _RECEIVERS, webhook), *_finish_deliveries(deliveries)]
        words += [("ZREM", _MADE, _member(webhook, one.decode())) for one in there]
        words += [("DEL", _waiting(webhook)), ("SREM", _HOOKS, webhook)]
        if forget:
            words.append(("DEL", _log(webhook)))
        self._together(words)

    def log(self, webhook: str) -> list[Delivery]:
        """Returns the sent and waiting deliveries of a webhook, the newest first, each once."""
        words: Commands = [("HVALS", _waiting(webhook)), ("LRANGE", _log(webhook), 0, LOG_MAX - 1)]
        waiting, done = self._connection.asks(words)
        latest: dict[str, Delivery] = {}
        for one in map(_DELIVERIES.decode, (*waiting, *done)):
            latest.setdefault(one.id, one)
        return sorted(latest.values(), key=lambda one: (-one.made, -one.version, one.id))

    # --- figures -------------------------------------------------------------------------------

    def counts(self) -> dict[str, int]:
        """Returns the outcomes of attempts, and how many deliveries were given up."""
        found = self._connection.ask("HMGET", _COUNTS, *OUTCOMES)
        return {
            name.replace(" ", "_"): int(number or 0)
            for name, number in zip(OUTCOMES, found, strict=True)
        }

    def oldest(self) -> tuple[int, int | None]:
        """Returns how many deliveries wait, and when the oldest of them was made."""
        count, first = self._connection.asks(
            [("ZCARD", _MADE), ("ZRANGE", _MADE, 0, 0, "WITHSCORES")]
        )
        return int(count), int(float(first[1])) if first else None

    def _together(self, words: Commands) -> None:
        if words:
            self._connection.calls([("MULTI",), *words, ("EXEC",)])


def _put(deliveries: Iterable[Delivery]) -> Commands:
    words: Commands = []
    for one in deliveries:
        words.append(("HSET", _waiting(one.webhook), one.id, _ENCODER.encode(one)))
        words.append(("SADD", _HOOKS, one.webhook))
        words.append(("ZADD", _MADE, one.made, _member(one.webhook, one.id)))
    return words


def _finish_deliveries(deliveries: Iterable[Delivery]) -> Commands:
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
