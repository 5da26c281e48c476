"""The one place that talks to redis-py: time-outs, no retries, raw replies.

redis-py's own clients send a command again when its reply is lost, and shape replies by
version. A ledger can have neither: after a lost reply the outcome is *unknown*, and the
caller decides. So this uses only redis-py's connections (addresses, passwords, TLS,
parsing) and says for every failure whether the command may have been carried out:

    NotSent   it was not
    NoReply   unknown
    Refusing  it was not: the server said why
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

import hiredis
import redis
from redis.backoff import NoBackoff
from redis.connection import Connection as TcpConnection
from redis.connection import UnixDomainSocketConnection, parse_url
from redis.exceptions import AuthenticationError, BusyLoadingError, ResponseError
from redis.retry import Retry

Word: TypeAlias = str | bytes | int
Reply: TypeAlias = Any
AnyConnection: TypeAlias = Any  # redis-py says little of its types

REPLY_SECONDS: Final = 3.0
CONNECT_SECONDS: Final = 2.0
_PASSING: Final = ("LOADING", "BUSY ", "TRYAGAIN", "MASTERDOWN", "CLUSTERDOWN")
_ADDRESS: Final = r"(?:[^@/?#]*@)?((?:[\w.\-\[][\w.\-:\[\]]*)?(?:/\d*)?)(?:\?.*)?"


class NotSent(Exception):
    """The server was not reached; nothing has happened."""


class NoReply(Exception):
    """The command was sent without a reply: it may have been carried out."""


class Refusing(Exception):
    """The server refuses; nothing has happened."""

    @property
    def passing(self) -> bool:
        """Returns whether a retry may succeed: the server loads its files or runs a script."""
        return str(self).startswith(_PASSING)


class Connection:
    """Connections to one server, one for each caller at a time; safe for many threads."""

    cluster = False  # whether it goes to several servers (cluster.py)

    def __init__(self, url: str, *, seconds: float = REPLY_SECONDS) -> None:
        self.url = url
        self.seconds = seconds
        self._made_by = os.getpid()
        self._idle: list[AnyConnection] = []
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        """Returns the server's address without its password."""
        return _safe(self.url)

    def another(self, seconds: float | None = None) -> Connection:
        """Returns separate connections to the same server."""
        return type(self)(self.url, seconds=seconds or self.seconds)

    def servers(self) -> list[Connection]:
        """Returns a connection to each server behind this one: itself."""
        return [self]

    def call(self, *words: Word, wait: float | None = None) -> Reply:
        """Sends one command and returns one reply; `wait` is the time that it may block."""
        connection, sent = self._take(), False
        try:
            packed = hiredis.pack_command(words)  # type: ignore[arg-type]  # a tuple of any length
            connection.send_packed_command([packed], check_health=False)
            sent = True
            seconds = self.seconds if wait is None else self.seconds + wait
            reply = connection.read_response(timeout=seconds)
        except ResponseError as error:
            # After an error of the protocol the server ends the connection.
            over = str(error).startswith("Protocol error")
            (self._drop if over else self._give)(connection)
            raise Refusing(_text(error)) from None
        except (redis.RedisError, OSError) as error:
            self._drop(connection)
            # The server does not carry out a request that it did not get whole.
            raise self._failure(error, NoReply if sent else NotSent) from None
        except BaseException:
            self._drop(connection)  # its reply may still come, and would be taken for another's
            raise
        self._give(connection)
        return reply

    def calls(self, commands: Sequence[Sequence[Word]]) -> list[Reply]:
        """Sends several commands at once, not atomically; raises a refusal after all replies."""
        replies = self.replies(commands) if commands else []
        for reply in replies:
            if isinstance(reply, Refusing):
                raise reply
        return replies

    def replies(self, commands: Sequence[Sequence[Word]]) -> list[Reply]:
        """Returns the replies to several commands sent at once, refusals among them."""
        connection = self._take()
        try:
            connection.send_packed_command(connection.pack_commands(commands), check_health=False)
            replies = [self._reply(connection) for _ in commands]
        except (redis.RedisError, OSError) as error:
            self._drop(connection)
            raise NoReply(f"{_safe(self.url)}: {error}") from None
        except BaseException:
            self._drop(connection)
            raise
        self._give(connection)
        return replies

    def ask(self, *words: Word, wait: float | None = None) -> Reply:
        """Sends a command that changes nothing, and sends it once more if no reply comes."""
        try:
            return self.call(*words, wait=wait)
        except (NoReply, NotSent):
            self.forget()
            return self.call(*words, wait=wait)

    def asks(self, commands: Sequence[Sequence[Word]]) -> list[Reply]:
        """Sends several commands that change nothing, twice if need be."""
        try:
            return self.calls(commands)
        except NoReply:
            self.forget()
            return self.calls(commands)

    def forget(self) -> None:
        """Closes idle connections: after a restart of the server all of them are dead."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            _close(connection)

    close = forget

    def _reply(self, connection: AnyConnection) -> Reply:
        try:
            return connection.read_response(timeout=self.seconds)
        except ResponseError as error:
            return Refusing(_text(error))

    def _take(self) -> AnyConnection:
        with self._lock:
            if self._made_by != os.getpid():
                # After a fork parent and child would read each other's replies.
                self._idle, self._made_by = [], os.getpid()
            if self._idle:
                return self._idle.pop()
        connection = _connection(self.url, self.seconds)
        try:
            connection.connect()
        except (redis.RedisError, OSError) as error:
            _close(connection)
            raise self._failure(error, NotSent) from None
        return connection

    def _failure(self, error: Exception, lost: type[NoReply | NotSent]) -> Exception:
        if isinstance(error, BusyLoadingError):
            return Refusing(f"LOADING {error}")
        if isinstance(error, AuthenticationError):
            return Refusing(f"{error.status_code or 'NOAUTH'} {self.address}: {error}")
        return lost(f"{self.address}: {_why(error)}")

    def _give(self, connection: AnyConnection) -> None:
        with self._lock:
            self._idle.append(connection)

    def _drop(self, connection: AnyConnection) -> None:
        _close(connection)
        self.forget()


def _connection(url: str, seconds: float) -> AnyConnection:
    words: dict[str, Any] = parse_url(url)  # type: ignore[no-untyped-call]
    kind = words.pop("connection_class", TcpConnection)
    words |= {
        "protocol": 2,
        "decode_responses": False,
        "retry": Retry(NoBackoff(), 0),
        "driver_info": None,
        "health_check_interval": 0,
        "socket_timeout": seconds,
    }
    if kind is not UnixDomainSocketConnection:
        words["socket_connect_timeout"] = CONNECT_SECONDS
    return kind(**words)


def _close(connection: AnyConnection) -> None:
    with suppress(Exception):
        connection.disconnect()


def _text(error: Exception) -> str:
    """Returns the server's error with its code in front; redis-py removes some of the codes."""
    text = str(error)
    kinds = {
        "OutOfMemoryError": "OOM", "ReadOnlyError": "READONLY", "NoPermissionError": "NOPERM",
        "MasterDownError": "MASTERDOWN", "TryAgainError": "TRYAGAIN",
        "ClusterCrossSlotError": "CROSSSLOT", "ClusterDownError": "CLUSTERDOWN",
        "MovedError": "MOVED", "AskError": "ASK",
    }  # fmt: skip
    code = kinds.get(type(error).__name__, "")
    return text if not code or text.startswith(code) else f"{code} {text}"


def _why(error: Exception) -> str:
    """Returns the system's error only: redis-py adds the host, which may be a password."""
    cause = error.__cause__ or error.__context__
    return (isinstance(cause, OSError) and cause.strerror) or str(error)


def _safe(url: str) -> str:
    """Returns an address without its password, even if the password makes it malformed."""
    scheme, _, rest = url.partition("://")
    pattern = r"(?:[^@/]*@)?(/[^?]*)(?:\?.*)?" if scheme == "unix" else _ADDRESS
    found = re.fullmatch(pattern, rest)
    return f"{scheme}://{found[1] if found else '...'}"
