"""Receivers of webhooks on real sockets: one that is honest, and many that are not."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

Conduct = Callable[[socket.socket, threading.Event], None]


@dataclass
class Received:
    """A request as it came."""

    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.body)
        return said


@dataclass
class Receiver:
    """A receiver on a port of its own; each connection has a thread of its own."""

    conduct: Conduct
    listener: socket.socket = field(init=False)
    port: int = field(init=False)
    received: list[Received] = field(default_factory=list)
    connections: int = 0
    most_at_once: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?of=mine"

    @property
    def ids(self) -> list[str]:
        return [one.headers["webhook-id"] for one in self.received]

    def close(self) -> None:
        self.over.set()
        self.listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        with self._lock:
            self.connections += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            with line, suppress(OSError):
                line.settimeout(30)
                if (found := request_on(line)) is not None:
                    self.received.append(found)
                self.conduct(line, self.over)
        finally:
            with self._lock:
                self.at_once -= 1


class Raw(Receiver):
    """A receiver that is not read from before it acts: of connections that do not begin well."""

    def _serve(self, line: socket.socket) -> None:
        with line, suppress(OSError):  # which what TLS raises is, too
            self.conduct(line, self.over)


def request_on(line: socket.socket) -> Received | None:
    """The request that comes on a connection; None where none does."""
    read = b""
    while b"\r\n\r\n" not in read:
        more = line.recv(4096)
        if not more:
            return None
        read += more
    head, _, body = read.partition(b"\r\n\r\n")
    first, *rest = head.decode("ascii").split("\r\n")
    headers = {name.lower(): value for name, _, value in (one.partition(": ") for one in rest)}
    headers[":first"] = first
    while len(body) < int(headers.get("content-length", "0")):
        body += line.recv(4096)
    return Received(headers, body)


def answers(status: int, more: bytes = b"") -> Conduct:
    """One that answers at once."""

    def conduct(line: socket.socket, over: threading.Event) -> None:
        del over
        line.sendall(b"HTTP/1.1 %d So\r\n%sContent-Length: 2\r\n\r\nok" % (status, more))

    return conduct


def after(seconds: float, then: Conduct) -> Conduct:
    """One that takes its time."""

    def conduct(line: socket.socket, over: threading.Event) -> None:
        over.wait(seconds)
        then(line, over)

    return conduct


def says_nothing(line: socket.socket, over: threading.Event) -> None:
    """Takes the request, and never answers."""
    over.wait(60)


def waits_until_we_leave(line: socket.socket, over: threading.Event) -> None:
    """Never answers, and is gone as soon as we are."""
    while line.recv(4096):
        pass


def hangs_up(line: socket.socket, over: threading.Event) -> None:
    """Ends the connection."""


def resets(line: socket.socket, over: threading.Event) -> None:
    """Ends it rudely."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


def drips_its_headers(line: socket.socket, over: threading.Event) -> None:
    """A letter now and then, for ever."""
    line.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while not over.wait(0.05):
        line.sendall(b"x")


def never_ends_its_headers(line: socket.socket, over: threading.Event) -> None:
    """As many headers as are taken."""
    line.sendall(b"HTTP/1.1 200 OK\r\n")
    while not over.is_set():
        line.sendall(b"X-Header: of many\r\n" * 1_000)


def drips_its_body(line: socket.socket, over: threading.Event) -> None:
    """An answer whose body takes for ever."""
    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while not over.wait(0.05):
        line.sendall(b"x")


def never_ends_its_body(line: socket.socket, over: threading.Event) -> None:
    """An answer whose body is as much as is taken."""
    line.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while not over.is_set():
        line.sendall(b"x" * 65_536)


def speaks_something_else(line: socket.socket, over: threading.Event) -> None:
    """Is no web server."""
    line.sendall(b"220 mail.example ESMTP\r\n\r\n")


def only_continues(line: socket.socket, over: threading.Event) -> None:
    """Is always about to answer."""
    while not over.is_set():
        line.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


def sends_us_elsewhere(url: str) -> Conduct:
    """Would like us to ask somebody else."""
    return answers(307, b"Location: %s\r\n" % url.encode())


@contextmanager
def receiving(
    conduct: Conduct | None = None, kind: type[Receiver] = Receiver
) -> Iterator[Receiver]:
    """A receiver for as long as the block lasts; an honest one, where nothing else is said."""
    made = kind(conduct or answers(200))
    try:
        yield made
    finally:
        made.close()


@contextmanager
def nobody_accepts() -> Iterator[str]:
    """An address whose connections hang: a full queue of who wants to be let in."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        lines = []
        for _ in range(8):
            line = socket.socket()
            line.setblocking(False)
            with suppress(BlockingIOError):
                line.connect(("127.0.0.1", port))
            lines.append(line)
        time.sleep(0.05)
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            for line in lines:
                line.close()


def closed_port() -> str:
    """An address where nobody listens."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{line.getsockname()[1]}/"
