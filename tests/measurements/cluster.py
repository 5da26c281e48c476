"""docs/measurements/cluster.md: the ledger on a cluster of three, beside one server alone.

python -m tests.measurements.cluster [--events N] [--moves N] [--seed N] [--write]

Every server waits for the disk with each event. Appends go to as many matches as there are shards;
a takeover is measured from the `kill -9` of a primary to the first append that its replica takes,
and where the replica was away, to the end of the restore from segments.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ledger.log.format.chain import Tip, link
from ledger.log.stores.protocol import Appended, Batch
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.cluster import connection_to
from ledger.log.stores.redis.keys import feed_key, shard_of
from ledger.log.stores.segments.reader import SEGMENTS
from services.keep.guard import GoneBack, check_not_gone_back
from services.keep.restore import restore
from services.run.settings import ROOT
from tests.support.clusters import Cluster
from tests.support.log.filling import fill, grow, witnessed
from tests.support.servers import programs, running

PAGE: Final = ROOT / "docs" / "measurements" / "cluster.md"
WRITERS: Final = 4
BODY: Final = 120  # bytes of an event


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Three primaries."""
    made = Cluster(next(iter(programs().values())), folder)
    try:
        yield made.start()
    finally:
        made.close()


def spread(count: int) -> list[str]:
    """Matches of which no two lie in one shard."""
    found: dict[int, str] = {}
    number = 0
    while len(found) < count:
        found.setdefault(shard_of(f"m{number}"), f"m{number}")
        number += 1
    return list(found.values())


def append(store: RedisStore, match: str, tip: Tip) -> Tip:
    """One event more; where the log ends then."""
    event = link(match, tip, os.urandom(BODY))
    assert isinstance(store.append(match, Batch(expect=tip, events=(event,))), Appended)
    return event.tip


