"""All shards of this process: reads feeds, writes segments and projections.

    copy      read the feeds ─▶ segments, heads              (segments.py: the ledger and the disk)
    project   claim shards ─▶ read their feeds ─▶ folds ─▶ flush: snapshots, standings and
              positions, one call a shard                    (the ledger and the jobs server)

The two run in turns and independently: each reads the feeds from its own position. The loop
survives failures of servers and disks: it discards what it folded in memory and reads again
from the checkpoints.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.log.read.history import RulesOf
from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis import keys
from ledger.log.stores.redis.projections import FeedPosition, Fenced, Projections
from ledger.log.stores.redis.store import RedisStore
from ledger.log.stores.segments.witness import Witness
from services.feeds.reader import FeedGoneBack, Feeds, Unread
from services.run.outages import OUTAGES, Retry

from .segments import Copier
from .shards import Followed, Shard, mark_of

LEASE_MS: Final = 5_000
CLAIM_SECONDS: Final = 1.5
WAIT_MS: Final = 200
PARKED_SECONDS: Final = 0.5
PAUSE_SECONDS: Final = 0.2
PAUSE_MOST: Final = 2.0
PROJECT_AT_ONCE: Final = 32  # of each shard: the segments are waiting


@dataclass
class Projector:
    """Copies and projects shards, as far as no other process does."""

    store: RedisStore
    rules_of: RulesOf
    witness: Witness
    tell: Callable[[str], None] = lambda _: None
    shards: Sequence[int] = range(keys.SHARDS)
    lease_ms: int = LEASE_MS

    def __post_init__(self) -> None:
        self._owner = secrets.token_hex(8)
        self._projections = Projections(self.store.cache)
        self._copier = Copier(self.store.connection, self.witness, self.shards, self.tell)
        self._feeds = Feeds(self.store.connection)
        self._shards: dict[int, Shard] = {}
        self._followed: OrderedDict[str, Followed] = OrderedDict()
        self._claimed = self._looked = float("-inf")
        self._behind = False  # there may be more to project than was read at once
        self._reached = True  # the ledger's server, the last time that it was asked
        self._to_copy = Retry(self.tell, "goes on", PAUSE_SECONDS)
        self._to_project = Retry(self.tell, "projects again", PAUSE_SECONDS)

    def run(self, going: Callable[[], bool]) -> None:
        try:
            while going():
                self.step()
        except BaseException:
            self._copier.stop()  # also of a server that has gone back: what it had is all the rarer
            raise
        self.stop()

    def step(self, wait_ms: int = WAIT_MS) -> int:
        """Runs one round; returns how many records were read."""
        wait_ms = 0 if self._behind else wait_ms
        copied = self._try_to_copy(wait_ms)
        if copied is not None and self._copier.reads:
            wait_ms = 0  # it has waited
        projected = self._try_to_project(wait_ms) if self._reached else None
        if projected is None or not self._feeds:
            time.sleep(wait_ms / 1_000)
        self._behind = bool(projected)
        return (copied or 0) + (projected or 0)

    def stop(self) -> None:
        """Writes what is left, and releases the shards."""
        self._copier.stop()
        try:
            for shard in self._shards.values():
                shard.flush()
            for number in self.shards:
                self._projections.release(number, self._owner)
        except (*OUTAGES, Fenced) as why:
            self.tell(f"stops without its server: {why}")

    # --- copying -------------------------------------------------------------------------------

    def _try_to_copy(self, wait_ms: int) -> int | None:
        """Returns how many records were copied, or None if copying failed."""
        if not self._to_copy.is_due:
            return None
        try:
            count = self._copier.step(wait_ms)
        except OUTAGES as why:
            self._reached = False
            self._to_copy.failed(f"waits for its server: {why}", PAUSE_SECONDS)
            return None
        except OSError as why:
            # Play goes on, and the server has it all: the segments catch up when there is room.
            self._reached = True
            self._to_copy.failed(f"cannot write its segments: {why}", PAUSE_MOST)
            return None
        self._reached = True
        self._to_copy.went()
        return count

    # --- projecting ----------------------------------------------------------------------------

    def _try_to_project(self, wait_ms: int) -> int | None:
        """Returns how many records were projected, or None if projecting failed."""
        if not self._to_project.is_due:
            return None
        try:
            count = self._project(wait_ms)
        except (*OUTAGES, Fenced) as why:
            self._lose()
            self._to_project.failed(f"cannot project for now: {why}", PAUSE_MOST)
            return None
        self._to_project.went()
        return count

    def _project(self, wait_ms: int) -> int:
        now = time.monotonic()
        if now - self._claimed > min(CLAIM_SECONDS, self.lease_ms / 3_000):
            self._claim()
            self._claimed = now
        if now - self._looked > PARKED_SECONDS:
            for number, shard in self._shards.items():
                shard.see_parked(self._parked_of(number))
            self._looked = now
        count = 0
        for number, records in self._feeds.read(PROJECT_AT_ONCE, wait_ms):
            count += len(records)
            for record in records:
                self._shards[number].take(record)
        for shard in self._shards.values():
            shard.flush()
        return count

    def _claim(self) -> None:
        """Claims free shards, and renews the leases of ours."""
        for number in self.shards:
            generation = self._projections.claim(number, self._owner, self.lease_ms)
            mine = self._shards.get(number)
            if generation is None or (mine is not None and mine.generation != generation):
                self._drop(number)
            if generation is not None and number not in self._shards:
                self._open(number, generation)

    def _open(self, number: int, generation: int) -> None:
        if not self._holds(number, self._projections.checkpoint(number)):
            self.tell(
                f"projects shard {number} again: its feed differs from the one that was projected"
            )
            self._projections.forget(number)
        args = (self.store, self._projections, self.rules_of, self._followed, self.tell)
        shard = Shard(number, generation, *args)
        self._feeds.add(number, shard.checkpoint.position)
        self._shards[number] = shard
        shard.see_parked(self._parked_of(number))

    def _holds(self, number: int, checkpoint: FeedPosition) -> bool:
        """Returns whether a feed still holds what was projected from it."""
        if not checkpoint.position:
            return True
        feeds = Feeds(self.store.connection)
        try:
            feeds.add(number, checkpoint.position - 1)
            records = [record for _, found in feeds.read(1) for record in found]
        except FeedGoneBack:
            return False
        except DamagedLog:
            return True  # the projector ends where it reads this
        # The projection passed over records that cannot be read.
        return any(isinstance(one, Unread) or mark_of(one) == checkpoint.mark for one in records)

    def _parked_of(self, number: int) -> set[str]:
        found = self.store.connection.ask("SMEMBERS", keys.parked_key(number))
        return {match.decode() for match in found}

    def _drop(self, number: int) -> None:
        self._feeds.drop(number)
        if self._shards.pop(number, None) is not None:
            for match in [one for one in self._followed if keys.shard_of(one) == number]:
                del self._followed[match]

    def _lose(self) -> None:
        """Discards everything in memory, since it may be half done."""
        self._shards.clear()
        self._followed.clear()
        self._feeds = Feeds(self.store.connection)
        self._claimed = float("-inf")
