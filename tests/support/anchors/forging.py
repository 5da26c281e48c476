"""Receipts, signed heads and proofs that were changed, and what is said of them."""

from __future__ import annotations

import base64
import random

from ledger.anchors.notes import (
    PREFIX,
    Checkpoint,
    read_checkpoint,
    read_receipt,
    sign_checkpoint,
    sign_note,
)
from ledger.anchors.proofs import contradiction, read_proof
from ledger.anchors.trees import BadProof, consistency_proof, node_hash, root
from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import head_after

from .world import (
    KEY,
    LEAVES,
    OTHER,
    SIGNER,
    flipped,
    head_over_first,
    judged,
    proof,
    receipt,
    world,
)

# --- receipts -------------------------------------------------------------------------------------


def _text(packed: bytes) -> str:
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _packed(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def receipt_changed(rng: random.Random) -> str:
    """One letter is another."""
    text = receipt(rng.randrange(LEAVES))
    place = rng.randrange(len(text))
    letter = rng.choice([one for one in "ABCabc019-_." if one != text[place]])
    return judged(lambda: read_receipt(text[:place] + letter + text[place + 1 :], KEY))


def receipt_rewritten(rng: random.Random) -> str:
    """It says another match, number, head, event or time, in canonical bytes."""
    _, payload, signature = receipt(rng.randrange(LEAVES)).split(".")
    fields = decode(_packed(payload), 1 << 17)
    place = rng.randrange(2, 7)
    value = fields[place]
    if isinstance(value, bytes):
        fields[place] = flipped(value, rng)
    else:
        fields[place] = value + 1 if isinstance(value, int) else f"{value}x"
    made = f"{PREFIX}.{_text(encode(fields, 1 << 17))}.{signature}"
    return judged(lambda: read_receipt(made, KEY))


def receipt_of_another_key(rng: random.Random) -> str:
    """Another key of the same name has signed it, and calls itself by the id of the true one."""
    prefix, payload, signature = receipt(rng.randrange(LEAVES), OTHER).split(".")
    made = f"{prefix}.{payload}.{_text(KEY.id + _packed(signature)[4:])}"
    return judged(lambda: read_receipt(made, KEY))


# --- signed heads ---------------------------------------------------------------------------------


def head_changed(rng: random.Random) -> str:
    """Another size, another root, another name, or one letter."""
    size = rng.randrange(2, LEAVES)
    note = head_over_first(size)
    lines = note.split("\n")
    kind = rng.randrange(4)
    if kind == 0:
        lines[1] = str(size + rng.choice((-1, 1)))
    elif kind == 1:
        lines[2] = base64.b64encode(flipped(base64.b64decode(lines[2]), rng)).decode()
    elif kind == 2:
        lines.insert(3, "a line of another's")
    else:
        place = rng.randrange(len(note) - 1)
        letter = rng.choice([one for one in "ABab01+/\n" if one != note[place]])
        lines = (note[:place] + letter + note[place + 1 :]).split("\n")
    return judged(lambda: read_checkpoint("\n".join(lines), KEY))


def head_of_another_key(rng: random.Random) -> str:
    """Another key of the same name has signed it, and calls itself by the id of the true one."""
    size = rng.randrange(1, LEAVES)
    head = Checkpoint(KEY.name, size, rng.randbytes(32))
    note = sign_note(head.text, OTHER)
    signature = base64.b64decode(note.rsplit(" ", 1)[1])
    forged = base64.b64encode(KEY.id + signature[4:]).decode()
    made = f"{note.rsplit(' ', 1)[0]} {forged}\n"
    return judged(lambda: read_checkpoint(made, KEY))


def two_stories(rng: random.Random) -> str:
    """The service itself has signed two trees that are not one: it is shown, or not denied."""
    old = rng.randrange(1, LEAVES)
    new = rng.choice([old, rng.randrange(old, LEAVES + 1)])
    changed = rng.randrange(old)  # an event that is in both, and another in one of them
    tree = world().tree

    def over(level: int, index: int) -> bytes:
        if changed >> level != index:
            return tree.tiles.hash(level, index)
        if level == 0:
            return flipped(tree.tiles.hash(0, index), random.Random(changed))
        return node_hash(over(level - 1, 2 * index), over(level - 1, 2 * index + 1))

    one = Checkpoint(KEY.name, old, tree.root(old))
    other = Checkpoint(KEY.name, new, root(over, new))
    heads = [read_checkpoint(sign_checkpoint(head, SIGNER), KEY) for head in (one, other)]
    shown = rng.choice([consistency_proof(over, old, new), tree.consistency(old, new)])
    try:
        fork = contradiction(heads[0], heads[1], None if old == new else shown)
    except BadProof:
        return "nothing shows one story"
    return "" if fork is None else "fork"


# --- proofs ---------------------------------------------------------------------------------------


def proof_changed(rng: random.Random) -> str:
    """A hash, the place, the event it is about, or the head that it is under."""
    size = rng.randrange(2, LEAVES)
    leaf = rng.randrange(size)
    lines = proof(leaf, size).split("\n")
    hashes = range(3, lines.index(""))
    kind = rng.randrange(6)
    if kind == 0 and hashes:
        place = rng.choice(hashes)
        lines[place] = base64.b64encode(flipped(base64.b64decode(lines[place]), rng)).decode()
    elif kind == 1 and hashes:
        del lines[rng.choice(hashes)]
    elif kind == 2:
        lines.insert(3, base64.b64encode(rng.randbytes(32)).decode())
    elif kind == 3:
        lines[2] = f"index {(leaf + rng.randrange(1, size)) % size}"
    elif kind == 4:
        match, _, event = world().events[leaf]
        extra = base64.b64encode(f"{match} {event.version + 1}".encode()).decode()
        lines[1] = f"extra {extra}"
    else:
        beside = size - 1 if size > leaf + 1 else size + 1
        lines = [*lines[: lines.index("") + 1], *head_over_first(beside).split("\n")]
    head = world().events[leaf][2].head
    return judged(lambda: read_proof("\n".join(lines), KEY).check(head))


def proof_of_another_event(rng: random.Random) -> str:
    """It is right, and the log that is held against it has another event there."""
    size = rng.randrange(1, LEAVES)
    leaf = rng.randrange(size)
    match, before, event = world().events[leaf]
    forged = head_after(match, before, flipped(event.body, rng))
    return judged(lambda: read_proof(proof(leaf, size), KEY).check(forged))


def consistency_changed(rng: random.Random) -> str:
    """A hash of the proof that one head goes on from another."""
    old = rng.randrange(1, LEAVES - 1)
    new = rng.randrange(old + 1, LEAVES)
    tree = world().tree
    hashes = tree.consistency(old, new)
    place = rng.randrange(len(hashes))
    kind = rng.randrange(3)
    if kind == 0:
        hashes[place] = flipped(hashes[place], rng)
    elif kind == 1:
        del hashes[place]
    else:
        hashes.insert(place, rng.randbytes(32))
    heads = [Checkpoint(KEY.name, size, tree.root(size)) for size in (old, new)]
    return judged(lambda: contradiction(heads[0], heads[1], hashes))
