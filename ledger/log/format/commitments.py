"""Commitments and openings: values that the log fixes but does not yet reveal to all.

A commitment binds a value to its match, its event and its path there. Its salt comes from a
key of the match that is never published; an opening discloses one salt and one value.

    salt       = HMAC(salt key, tag ‖ head before ‖ version ‖ path)
    commitment = SHA-256(tag ‖ match ‖ version ‖ path ‖ salt ‖ SHA-256(plain))
    plain      = canonical bytes ‖ 0x80 ‖ zeros to a multiple of 64     (an outcome is not padded)
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Final

import msgspec

from .chain import Tip, frame_text

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
