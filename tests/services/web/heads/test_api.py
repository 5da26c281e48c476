"""Receipts and signed heads over HTTP: what a player is given holds the service to its word."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.anchors.notes import BadNote, read_checkpoint, read_receipt, read_verifier
from ledger.anchors.proofs import contradiction, read_proof
from ledger.anchors.trees import root
from ledger.games import ruleset
from ledger.log.stores.segments.witness import Witness
from services.checkpointer.loop import Checkpointer
from services.keep.heads.keys import signer_in
from services.keep.heads.tree import HEADS, TreeWriter
from services.projector.loop import Projector
from tests.support.web.seated import table
from tests.support.web.visitors import Site, is_problem

MARK = {"type": "play.mark", "cell": 4}


@pytest.fixture
def signed(site: Site, tmp_path: Path) -> Callable[[], None]:
    """Has everything that is in the ledger under a signed head."""

    def sign() -> None:
        store = site.club.store
        projector = Projector(store, ruleset, Witness(tmp_path / "segments"))
        while projector.step(0):
            pass
        projector.stop()
        tree = TreeWriter(tmp_path / HEADS)
        try:
            connection = store.connection
            Checkpointer(tree, tmp_path / "segments", signer_in(tmp_path), connection).step()
        finally:
            tree.close()

    return sign


def key_of(site: Site):
    return read_verifier(site.nobody().get("/heads/key").text)


def test_a_decision_is_answered_with_a_receipt_of_its_event(site: Site):
    ann, bob = table(site)
    decided = ann.decide(MARK).json
    receipt = read_receipt(decided["receipt"], key_of(site))
    assert (receipt.match, receipt.event.version) == (ann.match, decided["first"])
    [event] = ann.get(f"/events?since={decided['first'] - 1}&limit=1").json["events"]
    assert receipt.event.head.hex() == event["head"]
    assert receipt.event.body == base64.b64decode(event["body"])
    again = bob.decide({"type": "play.mark", "cell": 0}).json
    assert read_receipt(again["receipt"], key_of(site)).event.version == again["first"]


def test_a_decision_that_is_sent_again_has_the_same_receipt(site: Site):
    ann, _ = table(site)
    first = ann.decide(MARK, at=4, key="once").json
    assert ann.decide(MARK, at=4, key="once").json["receipt"] == first["receipt"]


def test_a_refused_decision_has_no_receipt(site: Site):
    ann, bob = table(site)
    ann.decide(MARK)
    assert "receipt" not in bob.decide(MARK).json


def test_before_anything_is_signed_there_is_no_head(site: Site):
    ann, _ = table(site)
    said = site.nobody().get("/api/v1/heads").json
    assert (said["size"], said["checkpoint"]) == (0, "")
    assert is_problem(ann.get("/proof"), 404, "not_signed_yet")
    assert site.nobody().get("/heads/checkpoint").status_code == 404


def test_an_event_is_shown_to_be_under_the_signed_head(site: Site, signed):
    ann, _ = table(site)
    ann.decide(MARK)
    signed()
    said = site.nobody().get("/api/v1/heads").json
    verifier = read_verifier(said["key"])
    head = read_checkpoint(said["checkpoint"], verifier)
    assert head.size == said["size"] >= 5
    for version in range(1, 6):
        shown = ann.get(f"/proof?at={version}").json
        proof = read_proof(shown["proof"], verifier)
        assert (proof.match, proof.version, proof.checkpoint) == (ann.match, version, head)
        proof.check(bytes.fromhex(shown["head"]))
    ann_later = site.nobody().get("/heads/checkpoint").text
    assert ann_later == said["checkpoint"]


def test_a_later_head_is_shown_to_go_on_from_an_earlier_one(site: Site, signed):
    ann, _ = table(site)
    signed()
    verifier = key_of(site)
    old = read_checkpoint(site.nobody().get("/heads/checkpoint").text, verifier)
    ann.decide(MARK)
    signed()
    new = read_checkpoint(site.nobody().get("/heads/checkpoint").text, verifier)
    assert new.size > old.size
    address = f"/api/v1/heads/consistency?old={old.size}&new={new.size}"
    proof = [base64.b64decode(one) for one in site.nobody().get(address).json["proof"]]
    assert contradiction(old, new, proof) is None
    beyond = f"/api/v1/heads/consistency?old={old.size}&new={new.size + 1}"
    refused = site.nobody().get(beyond)
    assert is_problem(refused, 422, "no_such_head")
    turned = f"/api/v1/heads/consistency?old={new.size}&new={old.size}"
    assert is_problem(site.nobody().get(turned), 422, "no_such_head")
    assert refused.json["evidence"] == {"old": old.size, "new": new.size + 1, "signed": new.size}


def test_the_tiles_come_to_the_signed_root(site: Site, signed):
    table(site)
    signed()
    head = read_checkpoint(site.nobody().get("/heads/checkpoint").text, key_of(site))
    held = site.nobody().get(f"/heads/tile/0/000.p/{head.size}").data
    assert len(held) == 32 * head.size

    def over(level: int, index: int) -> bytes:
        from ledger.anchors.trees import node_hash

        if level == 0:
            return held[index * 32 : index * 32 + 32]
        return node_hash(over(level - 1, 2 * index), over(level - 1, 2 * index + 1))

    assert root(over, head.size) == head.root
    for bad in ("0/000", f"0/000.p/{head.size + 1}", "0/001.p/1", "0/00", "1/000.p/1", "9/000"):
        assert site.nobody().get(f"/heads/tile/{bad}").status_code == 404, bad


def test_who_sees_a_match_late_is_shown_no_proof_of_what_came_since(a_site, tmp_path):
    site = a_site()
    ann, _ = table(site, delay=3_600)
    ann.decide(MARK)
    watching = site.nobody().get(f"/api/v1/matches/{ann.match}/proof?at=5&as=spectator")
    assert is_problem(watching, 404, "no_such_event")


def test_a_receipt_of_another_service_is_refused(site: Site, tmp_path: Path):
    ann, _ = table(site)
    receipt = ann.decide(MARK).json["receipt"]
    other = signer_in(tmp_path / "other").verifier
    with pytest.raises(BadNote):
        read_receipt(receipt, other)
