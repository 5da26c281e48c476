"""Proofs: that an event is under a signed head, and that one signed head goes on from another.

The first is C2SP's `tlog-proof`, one text that holds all that is needed but the key:

    c2sp.org/tlog-proof@v1
    extra <base64 of: the match, a space, the event's number>
    index <n>
    <base64 of a hash>           each on its line
    <an empty line>
    <the checkpoint, signed>
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.log.format.chain import Tip

from .checkpoints import Checkpoint, leaf_of, read_checkpoint
from .notes import BadNote, Verifier
from .trees import BadProof, check_consistency, check_inclusion

HEADER: Final = "c2sp.org/tlog-proof@v1"
HASHES_MAX: Final = 63
_EXTRA: Final = re.compile(r"extra ([A-Za-z0-9+/=]{1,200})")
_EVENT: Final = re.compile(r"([a-z0-9][a-z0-9-]{0,63}) ([1-9][0-9]{0,8})")
_INDEX: Final = re.compile(r"index (0|[1-9][0-9]{0,18})")


class Fork(NamedTuple):
    """Two signed heads that cannot both be true: whoever signed them has told two stories."""

    one: Checkpoint
    other: Checkpoint
    why: str


class Proof(NamedTuple):
    """That an event of some match is under a signed head."""

    match: str
    version: int
    leaf: int
    hashes: list[bytes]
    checkpoint: Checkpoint

    def check(self, head: bytes) -> None:
        """Raise `BadProof` unless it is shown of the event with this head."""
        shown = leaf_of(self.match, Tip(self.version, head))
        signed = self.checkpoint
        check_inclusion(shown, self.leaf, signed.size, self.hashes, signed.root)


def proof_text(
    match: str, version: int, index: int, hashes: Sequence[bytes], checkpoint: str
) -> str:
    """A proof that an event is under a signed head."""
    what = base64.b64encode(f"{match} {version}".encode()).decode()
    lines = "".join(f"{base64.b64encode(one).decode()}\n" for one in hashes)
    return f"{HEADER}\nextra {what}\nindex {index}\n{lines}\n{checkpoint}"


def contradiction(one: Checkpoint, other: Checkpoint, proof: Sequence[bytes] | None) -> Fork | None:
    """What two signed heads prove against who signed them; None where they go together.

    Of heads of different sizes only a proof that one goes on from the other can tell: raises
    `BadProof` where there is none, or it does not show it, for a bad proof proves nothing.
    """
    if one.origin != other.origin:
        raise BadNote(f"the heads are of {one.origin!r} and of {other.origin!r}")
    old, new = sorted((one, other), key=lambda head: head.size)
    if old.size == new.size:
        same = old.root == new.root
        return None if same else Fork(one, other, f"two roots over the same {old.size} events")
    if old.size == 0:
        return None
    if proof is None:
        raise BadProof("heads of different sizes want a proof that one goes on from the other")
    check_consistency(old.size, old.root, new.size, new.root, proof)
    return None


def told_twice(one: Proof, head: bytes, other: Proof, other_head: bytes) -> Fork | None:
    """What two proofs of events prove against who signed the heads they are under.

    The heads may be of any two sizes: a tree that only grows has one event in a place, and one
    under a number of a match. Raises `BadProof` where one of them does not show its event.
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
        return Fork(*heads, f"two events in place {one.leaf}")
    if events[0][:2] == events[1][:2]:
        return Fork(*heads, f"two events under number {one.version} of the match {one.match}")
    return None


def read_proof(text: str, verifier: Verifier) -> Proof:
    """A proof whose signed head this key has signed; whether it shows anything is not looked at."""
    head, found, note = text.partition("\n\n")
    lines = head.split("\n")
    if not found or lines[0] != HEADER or not 3 <= len(lines) <= HASHES_MAX + 3:
        raise BadNote("this is no proof of an event")
    extra, index = _EXTRA.fullmatch(lines[1]), _INDEX.fullmatch(lines[2])
    try:
        what = "" if extra is None else base64.b64decode(extra[1], validate=True).decode()
        hashes = [base64.b64decode(line, validate=True) for line in lines[3:]]
    except (binascii.Error, ValueError):
        raise BadNote("this is no proof of an event") from None
    event = _EVENT.fullmatch(what)
    if event is None or index is None:
        raise BadNote("this is no proof of an event")
    signed = read_checkpoint(note, verifier)
    return Proof(event[1], int(event[2]), int(index[1]), hashes, signed)
