"""Commitments and openings: what is in the log and not yet for everybody's eyes.

A commitment binds a value to its match, its event and its path there. Its salt comes from a key
of the match that is never published; an opening discloses one salt and one value.

    salt       = HMAC(salt key, tag ‖ head before ‖ version ‖ path)
    commitment = SHA-256(tag ‖ match ‖ version ‖ path ‖ salt ‖ SHA-256(plain))
    plain      = canonical bytes ‖ 0x80 ‖ zeros to a multiple of 64     (an outcome is not padded)
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

import msgspec

from .chain import Tip, framed

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
        """The commitment that this opens."""
        return commit(match, self.version, self.path, self.salt, self.plain)


def salt_of(key: bytes, before: Tip, path: str) -> bytes:
    """The salt of one place in the event after `before`.

    The head before is part of it: should a log be restored and go on differently, no salt serves
    twice, for an opening of the one would give away the other.
    """
    place = before.head + (before.version + 1).to_bytes(8, "big") + framed(path)
    return hmac.digest(key, SALT_TAG + place, "sha256")


def commit(match: str, version: int, path: str, salt: bytes, plain: bytes) -> bytes:
    """What the event shows in place of the value."""
    place = framed(match) + version.to_bytes(8, "big") + framed(path)
    return hashlib.sha256(COMMITMENT_TAG + place + salt + hashlib.sha256(plain).digest()).digest()


def opened(key: bytes, before: Tip, path: str, plain: bytes) -> Opening:
    """The opening of a value that is about to be committed in the event after `before`."""
    return Opening(before.version + 1, path, salt_of(key, before, path), plain)


def padded(packed: bytes) -> bytes:
    """Bytes whose length tells little."""
    return (packed + b"\x80").ljust(-(-(len(packed) + 1) // PADDED_TO) * PADDED_TO, b"\0")


def unpadded(plain: bytes) -> bytes:
    """The bytes that were padded; refuses what was not."""
    packed, mark, rest = plain.rpartition(b"\x80")
    if not mark or rest.strip(b"\0") or len(plain) % PADDED_TO or padded(packed) != plain:
        msg = "the value behind a commitment is not padded as it must be"
        raise ValueError(msg)
    return packed