def appends(url: str, events: int) -> tuple[float, list[float]]:
    """Events a second by several writers at once, and how long each append took."""

    def write(matches: Sequence[str]) -> list[float]:
        connection = connection_to(url)
        store, took = RedisStore(connection), []
        tips = {match: store.tip(match) for match in matches}
        for number in range(events // WRITERS):
            match = matches[number % len(matches)]
            began = time.perf_counter()
            tips[match] = append(store, match, tips[match])
            took.append(time.perf_counter() - began)
        connection.close()
        return took

    matches = spread(16)
    began = time.perf_counter()
    with ThreadPoolExecutor(WRITERS) as writers:
        done = list(writers.map(write, [matches[n::WRITERS] for n in range(WRITERS)]))
    return events / (time.perf_counter() - began), [one for took in done for one in took]


def news(url: str, count: int) -> list[float]:
    """How long after an append somebody who waits at all feeds has heard of it."""
    connection, late = connection_to(url), []
    store, waiting = RedisStore(connection), connection.another()
    feeds = [feed_key(shard) for shard in range(16)]
    tip = store.tip("told")
    for _ in range(count):
        ends = [connection.call("XLEN", feed) for feed in feeds]
        since = [f"0-{end}" for end in ends]
        heard: list[float] = []

        def wait(since: list[str] = since, heard: list[float] = heard) -> None:
            words = ("XREAD", "BLOCK", 5_000, "STREAMS", *feeds, *since)
            assert waiting.call(*words, wait=6)
            heard.append(time.perf_counter())

        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(random.uniform(0.05, 0.3))
        tip = append(store, "told", tip)
        sent = time.perf_counter()
        thread.join()
        late.append(max(0.0, heard[0] - sent))
    waiting.close()
    connection.close()
    return late


def taken_over(folder: Path, *, away: bool, seed: int) -> tuple[float, float, int, int]:
    """Seconds until a replica has taken over, and takes appends; records brought, of all."""
    with cluster(folder / "nodes") as nodes:
        replica = nodes.add_replica(nodes.nodes[0])
        connection = connection_to(nodes.url)
        store = RedisStore(connection)
        fill(store, seed, batches=150)
        if away:
            replica.kill()
        fill(store, seed + 1, batches=150, matches=tuple(f"later-{n:02d}" for n in range(12)))
        witnessed(connection, folder / SEGMENTS)
        connection.close()
        began = time.perf_counter()
        nodes.nodes[0].kill()
        if away:
            replica.start()
        nodes.promote(replica)
        over = time.perf_counter() - began
        again = connection_to(nodes.url)
        brought = records = 0
        try:
            check_not_gone_back(again, folder)
        except GoneBack:
            assert away, "a replica that was up to date lacks nothing"
            done = restore(again, folder)
            brought, records = done.shipped, done.records
        check_not_gone_back(again, folder)
        grow(RedisStore(again), "begun-later", random.Random(seed))
        took = time.perf_counter() - began
        again.close()
        return over, took, brought, records


def row(name: str, rate: float, took: list[float], late: list[float]) -> str:
    """A row of the table."""
    cuts = statistics.quantiles(took, n=100)
    heard = statistics.quantiles(late, n=100)
    return (
        f"| {name} | {rate:,.0f} | {cuts[49] * 1e3:.1f} ms | {cuts[98] * 1e3:.1f} ms "
        f"| {heard[49] * 1e3:.0f} ms | {max(late) * 1e3:.0f} ms |"
    )


def measured(events: int, moves: int, seed: int, folder: Path) -> str:
    """The page."""
    before, began = os.getloadavg()[0], time.perf_counter()
    program = next(iter(programs().values()))
    rows = []
    with running(program, folder / "alone", port=True) as alone:
        rows.append(row("one server", *appends(alone.url, events), news(alone.url, moves)))
    with cluster(folder / "three") as three:
        rows.append(row("three nodes", *appends(three.url, events), news(three.url, moves)))
    kinds = []
    for away in (False, True):
        over, took, brought, records = taken_over(folder / f"{away}", away=away, seed=seed)
        lacked = f"{brought} of {records} records" if away else "nothing"
        said = "was away for half of the events" if away else "was up to date"
        kinds.append(f"| {said} | {over:.1f} s | {lacked} | {took:.1f} s |")
    load = f"{before:.1f} and {os.getloadavg()[0]:.1f}"
    seconds = time.perf_counter() - began
    return TEXT.format(
        date=datetime.now(UTC).date(), python=".".join(map(str, sys.version_info[:3])),
        events=f"{events:,}", moves=moves, seed=seed, load=load, seconds=f"{seconds:.0f}",
        writers=WRITERS, rows="\n".join(rows), kinds="\n".join(kinds),
    )  # fmt: skip


TEXT: Final = """# A cluster

`python -m tests.measurements.cluster --write`, {date}, 2 cores, Python {python}; three nodes of the
embedded Valkey as a cluster on this machine, each with `appendfsync always`, and one such server
alone; seed {seed}, {seconds} s. Load of the machine before and after: {load}; other work went on
beside it.

| | events a second | append, median | p99 | news, median | longest |
|---|---|---|---|---|---|
{rows}

{events} events by {writers} writers at once over 16 matches, one in each shard, from one Python
process. News: from the answer to an append until a process that waits at all 16 feeds has it
({moves} times). Three nodes on one disk wait for one disk: a cluster adds memory, and it adds disks
if each node has its own.

A primary was killed with `kill -9`, and its replica told to take over
(`CLUSTER FAILOVER TAKEOVER`):

| the replica | has taken over after | lacked | takes appends after |
|---|---|---|---|
{kinds}

The guard noticed the second case, and nothing was served until `restore --from-segments` had
brought back what was missing. Afterwards the cluster held the same as before, byte for byte (a test
asserts it: `tests/services/run/test_on_a_cluster.py`, which also plays whole matches on a
cluster over HTTP). No replica takes over by itself:
[operations.md](../operations.md#a-cluster) says why.
"""


def main() -> int:
    """Measure; write the page where that is asked for."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--events", type=int, default=4_000)
    said.add_argument("--moves", type=int, default=100)
    said.add_argument("--seed", type=int, default=91)
    said.add_argument("--write", action="store_true")
    asked = said.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(asked.events, asked.moves, asked.seed, Path(folder))
    print(found)
    if asked.write:
        PAGE.write_text(found, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
