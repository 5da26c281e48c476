"""Every decision is offered in words that people use, and no two that differ in the same."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.deals.agreement import Promise, Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.shown.wording import WORDINGS
from ledger.kernel.audience import view_decision
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, tag_of
from ledger.parts.deals.agreement import Payment
from ledger.parts.deals.answers import Accept
from tests.ledger.games.hegemonic.shown.test_scene_targets import (
    POSITIONS,
    choice,
    offered,
    some_match,
)
from tests.support.hegemonic.conflicts import INVADE, fight, invasion
from tests.support.hegemonic.positions import begun

# Of these two may look alike: cards of one technology, units that wait beside each other.
ALIKE = (
    "tech.discard", "tech.advance", "tech.discard-advanced", "turn.research-discard", "tech.draw",
    "build.place-agent", "build.place-fleet", "build.place-gate", "conflict.commit-card",
    "conflict.cleanup", "leader.activate", "leader.order-deck", "draft.keep-card",
)  # fmt: skip
RAW = re.compile(r"[{}\[\]_]|\bs\d/\d|None|True|False")


def said(match: Match, seat: int) -> dict[str, str]:
    """Returns a seat's options in words, after it looked at each."""
    seen, found = match.view(seat), {}
    for option in offered(match, seat):
        plain: dict[str, Any] = view_decision(option, seat, seat)
        words = RULES.shown.wording(plain, seen, match.terms.silent)  # type: ignore[misc]
        assert words[0].isupper() or words[0].isdigit()
        assert not RAW.search(words), words
        if tag_of(type(option)) not in ALIKE:
            assert words not in found, f"{option} and {found[words]} are both called {words}"
        found[words] = repr(option)
    return found


def test_each_decision_that_people_make_has_words():
    of_chance = {"chance.rolled", "chance.drawn", "chance.dealt"}
    assert set(WORDINGS) == {tag_of(decision) for decision in RULES.decisions} - of_chance


@pytest.mark.parametrize("number", [2, 7, 8])
def test_what_is_offered_can_be_told_apart_by_its_words(number: int):
    stream = Stream.named(bytes([number]), "worded")
    match = some_match(number, stream)
    begin(match)
    looked = 0
    for event in range(700):
        if match.ended:
            break
        question = match.chance()
        if question is not None:
            wish = question.wish(match.state)
            fold(match, CHANCE, wish.answer(stream.take(32), 0, question.address(match.state)))
            continue
        seat = stream.choose(match.asked())
        if event % 5 == 0:
            looked += len(said(match, seat))
        fold(match, seat, choice(match.options(seat), stream))
    assert looked > 300


def test_in_positions_that_few_matches_come_to_as_well():
    for made in POSITIONS:
        match = made().match
        offered_to_each = [said(match, seat) for seat in range(len(match.state.houses))]
        assert any(offered_to_each)


def test_a_deal_is_answered_knowing_what_it_says():
    terms = Terms(
        text="peace",
        payments=(Payment(seat=0, to=1, amount=3),),
        promises=(Promise(seat=1, to=0, what="support", subject="S2b"),),
    )
    sentence = begun(3).when(0, Propose(parties=(0, 1), private=terms))
    words = list(said(sentence.match, 1))
    # Blue has no CAPs yet, so the offer cannot be accepted: that is not offered.
    assert words == [
        "Decline Blue's offer 1 (peace, Blue pays Green 3 CAPs and Green will support Blue (S2b))"
    ]
    assert not said(sentence.match, 2)


# --- what is filled in ----------------------------------------------------------------------------


def forms(match: Match, seat: int | None) -> dict[str, Any]:
    made = RULES.shown.forms(match.view(seat), match.terms.silent)  # type: ignore[misc]
    return {form.id: form for form in made}


def test_a_form_that_is_filled_in_is_a_decision_that_the_rules_take():
    sentence = begun(3)
    found = forms(sentence.match, 1)
    assert set(found) == {"offer-terms", "offer-private"}, (
        "nobody has CAPs to give before the start"
    )
    offer = found["offer-private"]
    decision = {**offer.decision, "parties": [0, 1]}
    decision["private"] = {**decision["private"], "text": "peace"}
    after = sentence.when(1, RULES.decision(decision))
    answers = forms(after.match, 0)
    assert "counter-s1/1" in answers
    assert "counter-s1/1" not in forms(after.match, 1)
    counter = RULES.decision(answers["counter-s1/1"].decision)
    again = after.when(0, counter)
    assert again.state.deals[0].status == "countered"


