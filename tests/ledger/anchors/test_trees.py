"""The tree is that of RFC 6962: its own vectors, and every proof of every small tree."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.anchors.trees import (
    EMPTY_ROOT,
    BadProof,
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root,
)

# The leaves and roots that the implementations of RFC 6962 share.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    4: "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    6: "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


def hashes_of(leaves):
    hashed = [leaf_hash(leaf) for leaf in leaves]

    def over(level, index):
        if level == 0:
            return hashed[index]
        return node_hash(over(level - 1, 2 * index), over(level - 1, 2 * index + 1))

    return over


def plainly(leaves):
    """The definition of the RFC, word by word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(plainly(leaves[:split]), plainly(leaves[split:]))


@pytest.mark.parametrize("size", range(9))
def test_the_shared_vectors_have_these_roots(size):
    assert root(hashes_of(LEAVES), size).hex() == ROOTS[size]


def test_a_tree_of_nothing_has_the_hash_of_nothing():
    assert root(hashes_of([]), 0) == EMPTY_ROOT == plainly([])


def test_every_leaf_of_every_small_tree_is_shown_to_be_there_and_no_other():
    leaves = [bytes([number]) for number in range(40)]
    hashes = hashes_of(leaves)
    for size in range(1, 40):
        top = plainly(leaves[:size])
        for index in range(size):
            proof = inclusion_proof(hashes, index, size)
            check_inclusion(leaf_hash(leaves[index]), index, size, proof, top)
            with pytest.raises(BadProof):
                check_inclusion(leaf_hash(b"other"), index, size, proof, top)
            with pytest.raises(BadProof):
                check_inclusion(
                    leaf_hash(leaves[index]), (index + 1) % (size + 1), size, proof, top
                )


def test_every_small_tree_is_shown_to_go_on_from_every_smaller_one():
    leaves = [bytes([number]) for number in range(34)]
    hashes = hashes_of(leaves)
    other = hashes_of([b"x", *leaves[1:]])
    for new in range(1, 34):
        for old in range(1, new + 1):
            proof = consistency_proof(hashes, old, new)
            check_consistency(old, plainly(leaves[:old]), new, plainly(leaves[:new]), proof)
            with pytest.raises(BadProof):
                check_consistency(old, root(other, old), new, plainly(leaves[:new]), proof)


@given(st.integers(2, 300), st.data())
def test_no_changed_proof_passes(size, drawn):
    leaves = [number.to_bytes(2, "big") for number in range(size)]
    hashes = hashes_of(leaves)
    index = drawn.draw(st.integers(0, size - 1))
    proof = inclusion_proof(hashes, index, size)
    kind = drawn.draw(st.sampled_from(["flip", "drop", "add", "swap"]))
    place = drawn.draw(st.integers(0, len(proof) - 1))
    if kind == "flip":
        bit = drawn.draw(st.integers(0, 255))
        number = int.from_bytes(proof[place], "big") ^ (1 << bit)
        proof[place] = number.to_bytes(32, "big")
    elif kind == "drop":
        del proof[place]
    elif kind == "add":
        proof.insert(place, bytes(32))
    elif len(proof) > 1 and proof[place] != proof[place - 1]:
        proof[place], proof[place - 1] = proof[place - 1], proof[place]
    else:
        proof.append(proof[place])
    with pytest.raises(BadProof):
        check_inclusion(leaf_hash(leaves[index]), index, size, proof, root(hashes, size))


def test_hashes_of_another_length_are_refused():
    hashes = hashes_of(LEAVES)
    proof = inclusion_proof(hashes, 3, 8)
    with pytest.raises(BadProof, match="32 bytes"):
        check_inclusion(
            leaf_hash(LEAVES[3]), 3, 8, [*proof[:-1], proof[-1] + b"x"], root(hashes, 8)
        )
