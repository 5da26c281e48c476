"""The vectors of docs/vectors are what the generator writes and what the code does."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from typing import Any

import pytest

from ledger.kernel.chance import (
    Deck,
    Drawn,
    Spread,
    Stream,
    Uncover,
    die,
    domain_key,
    domain_seed,
    nonce_commitment,
    seed_commitment,
    top_cards,
)
from ledger.kernel.refusals import Refused
from ledger.log.format.bodies import check_body
from ledger.log.format.canonical import NotCanonical, decode, encode
from ledger.log.format.chain import Tip, commit, link, padded, salt_of, unpad_value
from replays.verify.verifier import verify
from tests.support.docs.encodings import meant
from tests.support.docs.matches import pinned
from tests.support.docs.vectors import FILES, FOLDER, counts, text_of


def of(file: str, group: str) -> list[Any]:
    return list(json.loads((FOLDER / file).read_text("utf-8"))[group])


def named(vectors: list[Any]) -> list[Any]:
    return [pytest.param(one, id=str(one.get("name") or one.get("reason"))) for one in vectors]


def bundle(name: str) -> bytes:
    found = next(one for one in of("bundles.json", "valid") if one["name"] == name)
    return base64.b64decode(found["bundle"])


@pytest.mark.parametrize("name", FILES)
def test_the_committed_file_is_what_the_generator_writes(name: str):
    assert (FOLDER / name).read_text("utf-8") == text_of(name), (
        "run `python -m tests.support.docs.vectors --write` and read what changed: a vector "
        "changes "
        "only with a new version of the format"
    )


def test_there_are_more_than_two_hundred_vectors_and_the_readme_names_each_file():
    every = counts()
    assert sum(sum(groups.values()) for groups in every.values()) >= 200
    assert every["canonical.json"]["invalid"] >= 40
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert set(re.findall(r"[a-z]+\.json", readme)) == set(FILES)


# --- canonical bytes ------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", named(of("canonical.json", "valid")))
def test_a_value_has_these_bytes(vector: Any):
    packed = bytes.fromhex(vector["bytes"])
    assert encode(meant(vector["value"])) == packed
    assert decode(packed) == meant(vector["value"])


@pytest.mark.parametrize("vector", named(of("canonical.json", "invalid")))
def test_these_bytes_are_refused(vector: Any):
    with pytest.raises(NotCanonical):
        decode(bytes.fromhex(vector["bytes"]))


@pytest.mark.parametrize("vector", named(of("canonical.json", "limits")))
def test_a_value_has_a_greatest_size(vector: Any):
    packed = bytes.fromhex(vector["start"]) + bytes.fromhex(vector["unit"]) * vector["times"]
    if vector["valid"]:
        assert len(decode(packed)) == vector["times"]
    else:
        with pytest.raises(NotCanonical):
            decode(packed)


# --- hashes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", [*of("chain.json", "heads"), *of("events.json", "valid")])
def test_an_event_has_this_head(vector: Any):
    body = bytes.fromhex(vector["body"])
    before = vector.get("before")
    assert hashlib.sha256(body).hexdigest() == vector["body_sha256"]
    if before is not None:
        tip = Tip(vector["version"] - 1, bytes.fromhex(before))
        assert link(vector["match"], tip, body).head.hex() == vector["head"]


def test_the_events_are_one_log():
    head = bytes(32)
    for version, vector in enumerate(of("events.json", "valid"), 1):
        event = link(vector["match"], Tip(version - 1, head), bytes.fromhex(vector["body"]))
        assert (event.version, event.head.hex()) == (vector["version"], vector["head"])
        head = event.head


@pytest.mark.parametrize("vector", of("commitments.json", "padding"))
def test_padding(vector: Any):
    packed, plain = bytes.fromhex(vector["packed"]), bytes.fromhex(vector["plain"])
    assert (padded(packed), unpad_value(plain)) == (plain, packed)


@pytest.mark.parametrize("vector", named(of("commitments.json", "bad_padding")))
def test_bad_padding_is_refused(vector: Any):
    with pytest.raises(ValueError, match="wrong padding"):
        unpad_value(bytes.fromhex(vector["plain"]))


@pytest.mark.parametrize("vector", of("commitments.json", "commitments"))
def test_commitments(vector: Any):
    match, version, path = vector["match"], vector["version"], vector["path"]
    before = Tip(version - 1, bytes.fromhex(vector["before"]))
    salt = salt_of(bytes.fromhex(vector["salt_key"]), before, path)
    assert salt.hex() == vector["salt"]
    commitment = commit(match, version, path, salt, bytes.fromhex(vector["plain"]))
    assert commitment.hex() == vector["commitment"]


def test_nonces_and_domains():
    for vector in of("chance.json", "nonces"):
        nonce = bytes.fromhex(vector["nonce"])
        assert nonce_commitment(vector["seat"], nonce).hex() == vector["commitment"]
    for vector in of("chance.json", "domains"):
        domain, seed = vector["domain"], bytes.fromhex(vector["seed"])
        assert domain_seed(bytes.fromhex(vector["server_seed"]), domain) == seed
        assert seed_commitment(seed, domain).hex() == vector["seed_commitment"]
        nonces = [bytes.fromhex(nonce) for nonce in vector["nonces"]]
        assert domain_key(seed, domain, nonces).hex() == vector["key"]


def test_numbers_dice_and_cards():
    for vector in of("chance.json", "numbers"):
        stream = Stream(bytes.fromhex(vector["key"]))
        assert [stream.below(vector["bound"]) for _ in vector["numbers"]] == vector["numbers"]
    for vector in of("chance.json", "dice"):
        key, epoch, address = bytes.fromhex(vector["key"]), vector["epoch"], vector["address"]
        places = range(len(vector["values"]))
        values = [die(key, epoch, address, place, vector["sides"]) for place in places]
        assert values == vector["values"]
    for vector in of("chance.json", "cards"):
        deck = Deck(
            vector["deck"],
            vector["shuffle"],
            vector["order_epoch"],
            vector["made_of"],
            vector["unseen"],
        )
        key = bytes.fromhex(vector["key"])
        assert list(top_cards(key, vector["epoch"], deck, vector["count"])) == vector["cards"]


@pytest.mark.parametrize("vector", of("chance.json", "spreads"))
def test_cards_on_places(vector: Any):
    made_of, places = vector["made_of"], vector["places"]
    deck = Deck(vector["deck"], vector["shuffle"], vector["order_epoch"], made_of, dict(made_of))
    spread = Spread(deck, places, list(places))
    answer = Uncover(spread, vector["place"]).answer(
        bytes.fromhex(vector["key"]), vector["epoch"], ""
    )
    assert answer == Drawn(vector["epoch"], (vector["card"],))


# --- events and bundles ---------------------------------------------------------------------------


@pytest.mark.parametrize("vector", of("events.json", "valid"))
def test_a_body_has_these_fields(vector: Any):
    packed = bytes.fromhex(vector["body"])
    assert decode(packed) == meant(vector["plain"])
    check_body(packed)


@pytest.mark.parametrize("vector", named(of("events.json", "invalid")))
def test_these_bodies_are_refused(vector: Any):
    with pytest.raises(NotCanonical):
        check_body(bytes.fromhex(vector["body"]))


@pytest.mark.parametrize("vector", named(of("bundles.json", "valid")))
def test_a_bundle_is_verified(vector: Any):
    packed = base64.b64decode(vector["bundle"])
    assert hashlib.sha256(packed).hexdigest() == vector["sha256"]
    report = verify(io.BytesIO(packed), pinned)
    assert (report.verdict, report.failed) == (vector["verdict"], [])
    assert (report.match, report.events) == (vector["match"], vector["events"])
    assert report.head == vector["head"] == vector["heads"][-1]
    assert {check.name: check.status for check in report.checks} == vector["statuses"]


@pytest.mark.parametrize("vector", named(of("bundles.json", "anchors")))
def test_a_bundle_is_held_against_known_heads(vector: Any):
    anchors = {int(version): bytes.fromhex(head) for version, head in vector["anchors"].items()}
    report = verify(io.BytesIO(bundle(vector["of"])), pinned, anchors=anchors)
    assert report.verdict == vector["verdict"]


@pytest.mark.parametrize("vector", named(of("broken.json", "broken")))
def test_a_broken_bundle_fails_where_it_is_broken(vector: Any):
    packed = base64.b64decode(vector["bundle"])
    whole = verify(io.BytesIO(packed), pinned)
    assert vector["fails"] in [check.name for check in whole.failed]
    assert whole.verdict == "INVALID"
    without_rules = verify(io.BytesIO(packed), pinned, fast=True)
    assert [check.name for check in without_rules.failed] == vector["fails_without_rules"]


def _no_rules(name: str) -> Any:
    raise Refused("unknown_ruleset", "", "", {"ruleset": name})


@pytest.mark.parametrize("vector", named(of("bundles.json", "valid")))
def test_a_bundle_of_unknown_rules_is_incomplete(vector: Any):
    report = verify(io.BytesIO(base64.b64decode(vector["bundle"])), _no_rules)
    assert report.verdict == "INCOMPLETE"
