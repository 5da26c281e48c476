"""The parts that may differ between two matches, and placeholders of the same length."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Final

from ledger.log.format.bodies import AnswerBody, SealedBody, read_body
from ledger.log.stores.protocol import Store

RECEIPT: Final = re.compile(rb"hegemon-receipt-1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{91})")
# The tree's hashes follow from the heads, and a signature from both.
SIGNED: Final = re.compile(
    rb"((?<=\\n)|(?<=\\u2014 club ))([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{91}=)(?=\\n)"
)
RANDOM: Final = re.compile(rb"hgm_[a-z]_[A-Za-z0-9_-]+|(?<=\"id\":\")[a-z2-9]{16}(?=\")")


class Masks:
    """The parts of a match that may differ, and their placeholders."""

    def __init__(self, store: Store, match: str) -> None:
        self._store = store
        self._match = match
        self._hashes: dict[bytes, bytes] = {}
        self._shown: dict[bytes, bytes] = {}  # in hex, whole and the beginning that pages show
        self._bodies: dict[bytes, bytes] = {}
        self.last = 0
        self.read()

    def read(self) -> None:
        """Reads the events that came since."""
        for event in self._store.events(self._match, self.last + 1):
            named = dict(_hashes_in(event.body))
            self._know(event.head, f"head of {event.version}")
            self._know(hashlib.sha256(event.body).digest(), f"body of {event.version}")
            for name, value in named.items():
                self._know(value, f"{name} of {event.version}")
            plain = _replaced(event.body, self._hashes)
            self._bodies[base64.b64encode(event.body)] = base64.b64encode(plain)
            for opening in self._store.openings(self._match, event.version, event.version):
                self._know(opening.salt, f"salt of {opening.path} of {event.version}")
            self.last = event.version

    def _know(self, value: bytes, name: str) -> None:
        instead = hashlib.sha256(name.encode()).digest()
        self._hashes[value] = instead
        for size in (64, 12):
            shown = value.hex().encode()[:size]
            self._shown[shown] = instead.hex().encode()[:size]

    def _masked_receipt(self, found: re.Match[bytes]) -> bytes:
        """Returns a receipt with placeholders; its signature has to differ."""
        signed = base64.urlsafe_b64decode(found[1] + b"=" * (-len(found[1]) % 4))
        plain = base64.urlsafe_b64encode(_replaced(signed, self._hashes)).rstrip(b"=")
        return b"receipt." + plain + b"." + b"?" * len(found[2])

    def masked(self, text: bytes) -> bytes:
        """The same, with placeholders."""
        text = RECEIPT.sub(self._masked_receipt, text)
        text = SIGNED.sub(lambda one: one[1] + b"?" * len(one[2]), text)
        found = re.sub(
            rb"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,}={0,2}",
            lambda one: self._bodies.get(one[0], one[0]),
            text,
        )
        found = re.sub(
            rb"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{12})(?![0-9a-f])",
            lambda one: self._shown.get(one[0], one[0]),
            found,
        )
        if found.startswith(b"HEGEMON1"):
            found = _replaced(_without_sum(text, found), self._hashes)
        found = RANDOM.sub(lambda one: b"?" * len(one[0]), found)
        assert len(found) == len(text), "a placeholder is as long as what it stands for"
        return found


def _hashes_in(packed: bytes) -> Iterator[tuple[str, bytes]]:
    body = read_body(packed)
    if body.outcome is not None:
        yield "outcome", body.outcome
    if isinstance(body, SealedBody):
        yield "decision", body.commitment
    if isinstance(body, AnswerBody):
        yield from body.private.items()


def _replaced(text: bytes, hashes: Mapping[bytes, bytes]) -> bytes:
    """Every hash in its MessagePack."""
    made = bytearray(text)
    for found in re.finditer(rb"(?=\xc4\x20(.{32}))", text, re.DOTALL):
        if found[1] in hashes:  # a hash may hold what looks like the beginning of another
            made[found.start() + 2 : found.start() + 34] = hashes[found[1]]
    return bytes(made)


def _without_sum(bundle: bytes, masked: bytes) -> bytes:
    """A bundle without the sum of what stands above it, where that is right."""
    place = bundle.rindex(b"sha256\xc4\x20") + 8
    end = bundle.rindex(b"\x92\xa3end") - 4
    if bundle[place : place + 32] != hashlib.sha256(bundle[:end]).digest():
        return masked
    return masked[:place] + bytes(32) + masked[place + 32 :]
