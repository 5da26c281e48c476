"""A process that copies the feeds of a server into segments, until it is killed.

    python -m tests.support.log.witnessing URL FOLDER

It writes a line when it has synced: how many records it then had in all.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.feed import FeedReader
from ledger.log.stores.redis.keys import SHARDS
from ledger.log.stores.segments import Witness


def main(url: str, folder: str) -> None:
    line = Connection(url)
    with Witness(Path(folder), size=20_000) as witness:
        readers = [
            FeedReader(line, shard, witness.open(shard), witness.feed(shard))
            for shard in range(SHARDS)
        ]
        print("open", flush=True)
        while True:
            for reader in readers:
                witness.take(reader.read(7))
            witness.sync()
            print(sum(reader.position for reader in readers), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
