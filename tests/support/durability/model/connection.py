"""The connection to a model server, in the place of ledger.log.stores.redis.connection.Connection.

Between a request and its reply lies a wire, and a wire may do what it likes: lose the request, or
the reply, deliver either of them late or twice, let the server die in between, and let others go
first. A plain Wire does nothing of the kind; the simulation's does all of it, by its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from ledger.log.stores.redis.connection import NoReply, NotSent, Refusing, Reply, Word
from tests.support.durability.model.server import ModelServer, Words, words_of


class Fate(Enum):
    """The fate of one request."""

    WELL = "well"
    UNREACHED = "unreached"  # no connection comes about
    LOST = "lost"  # sent, and never arrives
    LATE = "late"  # arrives when the caller has long given up
    UNHEARD = "unheard"  # carried out, and the reply is lost
    TWICE = "twice"  # carried out at once, and once more later (unless it was refused outright)
    CRASH_BEFORE = "crash before"  # the server dies before it has read it
    CRASH_BETWEEN = "crash between"  # ... after it carried it out, before it was on the disk
    CRASH_AFTER = "crash after"  # ... when it was on the disk, before it answered


class Wire:
    """Nothing happens on the way."""

    def __init__(self) -> None:
        self.late: list[Words] = []  # what is still on its way

    def pause(self) -> None:
        """A moment in which others may be carried out."""

    def fate(self, words: Words) -> Fate:
        """Returns the fate of a request."""
        return Fate.WELL

    def kept(self, server: ModelServer) -> int:
        """How much of its file a server has that dies now."""
        return server.flushed

    def crashed(self) -> None:
        """A server has just died."""

    def heard(self) -> bool:
        """Whether a reply comes through although its server has died since."""
        return True


class ModelConnection:
    """A connection to a model server, in the place of a real one in RedisStore."""

    cluster = False

    def __init__(self, server: ModelServer, wire: Wire | None = None) -> None:
        self.server = server
        self.wire = wire or Wire()

    def servers(self) -> list[ModelConnection]:
        """The servers that it goes to: one."""
        return [self]

    def call(self, *words: Word, wait: float | None = None) -> Reply:
        """One command, one reply."""
        reply = self._deliver(words_of(words))
        if isinstance(reply, Refusing):
            raise reply
        return reply

    def calls(self, commands: Sequence[Sequence[Word]]) -> list[Reply]:
        """Several commands in one go, not as one; raises the first refusal after all replies."""
        replies = [self._deliver(words_of(words)) for words in commands]
        for reply in replies:
            if isinstance(reply, Refusing):
                raise reply
        return replies

    def ask(self, *words: Word, wait: float | None = None) -> Reply:
        """A command that changes nothing: asked once more where its reply was lost."""
        try:
            return self.call(*words, wait=wait)
        except NoReply:
            self.forget()
            return self.call(*words, wait=wait)

    def asks(self, commands: Sequence[Sequence[Word]]) -> list[Reply]:
        """Several commands that change nothing."""
        try:
            return self.calls(commands)
        except NoReply:
            self.forget()
            return self.calls(commands)

    def forget(self) -> None:
        """Close what is idle."""

    close = forget

    def _deliver(self, words: Words) -> Any:
        """The reply, or the refusal that stands for one."""
        server, wire = self.server, self.wire
        wire.pause()
        fate = wire.fate(words)
        if fate is Fate.UNREACHED or not server.up:
            raise NotSent("model: nobody is there")
        if fate is Fate.LATE:
            wire.late.append(words)
        if fate in (Fate.LOST, Fate.LATE):
            raise NoReply("model: timed out")
        if fate is Fate.CRASH_BEFORE:
            self.crash()
        reply = server.run(words)
        if fate is Fate.CRASH_BETWEEN:
            self.crash()
        if server.mode == "always":
            server.flush()
        if fate is Fate.CRASH_AFTER:
            self.crash()
        if fate is Fate.TWICE and not isinstance(reply, Refusing):
            wire.late.append(words)
        if fate is Fate.UNHEARD:
            raise NoReply("model: connection reset")
        born = server.lives, server.up
        wire.pause()
        if (server.lives, server.up) != born and not wire.heard():
            raise NoReply("model: connection reset")
        return reply

    def crash(self) -> None:
        """The server dies, and with it all that was on its way to it."""
        self.server.crash(self.wire.kept(self.server))
        self.wire.late.clear()
        self.wire.crashed()
        raise NoReply("model: connection reset")
