"""The projector's process: `python -m services.projector`, or a child of `hegemon up`.

It ends at SIGTERM or SIGINT, with all that it has on the disk, and at once if the server has lost
what the segments hold. kill -9 does no harm: it goes on from its checkpoints.
"""

from __future__ import annotations

import sys

from ledger.log.redis.store import RedisStore
from ledger.log.segments.witness import Witness
from ledger.rules import ruleset, rulesets
from services.lasting import Work, last
from services.logs import teller
from services.opening import SEGMENTS, check_guard
from services.settings import Settings

from .feeds import GoneBack
from .loop import Projector

tell = teller("projector")


def begin(settings: Settings, store: RedisStore) -> Work:
    """Look whether the server has what the segments hold, and project from then on."""
    check_guard(store.line, settings.data)
    rulesets()  # imported now, so that no event's work is to import its game
    return Projector(store, ruleset, Witness(settings.data / SEGMENTS), tell=tell).run


if __name__ == "__main__":
    sys.exit(last("projector", begin, (GoneBack,)))
