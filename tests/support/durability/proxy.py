"""A TCP proxy between a client and a server that breaks what passes through it, request by request.

    with Proxy(server.url, Faults(seed=7, shares={Fault.CUT_AFTER: 0.5})) as proxy:
        RedisStore(Connection(proxy.url))

It reads whole requests and whole replies, so "after" means that the server has carried the request
out and answered. Which fault a request meets is drawn from a seed.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Self

from tests.support.sweeper import MARK


class Fault(Enum):
    """The fate of a request."""

    NONE = "passed"
    CUT_BEFORE = "cut before the server had it"
    CUT_AFTER = "cut after the server had answered"
    RESET_BEFORE = "reset before the server had it"
    RESET_AFTER = "reset after the server had answered"
    HALF_REQUEST = "half of the request"
    HALF_REPLY = "half of the reply"
    DELAY_BEFORE = "delayed on its way there"
    DELAY_AFTER = "delayed on its way back"


BEFORE = (Fault.CUT_BEFORE, Fault.RESET_BEFORE, Fault.HALF_REQUEST)  # it is not carried out
AFTER = (Fault.CUT_AFTER, Fault.RESET_AFTER, Fault.HALF_REPLY)  # it is, and nobody learns of it


class Faults:
    """Which fault each request meets: so large a share of each, for the commands that it names."""

    def __init__(
        self,
        seed: int | str,
        shares: Mapping[Fault, float],
        *,
        commands: tuple[bytes, ...] = (),
        delay: float = 0.05,
    ) -> None:
        assert sum(shares.values()) <= 1.0
        self._rng = random.Random(seed)
        self._shares = dict(shares)
        self._commands = commands
        self._lock = threading.Lock()
        self.delay = delay

    def draw(self, request: bytes) -> tuple[Fault, float]:
        """A fault, and a part of 1 which says where it cuts or how long it lasts."""
        if self._commands and command_of(request) not in self._commands:
            return Fault.NONE, 0.0
        with self._lock:
            at, part = self._rng.random(), self._rng.random()
        for fault, share in self._shares.items():
            at -= share
            if at < 0:
                return fault, part
        return Fault.NONE, 0.0

    def stop(self) -> None:
        """Let everything pass from now on."""
        self._shares = {}


def command_of(request: bytes) -> bytes:
    """The first word of a request."""
    if not request.startswith(b"*"):
        return request.split()[0].upper() if request.strip() else b""
    return request.split(b"\r\n", 3)[2].upper()


class Torn(Exception):
    """The other side ended in the middle of a frame."""


class Frames:
    """Reads whole RESP values, as bytes, from a socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = b""

    def next(self) -> bytes:
        """The bytes of one value; none where the other side has ended."""
        return self._value(may_end=True)

    def _value(self, *, may_end: bool = False) -> bytes:
        head = self._until_newline(may_end=may_end)
        kind = head[:1]
        if kind == b"$" and head != b"$-1\r\n":
            return head + self._bytes(int(head[1:]) + 2)
        if kind == b"*" and head != b"*-1\r\n":
            return head + b"".join(self._value() for _ in range(int(head[1:])))
        return head

    def _until_newline(self, *, may_end: bool) -> bytes:
        while (end := self._buffer.find(b"\r\n")) < 0:
            if not self._more():
                if may_end and not self._buffer:
                    return b""
                raise Torn
        return self._cut(end + 2)

    def _bytes(self, count: int) -> bytes:
        while len(self._buffer) < count:
            if not self._more():
                raise Torn
        return self._cut(count)

    def _cut(self, count: int) -> bytes:
        found, self._buffer = self._buffer[:count], self._buffer[count:]
        return found

    def _more(self) -> bool:
        new = self._connection.recv(1 << 18)
        self._buffer += new
        return bool(new)


def connected(url: str) -> socket.socket:
    """A socket to a server's address."""
    kind, _, where = url.partition("://")
    if kind == "unix":
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(where)
        except OSError:
            connection.close()
            raise
        return connection
    host, _, port = where.rpartition(":")
    return socket.create_connection((host, int(port)))


def reset(connection: socket.socket) -> None:
    """Close so that the other side is told of an error (on a unix socket, just close)."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Proxy:
    """Listens for clients, and has a connection of its own to the server for each of them."""

    def __init__(self, upstream: str, faults: Faults, *, unix: bool = False) -> None:
        self.upstream = upstream
        self.faults = faults
        self.met: Counter[Fault] = Counter()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._closing = False
        self._folder = Path(tempfile.mkdtemp(prefix="p", dir=os.environ.get(MARK, "/tmp")))
        self._listener = socket.socket(socket.AF_UNIX if unix else socket.AF_INET)
        self._listener.bind(str(self._folder / "s") if unix else ("127.0.0.1", 0))
        self._listener.listen(128)
        where = self._listener.getsockname()
        self.url = f"unix://{where}" if unix else f"redis://127.0.0.1:{where[1]}"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        """End all connections, and wait for the threads."""
        self._closing = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            connections = list(self._open)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        (self._folder / "s").unlink(missing_ok=True)
        self._folder.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._attend, args=(connection,), daemon=True)
            self._threads = [one for one in self._threads if one.is_alive()] + [thread]
            thread.start()

    def _attend(self, client: socket.socket) -> None:
        try:
            server = connected(self.upstream)
        except OSError:
            client.close()
            return
        with self._lock:
            self._open |= {client, server}
        try:
            if self._closing:
                return
            ask, answer = Frames(client), Frames(server)
            while (request := ask.next()) and self._pass_on(request, client, server, answer.next):
                pass
        except (OSError, Torn):
            pass  # one side has ended, which the other is told below
        finally:
            with self._lock:
                self._open -= {client, server}
            client.close()
            server.close()

    def _pass_on(
        self,
        request: bytes,
        client: socket.socket,
        server: socket.socket,
        reply: Callable[[], bytes],
    ) -> bool:
        """Carry one request there and its reply back; says whether the connection lives on."""
        fault, part = self.faults.draw(request)
        with self._lock:
            self.met[fault] += 1
        if fault in BEFORE:
            if fault is Fault.HALF_REQUEST:
                server.sendall(_half(request, part))
            return _end(client, fault)
        if fault is Fault.DELAY_BEFORE:
            time.sleep(part * self.faults.delay)
        server.sendall(request)
        answer = reply()
        if not answer:
            return False
        if fault in AFTER:
            if fault is Fault.HALF_REPLY:
                client.sendall(_half(answer, part))
            return _end(client, fault)
        if fault is Fault.DELAY_AFTER:
            time.sleep(part * self.faults.delay)
        client.sendall(answer)
        return True


def _half(frame: bytes, part: float) -> bytes:
    """Some of a frame: at least a byte, and never all of it."""
    return frame[: 1 + int(part * (len(frame) - 1))]


def _end(client: socket.socket, fault: Fault) -> bool:
    if fault in (Fault.RESET_BEFORE, Fault.RESET_AFTER):
        reset(client)
    return False
