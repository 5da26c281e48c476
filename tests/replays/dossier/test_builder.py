"""Dossiers: the evidence, whole for who may see everything, and cut for everybody else."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from ledger.club.claims import ClaimFiled
from ledger.club.talk import Said
from ledger.log.format.acts import Disputed
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from replays.dossier.builder import Evidence, ModeratedMessage, NotFiled, dossier_of
from replays.dossier.document import Dossier, name_of, pack_dossier, unpack_dossier
from replays.dossier.report import report_dossier
from replays.report.html import page
from services.matches.exports import static_text
from tests.replays.deals.test_taken_back import with_act
from tests.support.replays.bargaining import GREEN, NAMES, ORANGE, PURPLE, SECRET, YELLOW, played

ATTACK = 189  # Purple attacks Orange, in spite of the truce


@cache
def disputed() -> History:
    attack = played().at[ATTACK]
    act = Disputed(dispute="d1", first=attack - 2, last=attack + 2)
    return with_act(played().history, act)


def filed(**more: Any) -> ClaimFiled:
    attack = played().at[ATTACK]
    said = {
        "dispute": "d1",
        "words": "We had a truce.",
        "first": attack - 2,
        "last": attack + 2,
        "parties": (ORANGE, PURPLE),
        "salt": b"s" * 32,
        "seat": ORANGE,
        "deal": played().names["truce"],
    }
    return ClaimFiled(**{**said, **more})


def dossier(viewer: Any, evidence: Evidence | None = None) -> Dossier:
    return dossier_of(disputed(), evidence or Evidence(filed()), viewer)


@cache
def of(viewer: Any) -> Dossier:
    return dossier(viewer)


@pytest.mark.long
def test_the_same_reader_gets_the_same_bytes_and_another_reader_others():
    first, second = pack_dossier(of(ORANGE)), pack_dossier(dossier(ORANGE))
    assert first == second
    assert name_of(first) == name_of(second) != name_of(pack_dossier(of(PURPLE)))
    assert pack_dossier(unpack_dossier(first)) == first


def test_a_promise_has_its_verdict_and_the_event_that_broke_it():
    [truce] = [one for one in of(PURPLE).deals if one.id == played().names["truce"]]
    [promise] = truce.promises or []
    assert (promise.verdict, promise.at) == ("broken", played().at[ATTACK])


@pytest.mark.long
def test_a_conflict_is_there_part_by_part_and_counted_again():
    found = of("all")
    [fought] = found.conflicts
    assert played().at[ATTACK] == fought.first
    assert all(part.rule for side in fought.sides for part in side.parts)
    [counted] = found.counted
    assert counted.claims
    assert all(claim.right for claim in counted.claims)
    known = {one.rule for one in found.rules}
    assert {part.rule for side in fought.sides for part in side.parts} <= known


@pytest.mark.long
def test_a_party_has_its_own_view_and_no_other():
    for seat in (ORANGE, PURPLE):
        assert {one.seat for one in of(seat).positions} == {seat}
    assert of(YELLOW).positions == []
    assert of(None).positions == []
    everything = of("all").positions
    assert [(one.seat, one.after - played().at[ATTACK]) for one in everything] == [
        (ORANGE, -3), (PURPLE, -3), (ORANGE, 2), (PURPLE, 2),
    ]  # fmt: skip
    before = disputed().at(played().at[ATTACK] - 3)
    assert before is not None
    assert everything[0].view == json.loads(json.dumps(before.view(ORANGE)))


def test_what_was_told_to_a_seat_by_then_is_counted_and_no_later_opening():
    early, late = (one.delivered for one in of(PURPLE).positions)
    assert early.opened
    assert {tuple(one) for one in early.opened} <= {tuple(one) for one in late.opened}
    assert all(version <= early.events for version, _ in early.opened)


@pytest.mark.long
def test_the_terms_of_a_private_deal_are_for_its_parties():
    about = filed(deal=played().names["sector"], parties=(ORANGE, YELLOW, GREEN))
    for viewer, reads in ((ORANGE, True), (YELLOW, True), ("all", True), (GREEN, False)):
        found = dossier(viewer, Evidence(about))
        [deal] = [one for one in found.deals if one.id == about.deal]
        assert (deal.promises is not None) is reads
        assert (SECRET in pack_dossier(found).decode()) is reads
        assert (about.deal in found.positions[0].delivered.deals) or not reads


def heard(version: int, text: str, seat: int, *to: int, hidden: bool = False) -> ModeratedMessage:
    by = Submitter(role="seat", name=NAMES[seat], seat=seat)
    return ModeratedMessage(Said(version=version, at=1, by=by, text=text, to=to or None), hidden)


def talk_at(version: int) -> tuple[ModeratedMessage, ...]:
    return (
        heard(version, "hello all", ORANGE),
        heard(version, "a quiet word", PURPLE, PURPLE, YELLOW),
        heard(version, "between us", ORANGE, ORANGE, PURPLE),
        heard(version, "something rude", GREEN, hidden=True),
    )


@cache
def early() -> History:
    """The same match, not so far: what is said is said in any."""
    return with_act(played().history.up_to(40), Disputed(dispute="d1", first=36, last=38))


@pytest.mark.parametrize(
    ("viewer", "consents", "words"),
    [
        (ORANGE, (), ["hello all", "between us", ""]),
        (PURPLE, (), ["hello all", "a quiet word", "between us", ""]),
        ("all", (), ["hello all", ""]),
        ("all", (PURPLE,), ["hello all", ""]),
        ("all", (ORANGE, PURPLE), ["hello all", "between us", ""]),
        (ORANGE, (PURPLE, YELLOW), ["hello all", "a quiet word", "between us", ""]),
        (None, (ORANGE, PURPLE, YELLOW, GREEN), ["hello all", "a quiet word", "between us", ""]),
    ],
)
def test_what_was_whispered_is_shown_as_far_as_all_who_heard_it_consent(
    viewer: Any, consents: tuple[int, ...], words: list[str]
):
    about = filed(first=36, last=38, deal="")
    found = dossier_of(early(), Evidence(about, talk_at(37), frozenset(consents)), viewer)
    assert [line.text for line in found.talk] == words
    assert [line.number for line in found.talk] == list(range(1, len(words) + 1))


def test_what_comes_after_the_claim_changes_nothing_in_it():
    later = with_act(disputed(), Disputed(dispute="d2", first=1, last=1))
    assert pack_dossier(dossier_of(later, Evidence(filed()), ORANGE)) == pack_dossier(of(ORANGE))


def test_a_claim_that_the_log_does_not_know_has_no_dossier():
    with pytest.raises(NotFiled):
        dossier_of(played().history, Evidence(filed()), "all")


def test_as_a_page_it_loads_nothing_and_says_no_word_unescaped():
    found = dossier(
        PURPLE, Evidence(filed(words="<script>alert(1)</script>"), talk_at(played().at[ATTACK]))
    )
    made = page(report_dossier(found, name_of(pack_dossier(found))), static_text).decode()
    assert "<script" not in made
    assert "&lt;script&gt;" in made
    assert "default-src 'none'" in made
    assert "http" not in made.replace("http-equiv", "")
