"""Signed heads: C2SP's `tlog-checkpoint`. A kept one can be checked later.

    <origin>
    <how many leaves>
    <base64 of the root over them>

A leaf is one event of a match: the match, the event's number and its head, which covers
every event before it.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final, NamedTuple

from ledger.log.format.chain import Tip, frame_text

from .notes import BadNote, SignatureVerifier, Signer, read_note, sign_note
from .trees import SIZE_MAX, leaf_hash

LEAF_TAG: Final = b"hegemon/leaf/1"
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")


class Checkpoint(NamedTuple):
    """A head to be signed: the number of leaves and the root over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """Returns the text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def leaf_of(match: str, tip: Tip) -> bytes:
    """Returns the hash of an event's leaf. It does not reveal the match's id."""
    return leaf_hash(LEAF_TAG + frame_text(match) + tip.version.to_bytes(8, "big") + tip.head)


def sign_checkpoint(checkpoint: Checkpoint, signer: Signer) -> str:
    return sign_note(checkpoint.text, signer)


def read_checkpoint(note: str, verifier: SignatureVerifier) -> Checkpoint:
    """Reads a checkpoint that this key has signed; its origin must be the key's name."""
    lines = read_note(note, verifier).split("\n")
    if len(lines) < 4 or lines[-1]:
        raise BadNote("a checkpoint has three lines")
    origin, size, packed = lines[:3]
    if origin != verifier.name:
        raise BadNote(f"the checkpoint is of {origin[:80]!r}, and the key of {verifier.name!r}")
    try:
        found = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if not _SIZE.fullmatch(size) or int(size) > SIZE_MAX or len(found) != 32:
        raise BadNote("a checkpoint must give the number of leaves and their root")
    if base64.b64encode(found).decode() != packed:
        raise BadNote("the root is not in its canonical form")
    return Checkpoint(origin, int(size), found)
