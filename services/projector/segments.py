"""Copies what is written to the ledger: reads feeds and writes segments.

It needs the ledger's server and the disk, and not the server that may lose data. Whatever
happens to projections, the segments are at most a second behind. The lock on a shard's
folder decides which process writes its segments.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.records import Record
from ledger.log.stores.segments.witness import SegmentsInUse, Witness
from services.feeds.reader import Feeds, Unread

LOOK_SECONDS: Final = 1.5  # between two looks for free shards
SYNC_SECONDS: Final = 0.25  # half of a second is promised
READ_AT_ONCE: Final = 200


@dataclass
class Copier:
    """Copies the feeds of the shards whose segments no other process writes."""

    connection: Connection
    witness: Witness
    shards: Sequence[int]
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self._feeds = Feeds(self.connection)
        self._damaged: set[int] = set()  # shards whose feeds speak of what cannot be read
        self._looked = self._synced = float("-inf")
        self._unsynced = False
        self._refused = False  # the disk has refused what was read

    @property
    def reads(self) -> bool:
        return len(self._feeds) > 0

    def step(self, wait_ms: int) -> int:
        """Runs one round; returns how many records were copied.

        Raises `FeedGoneBack`, and OSError if the disk cannot be written; then it reads no more
        until it can.
        """
        if self._refused:
            self.sync()
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS:
            self._look()
            self._looked = now
        count = 0
        for shard, records in self._feeds.read(READ_AT_ONCE, wait_ms):
            count += len(records)
            self._take(shard, records)
        if self._unsynced and time.monotonic() - self._synced > SYNC_SECONDS:
            self.sync()
        return count

    def sync(self) -> None:
        """Flushes to the disk what was read."""
        self._refused = True
        self.witness.sync()
        self._refused = self._unsynced = False
        self._synced = time.monotonic()

    def stop(self) -> None:
        """Flushes to the disk what was read, and releases the shards."""
        try:
            self.sync()
        except OSError as why:
            self.tell(f"cannot write its segments: {why}")
        self.witness.close()

    def _look(self) -> None:
        for shard in self.shards:
            if shard in self._feeds:
                continue
            try:
                written = self.witness.open(shard)
            except SegmentsInUse:
                continue  # by another process, which may have been killed and be gone in a moment
            self._feeds.add(shard, written, self.witness.feed(shard))

    def _take(self, shard: int, records: Sequence[Record | Unread]) -> None:
        """Copies records up to the first that is damaged."""
        try:
            for record in records:
                if isinstance(record, Unread):
                    raise DamagedLog(f"{record.name}: {record.why}")
                self.witness.take([record])
                self._unsynced = True
            self._damaged.discard(shard)
        except DamagedLog as why:
            # Segments have no holes: what comes behind damage is copied once it has been seen to.
            self._feeds.drop(shard)
            if shard not in self._damaged:
                self._damaged.add(shard)
                self.tell(f"no longer copies shard {shard} to its segments: {why}")
