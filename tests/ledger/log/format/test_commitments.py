"""Commitments: what stands in place of a hidden value tells nothing of it, and binds it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write, WriteFirst
from ledger.games.tictactoe.play import Mark
from ledger.kernel.chance import Drawn, Rolled
from ledger.kernel.records import Decision
from ledger.log.format.bodies import DecisionToWrite, SealedBody, Submitter
from ledger.log.format.canonical import decode
from ledger.log.format.chain import (
    EMPTY,
    PADDED_TO,
    Opening,
    Tip,
    commit,
    make_opening,
    padded,
    salt_of,
    unpad_value,
)
from ledger.log.read.history import History, Undisclosed
from ledger.log.read.served import know_outcomes
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from ledger.log.write.writer import Draft, write_answer
from tests.support.log.matches import SEALED, SEAT, around, joined, started
from tests.support.log.whisper import Whisper, rules_of

CALM = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=150)
MATCH = "aaaabbbbccccdddd"
KEY = bytes(range(32))


# --- padding --------------------------------------------------------------------------------------


@CALM
@given(st.binary(max_size=300))
def test_padding_comes_off_again(packed: bytes):
    plain = padded(packed)
    assert unpad_value(plain) == packed
    assert len(plain) % PADDED_TO == 0
    assert 0 < len(plain) - len(packed) <= PADDED_TO


@CALM
@given(st.binary(max_size=200))
def test_what_was_not_padded_is_refused(plain: bytes):
    try:
        packed = unpad_value(plain)
    except ValueError:
        return
    assert padded(packed) == plain


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        bytes(64),
        b"a" * 64,
        b"a\x80",
        padded(b"a") + bytes(64),
        padded(b"a")[:-1] + b"\1",
        padded(b"a" * 64)[:64],
    ],
)
def test_false_padding_is_refused(plain: bytes):
    with pytest.raises(ValueError, match="padding"):
        unpad_value(plain)


# --- binding --------------------------------------------------------------------------------------


def test_a_commitment_binds_its_place_its_salt_and_its_value():
    right: dict[str, Any] = {
        "match": MATCH, "version": 7, "path": "decision", "salt": b"s" * 32, "plain": b"plain",
    }  # fmt: skip
    others: dict[str, Any] = {
        "match": MATCH[:-1], "version": 8, "path": "decisio", "salt": b"t" * 32, "plain": b"plan",
    }  # fmt: skip
    made = commit(**right)
    assert len(made) == 32
    found = {name: commit(**{**right, name: other}) for name, other in others.items()}
    assert made not in found.values()
    assert len(set(found.values())) == len(others)


def test_names_that_run_together_are_told_apart():
    assert commit("ab", 1, "c", b"", b"") != commit("a", 1, "bc", b"", b"")


def test_every_place_has_a_salt_of_its_own():
    heads = (bytes(32), b"h" * 32)  # a log that was restored and went on differently
    tips = [Tip(version, head) for version in range(40) for head in heads]
    places = [(tip, path) for tip in tips for path in ("decision", "outcome")]
    salts = {salt_of(KEY, *place) for place in places} | {salt_of(KEY[::-1], EMPTY, "outcome")}
    assert len(salts) == len(places) + 1


def test_an_opening_opens_what_was_committed():
    before = Tip(2, b"h" * 32)
    opening = make_opening(KEY, before, "decision", b"plain")
    assert opening == Opening(3, "decision", salt_of(KEY, before, "decision"), b"plain")
    inner = hashlib.sha256(b"plain").digest()
    place = bytes([16]) + MATCH.encode() + (3).to_bytes(8, "big") + bytes([8]) + b"decision"
    covered = b"hegemon/commitment/1" + place + opening.salt + inner
    assert opening.commitment(MATCH) == hashlib.sha256(covered).digest()


def test_no_two_commitments_of_a_match_are_alike():
    journal = started(SEALED)
    for seat in (0, 1):
        journal.decide(seat, Write(4))
    know_outcomes(journal.history)
    openings = journal.history.openings.values()
    made = {opening.commitment(journal.match_id) for opening in openings}
    assert len(made) == len(journal.history.openings) == 5


# --- sealed answers -------------------------------------------------------------------------------


def sealed_body(seat: int, cell: int) -> SealedBody:
    journal = started(SEALED)
    journal.decide(seat, Write(cell))
    body = journal.history.body(5)
    assert isinstance(body, SealedBody)
    return body


def test_a_sealed_answer_looks_the_same_whatever_was_chosen():
    shapes = set()
    for seat in (0, 1):
        for cell in range(9):
            journal = started(SEALED)
            journal.decide(seat, Write(cell))
            plain = decode(journal.history.events[4].body)
            plain["commitment"], plain["outcome"] = b"?", b"?"
            assert plain.pop("seat") == seat
            shapes.add((len(journal.history.events[4].body), repr(plain)))
    assert len(shapes) == 1


DECISIONS: tuple[Decision, ...] = (
    Write(0),
    Write((1 << 53) - 1),
    Mark(8),
    Give(1 << 40),
    Rolled((1, 2, 3, 4, 5, 6)),
    Drawn(0, ("a",)),
    Drawn(7, tuple("abcdefgh")),
)


def test_a_sealed_answer_looks_the_same_whatever_its_type_and_fields():
    written = set()
    for decision in DECISIONS:
        draft = Draft(MATCH, KEY)
        answer = DecisionToWrite(1, WriteFirst((0, 1)), "opening", 0, decision)
        write_answer(draft, answer, [], SEAT, 1_750_000_000_000)
        plain = decode(draft.events[0].body)
        plain["commitment"], plain["outcome"] = b"?" * 32, b"?" * 32
        written.add((len(draft.events[0].body), repr(plain)))
        sealed = next(one for one in draft.openings if one.path == "decision")
        assert len(sealed.plain) == PADDED_TO
        assert plain["kind"] == "sealed"
    assert len(written) == 1


def test_a_sealed_answer_says_no_more_than_its_seat_and_question():
    body = sealed_body(1, 4)
    assert (body.question, body.seat, body.opens) == ("opening", 1, ())
    assert body.by == Submitter(role="seat")
    assert len(body.commitment) == 32


# --- private fields -------------------------------------------------------------------------------

WHISPERS = Plan(ruleset="whisper", seats=2)


def whispered(*words: Whisper, seed: int = 1) -> Journal:
    journal = joined(Journal.create(around(seed, rules_of=rules_of), WHISPERS))
    for said in words:
        journal.decide(1 - said.to, said)
    return journal


def test_a_private_field_is_always_committed_whatever_it_holds():
    """That it is empty is part of what is hidden."""
    sizes = set()
    for word in ("", "yes", "no", "x" * 40):
        journal = whispered(Whisper(1, "hm", word, word[::-1]))
        body = decode(journal.history.events[-1].body)
        assert set(body["private"]) == {"word", "thought"}
        assert set(body["decision"]) == {"type", "to", "aloud"}
        sizes.add(len(journal.history.events[-1].body))
    assert len(sizes) == 1


def test_a_decision_with_private_fields_is_read_again():
    said = Whisper(1, "aloud", "in the ear", "to oneself")
    journal = whispered(said)
    *_, last = journal.history.replay()
    assert last.decision == said


def test_a_reader_without_the_opening_is_told_which_one_is_missing():
    journal = whispered(Whisper(1, "aloud", "word", "thought"))
    whole = journal.history
    version = whole.tip.version
    for missing in ("private/word", "private/thought"):
        reader = History(whole.match, rules_of)
        known = [one for one in whole.openings.values() if (one.version, one.path) != (
            version, missing)]  # fmt: skip
        reader.know(known)
        for event in whole.events:
            reader.add(event)
        with pytest.raises(Undisclosed) as undisclosed:
            reader.at()
        assert (undisclosed.value.version, undisclosed.value.path) == (version, missing)
        assert reader.at(version - 1) is not None


def test_a_match_with_secrets_for_ever_is_replayed_by_who_has_them():
    journal = whispered(Whisper(1, "a", "b", "c"), Whisper(0, "d", "e", "f"))
    again = Journal(replace(journal.around), journal.match_id)
    assert again.match().view(0) == journal.match().view(0)
    assert again.match().state.hands == journal.match().state.hands
    assert all(journal.match().state.hands)
