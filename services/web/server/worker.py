"""Requests while they arrive, and those that cannot be read: too long, torn, slow, or no HTTP.

Unreadable requests never reach the application. gunicorn would answer with a page of its own and
log the caller. This worker answers with a problem, as for any failure, and logs only its kind.

gunicorn would also give each connection a thread from its first byte on. Here one thread collects
the bytes of all connections. A request gets its own thread when its headers and body have arrived.
The worker drops a request that is late, or one of too many.
"""

from __future__ import annotations

import re
import selectors
import socket
import sys
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import cache, partial
from http import HTTPStatus
from itertools import takewhile
from typing import Any, Final

from gunicorn.errors import ConfigError  # type: ignore[import-untyped]
from gunicorn.http import get_parser  # type: ignore[import-untyped]
from gunicorn.http.errors import (  # type: ignore[import-untyped]
    ConfigurationProblem,
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)
from gunicorn.http.unreader import Unreader  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from services.run.settings import read_settings
from services.web import BODY_MAX

# Any other unreadable request is 400; any other error is our fault.
STATUSES: Final = {LimitRequestLine: 414, LimitRequestHeaders: 431}
OURS: Final = (ConfigurationProblem, InvalidResponseHeader, InvalidResponseHeaderName)

UNREAD_MAX: Final = 512  # connections of one process whose request is not there whole
LEAVING_MAX: Final = 256  # that were answered, and whose client has not closed its side yet
LEAVING_SECONDS: Final = 2.0
LEAVING_BYTES: Final = 64 * 1024  # taken from such a client, so that it gets its answer
AT_ONCE: Final = 64 * 1024  # bytes
GO_ON: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
SAID_SECONDS: Final = 10.0  # between two lines of the log about slow requests
HEAD_MAX: Final = 32 * 1024
CHUNKS_MAX: Final = 2 * BODY_MAX  # of a body in chunks, with what stands between them

_END: Final = b"\r\n\r\n"
_BARE: Final = re.compile(rb"(?<!\r)\n")
_LENGTH: Final = re.compile(rb"(?im)^content-length:[ \t]*([0-9]{1,18})[ \t]*\r$")
_CHUNKED: Final = re.compile(rb"(?im)^transfer-encoding:.*chunked")
_EXPECTS: Final = re.compile(rb"(?ims)[^\n]*http/1\.1\r\n.*^expect:[ \t]*100-continue[ \t]*\r$")


class Torn(ParseException):  # type: ignore[misc] # gunicorn has no types
    """A request that says it is longer than it is."""


