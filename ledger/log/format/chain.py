"""The hashes of a log: heads, which chain its events, and commitments, which fix hidden values.

Each event's *head* covers its body, its number, its match and every event before it.

A *commitment* fixes a value that is not yet revealed to all. It binds the value to its match,
its event and its path there. Its salt comes from a key of the match that is never published;
an *opening* discloses one salt and one value.

    salt       = HMAC(salt key, tag ‖ head before ‖ version ‖ path)
    commitment = SHA-256(tag ‖ match ‖ version ‖ path ‖ salt ‖ SHA-256(plain))
    plain      = canonical bytes ‖ 0x80 ‖ zeros to a multiple of 64     (an outcome is not padded)
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
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


def goes_on(match: str, tip: Tip, events: Iterable[Event]) -> bool:
    """Returns whether events continue a log with this tip, each with the head that follows."""
    for event in events:
        right = event.version == tip.version + 1
        if not right or event.head != head_after(match, tip, event.body):
            return False
        tip = event.tip
    return True


def link(match: str, before: Tip, body: bytes) -> Event:
    return Event(before.version + 1, head_after(match, before, body), body)


# --- commitments ----------------------------------------------------------------------------------


COMMITMENT_TAG: Final = b"hegemon/commitment/1"
SALT_TAG: Final = b"hegemon/salt/1"
PADDED_TO: Final = 64

SEALED_PATH: Final = "decision"
OUTCOME_PATH: Final = "outcome"
PRIVATE_PATH: Final = "private/"


class Opening(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The salt and the value behind one commitment."""

    version: int
    path: str
    salt: bytes
    plain: bytes

    def commitment(self, match: str) -> bytes:
        return commit(match, self.version, self.path, self.salt, self.plain)


def by_event(openings: Iterable[Opening]) -> dict[int, list[Opening]]:
    """Returns the openings of each event that has any, in the given order."""
    found: dict[int, list[Opening]] = {}
    for opening in openings:
        found.setdefault(opening.version, []).append(opening)
    return found


def salt_of(key: bytes, before: Tip, path: str) -> bytes:
    """Returns the salt of one path in the event after `before`.

    The salt depends on the head before. If a log is restored and continues differently, no salt
    is used twice; otherwise an opening of one event would reveal the other.
    """
    place = before.head + (before.version + 1).to_bytes(8, "big") + frame_text(path)
    return hmac.digest(key, SALT_TAG + place, "sha256")


def commit(match: str, version: int, path: str, salt: bytes, plain: bytes) -> bytes:
    """Returns the commitment that the event shows in place of the value."""
    place = frame_text(match) + version.to_bytes(8, "big") + frame_text(path)
    return hashlib.sha256(COMMITMENT_TAG + place + salt + hashlib.sha256(plain).digest()).digest()


def make_opening(key: bytes, before: Tip, path: str, plain: bytes) -> Opening:
    """Returns the opening of a value to be committed in the event after `before`."""
    return Opening(before.version + 1, path, salt_of(key, before, path), plain)


def padded(packed: bytes) -> bytes:
    """Pads bytes so that their length reveals little."""
    return (packed + b"\x80").ljust(-(-(len(packed) + 1) // PADDED_TO) * PADDED_TO, b"\0")


def unpad_value(plain: bytes) -> bytes:
    """Returns the bytes without padding; refuses bad padding."""
    packed, mark, rest = plain.rpartition(b"\x80")
    if not mark or rest.strip(b"\0") or len(plain) % PADDED_TO or padded(packed) != plain:
        raise ValueError("the value behind a commitment has the wrong padding")
    return packed
