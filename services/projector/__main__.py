"""The projector's process: `python -m services.projector`, or a child of `hegemon up`.

It ends at SIGTERM or SIGINT, with all that it has on the disk, and at once if the server has lost
what the segments hold. kill -9 does no harm: it goes on from its checkpoints.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

from ledger.log.segments.witness import Witness
from ledger.log.store import DamagedLog
from ledger.rules import ruleset
from services.opening import SEGMENTS, check_guard, told_store
from services.programs import CannotServe
from services.settings import BadSetting, Settings, read_settings

from .loop import PAUSE_SECONDS, GoneBack, Projector
from .shards import OUTAGES

OPEN_SECONDS: Final = 10.0  # up to the first word with the server
STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def tell(line: str) -> None:
    """Say something to the operator."""
    print(f"hegemon: the projector {line}", file=sys.stderr, flush=True)


def main() -> int:
    """Run until somebody asks to stop; gives the exit code."""
    going = True

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal going
        del number, frame
        going = False

    for number in STOPPING:
        signal.signal(number, stop)
    parent = os.getppid()
    try:
        settings = read_settings()
        # Nobody watches over a projector whose `up` was killed; another takes its place.
        return _project(settings, lambda: going and os.getppid() == parent)
    except (CannotServe, BadSetting, GoneBack, DamagedLog, *OUTAGES) as why:
        tell(f"stops: {why}")
        return getattr(why, "exit_code", 4)


def _project(settings: Settings, going: Callable[[], bool]) -> int:
    """Open the store, and project for as long as it is wanted."""
    until = time.monotonic() + OPEN_SECONDS
    while going():
        try:
            store = told_store(settings)
            if store is None:
                tell("needs HEGEMON_REDIS_URL or HEGEMON_LEDGER_URL; `hegemon up` sets it.")
                return 2
            check_guard(store.line, settings.data)
            projector = Projector(store, ruleset, Witness(settings.data / SEGMENTS), tell=tell)
        except (*OUTAGES, CannotServe):
            # A server may be starting, or end while we look at it.
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE_SECONDS)
        else:
            projector.run(going)
    return 0


if __name__ == "__main__":
    sys.exit(main())
