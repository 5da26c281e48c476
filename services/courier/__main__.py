"""The courier's process: `python -m services.courier`, or a child of `hegemon up`.

It exits on SIGTERM or SIGINT. kill -9 does no harm: waiting deliveries are in the mailbox.
"""

from __future__ import annotations

import sys

from ledger.log.stores.redis.store import RedisStore
from services.run.process import Work, last
from services.run.settings import Settings
from services.webhooks.signatures import BadKey

from .loop import Courier


def begin(settings: Settings, store: RedisStore) -> Work:
    """Reads or makes the webhooks' key, then delivers."""
    return Courier(settings, store).run


if __name__ == "__main__":
    sys.exit(last("courier", begin, (BadKey,)))
