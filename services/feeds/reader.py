"""The feeds of several shards, each continued where it was left, in one call for all.

A server restored to an old copy gives no sign: its feeds end earlier, and continue with
other entries. So the last entry read is checked again, now and then and whenever more has
arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger.log.stores.redis import keys
from ledger.log.stores.redis.connection import Connection, Word
from ledger.log.stores.redis.entries import Row, packed_in
from ledger.log.stores.redis.feed import FeedReader, Unread
from ledger.log.stores.segments.records import Record, WrittenBatch


class FeedGoneBack(Exception):
    """The server no longer holds what was read from it."""


class Feeds:
    def __init__(self, line: Connection) -> None:
        self._line = line
        self._readers: dict[int, FeedReader] = {}
        self._says: dict[int, bytes] = {}  # what stands at the position of each
        self._last: dict[int, WrittenBatch] = {}  # the last batch that was read of each

    def __contains__(self, shard: int) -> bool:
        return shard in self._readers

    def __len__(self) -> int:
        return len(self._readers)

    def add(self, shard: int, position: int, says: bytes = b"") -> None:
        """Starts reading a feed after a position, and checks the entry there against `says` if
        given.
        """
        if position:
            [rows] = self._line.asks([_entry(keys.feed_key(shard), f"0-{position}")])
            found = packed_in(rows[0]) if rows else b""
            if not found or says not in (b"", found):
                raise _gone_back(shard, position)
            self._says[shard] = found
        self._readers[shard] = FeedReader(self._line, shard, position)

    def drop(self, shard: int) -> None:
        for held in (self._readers, self._says, self._last):
            held.pop(shard, None)

    def read(self, count: int, wait_ms: int) -> Iterator[tuple[int, list[Record | Unread]]]:
        """Yields the new records by shard, at most `count` feed entries each.

        If reading a shard fails, the next call skips none of its records.
        """
        if not self._readers:
            return
        by_feed = {keys.feed_key(shard).encode(): shard for shard in self._readers}
        after = [f"0-{reader.position}" for reader in self._readers.values()]
        words: list[Word] = ["XREAD", "COUNT", count]
        words += ["BLOCK", wait_ms] if wait_ms else []  # BLOCK 0 would wait for ever
        words += ["STREAMS", *by_feed, *after]
        found = self._line.ask(*words, wait=wait_ms / 1_000) or []
        self.check(by_feed[feed] for feed, _ in found)
        for feed, rows in found:
            yield by_feed[feed], self._take(by_feed[feed], rows)

    def _take(self, shard: int, rows: Sequence[Row]) -> list[Record | Unread]:
        reader = self._readers[shard]
        before = reader.position
        try:
            records = reader.take_each(rows)
        except BaseException:
            # It may have come halfway.
            self._readers[shard] = FeedReader(self._line, shard, before)
            raise
        self._says[shard] = packed_in(rows[-1])
        for record in records:
            if isinstance(record, WrittenBatch):
                self._last[shard] = record
        return records

    def check(self, shards: Iterable[int] | None = None) -> None:
        """Raises `GoneBack` if a feed no longer holds the last entry read."""
        asked = [one for one in (self._readers if shards is None else shards) if one in self._says]
        batches = [(one, self._last[one]) for one in asked if one in self._last]
        words = [_entry(keys.feed_key(one), f"0-{self._readers[one].position}") for one in asked]
        for _, batch in batches:
            words.append(_entry(keys.log_keys(batch.name).events, f"{batch.last}-0"))
        replies = self._line.asks(words)
        for shard, rows in zip(asked, replies, strict=False):
            if not rows or packed_in(rows[0]) != self._says[shard]:
                raise _gone_back(shard, self._readers[shard].position)
        for (shard, batch), rows in zip(batches, replies[len(asked) :], strict=True):
            # An event that is only gone is damage of its log, and is found by whoever reads that.
            if rows and packed_in(rows[0]) != batch.entries[-1][1]:
                raise _gone_back(shard, batch.position)


def _entry(key: str, place: str) -> tuple[Word, ...]:
    return ("XRANGE", key, place, place)


def _gone_back(shard: int, position: int) -> FeedGoneBack:
    return FeedGoneBack(
        f"the server has lost what it had: the feed of shard {shard} is no longer the one that "
        f"was read up to {position}"
    )
