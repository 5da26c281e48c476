"""The Merkle tree of RFC 6962, section 2.1: a few hashes prove that a leaf is in the tree.

A whole subtree has a place `(level, index)`: it covers the `2^level` leaves from leaf
`index * 2^level` on. From the hashes of the subtrees follow every root and proof.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

Hashes: TypeAlias = Callable[[int, int], bytes]  # of a whole subtree, by level and index

EMPTY_ROOT: Final = hashlib.sha256(b"").digest()
SIZE_MAX: Final = 1 << 62


class BadProof(ValueError):
    """A proof does not show its claim."""


def leaf_hash(leaf: bytes) -> bytes:
    """Returns the hash of a leaf; its prefix keeps a leaf from passing as a node."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(hashes: Hashes, size: int) -> bytes:
    """Returns the root over the first `size` leaves."""
    return _over(hashes, 0, size) if size else EMPTY_ROOT


def inclusion_proof(hashes: Hashes, index: int, size: int) -> list[bytes]:
    """Returns the hashes that prove that a leaf is among the first `size`."""
    assert 0 <= index < size, "the leaf is not in the tree"
    return list(reversed(list(_walk_siblings(hashes, index, 0, size))))


def consistency_proof(hashes: Hashes, old: int, new: int) -> list[bytes]:
    """Returns the hashes that prove that a tree of `new` leaves extends the one of `old`."""
    assert 0 < old <= new, "there is nothing to compare"
    return list(reversed(list(_since(hashes, old, 0, new, known=True))))


def check_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected: bytes
) -> None:
    """Raises `BadProof` unless the leaf's hash is at this place under this root."""
    if not 0 <= index < size <= SIZE_MAX:
        raise BadProof(f"leaf {index} cannot be in a tree of {size}")
    steps, found = _of_32(proof), leaf
    for beside, left in zip(steps, _turns(index, size - 1, len(steps)), strict=True):
        found = node_hash(beside, found) if left else node_hash(found, beside)
    if found != expected:
        raise BadProof("the proof leads to another root")


def check_consistency(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> None:
    """Raises `BadProof` unless the tree of `new` leaves extends the one of `old`."""
    if not 0 < old <= new <= SIZE_MAX:
        raise BadProof(f"a tree of {new} leaves cannot continue one of {old}")
    steps = _of_32(proof)
    if old == new:
        if steps or old_root != new_root:
            raise BadProof("two roots over the same number of leaves differ")
        return
    if old & (old - 1) == 0:  # the old tree is a whole subtree, and not repeated in the proof
        steps = [old_root, *steps]
    if not steps:
        raise BadProof("the proof is too short")
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    was = now = steps[0]
    for beside, left in zip(steps[1:], _turns(place, last, len(steps) - 1), strict=True):
        if left:
            was, now = node_hash(beside, was), node_hash(beside, now)
        else:
            now = node_hash(now, beside)
    if was != old_root:
        raise BadProof("the proof does not lead to the older root")
    if now != new_root:
        raise BadProof("the proof does not lead to the newer root")


def _turns(place: int, last: int, steps: int) -> list[bool]:
    """Returns for each step up whether the sibling hash is the left one."""
    turns = []
    for _ in range(steps):
        if last == 0:
            raise BadProof("the proof is too long")
        left = bool(place & 1) or place == last
        turns.append(left)
        if left:
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        place, last = place >> 1, last >> 1
    if last:
        raise BadProof("the proof is too short")
    return turns


def _of_32(proof: Sequence[bytes]) -> list[bytes]:
    if any(len(one) != 32 for one in proof):
        raise BadProof("a hash of the proof does not have 32 bytes")
    return list(proof)


def _split(leaves: int) -> int:
    """Returns the largest power of two below a number."""
    return 1 << ((leaves - 1).bit_length() - 1)


def _over(hashes: Hashes, first: int, end: int) -> bytes:
    leaves = end - first
    if leaves & (leaves - 1) == 0 and first % leaves == 0:
        return hashes(leaves.bit_length() - 1, first // leaves)
    middle = first + _split(leaves)
    return node_hash(_over(hashes, first, middle), _over(hashes, middle, end))


def _walk_siblings(hashes: Hashes, index: int, first: int, end: int) -> Iterator[bytes]:
    """Yields the sibling hashes on the path from the root down to a leaf."""
    while end - first > 1:
        middle = first + _split(end - first)
        if index < middle:
            yield _over(hashes, middle, end)
            end = middle
        else:
            yield _over(hashes, first, middle)
            first = middle


def _since(hashes: Hashes, old: int, first: int, end: int, *, known: bool) -> Iterator[bytes]:
    """Yields the sibling hashes down to the end of the older tree.

    `known`: the checker already has the subtree's root.
    """
    while old != end:
        middle = first + _split(end - first)
        if old <= middle:
            yield _over(hashes, middle, end)
            end = middle
        else:
            yield _over(hashes, first, middle)
            first, known = middle, False
    if not known:
        yield _over(hashes, first, end)
