"""The outside evidence for a log that `hegemon verify` accepts: heads, receipts and proofs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

from ledger.anchors.notes import BadNote, SignatureVerifier, read_receipt, read_verifier
from ledger.anchors.proofs import Proof, read_proof
from ledger.anchors.trees import BadProof
from ledger.log.format.chain import Event
from ledger.log.read.bundle import Withheld

from .exits import Tampered, UnreadableInput
from .sources import match_in, records_in

_HEAD: Final = re.compile(r"([0-9]{1,9}):([0-9a-f]{64})")
Parsed = TypeVar("Parsed")
TEXT_MAX: Final = 16 << 20


def collect_heads(
    file: str,
    heads: Sequence[str],
    receipts: Sequence[str] = (),
    proofs: Sequence[str] = (),
    key: str | None = None,
) -> list[tuple[int, bytes]]:
    """Returns the known heads of a bundle's match. Refuses two different heads for one event."""
    known: dict[int, bytes] = {}
    found = [(version, head, "--head") for version, head in parse_heads(heads)]
    if receipts or proofs:
        if key is None:
            message = "--receipt and --proof need the service's --key"
            raise UnreadableInput(message)
        verifier = parse_note("--key", read_verifier, key)
        match, there = _heads_in(file)
        found += [(*one, "a receipt") for one in _receipts(receipts, verifier, match)]
        for name in proofs:
            proof = _proof_in(name, verifier, match)
            head = there.get(proof.version)
            if head is None:
                message = f"{name} is about event {proof.version}, and {file} ends at {len(there)}"
                raise UnreadableInput(message)
            _check_proof(name, proof, head)
            found.append((proof.version, head, name))
    for version, head, source in found:
        if known.setdefault(version, head) != head:
            if source == "--head":
                raise UnreadableInput(f"--head gives two heads of event {version}")
            raise Tampered(f"{source} and another anchor have two heads of event {version}: a fork")
    return list(known.items())


def _heads_in(file: str) -> tuple[str, dict[int, bytes]]:
    """Returns a bundle's match and the heads of its events, shown or withheld."""
    records = records_in(file)
    events = (record for record in records if isinstance(record, Event | Withheld))
    return match_in(records), {event.version: event.head for event in events}


def parse_heads(texts: Sequence[str]) -> list[tuple[int, bytes]]:
    """Parses `--head` options: the number and head of each event."""
    said: list[tuple[int, bytes]] = []
    for text in texts:
        found = _HEAD.fullmatch(text)
        if not found:
            raise UnreadableInput(f"--head is VERSION:HEX with 64 hex digits, not {text[:80]!r}")
        said.append((int(found[1]), bytes.fromhex(found[2])))
    return said


def _receipts(
    names: Sequence[str], verifier: SignatureVerifier, match: str
) -> Iterator[tuple[int, bytes]]:
    """Yields the event of each receipt. The event also commits to every event before it."""
    for name in names:
        lines = [line for line in text_of(name).splitlines() if line.strip()]
        for number, line in enumerate(lines, 1):
            receipt = parse_note(f"{name}, line {number}", read_receipt, line, verifier)
            if receipt.match != match:
                message = f"{name}, line {number}, is about the match {receipt.match}, not {match}"
                raise UnreadableInput(message)
            yield receipt.event.version, receipt.event.head


def _proof_in(name: str, verifier: SignatureVerifier, match: str) -> Proof:
    proof = parse_note(name, read_proof, text_of(name), verifier)
    if proof.match != match:
        raise UnreadableInput(f"{name} is about the match {proof.match}, not {match}")
    return proof


def _check_proof(name: str, proof: Proof, head: bytes) -> None:
    """Refuses a proof for another event of this number: the log or the proof is false."""
    try:
        proof.check(head)
    except BadProof as reason:
        message = f"event {proof.version} is not the one under the signed head of {name}: {reason}"
        raise Tampered(message) from None


def parse_note(source: str, read: Callable[..., Parsed], *given: object) -> Parsed:
    """Parses a signed text or a key. What cannot be read is reported with its source."""
    try:
        return read(*given)
    except BadNote as reason:
        raise UnreadableInput(f"{source}: {reason}") from None


def text_of(name: str) -> str:
    try:
        with Path(name).open("rb") as file:
            return file.read(TEXT_MAX).decode()
    except OSError as reason:
        raise UnreadableInput(f"{name} cannot be read: {reason.strerror}") from None
    except UnicodeDecodeError:
        raise UnreadableInput(f"{name} is not a text file") from None