def test_a_counter_offer_begins_with_the_terms_that_it_answers():
    terms = Terms(
        text="peace",
        payments=(Payment(seat=0, to=1, amount=3),),
        promises=(Promise(seat=1, to=0, what="support", subject="S2b", due=(4, 3)),),
    )
    sentence = begun(3).when(0, Propose(parties=(0, 1), private=terms, expires=(2, 2)))
    counter = forms(sentence.match, 1)["counter-s0/1"]
    fields = {field.name: field for field in counter.fields}
    assert set(fields) == {"private.text", "private.payments", "private.promises", "expires"}
    assert fields["private.text"].value == "peace"
    assert fields["private.payments"].value == [{"seat": 0, "to": 1, "amount": 3}]
    (promise,) = fields["private.promises"].value
    due = next(field for field in fields["private.promises"].fields if field.name == "due")
    for field, value in ((fields["expires"], fields["expires"].value), (due, promise["due"])):
        assert list(value) in [one.value for one in field.choices], "what was named can be kept"
    assert "peace" not in repr(forms(sentence.match, 2)), "who is no party is told nothing of it"


@pytest.mark.parametrize("phase", [-7, 0, 7])
def test_an_offer_until_a_phase_that_there_is_not_is_told_by_its_round(phase: int):
    terms = Terms(promises=(Promise(seat=1, to=0, what="support", due=(4, phase)),))
    sentence = begun(3).when(0, Propose(parties=(0, 1), terms=terms, expires=(5, phase)))
    seen, lookup = sentence.match.view(1), sentence.match.terms.silent
    (offer,) = RULES.shown.offers(seen, lookup)  # type: ignore[misc]
    assert (offer.terms[0][-10:], offer.until) == ("in round 4", "until the end of round 5")
    assert "counter-s0/1" in forms(sentence.match, 1)


def test_where_deals_are_public_there_is_no_private_form():
    overlay = {"readings": {"values": {"deal.visibility": "public"}}}
    assert set(forms(begun(3, overlay=overlay).match, 0)) == {"offer-terms"}


def test_who_looks_on_fills_nothing_in():
    assert forms(begun(3).match, None) == {}


def test_who_has_caps_may_give_as_many_as_those():
    sentence = fight(invasion(), INVADE, "S5d")
    gift = forms(sentence.match, 0)["gift"]
    amount = next(field for field in gift.fields if field.name == "amount")
    balances = sentence.state.accounts.balances["caps"]
    assert (amount.low, amount.high) == (1, balances["seat.0"])


# --- a conflict -----------------------------------------------------------------------------------


def test_a_conflict_is_shown_with_both_sides_and_what_each_has():
    sentence = fight(invasion(), INVADE, "S5d")
    match = sentence.match
    contest = sentence.state.contest
    assert contest is not None
    for viewer in (0, None):
        shown = RULES.shown.struggle(match.view(viewer), match.terms.silent)  # type: ignore[misc]
        assert shown is not None
        assert [side.role for side in shown.sides] == ["attacker", "defender"]
        assert [side.seat for side in shown.sides] == [side.seat for side in contest.sides]
        assert [side.total for side in shown.sides] == [side.power for side in contest.sides]
        assert shown.cell == contest.sector
        for side in shown.sides:
            assert sum(share.value for share in side.shares) == side.total


def test_where_nobody_fights_there_is_nothing_to_show():
    match = begun(3).match
    assert RULES.shown.struggle(match.view(0), match.terms.silent) is None  # type: ignore[misc]


def test_an_accepted_deal_is_spoken_of_by_whom_it_was_offered():
    sentence = begun(2).when(0, Propose(parties=(0, 1), terms=Terms(text="peace")))
    words = said(sentence.when(1, Accept(deal="s0/1")).match, 1)
    assert any("has kept Blue's offer 1 (peace)" in one for one in words)
