"""The checkpointer's process: `python -m services.checkpointer`, or a child of `hegemon up`.

It runs on the machine that has the segments. After kill -9 it continues from the last
complete state. It exits, and signs nothing more, if the next head would not extend the last
signed one.
"""

from __future__ import annotations

import sys
import time
from typing import Final

from ledger.log.stores.disk import DamagedSegment
from ledger.log.stores.redis.store import RedisStore
from ledger.log.stores.segments.reader import SEGMENTS
from services.keep.heads.keys import BadSigningKey, key_in, note_signed
from services.keep.heads.tree import HEADS, DamagedTiles, TreeInUse, TreeWriter
from services.run.logs import teller
from services.run.outages import OUTAGES, Retry
from services.run.process import Going, Work, last
from services.run.settings import Settings

from .loop import Checkpointer, Contradiction

LOOK_SECONDS: Final = 0.5
PAUSE_SECONDS: Final = 2.0
ENDS: Final = (BadSigningKey, Contradiction, DamagedSegment, DamagedTiles, TreeInUse)

tell = teller("checkpointer")


def begin(settings: Settings, store: RedisStore) -> Work:
    """Checks that the signed heads still hold, then keeps signing."""
    key = key_in(settings.data, settings.signing_key)
    tree = TreeWriter(settings.data / HEADS)
    try:
        checkpointer = Checkpointer(
            tree, settings.data / SEGMENTS, key.signer, store.connection, has_signed=key.has_signed
        )
    except BaseException:
        tree.close()
        raise

    def work(going: Going) -> None:
        noted, retry = key.has_signed, Retry(tell, pause=PAUSE_SECONDS)
        while going():
            try:
                checkpointer.step()
                if checkpointer.signed and not noted:
                    note_signed(settings.data)
                    noted = True
                retry.went()
            except OUTAGES as why:
                retry.failed(f"waits for its server: {why}", PAUSE_SECONDS)
                retry.wait()
            time.sleep(LOOK_SECONDS)

    return work


if __name__ == "__main__":
    sys.exit(last("checkpointer", begin, ENDS))