class HeldBytes(Unreader):  # type: ignore[misc]
    """The bytes of a request so far. Reading past them raises an error and never waits."""

    def __init__(self, found: bytes = b"", end: type[ParseException] | None = None) -> None:
        """Holds these bytes; `end` says why no more were waited for."""
        super().__init__()
        self.buf.write(found)
        self.end = end

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Raise: there is no more."""
        del size_hint
        raise Torn if self.end is None else self.end("what was held of a request")


class Arriving:
    """A request of which some bytes may be missing."""

    def __init__(self, deadline: float, found: bytes = b"") -> None:
        self.deadline = deadline
        self.found = bytearray(found)
        self.asks_to_go_on = False  # the body comes when it is asked for
        self._end: type[ParseException] | None = None
        self._looked = 0  # no end of the head begins before this byte
        self._body = 0  # where it begins; 0 while the head has no end
        self._chunk = 0  # where the next one begins, in a body of chunks
        self._length: int | None = None  # None: it comes in chunks

    def held(self) -> HeldBytes:
        """The bytes for whoever reads the request."""
        return HeldBytes(bytes(self.found), self._end)

    def is_whole(self) -> bool:
        """Returns whether the request has arrived, or will be refused whatever follows."""
        if not self._body and not self._has_head():
            return self._end is not None
        if self._end is not None:
            return True
        if self._length is not None:
            return len(self.found) >= self._body + self._length
        if self._has_last_chunk():
            return True
        if len(self.found) - self._body > CHUNKS_MAX:
            self._end = Torn
        return self._end is not None

    def _has_head(self) -> bool:
        end = self.found.find(_END, self._looked)
        if end < 0:
            if len(self.found) > HEAD_MAX:
                self._end = LimitRequestHeaders
            elif _BARE.search(self.found, max(0, self._looked - 1)):
                self._end = Torn
            self._looked = max(0, len(self.found) - len(_END) + 1)
            return False
        self._body = self._chunk = end + len(_END)
        head = bytes(self.found[: self._body])
        if not _CHUNKED.search(head):
            said = _LENGTH.search(head)
            self._length = int(said[1]) if said else 0
            if self._length > BODY_MAX:
                self._end = Torn
        self.asks_to_go_on = _EXPECTS.match(head) is not None
        return True

    def _has_last_chunk(self) -> bool:
        while (end := self.found.find(b"\r\n", self._chunk)) >= 0:
            try:
                size = int(bytes(self.found[self._chunk : end]).split(b";", 1)[0], 16)
            except ValueError:
                self._end = Torn  # who reads it says what is wrong
                return True
            if size <= 0:
                return self.found.find(_END, end) >= 0
            self._chunk = end + 2 + size + 2
        return False


class Leaving:
    """A connection that was answered: until when it may stay, and what it may still send."""

    def __init__(self) -> None:
        self.deadline = time.monotonic() + LEAVING_SECONDS
        self.bytes = LEAVING_BYTES


class Worker(ThreadWorker):  # type: ignore[misc] # gunicorn has no types
    """A worker that refuses as the API does, and gives threads to whole requests alone.

    What begins with `_` is for the thread that runs the loop.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.max_keepalived -= UNREAD_MAX + LEAVING_MAX
        self._seconds = read_settings().request_seconds
        # Each in the order of its deadlines.
        self._unread: dict[Any, Arriving] = {}
        self._leaving: dict[Any, Leaving] = {}
        self._slow = 0
        self._said = float("-inf")

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Refuse what is not read here."""
        super().check_config(cfg, log)
        if cfg.is_ssl:
            raise ConfigError("Leave out the certificate: HTTPS is the task of a proxy.")

    def enqueue_req(self, conn: Any) -> None:
        """Wait for a request to be whole; then it gets a thread."""
        if conn.parser is None:
            conn.parser = get_parser(self.cfg, conn.sock, conn.client)
            conn.parser.unreader = HeldBytes()
            conn.initialized = conn.data_ready = True
        # A client may have sent this request together with the last one.
        found = conn.parser.unreader.take_buffered()
        arriving = Arriving(time.monotonic() + self._seconds, found)
        conn.sock.setblocking(False)
        if arriving.is_whole():
            self._hand_over(conn, arriving)
            return
        if len(self._unread) >= UNREAD_MAX:
            self._refuse(longest_of_most(self._unread))
        self._unread[conn] = arriving
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._more, conn))
        self._more(conn, conn.sock)

    def finish_request(self, conn: Any, fs: Future[Any]) -> None:
        """Keep the connection for the next request, or let it go; the loop waits for neither."""
        if fs.cancelled() or fs.exception() is not None or not fs.result():
            self._let_go(conn)
        else:
            super().finish_request(conn, fs)

    def murder_pending(self) -> None:
        """Let those go whose time is over."""
        now = time.monotonic()
        for conn in over(self._unread, now):
            self._refuse(conn)
        for conn in over(self._leaving, now):
            self._drop(conn)
        if self._slow and now - self._said > SAID_SECONDS:
            self.log.warning("requests that did not arrive in time: %d", self._slow)
            self._slow, self._said = 0, now

    def handle_request(self, req: Any, conn: Any) -> bool:
        """Answer."""
        # It was said where it was needed; gunicorn would say it again.
        req._expected_100_continue = False  # noqa: SLF001
        if conn.parser.unreader.end is not None:
            req.force_close()  # the rest of the body is not waited for
        return bool(super().handle_request(req, conn))

    def _keepalive_after(self, conn: Any, keepalive: Any) -> bool:
        try:
            return bool(super()._keepalive_after(conn, keepalive))
        except ParseException:  # in a body that nobody wanted, after the answer
            return False

    def _more(self, conn: Any, client: socket.socket) -> None:
        arriving = self._unread.get(conn)
        if arriving is None:  # refused a moment ago, to make room
            return
        new = _receive_bytes(client)
        if new is None:
            return
        if not new:
            self._drop(conn)
            return
        waited = arriving.asks_to_go_on
        arriving.found += new
        if arriving.is_whole():
            self._forget(conn)
            self._hand_over(conn, arriving)
        elif arriving.asks_to_go_on and not waited:
            with suppress(OSError):
                client.send(GO_ON)

    def _hand_over(self, conn: Any, arriving: Arriving) -> None:
        conn.parser.unreader = arriving.held()
        super().enqueue_req(conn)

    def _refuse(self, conn: Any) -> None:
        arriving = self._unread[conn]
        self._forget(conn)
        if arriving.found:  # a browser opens connections beforehand, and asks nothing yet
            self._slow += 1
            with suppress(OSError):
                conn.sock.send(answer(408))
        self._let_go(conn)

    def _let_go(self, conn: Any) -> None:
        # Closed while the client still sends, the connection would break and lose the answer.
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._drain, conn))
        except (OSError, ValueError, KeyError):
            self._drop(conn)
            return
        if len(self._leaving) >= LEAVING_MAX:
            self._drop(next(iter(self._leaving)))
        self._leaving[conn] = Leaving()

    def _drain(self, conn: Any, client: socket.socket) -> None:
        leaving = self._leaving.get(conn)
        if leaving is None:  # dropped a moment ago, to make room
            return
        new = _receive_bytes(client)
        if new is None:
            return
        leaving.bytes -= len(new)
        if not new or leaving.bytes < 0:
            self._drop(conn)

    def _forget(self, conn: Any) -> None:
        self._unread.pop(conn, None)
        self._leaving.pop(conn, None)
        with suppress(OSError, ValueError, KeyError):
            self.poller.unregister(conn.sock)

    def _drop(self, conn: Any) -> None:
        self._forget(conn)
        self.nr_conns -= 1
        conn.close()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answers the request, and closes the connection."""
        del req, addr
        status = status_of(exc)
        if status < 500:
            self.log.warning("a request could not be read: %s", type(exc).__name__)
        else:
            self.log.error("a request failed outside the application", exc_info=sys.exc_info())
        with suppress(OSError):
            client.sendall(answer(status))


