"""The projector's process: `python -m services.projector`, or a child of `hegemon up`.

It exits on SIGTERM or SIGINT with everything on the disk, and at once if the server has
lost what the segments hold. kill -9 does no harm: it continues from its checkpoints.
"""

from __future__ import annotations

import sys

from ledger.games import ruleset, rulesets
from ledger.log.stores.redis.store import RedisStore
from ledger.log.stores.segments.reader import SEGMENTS
from ledger.log.stores.segments.witness import Witness
from services.run.logs import teller
from services.run.process import Work, last
from services.run.settings import Settings
from services.run.stores import check_guard

from .loop import Projector

tell = teller("projector")


def begin(settings: Settings, store: RedisStore) -> Work:
    """Checks that the server has what the segments hold, then projects."""
    check_guard(store.connection, settings.data)
    rulesets()  # imported now, so that no event's work is to import its game
    return Projector(store, ruleset, Witness(settings.data / SEGMENTS), tell=tell).run


if __name__ == "__main__":
    sys.exit(last("projector", begin))
