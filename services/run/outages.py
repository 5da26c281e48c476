"""What a server's outage looks like: for a loop that waits until it is over."""

from __future__ import annotations

from typing import Final

from ledger.log.stores.protocol import Unavailable
from ledger.log.stores.redis.connection import NoReply, NotSent, Refusing

OUTAGES: Final = (Unavailable, NotSent, NoReply, Refusing)  # of a server, not of a match
