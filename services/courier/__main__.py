"""The courier's process: `python -m services.courier`, or a child of `hegemon up`.

It ends at SIGTERM or SIGINT. kill -9 does no harm: what waits is in the mailbox.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

from ledger.log.redis.library import ForeignLibrary
from ledger.log.redis.store import RedisStore
from ledger.log.store import DamagedLog
from ledger.rules import ruleset
from services.opening import told_store
from services.play import now_ms
from services.programs import CannotServe
from services.projector.shards import OUTAGES
from services.settings import BadSetting, Settings, read_settings

from .addresses import LookUp, look_up
from .loop import Courier
from .mailbox import Mailbox
from .posting import Bounds, Names, Poster
from .reading import Reader
from .rounds import Lane, Patience
from .sending import Sender
from .signing import BadKey, key_of
from .webhooks import Registry

OPEN_SECONDS: Final = 10.0  # up to the first word with the server
PAUSE_SECONDS: Final = 0.2
STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
NAMES_AT_ONCE: Final[dict[Lane, int]] = {"sound": 32, "doubtful": 64}


def tell(line: str) -> None:
    """Say something to the operator."""
    print(f"hegemon: the courier {line}", file=sys.stderr, flush=True)


def courier_of(
    settings: Settings,
    store: RedisStore,
    *,
    patience: Patience | None = None,
    bounds: Bounds | None = None,
    look: LookUp = look_up,
    clock: Callable[[], int] = now_ms,
    tell: Callable[[str], None] = tell,
) -> Courier:
    """A courier over a store."""
    registry = Registry(store, key_of(settings.data, settings.webhook_key), clock)
    mailbox = Mailbox(store.cache)
    site, networks = settings.public_url or "", settings.webhook_networks
    return Courier(
        mailbox,
        lambda: Reader(store, registry, mailbox, ruleset, site=site, tell=tell),
        lambda: Sender(
            registry,
            mailbox,
            {
                lane: Poster(Names(look, at_once), networks, bounds)
                for lane, at_once in NAMES_AT_ONCE.items()
            },
            patience=patience,
            plain=bool(networks),
            tell=tell,
        ),
        tell=tell,
    )


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
        # Nobody watches over a courier whose `up` was killed; another takes its place.
        return _deliver(read_settings(), lambda: going and os.getppid() == parent)
    except (CannotServe, BadSetting, BadKey, ForeignLibrary, DamagedLog, *OUTAGES) as why:
        tell(f"stops: {why}")
        return getattr(why, "exit_code", 4)


def _deliver(settings: Settings, going: Callable[[], bool]) -> int:
    """Open the store, and deliver for as long as it is wanted."""
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
            courier_of(settings, store).run(going)
    return 0


if __name__ == "__main__":
    sys.exit(main())
