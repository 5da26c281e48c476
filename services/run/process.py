"""The common frame of projector, steward, courier and worker: start, run and end.

They end on SIGTERM or SIGINT, and with the `up` that started them. A server may still be
starting when they do, so they try for a while to reach it.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Final, TypeAlias

from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis.store import ForeignLibrary, RedisStore
from services.run.logs import JsonFormatter, add_lines, lines_in, teller
from services.run.outages import OUTAGES
from services.run.programs import CannotServe
from services.run.settings import BadSetting, Settings, read_settings
from services.run.stores import told_store

OPEN_SECONDS: Final = 10.0  # up to the first word with the server
PAUSE_SECONDS: Final = 0.2
STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENDS: Final = (CannotServe, BadSetting, ForeignLibrary, DamagedLog, *OUTAGES)

Going: TypeAlias = Callable[[], bool]
Work: TypeAlias = Callable[[Going], None]
Begin: TypeAlias = Callable[[Settings, RedisStore], Work]


def last(name: str, begin: Begin, ends_with: tuple[type[Exception], ...] = ()) -> int:
    """Runs until asked to stop; returns the exit code.

    `begin` returns the work. If it raises one of `ends_with`, the process ends with one line.
    """
    going, tell = True, teller(name)

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal going
        del number, frame
        going = False

    for number in STOPPING:
        signal.signal(number, stop)
    parent = os.getppid()
    ends: tuple[type[Exception], ...] = (*ENDS, *ends_with)
    try:
        # A process ends if its `up` was killed; the next `up` starts another.
        return _run(name, begin, tell, lambda: going and os.getppid() == parent)
    except ends as why:
        tell(f"stops: {why}")
        return getattr(why, "exit_code", 4)


def _run(name: str, begin: Begin, tell: Callable[[str], None], going: Going) -> int:
    settings = read_settings()
    add_lines(lines_in(settings.log, JsonFormatter(name)))
    until = time.monotonic() + OPEN_SECONDS
    while going():
        try:
            store = told_store(settings)
            if store is None:
                tell("needs HEGEMON_REDIS_URL or HEGEMON_LEDGER_URL; `hegemon up` sets it.")
                return 2
            work = begin(settings, store)
        except (*OUTAGES, CannotServe):
            # A server may be starting, or end while we look at it.
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE_SECONDS)
        else:
            work(going)
    return 0
