"""A process that copies the feeds of a server into segments, until it is killed.

    python -m tests.support.log.witnessing URL FOLDER

It writes a line when it has synced: how many records it then had in all.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import SHARDS
from ledger.log.stores.segments import Witness
from services.feeds.reader import Feeds
from tests.support.log.filling import read


def main(url: str, folder: str) -> None:
    connection = Connection(url)
    with Witness(Path(folder), size=20_000) as witness:
        feeds = Feeds(connection)
        for shard in range(SHARDS):
            feeds.add(shard, witness.open(shard), witness.feed(shard))
        print("open", flush=True)
        while True:
            for _, records in read(feeds, 7):
                witness.take(records)
            witness.sync()
            print(sum(feeds.place(shard).position for shard in range(SHARDS)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
