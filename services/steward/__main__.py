"""The steward's process: `python -m services.steward`, or a child of `hegemon up`.

It ends at SIGTERM or SIGINT. kill -9 does no harm: what waits is found again at the next start, and
a decision that is half made is not in the log.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

from ledger.log.redis.library import ForeignLibrary
from ledger.log.store import DamagedLog
from services.live.hub import Hub
from services.opening import told_store
from services.programs import CannotServe
from services.settings import BadSetting, Settings, read_settings

from .loop import OUTAGES, Steward

OPEN_SECONDS: Final = 10.0  # up to the first word with the server
PAUSE_SECONDS: Final = 0.2
STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def tell(line: str) -> None:
    """Say something to the operator."""
    print(f"hegemon: the steward {line}", file=sys.stderr, flush=True)


def main() -> int:
    """Run until somebody asks to stop; gives the exit code."""
    going = True

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal going
        del number, frame
        going = False

    for number in STOPPING:
        signal.signal(number, stop)
    # That a server does not answer is said by the loop, once.
    logging.getLogger("services.live.hub").setLevel(logging.ERROR)
    parent = os.getppid()
    try:
        # Nobody watches over a steward whose `up` was killed; another takes its place.
        return _tend(read_settings(), lambda: going and os.getppid() == parent)
    except (CannotServe, BadSetting, ForeignLibrary, DamagedLog, *OUTAGES) as why:
        tell(f"stops: {why}")
        return getattr(why, "exit_code", 4)


def _tend(settings: Settings, going: Callable[[], bool]) -> int:
    """Open the store, and tend the tables for as long as it is wanted."""
    until = time.monotonic() + OPEN_SECONDS
    while going():
        try:
            store = told_store(settings)
            if store is None:
                tell("needs HEGEMON_REDIS_URL or HEGEMON_LEDGER_URL; `hegemon up` sets it.")
                return 2
        except (*OUTAGES, CannotServe):
            # A server may be starting, or end while we look at it.
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE_SECONDS)
        else:
            hub = Hub(store.line.another)
            Steward(store, hub, tell=tell).run(going)
            hub.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
