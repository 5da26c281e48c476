"""Signed notes, and the keys that sign them, as C2SP's `signed-note` writes them.

    <text, which ends in a line feed>
    <an empty line>
    — <name> <base64 of: the key's id (4 bytes) ‖ the signature (64 bytes)>

A verifier knows a key as `name+id+key`, where the id is a hash over name and key. A wrong
signature of our key makes a note invalid, even if it has other signatures.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519: Final = b"\x01"
NOTE_MAX: Final = 16_384
SIGNATURES_MAX: Final = 16
_NAME: Final = re.compile(r"[!-*,-~]{1,100}")  # printable, no space and no plus
_SIGNATURE: Final = re.compile(r"— ([!-*,-~]{1,100}) ([A-Za-z0-9+/]{4,200}={0,2})")


class BadNote(ValueError):
    """A note or a key is malformed, or the expected key has not signed it."""


class SignatureVerifier(NamedTuple):
    """A public key that checks signatures, and its owner's name."""

    name: str
    key: bytes

    @property
    def id(self) -> bytes:
        """Returns the key's id, by which a signature names its key."""
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.key).digest()[:4]

    def __str__(self) -> str:
        """Returns the key as text: `name+id+key`."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ED25519 + self.key).decode()}"

    def check(self, signature: bytes, text: bytes) -> None:
        """Raises `BadNote` unless this key has signed the text."""
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, text)
        except (InvalidSignature, ValueError):
            raise BadNote(f"the signature is not {self.name}'s") from None


class Signer:
    """A private key that signs, and its owner's name."""

    def __init__(self, name: str, seed: bytes) -> None:
        if not _NAME.fullmatch(name):
            raise BadNote(f"no key can be called {name[:80]!r}")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.verifier = SignatureVerifier(name, self._key.public_key().public_bytes_raw())

    def sign(self, text: bytes) -> bytes:
        return self._key.sign(text)


def read_verifier(said: str) -> SignatureVerifier:
    """Parses a key written as `name+id+key`."""
    name, _, rest = said.strip().partition("+")
    said_id, _, packed = rest.partition("+")
    key = _decode_base64(packed)
    if not _NAME.fullmatch(name) or key[:1] != ED25519 or len(key) != 33:
        raise BadNote("a key is name+id+base64, of an Ed25519 key")
    verifier = SignatureVerifier(name, key[1:])
    if verifier.id.hex() != said_id:
        raise BadNote(f"the key of {name} does not have the id that it gives")
    return verifier


def sign_note(text: str, signer: Signer) -> str:
    assert text.endswith("\n"), "a note ends with its last line"
    signature = signer.verifier.id + signer.sign(text.encode())
    return f"{text}\n— {signer.verifier.name} {base64.b64encode(signature).decode()}\n"


def read_note(note: str, verifier: SignatureVerifier) -> str:
    """Returns the text of a note that this key has signed, or refuses it."""
    if len(note) > NOTE_MAX:
        raise BadNote("the note is too long")
    text, found, lines = note.rpartition("\n\n")
    if not found or not lines.endswith("\n"):
        raise BadNote("the note has no signatures")
    signatures = lines.removesuffix("\n").split("\n")
    if len(signatures) > SIGNATURES_MAX:
        raise BadNote("the note has too many signatures")
    text += "\n"
    signed = False
    for line in signatures:
        parts = _SIGNATURE.fullmatch(line)
        if parts is None:
            raise BadNote("a signature line of the note is malformed")
        packed = _decode_base64(parts[2])
        if (parts[1], packed[:4]) == (verifier.name, verifier.id):
            verifier.check(packed[4:], text.encode())
            signed = True
    if not signed:
        raise BadNote(f"the note is not signed by {verifier.name}+{verifier.id.hex()}")
    return text


def _decode_base64(text: str) -> bytes:
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadNote("this is not valid base64") from None
    if base64.b64encode(packed).decode() != text:
        raise BadNote("this is not valid base64")  # bits that say nothing must be nothing
    return packed
