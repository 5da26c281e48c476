"""Keys, notes, signed heads, receipts, proofs: what was signed is known, and nothing else."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.anchors.notes import (
    BadNote,
    Checkpoint,
    Signer,
    leaf_of,
    read_checkpoint,
    read_note,
    read_receipt,
    read_verifier,
    receipt_text,
    sign_checkpoint,
    sign_note,
)
from ledger.anchors.proofs import contradiction, proof_text, read_proof
from ledger.anchors.trees import BadProof, consistency_proof, inclusion_proof, node_hash, root
from ledger.log.format.chain import EMPTY, link

SIGNER = Signer("hegemon.example/club", bytes(range(32)))
OTHER = Signer("hegemon.example/club", bytes(range(1, 33)))
KEY = SIGNER.verifier

# Made by the reference implementation of signed notes (golang.org/x/mod/sumdb/note).
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETERS = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqf"
    "qdngotpRZb6KE6RyyBwJnAM=\n"
)


def test_a_note_that_others_signed_is_read():
    text = read_note(PETERS, read_verifier(PETER))
    assert text.startswith("If you think")
    with pytest.raises(BadNote):
        read_note(PETERS.replace("answer", "anwser"), read_verifier(PETER))


def test_a_key_is_handed_on_as_text():
    assert read_verifier(str(KEY)) == KEY
    name, said, packed = str(KEY).split("+", 2)
    with pytest.raises(BadNote, match="does not have the id"):
        read_verifier(f"{name}+00000000+{packed}")
    with pytest.raises(BadNote):
        read_verifier(f"{name}+{said}+AAAA")


def test_a_note_is_taken_from_its_signer_and_from_nobody_else():
    note = sign_note("a line\n", SIGNER)
    assert read_note(note, KEY) == "a line\n"
    for bad in (
        note.replace("line", "lime"),
        sign_note("a line\n", OTHER),
        "a line\n",
        note[:-1],
    ):
        with pytest.raises(BadNote):
            read_note(bad, KEY)


def test_a_checkpoint_is_read_back_and_only_of_its_own_log():
    head = Checkpoint(KEY.name, 7, bytes(32))
    assert read_checkpoint(sign_checkpoint(head, SIGNER), KEY) == head
    with pytest.raises(BadNote, match="and the key of"):
        read_checkpoint(sign_checkpoint(head._replace(origin="elsewhere"), SIGNER), KEY)
    for text in (
        f"{KEY.name}\n07\n{base64.b64encode(bytes(32)).decode()}\n",
        f"{KEY.name}\n7\nAA==\n",
    ):
        with pytest.raises(BadNote):
            read_checkpoint(sign_note(text, SIGNER), KEY)


def events(count, match="m1"):
    found, tip = [], EMPTY
    for number in range(count):
        event = link(match, tip, b"body %d" % number)
        found.append(event)
        tip = event.tip
    return found


def test_a_receipt_gives_the_event_back_with_its_head():
    first, second = events(2)
    text = receipt_text(SIGNER, "m1", first.tip, second, 1_700_000_000_000)
    receipt = read_receipt(text, KEY)
    assert (receipt.match, receipt.event, receipt.by) == ("m1", second, 1_700_000_000_000)
    with pytest.raises(BadNote):
        read_receipt(text, OTHER.verifier)


@settings(max_examples=60)
@given(st.data())
def test_a_receipt_with_any_letter_changed_is_refused(drawn):
    [first] = events(1)
    text = receipt_text(SIGNER, "m1", EMPTY, first, 5)
    place = drawn.draw(st.integers(0, len(text) - 1))
    letter = drawn.draw(st.sampled_from("ABab01-_.x="))
    changed = text[:place] + letter + text[place + 1 :]
    if changed == text:
        return
    with pytest.raises(BadNote):
        read_receipt(changed, KEY)


def tree_of(leaves):
    def over(level, index):
        if level == 0:
            return leaves[index]
        return node_hash(over(level - 1, 2 * index), over(level - 1, 2 * index + 1))

    return over


def test_an_event_is_shown_to_be_under_a_signed_head_and_no_other_is():
    log = events(11)
    hashes = tree_of([leaf_of("m1", event.tip) for event in log])
    head = sign_checkpoint(Checkpoint(KEY.name, 11, root(hashes, 11)), SIGNER)
    text = proof_text("m1", 5, 4, inclusion_proof(hashes, 4, 11), head)
    proof = read_proof(text, KEY)
    proof.check(log[4].tip.head)
    assert (proof.match, proof.version, proof.checkpoint.size) == ("m1", 5, 11)
    for wrong in (
        proof._replace(match="m2"),
        proof._replace(version=6),
        proof._replace(leaf=5),
        proof._replace(hashes=proof.hashes[:-1]),
    ):
        with pytest.raises(BadProof):
            wrong.check(log[4].tip.head)
    with pytest.raises(BadProof):
        proof.check(bytes(32))
    with pytest.raises(BadNote):
        read_proof(text, OTHER.verifier)
    for broken in (text.replace("index 4", "index -4"), text.replace("extra ", "extra %"), head):
        with pytest.raises(BadNote):
            read_proof(broken, KEY)


def test_two_roots_over_as_many_events_are_a_fork():
    one, other = Checkpoint("o", 5, bytes(32)), Checkpoint("o", 5, bytes([1]) * 32)
    fork = contradiction(one, other, None)
    assert fork is not None
    assert "same 5" in fork.why
    assert contradiction(one, one, None) is None


def test_heads_of_other_sizes_want_a_proof_that_shows_it():
    hashes = tree_of([leaf_of("m1", event.tip) for event in events(9)])
    old, new = Checkpoint("o", 4, root(hashes, 4)), Checkpoint("o", 9, root(hashes, 9))
    assert contradiction(new, old, consistency_proof(hashes, 4, 9)) is None
    for proof in (None, [], consistency_proof(hashes, 3, 9)):
        with pytest.raises(BadProof):
            contradiction(new, old, proof)
