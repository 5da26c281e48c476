"""The shelf: results, each under the hash of everything that it depends on.

A result lies there for a day after it was asked for last, and for some minutes only where the next
is asked for soon. It never changes, so whoever makes it a second time puts the same there.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec
from redis import Redis

DAY: Final = 24 * 3_600
PASSING_SECONDS: Final = 60  # of what is there for a moment only
_LEVEL: Final = 6


def name_of(kind: str, depends_on: Mapping[str, Any]) -> str:
    """Under which name a result lies: the kind, and the hash of what it depends on."""
    packed = msgspec.json.encode(dict(depends_on), order="deterministic")
    return f"{kind}:{hashlib.sha256(packed).hexdigest()}"


class Shelf:
    """The results on a server."""

    def __init__(self, server: Redis) -> None:
        self._server = server

    def put(self, name: str, result: bytes, seconds: int = DAY) -> None:
        """Lay a result there, for so many seconds."""
        self._server.set(name, gzip.compress(result, _LEVEL, mtime=0), ex=seconds)

    def has(self, name: str) -> bool:
        """Whether a result lies there."""
        return bool(self._server.exists(name))

    def packed(self, name: str, seconds: int = DAY) -> bytes | None:
        """A result as gzip has it; it lies there as long again, unless it was for a moment only."""
        with self._server.pipeline(transaction=False) as both:
            both.get(name)
            both.ttl(name)
            found, left = cast("tuple[bytes | None, int]", both.execute())
        if found is not None and PASSING_SECONDS < left < seconds // 2:
            self._server.expire(name, seconds)
        return found
