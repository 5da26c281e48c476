"""Logs on a server for the tests: random batches, openings, commands, talk and kept values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ledger.log.format.chain import Event, link
from ledger.log.format.commitments import Opening
from ledger.log.stores.protocol import Appended, Batch, Command
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.feed import FeedReader
from ledger.log.stores.redis.keys import SHARDS
from ledger.log.stores.segments import Record, Witness

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


def whole_feed(line: Connection, count: int = 500) -> dict[int, list[Record]]:
    """All records of a server, by shard."""
    found: dict[int, list[Record]] = {}
    for shard in range(SHARDS):
        reader = FeedReader(line, shard)
        while records := reader.read(count):
            found.setdefault(shard, []).extend(records)
    return found


def witnessed(line: Connection, folder: Path, *, size: int = SEGMENT_BYTES) -> None:
    """Have everything that a server holds in the segments of a folder."""
    with Witness(folder, size=size) as witness:
        for shard in range(SHARDS):
            reader = FeedReader(line, shard, witness.open(shard))
            while records := reader.read():
                witness.take(records)
        witness.sync()


def everything(line: Connection) -> dict[str, object]:
    """What every key of a server holds; streams and texts byte for byte as they lie there."""
    found: dict[str, object] = {}
    for key in sorted(key for server in line.servers() for key in server.ask("KEYS", "*")):
        kind = line.ask("TYPE", key)
        if kind == b"hash":  # in which order a hash lies is its own affair
            pairs = line.ask("HGETALL", key)
            found[key.decode()] = sorted(zip(pairs[::2], pairs[1::2], strict=True))
        elif kind == b"set":
            found[key.decode()] = sorted(line.ask("SMEMBERS", key))
        else:
            found[key.decode()] = line.ask("DUMP", key)
    return found


def rewrite(line: Connection, key: str, rows: Sequence[Sequence[Any]]) -> None:
    """Have a stream hold these entries and nothing else, as if there had never been more."""
    line.call("DEL", key)
    for row in rows:
        line.call("XADD", key, row[0], *row[1])
