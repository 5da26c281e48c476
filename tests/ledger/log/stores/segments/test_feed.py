"""Reading a feed: each record is a batch as it was appended, wherever the reading begins."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ledger.log.format.chain import EMPTY, link
from ledger.log.format.commitments import Opening
from ledger.log.stores.protocol import Batch, DamagedLog
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.entries import entries_of, packed_openings
from ledger.log.stores.redis.feed import FeedReader, FeedWentBack
from ledger.log.stores.redis.keys import feed_key, log_keys, match_key, shard_of
from ledger.log.stores.segments import KeptValue, Record, WrittenBatch
from tests.support.log.filling import fill, grow, whole_feed
from tests.support.servers import Server

MATCH = "aaaabbbbccccdddd"
SHARD = shard_of(MATCH)


@pytest.fixture
def store(ledger: Server) -> Iterator[RedisStore]:
    line = Connection(ledger.url)
    yield RedisStore(line)
    line.close()


def recorded(position: int, name: str, batch: Batch) -> WrittenBatch:
    opened: dict[int, list[Opening]] = {}
    for opening in batch.openings:
        opened.setdefault(opening.version, []).append(opening)
    entries = tuple(
        (
            event.version,
            entry,
            packed_openings(opened[event.version]) if event.version in opened else b"",
        )
        for event, entry in zip(batch.events, entries_of(batch), strict=True)
    )
    return WrittenBatch(position, name, entries)


def read_all(reader: FeedReader, count: int) -> list[Record]:
    found: list[Record] = []
    while records := reader.read(count):
        found += records
    return found


def test_every_batch_and_every_kept_value_is_a_record(store: RedisStore):
    rng = random.Random(1)
    wanted: list[Record] = []
    for position in range(1, 41):
        if position % 10 == 0:
            store.keep(MATCH, f"field {position}", b"value")
            wanted.append(KeptValue(position, MATCH, f"field {position}", b"value"))
        else:
            name = MATCH if position % 3 else f"{MATCH}/talk"
            wanted.append(recorded(position, name, grow(store, name, rng)))
    assert read_all(FeedReader(store.line, SHARD), 500) == wanted


@pytest.mark.parametrize("count", [1, 2, 7])
def test_however_few_are_read_at_once_the_records_are_the_same(store: RedisStore, count: int):
    fill(store, seed=2, batches=60)
    assert whole_feed(store.line, count) == whole_feed(store.line)


def test_reading_can_begin_behind_any_record(store: RedisStore):
    rng = random.Random(3)
    for _ in range(30):
        grow(store, MATCH, rng)
    whole = read_all(FeedReader(store.line, SHARD), 500)
    for after in range(31):
        assert read_all(FeedReader(store.line, SHARD, after), 4) == whole[after:]


def test_what_comes_later_is_read_later(store: RedisStore):
    reader = FeedReader(store.line, SHARD)
    assert reader.read() == []
    first = grow(store, MATCH, random.Random(4))
    assert reader.read() == [recorded(1, MATCH, first)]
    assert reader.read() == []
    second = grow(store, MATCH, random.Random(5))
    assert reader.read() == [recorded(2, MATCH, second)]
    assert reader.position == 2


def test_rows_that_somebody_else_has_read_are_taken(store: RedisStore):
    fill(store, seed=6, batches=5, matches=(MATCH,))
    [[_, rows]] = store.line.ask("XREAD", "STREAMS", feed_key(SHARD), "0-0")
    reader = FeedReader(store.line, SHARD)
    assert reader.take(rows) == whole_feed(store.line)[SHARD]
    assert reader.position == len(rows)


def test_a_feed_that_has_gone_back_is_noticed(store: RedisStore):
    fill(store, seed=7, batches=5, matches=(MATCH,))
    reader = FeedReader(store.line, SHARD)
    last = reader.read()[-1]
    store.line.call("XDEL", feed_key(SHARD), f"0-{last.position}")
    with pytest.raises(FeedWentBack):
        reader.read()


def test_a_feed_that_went_on_differently_is_noticed(store: RedisStore):
    grow(store, MATCH, random.Random(8))
    reader = FeedReader(store.line, SHARD)
    reader.read()
    store.line.call("FLUSHALL")
    store.keep(MATCH, "secrets", b"others")
    with pytest.raises(FeedWentBack):
        reader.read()
    with pytest.raises(FeedWentBack):
        FeedReader(store.line, SHARD, 1, feed=b"what it said before").read()


def spoil_an_entry(line: Connection) -> None:
    line.call("XDEL", log_keys(MATCH).events, "2-0")


def spoil_a_kept_value(line: Connection) -> None:
    line.call("HDEL", match_key(MATCH, "kept"), "secrets")


def spoil_the_feed_with_another_shard(line: Connection) -> None:
    line.call("XADD", feed_key(SHARD), "0-*", "e", "somebody-else 1")


def spoil_the_feed_with_nonsense(line: Connection) -> None:
    line.call("XADD", feed_key(SHARD), "0-*", "e", f"{MATCH} x")


def spoil_a_name_in_the_feed(line: Connection) -> None:
    name = next(f"No{n}" for n in range(999) if shard_of(f"No{n}") == SHARD)
    line.call("XADD", feed_key(SHARD), "0-*", "e", f"{name} 1")


def spoil_the_ids_of_the_feed(line: Connection) -> None:
    line.call("XADD", feed_key(SHARD), "0-99", "e", f"{MATCH} 3")


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_an_entry,
        spoil_a_kept_value,
        spoil_the_feed_with_another_shard,
        spoil_the_feed_with_nonsense,
        spoil_a_name_in_the_feed,
        spoil_the_ids_of_the_feed,
    ],
)
def test_what_a_feed_names_and_is_not_there_is_said_and_not_passed_over(store: RedisStore, spoil):
    store.keep(MATCH, "secrets", b"ours")
    one = link(MATCH, EMPTY, b"one")
    two = link(MATCH, one.tip, b"two")
    three = link(MATCH, two.tip, b"three")
    store.append(MATCH, Batch(expect=EMPTY, events=(one, two, three)))
    spoil(store.line)
    reader = FeedReader(store.line, SHARD)
    for _ in range(2):
        with pytest.raises(DamagedLog):
            reader.read()
    assert reader.position == 0
