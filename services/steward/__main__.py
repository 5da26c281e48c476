"""The steward's process: `python -m services.steward`, or a child of `hegemon up`.

It exits on SIGTERM or SIGINT. kill -9 does no harm: the next start finds the waiting work
again, and a half-made decision is not in the log.
"""

from __future__ import annotations

import logging
import sys

from ledger.log.stores.redis.store import RedisStore
from services.feeds.hub import Hub
from services.run.logs import teller
from services.run.process import Going, Work, last
from services.run.settings import Settings

from .loop import Steward

tell = teller("steward")


def begin(_: Settings, store: RedisStore) -> Work:
    """Returns the work: tending the tables until told to stop."""
    # That a server does not answer is said by the loop, once.
    logging.getLogger("services.feeds.hub").setLevel(logging.ERROR)

    def tend(going: Going) -> None:
        hub = Hub(store.connection.another)
        Steward(store, hub, tell=tell).run(going)
        hub.stop()

    return tend


if __name__ == "__main__":
    sys.exit(last("steward", begin, (OSError,)))
