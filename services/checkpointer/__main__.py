"""The checkpointer's process: `python -m services.checkpointer`, or a child of `hegemon up`.

It runs where the segments are. kill -9 does it no harm: it goes on from what counts. It ends, and
signs nothing more, if what it would sign does not go on from what it has signed.
"""

from __future__ import annotations

import sys
import time
from typing import Final

from ledger.log.redis.store import RedisStore
from ledger.log.segments.frames import DamagedSegment
from services.lasting import Going, Work, last
from services.logs import teller
from services.opening import SEGMENTS
from services.projector.shards import OUTAGES
from services.settings import Settings

from .keys import BadSigningKey, key_in, note_signed
from .loop import Checkpointer, Contradiction
from .tiles import DamagedTiles
from .tree import HEADS, InUse, TreeWriter

LOOK_SECONDS: Final = 0.5
PAUSE_SECONDS: Final = 2.0
ENDS: Final = (BadSigningKey, Contradiction, DamagedSegment, DamagedTiles, InUse)

tell = teller("checkpointer")


def begin(settings: Settings, store: RedisStore) -> Work:
    """Look whether what was signed still holds, and sign from then on."""
    key = key_in(settings.data, settings.signing_key)
    tree = TreeWriter(settings.data / HEADS)
    try:
        checkpointer = Checkpointer(
            tree, settings.data / SEGMENTS, key.signer, store.line, has_signed=key.has_signed
        )
    except BaseException:
        tree.close()
        raise

    def work(going: Going) -> None:
        noted = key.has_signed
        while going():
            try:
                checkpointer.step()
                if checkpointer.signed and not noted:
                    note_signed(settings.data)
                    noted = True
            except OUTAGES as why:
                tell(f"waits for its server: {why}")
                time.sleep(PAUSE_SECONDS)
            time.sleep(LOOK_SECONDS)

    return work


if __name__ == "__main__":
    sys.exit(last("checkpointer", begin, ENDS))
