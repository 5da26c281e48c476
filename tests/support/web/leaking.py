"""A service that tells what it should not: so that it is seen that this would be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

HEADERS: Final = {"header": "Cache-Control", "number": "X-Request-ID", "limit": "RateLimit"}


class Leaking:
    """A service that tells a little of a secret on its way out, to whoever asks."""

    def __init__(self, service: Any, how: str, letter: str) -> None:
        self._service = service
        self._how = how
        self._letter = letter

    def __call__(self, environ: Any, start: Any) -> Iterator[bytes]:
        begun: list[Any] = []
        chunks = self._service(environ, lambda *said: begun.append(said))
        parts = iter(chunks)
        first = next(parts, b"")
        [(status, headers, *_)] = begun
        more = {"body": 0, "length": 1 + ord(self._letter) % 16}.get(self._how, 0)
        if self._how == "body":
            first = first[:-1] + self._letter.encode()
        headers = [
            (name, str(int(value) + more) if name == "Content-Length" else value)
            for name, value in headers
        ]
        if self._how in HEADERS:
            headers = [(n, v + self._letter if n == HEADERS[self._how] else v) for n, v in headers]
        start(status, headers)
        try:
            yield first + b" " * more
            yield from parts
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
