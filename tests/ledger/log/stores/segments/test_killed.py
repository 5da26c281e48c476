"""A witness that is killed at any moment loses nothing that it had synced, and doubles nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import SHARDS
from ledger.log.stores.segments.reader import SegmentReader
from tests.support.log.filling import fill, whole_feed, witnessed
from tests.support.servers import AnyLedger, programs
from tests.support.starting import surroundings

ROOT = Path(__file__).resolve().parents[5]
KILLS = 8


def positions(folder: Path) -> int:
    """How many records there are, each of them checked."""
    return sum(1 for shard in range(SHARDS) for _ in SegmentReader(folder, shard).checked())


def killed_after(lines: int, url: str, folder: Path, seconds: float) -> int:
    """Kill a witness a moment after it said something so many times; what it said it had."""
    words = [sys.executable, "-m", "tests.support.log.witnessing", url, str(folder)]
    with subprocess.Popen(
        words, cwd=ROOT, env=surroundings(), stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(lines)]
        time.sleep(seconds)
        child.kill()
        said += child.stdout.read().split("\n")[:-1]
    return int(said[-1]) if len(said) > 1 else 0


def test_a_witness_that_is_killed_loses_nothing_and_doubles_nothing(
    any_ledger: AnyLedger, tmp_path: Path
):
    url = any_ledger(next(iter(programs()))).url
    connection, rng = Connection(url), random.Random(21)
    fill(RedisStore(connection), seed=21, batches=2_500)
    wanted = whole_feed(connection)
    there = 0
    in_the_middle = set()
    for _ in range(KILLS):
        said = killed_after(rng.randint(1, 4), url, tmp_path, rng.random() * 0.01)
        before, there = there, positions(tmp_path)
        assert there >= max(said, before)
        in_the_middle.add(there)
    assert len(in_the_middle) >= 4, "too few kills in the middle show nothing"
    witnessed(connection, tmp_path)
    read = {
        shard: [record for record, _ in SegmentReader(tmp_path, shard).checked()]
        for shard in wanted
    }
    assert read == wanted
    connection.close()
