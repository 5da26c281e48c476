"""Copies what is written to the ledger: reads feeds and writes segments.

It needs the ledger's server and the disk, and not the server that may lose data. Whatever
happens to projections, the segments are at most a second behind. The lock on a shard's
folder decides which process writes its segments.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.records import Record
from ledger.log.stores.segments.witness import SegmentsInUse, Witness
from services.feeds.reader import Feeds, Unread

LOOK_SECONDS: Final = 1.5  # between two looks for free shards
SYNC_SECONDS: Final = 0.25  # half of a second is promised
READ_AT_ONCE: Final = 200


class Copier:
    """Copies the feeds of the shards whose segments no other process writes."""

    def __init__(
        self,
        connection: Connection,
        witness: Witness,
        shards: Iterable[int],
        tell: Callable[[str], None],
    ) -> None:
        self._witness = witness
        self._wanted = tuple(shards)
        self._tell = tell
        self._feeds = Feeds(connection)
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
        self._witness.sync()
        self._refused = self._unsynced = False
        self._synced = time.monotonic()

    def stop(self) -> None:
        """Flushes to the disk what was read, and releases the shards."""
        try:
            self.sync()
        except OSError as why:
            self._tell(f"cannot write its segments: {why}")
        self._witness.close()

    def _look(self) -> None:
        for shard in self._wanted:
            if shard in self._feeds:
                continue
            try:
                written = self._witness.open(shard)
            except SegmentsInUse:
                continue  # by another process, which may have been killed and be gone in a moment
            self._feeds.add(shard, written, self._witness.feed(shard))

    def _take(self, shard: int, records: Sequence[Record | Unread]) -> None:
        why = self._why_not(records)
        if not why:
            self._damaged.discard(shard)
            return
        # Segments have no holes: what comes behind damage is copied once it has been seen to.
        self._feeds.drop(shard)
        if shard not in self._damaged:
            self._damaged.add(shard)
            self._tell(f"no longer copies shard {shard} to its segments: {why}")

    def _why_not(self, records: Sequence[Record | Unread]) -> str:
        """Copies records up to the first that fails; returns the reason, or ''."""
        try:
            for record in records:
                if isinstance(record, Unread):
                    return f"{record.name}: {record.why}"
                self._witness.take([record])
                self._unsynced = True
        except DamagedLog as why:
            return str(why)
        return ""
