"""Deals that are notes only, public, and made in one phase: a game in which nothing moves."""

from __future__ import annotations

import msgspec
import pytest

from ledger.kernel.fold import fold
from ledger.kernel.refusals import Refused
from ledger.parts.deals.agreement import Statement
from ledger.parts.deals.answers import (
    Accept,
    DealAccepted,
    DealExpired,
    DealRejected,
    OutcomeStated,
    Reject,
    StateOutcome,
    Withdraw,
)
from tests.support.bazaar.council import COUNCIL, DealProposed, Notes, Promise, Propose
from tests.support.bazaar.rounds import TALK, WORK, EndPhase, PhaseBegun
from tests.support.given import Given, given, match_of

ANN, BOB, CID = range(3)
ALLIES = Notes(text="together", promises=(Promise(seat=ANN, to=BOB, what="ally"),))


def council() -> Given:
    return given(match_of(COUNCIL))


def allied() -> Given:
    return council().when(ANN, Propose((ANN, BOB), ALLIES)).when(BOB, Accept("s0/1"))


def test_an_alliance_is_noted_and_nothing_moves():
    sentence = council().when(ANN, Propose((ANN, BOB), ALLIES))
    sentence.then(DealProposed(ANN, "s0/1", (ANN, BOB), ALLIES, None, "", None))
    sentence.when(BOB, Accept("s0/1")).then(DealAccepted(BOB, "s0/1", made=True))
    (deal,) = sentence.state.deals
    assert (deal.status, deal.agreed_on, deal.paid) == ("accepted", ALLIES, [])
    said = Statement(about=ANN, kept=False, note="alone")
    sentence.when(BOB, StateOutcome("s0/1", (ANN, BOB), said))
    sentence.then(OutcomeStated(BOB, "s0/1", (ANN, BOB), said, None))


def test_the_rules_of_the_game_are_cited_not_those_of_another():
    sentence = council().when(ANN, Propose((ANN,), ALLIES)).refused("bad_parties", "council.note")
    sentence.when(ANN, Propose((ANN, BOB), private=ALLIES))
    sentence.refused("bad_visibility", "council.book")
    sentence.when(CID, Accept("s0/1")).refused("no_such_deal", "council.book")
    sentence.when(ANN, Propose((ANN, BOB), ALLIES)).when(CID, Reject("s0/1"))
    sentence.refused("not_a_party", "council.note")
    sentence.when(BOB, Reject("s0/1")).then(DealRejected(BOB, "s0/1"))
    sentence.when(ANN, Withdraw("s0/1")).refused("deal_closed", "council.note")


def test_who_may_deal_and_when_is_for_the_game_to_say():
    sentence = council().when(ANN, Propose((ANN, BOB), ALLIES)).when(ANN, EndPhase())
    sentence.when(BOB, Accept("s0/1")).refused("not_the_moment", "council.note", seat=BOB)
    sentence.when(BOB, Propose((ANN, BOB), ALLIES)).refused("not_the_moment", "council.note")
    deals = sentence.match.standing(BOB)[0]
    assert list(deals.options(sentence.state, BOB)) == [Reject("s0/1")]


def test_an_offer_expires_with_its_phase():
    sentence = council().when(ANN, Propose((ANN, BOB), ALLIES, expires=(1, TALK)))
    sentence.when(ANN, EndPhase()).then(DealExpired("s0/1"), PhaseBegun(1, WORK))
    sentence.when(ANN, EndPhase()).when(ANN, Propose((ANN, BOB), ALLIES, expires=(1, WORK)))
    sentence.refused("bad_expiry", "council.note")


def test_payments_are_no_part_of_a_note():
    payment = {"seat": ANN, "to": BOB, "amount": 1}
    plain = {"type": "deal.propose", "parties": [0, 1], "terms": {"text": "x"}}
    assert COUNCIL.decision(plain) == Propose((0, 1), Notes(text="x"))
    for terms in ({"payments": [payment]}, {"promises": [payment | {"what": "pay"}]}):
        with pytest.raises(Refused) as refusal:
            COUNCIL.decision(plain | {"terms": terms})
        assert refusal.value.code == "malformed_decision"


def test_a_match_with_deals_is_read_again_from_its_bytes():
    sentence = allied()
    held = sentence.match.terms.snapshot(sentence.match)
    again = sentence.match.terms.restore(held)
    assert (again.state, again.terms.snapshot(again)) == (sentence.state, held)
    assert again.state.deals[0].terms == ALLIES


def test_it_is_shown_in_the_words_of_the_game():
    match = council().match
    seen, lookup = match.view(BOB), match.terms.silent
    names = {"called": ("Ann", "Bob", "Cid")}
    (fact,) = fold(match, ANN, Propose((ANN, BOB), ALLIES, expires=(1, WORK)))
    said = COUNCIL.shown.story.by_tag["deal.proposed"].told(
        msgspec.to_builtins(fact) | names, lookup
    )
    assert said == "Ann offers a deal to Bob (offer 1): together and Ann is an ally of Bob."
    seen = match.view(BOB)
    assert COUNCIL.shown.offers is not None
    (offer,) = COUNCIL.shown.offers(seen, lookup)
    assert offer.terms == ("together", "Ann is an ally of Bob")
    assert offer.until == "until the end of turn 1, work"
    assert [answer.label for answer in offer.answers] == ["Accept", "Decline"]
    option = msgspec.to_builtins(Accept("s0/1"))
    assert COUNCIL.shown.wording is not None
    assert COUNCIL.shown.wording(option, seen, lookup) == (
        "accept Ann's offer 1 (together and Ann is an ally of Bob)"
    )


def test_its_forms_ask_for_no_payment_and_for_nothing_private():
    match = allied().match
    assert COUNCIL.shown.forms is not None
    (form,) = COUNCIL.shown.forms(match.view(CID), match.terms.silent)
    assert [field.name for field in form.fields] == [
        "parties", "terms.text", "terms.promises", "expires",
    ]  # fmt: skip
    filled = form.decision | {"parties": [CID, ANN]}
    assert COUNCIL.decision(filled) == Propose((CID, ANN), Notes())
