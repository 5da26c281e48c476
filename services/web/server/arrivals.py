"""Requests while they arrive: whether one is there whole, before anybody begins to read it."""

from __future__ import annotations

import re
from typing import Final

from gunicorn.http.errors import (  # type: ignore[import-untyped]
    LimitRequestHeaders,
    ParseException,
)
from gunicorn.http.unreader import Unreader  # type: ignore[import-untyped]

from services.web import BODY_MAX

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
