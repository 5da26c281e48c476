"""Processes that last: projector, steward, courier and worker begin, go on and end alike.

They end at SIGTERM or SIGINT, and with the `up` that started them. A server may only be starting
when they do, so they try for a while to have the first word with it.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Final, TypeAlias

from ledger.log.stores.protocol import DamagedLog
from ledger.log.stores.redis.functions import ForeignLibrary
from ledger.log.stores.redis.store import RedisStore
from services.run.logs import ForPrograms, add_lines, lines_in, teller
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
    """Run until somebody asks to stop; gives the exit code.

    `begin` gives the work to be done; what it raises of `ends_with` ends the process in one line.
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
        # Nobody watches over a process whose `up` was killed; another takes its place.
        return _run(name, begin, tell, lambda: going and os.getppid() == parent)
    except ends as why:
        tell(f"stops: {why}")
        return getattr(why, "exit_code", 4)


def _run(name: str, begin: Begin, tell: Callable[[str], None], going: Going) -> int:
    """Open the store, and work for as long as it is wanted."""
    settings = read_settings()
    add_lines(lines_in(settings.log, ForPrograms(name)))
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
