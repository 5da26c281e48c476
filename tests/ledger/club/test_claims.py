"""Disputes in the book of a table: how they stand, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ledger.club import claims
from ledger.club.claims import (
    Claim,
    ClaimFiled,
    RulingAppealed,
    RulingRested,
    TalkConsented,
    with_entry,
)
from ledger.kernel.refusals import Refused


def filed(name: str = "d1", seat: int | None = 0, parties: Sequence[int] = (0, 1)) -> ClaimFiled:
    return ClaimFiled(
        dispute=name,
        words="it was not so",
        first=5,
        last=7,
        parties=tuple(parties),
        salt=b"s" * 32,
        seat=seat,
    )


def book(*entries: Any) -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for entry in entries:
        found = with_entry(found, entry, "ann", 17)
    return found


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def test_a_dispute_is_final_once_nobody_else_can_be_asked():
    claim = book(filed())["d1"]
    assert claim.state(0, appealable=True) == "open"
    assert claim.state(1, appealable=True) == "ruled"
    assert claim.state(1, appealable=False) == "final"
    appealed = book(filed(), RulingAppealed(dispute="d1", version=9, words="no", seat=1))["d1"]
    assert appealed.state(1, appealable=True) == "appealed"
    assert appealed.state(1, appealable=False) == "appealed"
    assert appealed.state(2, appealable=True) == "final"


def test_an_appeal_is_for_a_party_against_a_ruling_that_is_not_final():
    claim = book(filed())["d1"]
    [entry] = claims.appeal(claim, 1, "no", [9], appealable=True)
    assert (entry.seat, entry.version) == (1, 9)
    assert code_of(lambda: claims.appeal(claim, 1, "no", [], appealable=True)) == "not_ruled"
    assert code_of(lambda: claims.appeal(claim, 1, "no", [9], appealable=False)) == "no_appeal"
    assert code_of(lambda: claims.appeal(claim, 2, "no", [9], appealable=True)) == "not_a_party"
    assert code_of(lambda: claims.appeal(claim, 1, "no", [9, 12], appealable=True)) == (
        "dispute_over"
    )
    again = book(filed(), entry)["d1"]
    assert code_of(lambda: claims.appeal(again, 0, "no", [9], appealable=True)) == "dispute_over"


def test_consent_is_given_and_taken_back():
    given = TalkConsented(dispute="d1", seat=1, gives=True)
    claim = book(filed(), given)["d1"]
    assert claim.consents == {1}
    assert claims.consent(claim, 1, gives=True) == []
    [back] = claims.consent(claim, 1, gives=False)
    assert book(filed(), given, back)["d1"].consents == frozenset()


def test_a_seat_has_three_disputes_that_wait_at_most():
    mine = list(book(*(filed(f"d{n}") for n in range(1, 4))).values())
    assert code_of(lambda: claims.check_room(mine, [], 0)) == "too_many_disputes"
    claims.check_room(mine, ["d2"], 0)
    claims.check_room(mine, [], 1)


def test_no_name_comes_twice_neither_in_the_book_nor_in_the_log():
    assert claims.next_name([], []) == "d1"
    assert claims.next_name(["d1"], ["d1", "d2"]) == "d3"


def test_the_words_hash_with_their_salt_and_nothing_else():
    one = filed()
    other = ClaimFiled(
        dispute="d2", words=one.words, first=1, last=1, parties=(), salt=one.salt, talk=99
    )
    assert claims.words_hash(one) == claims.words_hash(other)
    assert claims.words_hash(one) != claims.words_hash(
        ClaimFiled(dispute="d1", words=one.words, first=5, last=7, parties=(), salt=b"t" * 32)
    )


def test_what_a_ruling_rests_on_is_kept_by_its_event():
    claim = book(filed(), RulingRested(dispute="d1", version=9, dossier="ab"))["d1"]
    assert claim.rested == {9: "ab"}
