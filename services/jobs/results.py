"""Results of jobs, each under the hash of everything it depends on.

A result is kept for a day after its last request, or for some minutes if another is
expected soon. It never changes, so making it a second time stores the same bytes.
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
    """Returns a result's name: the kind, and the hash of what it depends on."""
    packed = msgspec.json.encode(dict(depends_on), order="deterministic")
    return f"{kind}:{hashlib.sha256(packed).hexdigest()}"


class ResultStore:
    def __init__(self, server: Redis) -> None:
        self._server = server

    def put(self, name: str, result: bytes, seconds: int = DAY) -> None:
        self._server.set(name, gzip.compress(result, _LEVEL, mtime=0), ex=seconds)

    def has(self, name: str) -> bool:
        return bool(self._server.exists(name))

    def packed(self, name: str, seconds: int = DAY) -> bytes | None:
        """Returns a result, gzipped, and keeps it as long again unless it was kept only briefly."""
        with self._server.pipeline(transaction=False) as both:
            both.get(name)
            both.ttl(name)
            found, left = cast("tuple[bytes | None, int]", both.execute())
        if found is not None and PASSING_SECONDS < left < seconds // 2:
            self._server.expire(name, seconds)
        return found
