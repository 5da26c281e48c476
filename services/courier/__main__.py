"""The courier's process: `python -m services.courier`, or a child of `hegemon up`.

It exits on SIGTERM or SIGINT. kill -9 does no harm: waiting deliveries are in the mailbox.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from ledger.games import ruleset
from ledger.log.stores.redis.store import RedisStore
from services.matches.club import now_ms
from services.run.logs import teller
from services.run.process import Work, last
from services.run.settings import Settings
from services.webhooks.addresses import LookUp, look_up
from services.webhooks.book import Registry
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Lane, Patience
from services.webhooks.signatures import BadKey, key_of

from .attempt import Bounds, Names, Poster
from .loop import Courier
from .reader import Reader
from .sender import Sender

NAMES_AT_ONCE: Final[dict[Lane, int]] = {"sound": 32, "doubtful": 64}


tell = teller("courier")


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


def begin(settings: Settings, store: RedisStore) -> Work:
    return lambda going: courier_of(settings, store).run(going)


if __name__ == "__main__":
    sys.exit(last("courier", begin, (BadKey,)))
