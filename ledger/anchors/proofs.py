"""Proofs that a signed head covers an event, and that one signed head extends another.

The first is C2SP's `tlog-proof`, one text that holds everything needed except the key:

    c2sp.org/tlog-proof@v1
    extra <base64 of: the match, a space, the event's number>
    index <n>
    <base64 of a hash>           each on its own row
    <an empty line>
    <the checkpoint, signed>
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.log.format.chain import Tip

from .notes import BadNote, Checkpoint, SignatureVerifier, leaf_of, read_checkpoint
from .trees import BadProof, check_consistency, check_inclusion

HEADER: Final = "c2sp.org/tlog-proof@v1"
HASHES_MAX: Final = 63
_EXTRA: Final = re.compile(r"extra ([A-Za-z0-9+/=]{1,200})")
_EVENT: Final = re.compile(r"([a-z0-9][a-z0-9-]{0,63}) ([1-9][0-9]{0,8})")
_INDEX: Final = re.compile(r"index (0|[1-9][0-9]{0,18})")


class HeadFork(NamedTuple):
    """Two signed heads that cannot both be true: their signer contradicts itself."""

    one: Checkpoint
    other: Checkpoint
    why: str


class Proof(NamedTuple):
    """A proof that a signed head covers an event of a match."""

    match: str
    version: int
    leaf: int
    hashes: list[bytes]
    checkpoint: Checkpoint

    def check(self, head: bytes) -> None:
        """Raises `BadProof` unless the proof holds for the event with this head."""
        shown = leaf_of(self.match, Tip(self.version, head))
        signed = self.checkpoint
        check_inclusion(shown, self.leaf, signed.size, self.hashes, signed.root)


def proof_text(
    match: str, version: int, index: int, hashes: Sequence[bytes], checkpoint: str
) -> str:
    """Returns the text of a proof that a signed head covers an event."""
    what = base64.b64encode(f"{match} {version}".encode()).decode()
    lines = "".join(f"{base64.b64encode(one).decode()}\n" for one in hashes)
    return f"{HEADER}\nextra {what}\nindex {index}\n{lines}\n{checkpoint}"


def contradiction(
    one: Checkpoint, other: Checkpoint, proof: Sequence[bytes] | None
) -> HeadFork | None:
    """Returns the contradiction between two signed heads, or None if they agree.

    Heads of different sizes can only be compared by a proof that one extends the other. Raises
    `BadProof` if that proof is missing or fails, because a bad proof proves nothing.
    """
    if one.origin != other.origin:
        raise BadNote(f"the heads are of {one.origin!r} and of {other.origin!r}")
    old, new = sorted((one, other), key=lambda head: head.size)
    if old.size == new.size:
        same = old.root == new.root
        return None if same else HeadFork(one, other, f"two roots over the same {old.size} events")
    if old.size == 0:
        return None
    if proof is None:
        raise BadProof("heads of different sizes need a proof that one continues the other")
    check_consistency(old.size, old.root, new.size, new.root, proof)
    return None


def find_contradiction(one: Proof, head: bytes, other: Proof, other_head: bytes) -> HeadFork | None:
    """Returns the contradiction between two proofs of events, or None if they agree.

    The heads may have any two sizes: a tree that only grows has one event at each place and one
    event for each number of a match. Raises `BadProof` if a proof fails for its event.
    """
    if one.checkpoint.origin != other.checkpoint.origin:
        raise BadNote(f"the heads are of {one.checkpoint.origin!r} and {other.checkpoint.origin!r}")
    one.check(head)
    other.check(other_head)
    events = (one.match, one.version, head), (other.match, other.version, other_head)
    if events[0] == events[1]:
        return None
    heads = one.checkpoint, other.checkpoint
    if one.leaf == other.leaf:
        return HeadFork(*heads, f"two events in place {one.leaf}")
    if events[0][:2] == events[1][:2]:
        return HeadFork(*heads, f"two events under number {one.version} of the match {one.match}")
    return None


def read_proof(text: str, verifier: SignatureVerifier) -> Proof:
    """Reads a proof whose head this key has signed; does not check that the proof holds."""
    head, found, note = text.partition("\n\n")
    lines = head.split("\n")
    if not found or lines[0] != HEADER or not 3 <= len(lines) <= HASHES_MAX + 3:
        raise BadNote("this is not a proof of an event")
    extra, index = _EXTRA.fullmatch(lines[1]), _INDEX.fullmatch(lines[2])
    try:
        what = "" if extra is None else base64.b64decode(extra[1], validate=True).decode()
        hashes = [base64.b64decode(line, validate=True) for line in lines[3:]]
    except ValueError:
        raise BadNote("this is not a proof of an event") from None
    event = _EVENT.fullmatch(what)
    if event is None or index is None:
        raise BadNote("this is not a proof of an event")
    signed = read_checkpoint(note, verifier)
    return Proof(event[1], int(event[2]), int(index[1]), hashes, signed)
