"""Receipts: a player gets the signed event for each decision that was accepted.

A receipt is one row of text, `hegemon-receipt-1.<what>.<signature>`, both in URL-safe
base64. The signature covers the canonical bytes of

    [tag, origin, match, version, head before, body, the latest time of its signed head]

The head follows from them. No signed head may cover the event by that time, or the log may
have another event under its number. Then the receipt proves the fault and restores the
event.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final, NamedTuple

from ledger.log.format.canonical import NotCanonical, decode, encode
from ledger.log.format.chain import Event, Tip, link

from .notes import BadNote, SignatureVerifier, Signer

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
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise BadNote("this is not a receipt") from None
    if _text(packed) != text:
        raise BadNote("this is not a receipt")
    return packed
