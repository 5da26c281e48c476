"""Reading a feed: each record is a batch as it was appended, wherever the reading begins."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ledger.log.format.chain import EMPTY, Opening, link
from ledger.log.stores.protocol import Batch, DamagedLog
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import (
    SHARDS,
    entries_of,
    feed_key,
    log_keys,
    match_key,
    pack_openings,
    shard_of,
)
from ledger.log.stores.segments import KeptValue, Record, WrittenBatch
from services.feeds.reader import FeedGoneBack, FeedPlace, Feeds, Unread
from tests.support.log.filling import fill, grow, whole_feed
from tests.support.servers import Server

MATCH = "aaaabbbbccccdddd"
SHARD = shard_of(MATCH)


@pytest.fixture
def store(ledger: Server) -> Iterator[RedisStore]:
    connection = Connection(ledger.url)
    yield RedisStore(connection)
    connection.close()


def recorded(position: int, name: str, batch: Batch) -> WrittenBatch:
    opened: dict[int, list[Opening]] = {}
    for opening in batch.openings:
        opened.setdefault(opening.version, []).append(opening)
    entries = tuple(
        (
            event.version,
            entry,
            pack_openings(opened[event.version]) if event.version in opened else b"",
        )
        for event, entry in zip(batch.events, entries_of(batch), strict=True)
    )
    return WrittenBatch(position, name, entries)


def feeds_after(store: RedisStore, position: int = 0, says: bytes = b"") -> Feeds:
    feeds = Feeds(store.connection)
    feeds.add(SHARD, position, says)
    return feeds


def read(feeds: Feeds, count: int = 500) -> list[Record | Unread]:
    return [record for _, records in feeds.read(count) for record in records]


def read_all(feeds: Feeds, count: int) -> list[Record | Unread]:
    found: list[Record | Unread] = []
    while records := read(feeds, count):
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
    assert read_all(feeds_after(store), 500) == wanted


@pytest.mark.parametrize("count", [1, 2, 7])
def test_however_few_are_read_at_once_the_records_are_the_same(store: RedisStore, count: int):
    fill(store, seed=2, batches=60)
    assert whole_feed(store.connection, count) == whole_feed(store.connection)


def test_reading_can_begin_behind_any_record(store: RedisStore):
    rng = random.Random(3)
    for _ in range(30):
        grow(store, MATCH, rng)
    whole = read_all(feeds_after(store), 500)
    for after in range(31):
        assert read_all(feeds_after(store, after), 4) == whole[after:]


def test_what_comes_later_is_read_later(store: RedisStore):
    feeds = feeds_after(store)
    assert read(feeds) == []
    first = grow(store, MATCH, random.Random(4))
    assert read(feeds) == [recorded(1, MATCH, first)]
    assert read(feeds) == []
    second = grow(store, MATCH, random.Random(5))
    assert read(feeds) == [recorded(2, MATCH, second)]
    assert feeds.place(SHARD) == FeedPlace(2, f"{MATCH} {second.events[-1].version}".encode())


def test_entries_can_be_read_without_their_contents(store: RedisStore):
    fill(store, seed=6, batches=5, matches=(MATCH,))
    [[_, rows]] = store.connection.ask("XREAD", "STREAMS", feed_key(SHARD), "0-0")
    feeds = feeds_after(store)
    assert list(feeds.rows()) == [(SHARD, rows)]
    assert feeds.place(SHARD).position == len(rows)
    assert list(feeds.rows()) == []


def test_what_a_consumer_failed_at_is_read_again(store: RedisStore):
    fill(store, seed=6, batches=30, matches=(MATCH,))
    feeds = feeds_after(store)
    whole = read_all(feeds_after(store), 500)
    while (position := feeds.place(SHARD).position) < len(whole):
        for _, failed_at in feeds.read(3):
            assert failed_at == whole[position : position + 3]
            break  # as where it raises
        assert feeds.place(SHARD).position == position
        assert read(feeds, 3) == failed_at


def test_a_consumer_can_drop_a_feed_while_it_reads(store: RedisStore):
    fill(store, seed=6, batches=3, matches=(MATCH,))
    feeds = feeds_after(store)
    for shard, _ in feeds.read():
        feeds.drop(shard)
    assert SHARD not in feeds
    assert list(feeds.read()) == []


def test_reading_can_begin_at_the_ends(store: RedisStore):
    fill(store, seed=6, batches=5, matches=(MATCH,))
    feeds = Feeds(store.connection)
    feeds.add_at_ends(range(SHARDS))
    assert list(feeds.rows()) == []
    batch = grow(store, MATCH, random.Random(5))
    assert read(feeds) == [recorded(feeds.place(SHARD).position, MATCH, batch)]


def test_a_feed_that_has_gone_back_is_noticed(store: RedisStore):
    fill(store, seed=7, batches=5, matches=(MATCH,))
    feeds = feeds_after(store)
    last = read(feeds)[-1]
    store.connection.call("XDEL", feed_key(SHARD), f"0-{last.position}")
    with pytest.raises(FeedGoneBack) as noticed:
        feeds.check()
    assert noticed.value.shard == SHARD
    with pytest.raises(FeedGoneBack):
        feeds_after(store, last.position)


def test_a_feed_that_went_on_differently_is_noticed(store: RedisStore):
    grow(store, MATCH, random.Random(8))
    feeds = feeds_after(store)
    read(feeds)
    store.connection.call("FLUSHALL")
    store.keep(MATCH, "secrets", b"others")
    store.keep(MATCH, "more", b"others")
    with pytest.raises(FeedGoneBack):
        read(feeds)
    with pytest.raises(FeedGoneBack):
        list(feeds.rows())
    with pytest.raises(FeedGoneBack):
        feeds_after(store, 1, b"what it said before")


def spoil_an_entry(connection: Connection) -> None:
    connection.call("XDEL", log_keys(MATCH).events, "2-0")


def spoil_a_kept_value(connection: Connection) -> None:
    connection.call("HDEL", match_key(MATCH, "kept"), "secrets")


def spoil_the_feed_with_another_shard(connection: Connection) -> None:
    connection.call("XADD", feed_key(SHARD), "0-*", "e", "somebody-else 1")


def spoil_the_feed_with_nonsense(connection: Connection) -> None:
    connection.call("XADD", feed_key(SHARD), "0-*", "e", f"{MATCH} x")


def spoil_a_name_in_the_feed(connection: Connection) -> None:
    name = next(f"No{n}" for n in range(999) if shard_of(f"No{n}") == SHARD)
    connection.call("XADD", feed_key(SHARD), "0-*", "e", f"{name} 1")


def spoil_the_ids_of_the_feed(connection: Connection) -> None:
    connection.call("XADD", feed_key(SHARD), "0-99", "e", f"{MATCH} 3")


def chained(store: RedisStore) -> list[Record]:
    """A value that is kept, and a batch of three events."""
    store.keep(MATCH, "secrets", b"ours")
    one = link(MATCH, EMPTY, b"one")
    two = link(MATCH, one.tip, b"two")
    three = link(MATCH, two.tip, b"three")
    batch = Batch(expect=EMPTY, events=(one, two, three))
    store.append(MATCH, batch)
    return [KeptValue(1, MATCH, "secrets", b"ours"), recorded(2, MATCH, batch)]


@pytest.mark.parametrize(("spoil", "position"), [(spoil_an_entry, 2), (spoil_a_kept_value, 1)])
def test_an_entry_whose_log_is_damaged_is_unread_and_the_others_are_read(
    store: RedisStore, spoil, position: int
):
    records = chained(store)
    spoil(store.connection)
    feeds = feeds_after(store)
    found = read(feeds)
    unread = found.pop(position - 1)
    assert isinstance(unread, Unread)
    assert (unread.position, unread.name) == (position, MATCH)
    assert found == [record for record in records if record.position != position]
    assert feeds.place(SHARD).position == 2


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_the_feed_with_another_shard,
        spoil_the_feed_with_nonsense,
        spoil_a_name_in_the_feed,
        spoil_the_ids_of_the_feed,
    ],
)
def test_a_damaged_feed_is_not_passed_over(store: RedisStore, spoil):
    records = chained(store)
    spoil(store.connection)
    feeds = feeds_after(store)
    for _ in range(2):
        taken: list[Record | Unread] = []
        with pytest.raises(DamagedLog, match="is damaged at 3"):
            for _, found in feeds.read():
                taken += found
        assert taken == records
        assert feeds.place(SHARD).position == 0
