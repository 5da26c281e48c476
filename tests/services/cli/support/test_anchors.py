"""`hegemon verify --anchored`: a receipt or a signed head shows that a log is the one it was."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from ledger.anchors.notes import Checkpoint, Signer, leaf_of, receipt_text, sign_checkpoint
from ledger.anchors.proofs import find_contradiction, proof_text, read_proof
from ledger.anchors.trees import consistency_proof, inclusion_proof, node_hash, root
from ledger.games import ruleset
from ledger.log.format.chain import EMPTY, Event, link
from ledger.log.read.bundle import read_history
from tests.support.cli.calls import Hegemon

SIGNER = Signer("club.example", bytes(range(32)))
KEY = str(SIGNER.verifier)


@pytest.fixture
def history(hegemon: Hegemon):
    """A played match, as `match.hgm` here."""
    match = hegemon.played()
    hegemon.done("export", match, "--as", "all", "--out", "match.hgm")
    with Path("match.hgm").open("rb") as file:
        return read_history(file, ruleset)


def receipt_of(match: str, events: list[Event], version: int, signer: Signer = SIGNER) -> str:
    before = EMPTY if version == 1 else events[version - 2].tip
    return receipt_text(signer, match, before, events[version - 1], 1)


def proof_of(match: str, events: list[Event], version: int, signer: Signer = SIGNER) -> str:
    leaves = [leaf_of(match, event.tip) for event in events]

    def over(level: int, index: int) -> bytes:
        if level == 0:
            return leaves[index]
        return node_hash(over(level - 1, 2 * index), over(level - 1, 2 * index + 1))

    size = len(leaves)
    head = Checkpoint(signer.verifier.name, size, root(over, size))
    shown = inclusion_proof(over, version - 1, size)
    return proof_text(match, version, version - 1, shown, sign_checkpoint(head, signer))


def put(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def test_a_receipt_anchors_a_log(hegemon: Hegemon, history) -> None:
    lines = [
        receipt_of(history.match, history.events, version) for version in (5, history.tip.version)
    ]
    mine = put("mine.txt", "\n".join(lines) + "\n")
    said = hegemon.done("verify", "match.hgm", "--anchored", "--receipt", mine, "--key", KEY)
    assert said.out.startswith("VALID:")


def test_a_proof_under_a_signed_head_anchors_a_log(hegemon: Hegemon, history) -> None:
    shown = put("proof.txt", proof_of(history.match, history.events, history.tip.version))
    said = hegemon.done("verify", "match.hgm", "--anchored", "--proof", shown, "--key", KEY)
    assert said.out.startswith("VALID:")


def test_a_receipt_of_another_event_shows_that_the_log_was_made_anew(
    hegemon: Hegemon, history
) -> None:
    other = link(history.match, history.events[4].tip, b"another body")
    forged = [*history.events[:5], other]
    mine = put("mine.txt", receipt_of(history.match, forged, 6))
    said = hegemon.refused("verify", "match.hgm", "--receipt", mine, "--key", KEY, code=4)
    assert "event 6" in said
    shown = put("proof.txt", proof_of(history.match, forged, 6))
    said = hegemon.refused("verify", "match.hgm", "--proof", shown, "--key", KEY, code=4)
    assert "event 6" in said


def test_two_receipts_for_two_events_of_one_number_are_a_fork(hegemon: Hegemon, history) -> None:
    other = link(history.match, history.events[4].tip, b"another body")
    both = [receipt_of(history.match, history.events, 6)]
    both.append(receipt_of(history.match, [*history.events[:5], other], 6))
    mine = put("mine.txt", "\n".join(both))
    said = hegemon.refused("verify", "match.hgm", "--receipt", mine, "--key", KEY, code=4)
    assert "fork" in said


@pytest.mark.parametrize("option", ["--receipt", "--proof"])
def test_who_signed_must_be_known_from_elsewhere(hegemon: Hegemon, history, option: str) -> None:
    made = receipt_of if option == "--receipt" else proof_of
    name = put("file.txt", made(history.match, history.events, 5))
    hegemon.refused("verify", "match.hgm", option, name, code=2)
    other = str(Signer("club.example", bytes(32)).verifier)
    hegemon.refused("verify", "match.hgm", option, name, "--key", other, code=2)
    hegemon.refused("verify", "match.hgm", option, name, "--key", "nonsense", code=2)
    elsewhere = put("else.txt", made("another", history.events, 5))
    hegemon.refused("verify", "match.hgm", option, elsewhere, "--key", KEY, code=2)
    hegemon.refused("verify", "match.hgm", option, "missing.txt", "--key", KEY, code=2)
    hegemon.refused("verify", "match.hgm", option, put("bad.txt", "x"), "--key", KEY, code=2)


def head_of(size: int, *, other: bool = False) -> str:
    leaves = [bytes([number + other]) * 32 for number in range(20)]
    head = Checkpoint(SIGNER.verifier.name, size, root(tree_of(leaves), size))
    return sign_checkpoint(head, SIGNER)


def tree_of(leaves: list[bytes]):
    def over(level: int, index: int) -> bytes:
        if level == 0:
            return leaves[index]
        return node_hash(over(level - 1, 2 * index), over(level - 1, 2 * index + 1))

    return over


def test_two_heads_of_one_story(hegemon: Hegemon) -> None:
    leaves = [bytes([number]) * 32 for number in range(20)]
    shown = [base64.b64encode(one).decode() for one in consistency_proof(tree_of(leaves), 7, 20)]
    proof = put("shown.json", json.dumps({"old": 7, "new": 20, "proof": shown}))
    names = put("friday", head_of(7)), put("today", head_of(20))
    said = hegemon.done("heads", *names, "--key", KEY, "--consistency", proof)
    assert said.out == "one story: club.example, from 7 to 20 events\n"
    hegemon.done("heads", names[0], names[0], "--key", KEY)


def test_two_heads_that_contradict_each_other_are_a_fork(hegemon: Hegemon) -> None:
    names = put("mine", head_of(9)), put("theirs", head_of(9, other=True))
    assert "FORK: club.example" in hegemon.refused("heads", *names, "--key", KEY, code=4)


def test_two_proofs_under_heads_of_two_sizes_are_evidence_of_a_fork(
    hegemon: Hegemon, history
) -> None:
    match, events = history.match, history.events
    retold = [*events[:4], link(match, events[3].tip, events[5].body)]
    friday = put("friday", proof_of(match, retold, 5))
    earlier = put("earlier", proof_of(match, events[:6], 5))
    today = put("today", proof_of(match, events, 5))
    told, true = (f"5:{story[4].head.hex()}" for story in (retold, events))
    said = hegemon.refused(
        "heads", friday, today, "--key", KEY, "--head", told, "--head", true, code=4
    )
    assert f"two events in place 4, under heads over 5 and {len(events)} events" in said
    hegemon.done("heads", earlier, today, "--key", KEY, "--head", true, "--head", true)
    # What is not shown proves nothing against anybody.
    swapped = ("--head", true, "--head", told)
    hegemon.refused("heads", friday, today, "--key", KEY, *swapped, code=3)
    hegemon.refused("heads", friday, today, "--key", KEY, "--head", told, code=2)
    other = f"6:{events[5].head.hex()}"
    hegemon.refused("heads", friday, today, "--key", KEY, "--head", told, "--head", other, code=2)


def test_two_events_of_one_place_are_a_fork_and_two_places_are_none() -> None:
    events = [link("m", EMPTY, b"one")]
    events.append(link("m", events[0].tip, b"two"))
    other = [events[0], link("m", events[0].tip, b"another")]
    longer = [*other, link("m", other[1].tip, b"three")]
    one, two = (read_proof(proof_of("m", story, 2), SIGNER.verifier) for story in (events, longer))
    fork = find_contradiction(one, events[1].head, two, other[1].head)
    assert fork is not None
    assert (fork.one.size, fork.other.size) == (2, 3)
    first = read_proof(proof_of("m", longer, 1), SIGNER.verifier)
    assert find_contradiction(first, events[0].head, two, other[1].head) is None


def test_heads_that_nothing_joins_are_said_to_be_so(hegemon: Hegemon) -> None:
    names = put("friday", head_of(7, other=True)), put("today", head_of(20))
    hegemon.refused("heads", *names, "--key", KEY, code=3)
    proof = put("shown.json", json.dumps({"proof": []}))
    hegemon.refused("heads", *names, "--key", KEY, "--consistency", proof, code=3)
    hegemon.refused("heads", *names, "--key", "nonsense", code=2)
    hegemon.refused("heads", put("bad", "x"), names[1], "--key", KEY, code=2)
    hegemon.refused("heads", *names, "--key", KEY, "--consistency", put("no", "{"), code=2)
