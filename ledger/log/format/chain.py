"""The chain: each event's head covers its body, its number, its match and every event before it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

import msgspec

HEAD_TAG: Final = b"hegemon/head/1"
FRAMED_BYTES_MAX: Final = 255
NO_HEAD: Final = bytes(32)


class Tip(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The last event of a log: its number and its head. An empty log has the number 0."""

    version: int
    head: bytes


EMPTY: Final = Tip(0, NO_HEAD)


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A numbered event with its head and body."""

    version: int
    head: bytes
    body: bytes

    @property
    def tip(self) -> Tip:
        return Tip(self.version, self.head)


@lru_cache(maxsize=1_024)
def frame_text(text: str) -> bytes:
    """Returns a short text after its length, so that two texts never run together."""
    encoded = text.encode()
    if len(encoded) > FRAMED_BYTES_MAX:
        raise ValueError(f"a text of {len(encoded)} bytes, at most {FRAMED_BYTES_MAX} fit")
    return bytes((len(encoded),)) + encoded


def head_after(match: str, before: Tip, body: bytes) -> bytes:
    """Returns the head of the event that follows `before` with this body."""
    return head_over(match, before, hashlib.sha256(body).digest())


def head_over(match: str, before: Tip, digest: bytes) -> bytes:
    """Returns the head for a body of which only the SHA-256 is known."""
    number = (before.version + 1).to_bytes(8, "big")
    return hashlib.sha256(HEAD_TAG + frame_text(match) + number + before.head + digest).digest()


def link(match: str, before: Tip, body: bytes) -> Event:
    return Event(before.version + 1, head_after(match, before, body), body)
