"""Logs on a server for the tests: random batches, openings, commands, talk and kept values."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ledger.log.format.chain import Event, Opening, link
from ledger.log.stores.protocol import Appended, Batch, Command
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import SHARDS
from ledger.log.stores.segments import KeptValue, Record, Witness, WrittenBatch
from services.feeds.reader import READ_AT_ONCE, Feeds

MATCHES = tuple(f"match-{n:02d}" for n in range(12))
SEGMENT_BYTES = 4_000  # so that every shard has several files


def grow(store: RedisStore, name: str, rng: random.Random, *, closes: bool = False) -> Batch:
    """Append a batch of its own kind to a log."""
    tip = store.tip(name)
    events: list[Event] = []
    after = tip
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5, 32))):
        events.append(link(name, after, rng.randbytes(rng.randint(1, 60))))
        after = events[-1].tip
    opened = [event.version for event in events if rng.random() < 0.4]
    openings = tuple(
        Opening(version, f"private/{n}", rng.randbytes(32), rng.randbytes(rng.randint(0, 64)))
        for version in opened
        for n in range(rng.randint(1, 2))
    )
    command = None
    if rng.random() < 0.7:
        command = Command(f"c{tip.version}", rng.randbytes(8))
    batch = Batch(
        expect=tip, events=tuple(events), openings=openings, command=command, closes=closes
    )
    assert isinstance(store.append(name, batch), Appended)
    return batch


def fill(
    store: RedisStore, seed: int, batches: int = 200, matches: tuple[str, ...] = MATCHES
) -> None:
    """Batches of many logs, one among the other."""
    rng = random.Random(seed)
    closed: set[str] = set()
    for _ in range(batches):
        name = rng.choice(matches)
        if store.kept(name, "secrets") is None:
            store.keep(name, "secrets", rng.randbytes(100))
        if rng.random() < 0.1:
            store.keep(name, f"a note {rng.randrange(10**9)}", rng.randbytes(20))
        if name in closed or rng.random() < 0.1:
            name += "/talk"
        closes = "/" not in name and rng.random() < 0.02
        grow(store, name, rng, closes=closes)
        closed |= {name} if closes else set()


def whole_feed(connection: Connection, count: int = 500) -> dict[int, list[Record]]:
    """All records of a server, by shard."""
    feeds, found = Feeds(connection), dict[int, list[Record]]()
    for shard in range(SHARDS):
        feeds.add(shard)
    while read_now := list(read(feeds, count)):
        for shard, records in read_now:
            found.setdefault(shard, []).extend(records)
    return found


def read(feeds: Feeds, count: int = READ_AT_ONCE) -> Iterator[tuple[int, list[Record]]]:
    """Yields the next records of feeds, and fails if one cannot be read."""
    for shard, records in feeds.read(count):
        readable = [one for one in records if isinstance(one, WrittenBatch | KeptValue)]
        assert readable == records
        yield shard, readable


def witnessed(connection: Connection, folder: Path, *, size: int = SEGMENT_BYTES) -> None:
    """Have everything that a server holds in the segments of a folder."""
    with Witness(folder, size=size) as witness:
        feeds = Feeds(connection)
        for shard in range(SHARDS):
            feeds.add(shard, witness.open(shard))
        while read_now := list(read(feeds)):
            for _, records in read_now:
                witness.take(records)
        witness.sync()


def everything(connection: Connection) -> dict[str, object]:
    """Returns the values of all keys of a server; streams and texts byte for byte."""
    found: dict[str, object] = {}
    for key in sorted(key for server in connection.servers() for key in server.ask("KEYS", "*")):
        kind = connection.ask("TYPE", key)
        if kind == b"hash":  # in which order a hash lies is its own affair
            pairs = connection.ask("HGETALL", key)
            found[key.decode()] = sorted(zip(pairs[::2], pairs[1::2], strict=True))
        elif kind == b"set":
            found[key.decode()] = sorted(connection.ask("SMEMBERS", key))
        else:
            found[key.decode()] = connection.ask("DUMP", key)
    return found


def rewrite(connection: Connection, key: str, rows: Sequence[Sequence[Any]]) -> None:
    """Have a stream hold these entries and nothing else, as if there had never been more."""
    connection.call("DEL", key)
    for row in rows:
        connection.call("XADD", key, row[0], *row[1])
