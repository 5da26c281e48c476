"""Keys, and the texts that the service signs with them (Ed25519): notes, heads and receipts.

A *note* is written as C2SP's `signed-note` has it:

    <text, which ends in a line feed>
    <an empty line>
    — <name> <base64 of: the key's id (4 bytes) ‖ the signature (64 bytes)>

A verifier knows a key as `name+id+key`, where the id is a hash over name and key. A wrong
signature of our key makes a note invalid, even if it has other signatures.

A *signed head*, C2SP's `tlog-checkpoint`, is a note. A kept one can be checked later:

    <origin>
    <how many leaves>
    <base64 of the root over them>

A leaf is one event of a match: the match, the event's number and its head, which covers
every event before it.

A player gets a *receipt*, the signed event, for each decision that was accepted: one row of
text, `hegemon-receipt-1.<what>.<signature>`, both in URL-safe base64. The signature covers
the canonical bytes of

    [tag, origin, match, version, head before, body, the latest time of its signed head]

The head follows from them. No signed head may cover the event by that time, or the log may
have another event under its number. Then the receipt proves the fault and restores the
event.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.anchors.trees import SIZE_MAX, leaf_hash
from ledger.log.format.canonical import NotCanonical, decode, encode
from ledger.log.format.chain import Event, Tip, frame_text, link

ED25519: Final = b"\x01"
NOTE_MAX: Final = 16_384
SIGNATURES_MAX: Final = 16
_NOT_BASE64: Final = "this is not valid base64"
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
    key = _decode_base64(packed, _NOT_BASE64)
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
        packed = _decode_base64(parts[2], _NOT_BASE64)
        if (parts[1], packed[:4]) == (verifier.name, verifier.id):
            verifier.check(packed[4:], text.encode())
            signed = True
    if not signed:
        raise BadNote(f"the note is not signed by {verifier.name}+{verifier.id.hex()}")
    return text


def _decode_base64(text: str, why: str, letters: bytes = b"+/") -> bytes:
    """Returns the bytes of a text, or raises `BadNote`; bits that say nothing must be nothing."""
    try:
        packed = base64.b64decode(text, letters, validate=True)
    except ValueError:
        raise BadNote(why) from None
    if base64.b64encode(packed, letters).decode() != text:
        raise BadNote(why)
    return packed


# --- heads ----------------------------------------------------------------------------------------


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
    malformed = "a checkpoint must give the number of leaves and their root"
    root = _decode_base64(packed, malformed)
    if not _SIZE.fullmatch(size) or int(size) > SIZE_MAX or len(root) != 32:
        raise BadNote(malformed)
    return Checkpoint(origin, int(size), root)


# --- receipts -------------------------------------------------------------------------------------


TAG: Final = "hegemon/receipt/1"
PREFIX: Final = "hegemon-receipt-1"
BYTES_MAX: Final = (1 << 16) + 1_024
_RECEIPT: Final = re.compile(rf"{PREFIX}\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{{91}})")


class Receipt(NamedTuple):
    """The service's signed promise for an event."""

    origin: str
    match: str
    event: Event
    before: bytes  # the head of the event before it
    by: int  # milliseconds: the event is under a signed head by then


def receipt_text(signer: Signer, match: str, before: Tip, event: Event, by: int) -> str:
    name = signer.verifier.name
    packed = encode([TAG, name, match, event.version, before.head, event.body, by], BYTES_MAX)
    return f"{PREFIX}.{_text(packed)}.{_text(signer.verifier.id + signer.sign(packed))}"


def read_receipt(text: str, verifier: SignatureVerifier) -> Receipt:
    """Reads a receipt that this key has signed."""
    parts = _RECEIPT.fullmatch(text.strip())
    if parts is None:
        raise BadNote("this is not a receipt")
    packed, signature = _bytes(parts[1]), _bytes(parts[2])
    if signature[:4] != verifier.id:
        raise BadNote(f"the receipt is not signed by {verifier.name}+{verifier.id.hex()}")
    verifier.check(signature[4:], packed)
    try:
        tag, origin, match, version, head, body, by = decode(packed, BYTES_MAX)
        if (tag, origin) != (TAG, verifier.name) or version < 1 or len(head) != 32:
            raise BadNote("the receipt does not hold the fields of a receipt")
        event = link(match, Tip(version - 1, head), body)
    except (NotCanonical, ValueError, TypeError, AttributeError):
        raise BadNote("the receipt does not hold the fields of a receipt") from None
    return Receipt(origin, match, event, head, by)


def _text(packed: bytes) -> str:
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return _decode_base64(text + "=" * (-len(text) % 4), "this is not a receipt", b"-_")