def over(waiting: Mapping[Any, Arriving | Leaving], now: float) -> list[Any]:
    """Those whose time is over."""
    return [one for one, _ in takewhile(lambda pair: pair[1].deadline <= now, waiting.items())]


def longest_of_most(unread: Mapping[Any, Arriving]) -> Any:
    """The connection that has waited longest, of the address that has most of them."""
    hosts = Counter(host_of(one) for one in unread)
    most = hosts.most_common(1)[0][0]
    return next(one for one in unread if host_of(one) == most)


def _receive_bytes(client: socket.socket) -> bytes | None:
    """Returns what has come: empty at the end, None if nothing is there yet."""
    try:
        return client.recv(AT_ONCE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def host_of(conn: Any) -> str:
    """Returns the address of the peer: a client, or a proxy for many clients."""
    return str(conn.client[0]) if isinstance(conn.client, tuple) else ""


def status_of(reason: BaseException) -> int:
    if isinstance(reason, ParseException) and not isinstance(reason, OURS):
        return STATUSES.get(type(reason), 400)
    return 500


@cache
def answer(status: int) -> bytes:
    # Not before a worker has begun: the library of figures looks then where its folder is.
    from services.web.app.problems import Problem, problem_response

    response = problem_response(Problem(status))
    body = response.get_data()
    head = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        f"Content-Type: {response.content_type}",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    return "\r\n".join([*head, "", ""]).encode() + body
