"""All shards that this process has: feeds in, segments and projections out.

    claim shards ─▶ read their feeds ─▶ witness (segments, heads) and shards (folds)
                 ─▶ flush: snapshots, standings and positions, one call a shard
                 ─▶ sync the segments, a second later at the latest

Whatever a server does, the loop goes on: what was in memory is thrown away and read again from
the checkpoints.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ledger.log.history import RulesOf
from ledger.log.redis import keys
from ledger.log.redis.connection import Word
from ledger.log.redis.entries import Row
from ledger.log.redis.projections import Checkpoint, Fenced, Projections
from ledger.log.redis.ship import FeedReader, FeedWentBack, Unread
from ledger.log.redis.store import RedisStore
from ledger.log.segments.records import Record
from ledger.log.segments.witness import Witness
from ledger.log.segments.writer import InUse
from ledger.log.store import DamagedLog

from .shards import OUTAGES, Shard, mark_of

LEASE_MS: Final = 5_000
CLAIM_SECONDS: Final = 1.5
WAIT_MS: Final = 200
SYNC_SECONDS: Final = 0.25  # half of a second is promised
PARKED_SECONDS: Final = 0.5
PAUSE_SECONDS: Final = 0.2
TELL_SECONDS: Final = 2.0  # a server that is started again is no news
READ_AT_ONCE: Final = 200


class GoneBack(Exception):
    """The server has lost what the segments hold."""


class Projector:
    """Projects the shards that it can get."""

    def __init__(
        self,
        store: RedisStore,
        rules_of: RulesOf,
        witness: Witness,
        *,
        shards: Iterable[int] = range(keys.SHARDS),
        lease_ms: int = LEASE_MS,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.owner = secrets.token_hex(8)
        self._store = store
        self._rules_of = rules_of
        self._witness = witness
        self._wanted = tuple(shards)
        self._lease_ms = lease_ms
        self._tell = tell
        self._projections = Projections(store.cache)
        self._shards: dict[int, Shard] = {}
        self._readers: dict[int, FeedReader] = {}
        self._claimed = self._synced = self._looked = float("-inf")
        self._unsynced = False
        self._uncopied: set[int] = set()  # shards whose feeds speak of what cannot be read
        self._out_since = 0.0  # since when a server is not there
        self._told = False  # ... which was said

    def run(self, going: Callable[[], bool]) -> None:
        """Project for as long as it is wanted."""
        while going():
            try:
                self.step()
            except OUTAGES as why:
                self._lose(f"waits for its server: {why}")
                time.sleep(PAUSE_SECONDS)
            except Fenced as why:
                self._lose(str(why))
                time.sleep(PAUSE_SECONDS)
            except OSError as why:
                # Play goes on, and the server has it all: the segments catch up when there is room.
                self._lose(f"cannot write its segments: {why}")
                time.sleep(PAUSE_SECONDS)
        self.stop()

    def step(self, wait_ms: int = WAIT_MS) -> int:
        """One round; says how many records came in."""
        now = time.monotonic()
        if now - self._claimed > min(CLAIM_SECONDS, self._lease_ms / 3_000):
            self._claim()
            self._claimed = now
        if now - self._looked > PARKED_SECONDS:
            self._see_parked()
            self._looked = now
        count = self._read(wait_ms) if self._shards else 0
        if not self._shards:
            time.sleep(wait_ms / 1_000)
        for shard in self._shards.values():
            shard.flush()
        if self._unsynced and time.monotonic() - self._synced > SYNC_SECONDS:
            self._sync()
        if self._told:
            self._tell("goes on")
        self._told, self._out_since = False, 0.0
        return count

    def stop(self) -> None:
        """Write what there is, and let the shards go."""
        try:
            for shard in self._shards.values():
                shard.flush()
            for number in self._wanted:
                self._projections.release(number, self.owner)
        except (*OUTAGES, Fenced) as why:
            self._tell(f"stops without its server: {why}")
        try:
            self._sync()
        except OSError as why:
            self._tell(f"cannot write its segments: {why}")
        self._witness.close()

    # --- feeds ---------------------------------------------------------------------------------

    def _read(self, wait_ms: int) -> int:
        """What has come in since, of all shards at once."""
        numbers = list(self._shards)
        feeds = [keys.feed_key(number) for number in numbers]
        after = [f"0-{self._readers[number].position}" for number in numbers]
        words: list[Word] = ["XREAD", "COUNT", READ_AT_ONCE]
        words += ["BLOCK", wait_ms] if wait_ms else []  # BLOCK 0 would wait for ever
        words += ["STREAMS", *feeds, *after]
        found = self._store.line.ask(*words, wait=wait_ms / 1_000) or []
        by_feed = dict(zip(feeds, numbers, strict=True))
        count = 0
        for feed, rows in found:
            number = by_feed[feed.decode()]
            count += self._take(number, rows)
        return count

    def _take(self, number: int, rows: Sequence[Row]) -> int:
        shard = self._shards[number]
        for record in self._readers[number].take_each(rows):
            if isinstance(record, Unread):
                self._copy_no_more(number, f"{record.name}: {record.why}")
                shard.take_unread(record)
            else:
                self._copy(number, record)
                shard.take(record)
        return len(rows)

    def _copy(self, number: int, record: Record) -> None:
        if number in self._uncopied:
            return
        try:
            self._witness.take([record])
            self._unsynced = True
        except DamagedLog as why:
            self._copy_no_more(number, str(why))

    def _copy_no_more(self, number: int, why: str) -> None:
        """Segments have no holes: what comes after damage is copied once it has been seen to."""
        if number not in self._uncopied:
            self._uncopied.add(number)
            self._tell(f"copies shard {number} to its segments no further: {why}")

    def _sync(self) -> None:
        self._witness.sync()
        self._synced = time.monotonic()
        self._unsynced = False

    # --- shards --------------------------------------------------------------------------------

    def _claim(self) -> None:
        """Take shards that nobody has, and keep those that we have."""
        for number in self._wanted:
            generation = self._projections.claim(number, self.owner, self._lease_ms)
            mine = self._shards.get(number)
            if generation is None or (mine is not None and mine.generation != generation):
                self._drop(number)
            if generation is not None and number not in self._shards:
                self._open(number, generation)

    def _open(self, number: int, generation: int) -> None:
        try:
            written = self._witness.open(number)
        except InUse:
            return  # an owner that was killed holds its files until it is gone
        args = (self._store, self._projections, self._rules_of, self._tell)
        shard = Shard(number, generation, *args)
        if not self._holds(number, shard.checkpoint):
            self._tell(f"projects shard {number} anew: its feed is not the one that was projected")
            self._projections.forget(number)
            shard = Shard(number, generation, *args)
        projected = shard.checkpoint.position
        feed = self._witness.feed(number) if written <= projected else b""
        reader = FeedReader(self._store.line, number, min(written, projected), feed)
        try:
            rows = reader.rows(READ_AT_ONCE)
        except FeedWentBack as why:
            raise GoneBack(f"{why}; the segments know more of it") from None
        self._shards[number], self._readers[number] = shard, reader
        self._uncopied.discard(number)
        shard.see_parked(self._parked_of(number))
        self._take(number, rows)

    def _holds(self, number: int, checkpoint: Checkpoint) -> bool:
        """Whether a feed still holds what was projected of it."""
        if not checkpoint.position:
            return True
        try:
            records = FeedReader(self._store.line, number, checkpoint.position - 1).read(1)
        except FeedWentBack:
            return False
        except DamagedLog:
            return True  # it was passed over when it was projected
        return bool(records) and mark_of(records[0]) == checkpoint.mark

    def _see_parked(self) -> None:
        for number, shard in self._shards.items():
            shard.see_parked(self._parked_of(number))

    def _parked_of(self, number: int) -> set[str]:
        found = self._store.line.ask("SMEMBERS", keys.parked_key(number))
        return {match.decode() for match in found}

    def _drop(self, number: int) -> None:
        if self._shards.pop(number, None) is not None:
            del self._readers[number]
            self._witness.release(number)

    def _lose(self, why: str) -> None:
        """Throw away what is in memory: it may be half done."""
        now = time.monotonic()
        self._out_since = self._out_since or now
        if not self._told and now - self._out_since > TELL_SECONDS:
            self._tell(why)
            self._told = True
        for number in list(self._shards):
            self._drop(number)
        self._claimed = float("-inf")
