"""Tails the feeds from a checkpoint, as a projector does, and notes heads outside.

What it has made of the events and how far it has come are stored together. It may die anywhere,
and still takes every event of every log exactly once and in order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from ledger.log.format.chain import Event, Tip
from ledger.log.stores.protocol import DamagedLog, Unavailable
from ledger.log.stores.redis import RedisStore, keys
from ledger.log.stores.redis.connection import NoReply, NotSent, Refusing
from services.keep.guard import missing_heads
from tests.support.durability.simulation.truth import Finding, Truth, hold

NotNow = (NotSent, NoReply, Refusing, Unavailable)


class Reader:
    """Reads every event once."""

    name = "reader"

    def __init__(
        self, rng: random.Random, store: RedisStore, truth: Truth, shards: set[int] | None = None
    ) -> None:
        self.rng = rng
        self.store = store
        self.truth = truth
        self.shards = sorted(shards or range(keys.SHARDS))
        self.doing = "nothing"
        self.running = False
        # Stored together; outlives it.
        self.read: dict[str, list[Event]] = {}
        self.checkpoints = dict.fromkeys(self.shards, 0)
        # Outside the server; outlives both.
        self.noted: dict[str, Tip] = {}
        self._losses = 0
        self._life = self._live()

    def step(self) -> None:
        """Do one thing."""
        if self.truth.losses != self._losses:
            self._lose()
        next(self._life)

    def die(self) -> None:
        """Forget everything but what was stored."""
        self._life = self._live()
        self.doing = "was started anew"

    def leave(self) -> bool:
        """Says whether there is anything left to be read."""
        return any(
            len(self.read.get(name, ())) < len(log.events) for name, log in self.truth.logs.items()
        )

    def _lose(self) -> None:
        """The log has lost its tail, by everybody's leave: read it all anew."""
        self._losses = self.truth.losses
        self.read, self.checkpoints = {}, dict.fromkeys(self.shards, 0)
        self.noted = {
            name: tip for name, tip in self.noted.items() if self.truth.log(name).was(tip)
        }
        self.die()

    def _live(self) -> Iterator[None]:
        while True:
            try:
                yield from self._read_on()
            except NotNow:
                self.doing = "nothing to be had"
            except DamagedLog as damage:
                if self.truth.losses == self._losses and self.truth.watching:
                    raise Finding(f"a sound log was called damaged: {damage}") from damage
                self.doing = "what the feed told of is lost"
            yield

    def _read_on(self) -> Iterator[None]:
        feeds = [keys.feed_key(shard) for shard in self.shards]
        after = [f"0-{self.checkpoints[shard]}" for shard in self.shards]
        count = self.rng.randint(1, 5)
        self.doing = f"reads feeds after {after}"
        reply = self.store.connection.ask("XREAD", "COUNT", count, "STREAMS", *feeds, *after)
        yield
        for feed, rows in reply or ():
            shard = feeds.index(feed.decode())
            for row in rows:
                yield from self._take(self.shards[shard], row)

    def _take(self, shard: int, row: Any) -> Iterator[None]:
        position = int(row[0].partition(b"-")[2])
        after = self.checkpoints[shard]
        hold(position == after + 1, "the feed goes on from", after, "with", position)
        name, _, last = row[1][1].decode().rpartition(" ")
        events: list[Event] = []
        if not name.endswith(keys.KEPT):
            done = len(self.read.get(name, ()))
            self.doing = f"reads {name[:4]} from {done + 1} to {last}"
            events = list(self.store.events(name, done + 1, int(last)))
            yield
        self._store(shard, position, name, events)
        yield
        if events:
            self.noted[name] = events[-1].tip

    def _store(self, shard: int, position: int, name: str, events: list[Event]) -> None:
        """Stores the results and the checkpoint together."""
        if self.truth.losses != self._losses:
            return
        self.read.setdefault(name, []).extend(events)
        self.checkpoints[shard] = position
        if events and self.truth.watching:
            log, last = self.truth.log(name), events[-1].version
            hold(events[0].version == log.batches[last], name, "was not read batch by batch", last)
            hold(self.read[name] == log.events[:last], name, "was not read once and in order")


def guard(noted: Mapping[str, Tip], store: RedisStore) -> list[str]:
    """The logs that have not the heads that were noted outside, as the service's guard says."""
    return [one.name for one in missing_heads(store.connection, list(noted.items()))]
