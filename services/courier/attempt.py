"""One attempt: a request to a receiver, bounded in time and bytes whatever the receiver does.

Only the status counts, and only once the headers have ended. The body is read for a moment,
so that an honest receiver can finish, and then discarded.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from services.webhooks.addresses import (
    Destination,
    LookUp,
    Network,
    NotAllowed,
    NotFound,
    check_addresses,
)

_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-9][0-9]{2})(?: [^\r\n]*)?\r\n")
_RETRY: Final = re.compile(rb"\r\nretry-after:[ \t]*([0-9]{1,6})[ \t]*\r\n", re.IGNORECASE)
_INTERIM_MAX: Final = 5  # answers such as "100 Continue" before the one that counts
_NUMBERS_MAX: Final = 2  # of those behind a name, so many are tried


@dataclass(frozen=True)
class Bounds:
    """The limits of an attempt: times and sizes."""

    seconds: float = 10.0  # in all
    look_up_seconds: float = 3.0
    connect_seconds: float = 4.0  # the first words of TLS included
    head_bytes: int = 16 * 1024
    body_bytes: int = 64 * 1024
    body_seconds: float = 0.5


class AttemptOutcome(NamedTuple):
    status: int  # 0 where there was no answer
    why: str  # in words, for the owner; empty where it went well
    milliseconds: int
    retry_after: int = 0  # seconds, where the receiver says so

    @property
    def delivered(self) -> bool:
        return not self.why


class Broken(Exception):
    """The receiver's answer is not valid HTTP."""


@dataclass
class Names:
    """Looks names up, a limited number at a time. A silent name server blocks one thread only.

    The threads are daemons, so the process can exit without waiting for them.
    """

    look_up: LookUp
    at_once: int
    running: int = 0

    async def numbers(self, host: str, port: int, seconds: float) -> Sequence[str]:
        with suppress(ValueError):
            return [str(ipaddress.ip_address(host))]
        if self.running >= self.at_once:
            raise TimeoutError
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Sequence[str]] = loop.create_future()

        def done(numbers: Sequence[str]) -> None:
            self.running -= 1
            if not found.done():
                found.set_result(numbers)

        def work() -> None:
            numbers: Sequence[str] = ()
            with suppress(Exception):
                numbers = self.look_up(host, port)
            with suppress(RuntimeError):  # the loop has ended before we have
                loop.call_soon_threadsafe(done, numbers)

        self.running += 1
        threading.Thread(target=work, name=f"name {host[:40]}", daemon=True).start()
        return await asyncio.wait_for(found, seconds)


@dataclass
class Poster:
    """Makes attempts, to allowed addresses only."""

    names: Names
    networks: Sequence[Network]  # allowed although they are not public
    bounds: Bounds
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    async def post(
        self, target: Destination, headers: Mapping[str, str], body: bytes
    ) -> AttemptOutcome:
        began = time.monotonic()
        status, why, retry_after = 0, "", 0
        try:
            async with asyncio.timeout(self.bounds.seconds):
                status, retry_after = await self._attempt(target, request(target, headers, body))
        except NotAllowed:
            why = "this address is not allowed"
        except NotFound:
            why = "the host name is unknown"
        except ssl.SSLCertVerificationError as error:
            why = f"its certificate is not valid: {error.verify_message}"[:200]
        except ssl.SSLError:
            why = "TLS failed"
        except TimeoutError:
            why = "it took too long"
        except Broken as error:
            why = str(error)
        except (OSError, asyncio.IncompleteReadError):
            why = "the connection failed or ended early"
        if status and not 200 <= status < 300:
            why = _describe_status(status)
        return AttemptOutcome(status, why, int((time.monotonic() - began) * 1_000), retry_after)

    async def _attempt(self, target: Destination, words: bytes) -> tuple[int, int]:
        bounds = self.bounds
        found = await self.names.numbers(target.host, target.port, bounds.look_up_seconds)
        numbers = check_addresses(target, found, self.networks)
        reader, writer = await self._connected(target, numbers[:_NUMBERS_MAX])
        try:
            writer.write(words)
            await writer.drain()
            answered = await self._answer(reader)
            with suppress(TimeoutError, OSError, asyncio.IncompleteReadError):
                async with asyncio.timeout(bounds.body_seconds):
                    await reader.readexactly(bounds.body_bytes)
            return answered
        finally:
            writer.transport.abort()  # a polite end may be kept waiting, too

    async def _connected(
        self, target: Destination, numbers: Sequence[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connects to one of the checked numbers, and to no other."""
        tls = self.tls if target.tls else None
        name = target.host if target.tls else None
        size, share = self.bounds.head_bytes, self.bounds.connect_seconds / len(numbers)
        for number in numbers:
            connecting = asyncio.open_connection(
                number, target.port, limit=size, ssl=tls, server_hostname=name
            )
            try:
                return await asyncio.wait_for(connecting, share)
            except OSError as failure:  # which a TimeoutError is, too
                if isinstance(failure, ssl.SSLError) or number == numbers[-1]:
                    raise
        raise NotFound

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, int]:
        for _ in range(_INTERIM_MAX):
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError:
                raise Broken("its headers do not end") from None
            found = _STATUS.match(head)
            if found is None:
                raise Broken("it does not speak HTTP/1.1")
            status = int(found[1])
            if status >= 200:
                later = _RETRY.search(head)
                return status, int(later[1]) if later else 0
        raise Broken("it sends no final answer")


def request(target: Destination, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [
        f"POST {target.path} HTTP/1.1",
        f"Host: {target.authority}",
        "User-Agent: Hegemon",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body


def _describe_status(status: int) -> str:
    if 300 <= status < 400:
        return f"it answered {status}; we do not follow redirects"
    return f"it answered {status}"
