"""CAPs given away, and deals: offered, countered, answered, paid, and what is said of them."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance
from ledger.games.hegemonic.actions.choosing import ChooseActions, CommitCard, RevealActions
from ledger.games.hegemonic.deals.agreement import Promise, Terms
from ledger.games.hegemonic.deals.negotiation import DealProposed, Deals, ExpireOffers, Propose
from ledger.games.hegemonic.deals.transfers import CapsGiven, Transfer, TransferCounted, Transfers
from ledger.games.hegemonic.map.tiles import FlipTile
from ledger.games.hegemonic.rounds.sequence import Collection, IncomeCollected
from ledger.kernel.accounts import Transferred
from ledger.kernel.audience import view, view_decision
from ledger.kernel.chance import Draw
from ledger.kernel.records import Disturbs
from ledger.kernel.refusals import Refused
from ledger.parts.deals.agreement import PartyStatement, Payment, Statement
from ledger.parts.deals.answers import (
    Accept,
    DealAccepted,
    DealExpired,
    DealRejected,
    DealWithdrawn,
    OutcomeStated,
    Reject,
    StateOutcome,
    Withdraw,
)
from tests.support.given import Given
from tests.support.hegemonic.positions import Position, house, position, terms_of, told

RED, BLUE, YELLOW, GREEN = range(4)


def table(*caps: int, **terms) -> Given:
    """Four players in an action phase, of whom the first is asked something."""
    spot = position(4, **terms).caps(*(caps or (5, 6, 0, 2)))
    return open_to(spot)


def open_to(spot: Position, *before) -> Given:
    return spot.doing(*before, DiscardOrAdvance(RED, "x", optional=True)).given()


def pay(seat: int, to: int, amount: int) -> Payment:
    return Payment(seat=seat, to=to, amount=amount)


def standing(sentence: Given, seat: int, kind: type) -> list:
    """Returns a seat's possible answers to a standing question."""
    found = [one for one in sentence.match.standing(seat) if isinstance(one, kind)]
    return list(found[0].options(sentence.state, seat)) if found else []


# --- transfers ------------------------------------------------------------------------------------


@pytest.mark.rule("deal.caps", "deal.only-caps", "deal.non-binding")
def test_caps_are_given_at_any_time_to_anybody_by_whoever_has_them():
    sentence = table().when(BLUE, Transfer(YELLOW, 4))
    sentence.then(
        TransferCounted(BLUE),
        CapsGiven(BLUE, YELLOW, 4, ""),
        Transferred("caps", "seat.1", "seat.2", 4, "deal.caps"),
    )
    sentence.holds("caps", seat_0=5, seat_1=2, seat_2=4, seat_3=2).asks(RED, key="x/finish")
    keys = [one.key(sentence.state, BLUE) for one in sentence.match.standing(BLUE)]
    assert keys[:2] == ["transfer/s1/2", "deal/s1/1"]


@pytest.mark.rule("deal.caps")
def test_what_is_no_gift_of_what_one_has_is_refused():
    sentence = table()
    sentence.when(BLUE, Transfer(YELLOW, 7)).refused("unaffordable", "deal.caps", has=6, needed=7)
    sentence.when(BLUE, Transfer(YELLOW, 0)).refused("nothing_given", "deal.caps")
    sentence.when(BLUE, Transfer(YELLOW, -1)).refused("nothing_given", "deal.caps")
    sentence.when(BLUE, Transfer(BLUE, 1)).refused("no_such_player", "deal.caps")
    sentence.when(BLUE, Transfer(4, 1)).refused("no_such_player", "deal.caps")
    sentence.when(BLUE, Transfer(YELLOW, 1, "s1/1")).refused("no_such_deal", "deal.audit")


@pytest.mark.rule("deal.caps")
def test_every_gift_is_offered_and_no_other():
    sentence = table()
    offered = standing(sentence, GREEN, Transfers)
    assert len(offered) == 6
    thinkable = [Transfer(to, amount) for to in range(-1, 6) for amount in range(-1, 4)]
    question = sentence.match.standing(GREEN)[0]
    assert isinstance(question, Transfers)
    for one in thinkable:
        sentence.when(GREEN, one)
        assert (sentence.refusal is None) == (one in offered)
        if sentence.refusal is None:
            sentence = table()
        sentence.refusal = None
    assert standing(table(), YELLOW, Transfers) == []


@pytest.mark.rule("deal.caps", "step2.negotiate")
def test_caps_are_given_between_a_choice_and_its_reveal_too():
    spot = position(2).caps(3, 0)
    sentence = open_to(spot, ChooseActions((0, 1)), RevealActions())
    sentence.when(0, CommitCard("assault")).when(0, Transfer(1, 2)).asks(1)
    sentence.when(1, CommitCard("discover")).holds("caps", seat_0=1, seat_1=2)


@pytest.mark.rule("deal.caps")
def test_nothing_is_given_while_chance_is_asked_or_when_the_game_is_over():
    spot = position(4).caps(5, 5)
    sentence = open_to(spot, FlipTile("x"))
    assert isinstance(sentence.match.chance().wish(sentence.state), Draw)
    sentence.when(RED, Transfer(BLUE, 1)).refused("chance_pending")
    over = table()
    over.state.reason = "most points"
    over.when(RED, Transfer(BLUE, 1)).refused("wrong_answer")
    over.when(BLUE, Propose((0, 1), Terms())).refused("not_asked")


@pytest.mark.rule("learn.no-caps")
def test_in_the_learning_game_no_caps_change_hands():
    sentence = table(options={"learning": True})
    sentence.when(BLUE, Transfer(RED, 1)).refused("caps_stay", "learn.no-caps")
    assert standing(sentence, BLUE, Transfers) == []
    bought = Terms(payments=(pay(RED, BLUE, 1),))
    sentence.when(RED, Propose((0, 1), bought)).refused("caps_stay", "learn.no-caps")
    owed = Terms(promises=(Promise(seat=RED, to=BLUE, what="pay", amount=1),))
    sentence.when(RED, Propose((0, 1), owed)).refused("caps_stay", "learn.no-caps")
    sentence.when(RED, Propose((0, 1), Terms(text="peace"))).when(BLUE, Accept("s0/1"))
    assert told(sentence, DealAccepted) == [DealAccepted(BLUE, "s0/1", made=True)]


@pytest.mark.rule("deal.caps")
def test_by_a_reading_caps_never_change_hands():
    sentence = table(overlay=house(deal__caps="never"))
    sentence.when(BLUE, Transfer(RED, 1)).refused("caps_stay", "deal.caps")
    bought = Terms(payments=(pay(RED, BLUE, 1),))
    sentence.when(RED, Propose((0, 1), bought)).refused("caps_stay", "deal.caps")


@pytest.mark.rule("general.caps")
def test_by_a_reading_the_bank_gives_what_tokens_it_has():
    paid = []
    for value in ("unlimited", "201"):
        spot = position(2, overlay=house(caps__bank=value)).home(0, "S1d").caps(0, 199)
        spot.has(0, complexes={"S1d": 1}, embassies=["S1d"], outposts={"S1d": 1})
        sentence = open_to(spot, Collection())
        assert told(sentence, IncomeCollected)[0] == IncomeCollected(0, 2, 2, 2)
        paid.append([one.amount for one in told(sentence, Transferred)])
    assert paid == [[6], [2]]


# --- offers ---------------------------------------------------------------------------------------


@pytest.mark.rule("deal.any", "deal.audit", "deal.non-binding")
def test_a_deal_is_proposed_accepted_paid_at_once_and_promises_stand():
    promise = Promise(seat=BLUE, to=RED, what="support", amount=2, subject="orange", due=(2, 4))
    terms = Terms(text="two embassies for three CAPs", payments=(pay(RED, BLUE, 3),),
                  promises=(promise,))  # fmt: skip
    sentence = table().when(RED, Propose((RED, BLUE), terms))
    sentence.then(DealProposed(RED, "s0/1", (RED, BLUE), terms, None, "", None))
    sentence.holds("caps", seat_0=5, seat_1=6)
    assert sentence.state.deals[0].status == "proposed"
    sentence.when(BLUE, Accept("s0/1")).then(
        DealAccepted(BLUE, "s0/1", made=True),
        CapsGiven(RED, BLUE, 3, "s0/1"),
        Transferred("caps", "seat.0", "seat.1", 3, "deal.caps"),
    )
    deal = sentence.holds("caps", seat_0=2, seat_1=9).state.deals[0]
    assert (deal.status, deal.paid) == ("accepted", [pay(RED, BLUE, 3)])
    assert deal.agreed_on.promises == (promise,)


@pytest.mark.rule("deal.any")
def test_with_several_parties_the_last_acceptance_makes_the_deal():
    terms = Terms(payments=(pay(RED, BLUE, 5), pay(BLUE, YELLOW, 10), pay(YELLOW, GREEN, 1)))
    sentence = table().when(RED, Propose((RED, BLUE, YELLOW, GREEN), terms))
    sentence.when(GREEN, Accept("s0/1")).then(DealAccepted(GREEN, "s0/1", made=False))
    sentence.when(GREEN, Accept("s0/1")).refused("already_accepted", "deal.any")
    sentence.when(RED, Accept("s0/1")).refused("already_accepted", "deal.any")
    sentence.when(BLUE, Accept("s0/1")).holds("caps", seat_0=5, seat_1=6, seat_2=0, seat_3=2)
    sentence.when(YELLOW, Accept("s0/1")).holds("caps", seat_0=0, seat_1=1, seat_2=9, seat_3=3)


@pytest.mark.rule("deal.caps", "general.pay-first")
def test_a_deal_whose_payments_cannot_all_be_made_moves_nothing():
    terms = Terms(payments=(pay(RED, BLUE, 5), pay(YELLOW, BLUE, 1)))
    sentence = table().when(RED, Propose((RED, BLUE, YELLOW), terms)).when(BLUE, Accept("s0/1"))
    assert Accept("s0/1") not in standing(sentence, YELLOW, Deals)
    sentence.when(YELLOW, Accept("s0/1")).refused("unaffordable", "deal.caps", seat=YELLOW)
    sentence.when(GREEN, Transfer(YELLOW, 1)).when(YELLOW, Accept("s0/1"))
    sentence.holds("caps", seat_0=0, seat_1=12, seat_2=0, seat_3=1)


@pytest.mark.rule("deal.caps")
def test_by_a_reading_a_deal_with_payments_is_not_made_in_arbitration():
    spot = position(4, overlay=house(deal__caps="not-in-arbitration")).caps(5, 5).at(6)
    sentence = open_to(spot).when(RED, Propose((0, 1), Terms(payments=(pay(RED, BLUE, 1),))))
    sentence.when(BLUE, Accept("s0/1")).refused("caps_stay", "deal.caps")
    sentence.when(RED, Transfer(BLUE, 1)).refused("caps_stay", "deal.caps")
    sentence.state.phase = 5
    sentence.when(BLUE, Accept("s0/1")).holds("caps", seat_0=4, seat_1=6)


@pytest.mark.rule("deal.any")
def test_an_offer_is_declined_withdrawn_or_countered_and_then_closed():
    sentence = table()
    for number in (1, 2, 3):
        sentence.when(RED, Propose((RED, BLUE, YELLOW), Terms(text=f"offer {number}")))
    sentence.when(BLUE, Withdraw("s0/2")).refused("not_a_party", "deal.any")
    sentence.when(BLUE, Reject("s0/1")).when(RED, Withdraw("s0/2"))
    sentence.then(DealWithdrawn(RED, "s0/2"))
    counter = Propose((YELLOW, RED, BLUE), Terms(text="rather this"), counters="s0/3")
    sentence.when(YELLOW, counter)
    assert told(sentence, DealProposed)[0].counters == "s0/3"
    states = {one.id: one.status for one in sentence.state.deals}
    assert states == {
        "s0/1": "declined", "s0/2": "withdrawn", "s0/3": "countered", "s2/1": "proposed",
    }  # fmt: skip
    for deal, status in (("s0/1", "declined"), ("s0/2", "withdrawn"), ("s0/3", "countered")):
        for late in (Accept(deal), Reject(deal)):
            sentence.when(YELLOW, late).refused("deal_closed", "deal.any", status=status)
        sentence.when(RED, Withdraw(deal)).refused("deal_closed", "deal.any", status=status)


@pytest.mark.rule("deal.any", "deal.audit")
def test_who_is_no_party_has_no_say():
    sentence = table().when(RED, Propose((RED, BLUE), Terms(text="peace")))
    for said in (Accept("s0/1"), Reject("s0/1"), Withdraw("s0/1")):
        sentence.when(GREEN, said).refused("not_a_party", "deal.any")
    sentence.when(GREEN, Accept("s3/1")).refused("no_such_deal", "deal.audit")
    about = Statement(about=RED, kept=True)
    outcome = StateOutcome("s0/1", (RED, BLUE), statement=about)
    sentence.when(GREEN, outcome).refused("not_a_party", "deal.any")
    sentence.when(BLUE, outcome).refused("deal_closed", "deal.audit", status="proposed")
    assert standing(sentence, GREEN, Deals) == []
    assert standing(sentence, BLUE, Deals) == [Accept("s0/1"), Reject("s0/1")]
    assert standing(sentence, RED, Deals) == [Reject("s0/1"), Withdraw("s0/1")]


@pytest.mark.rule("deal.any")
def test_what_was_agreed_on_is_not_withdrawn():
    sentence = table().when(RED, Propose((RED, BLUE), Terms(text="peace")))
    sentence.when(BLUE, Accept("s0/1"))
    sentence.when(RED, Withdraw("s0/1")).refused("deal_closed", "deal.any", status="accepted")


@pytest.mark.rule("deal.any", "deal.audit")
def test_every_answer_to_a_deal_is_offered_and_no_other():
    sentence = table()
    for text in ("first", "second", "third"):
        sentence.when(RED, Propose((RED, BLUE), Terms(text=text)))
    sentence.when(RED, Propose((RED, BLUE), private=Terms(text="fourth")))
    sentence.when(BLUE, Accept("s0/2")).when(BLUE, Reject("s0/3")).when(BLUE, Accept("s0/4"))
    ids = [f"s{seat}/{number}" for seat in (0, 1) for number in range(6)]
    said = [Statement(about=about, kept=kept) for about in range(4) for kept in (True, False)]
    for seat in (RED, BLUE, GREEN):
        thinkable = [kind(deal) for kind in (Accept, Reject, Withdraw) for deal in ids]
        for deal in ids:
            thinkable += [StateOutcome(deal, (RED, BLUE), statement=one) for one in said]
            thinkable += [StateOutcome(deal, (RED, BLUE), private=one) for one in said]
        question = next(one for one in sentence.match.standing(seat) if isinstance(one, Deals))
        open_now = [one for one in thinkable if permitted(sentence, question, seat, one)]
        assert sorted(map(repr, standing(sentence, seat, Deals))) == sorted(map(repr, open_now))


def permitted(sentence: Given, question: Deals, seat: int, decision) -> bool:
    try:
        return question.allows(sentence.state, seat, decision)
    except Refused:
        return False


@pytest.mark.rule("deal.any")
def test_what_is_no_offer_is_refused():
    sentence, peace = table(), Terms(text="peace")
    for parties in ((RED,), (BLUE, YELLOW), (RED, RED, BLUE), (RED, 9), ()):
        sentence.when(RED, Propose(parties, peace)).refused("bad_parties", "deal.any")
    strange = Terms(promises=(Promise(seat=BLUE, to=YELLOW, what="spare"),))
    sentence.when(RED, Propose((RED, BLUE), strange)).refused("bad_parties", "deal.any")
    foreign = Terms(payments=(pay(YELLOW, BLUE, 1),))
    sentence.when(RED, Propose((RED, BLUE), foreign)).refused("bad_parties", "deal.any")
    nothing = Terms(payments=(pay(RED, BLUE, 0),))
    sentence.when(RED, Propose((RED, BLUE), nothing)).refused("nothing_given", "deal.caps")
    own = Terms(payments=(pay(RED, RED, 1),))
    sentence.when(RED, Propose((RED, BLUE), own)).refused("no_such_player", "deal.caps")
    sentence.when(RED, Propose((RED, BLUE), peace, expires=(2, 2))).refused("bad_expiry")
    sentence.when(RED, Propose((RED, BLUE), peace, counters="s1/1")).refused("no_such_deal")
    sentence.when(RED, Propose((RED, BLUE), peace))
    mine = Propose((RED, BLUE), peace, counters="s0/1")
    sentence.when(RED, mine).refused("bad_parties", "deal.any")
    others = Propose((BLUE, RED, YELLOW), peace, counters="s0/1")
    sentence.when(BLUE, others).refused("bad_parties", "deal.any")


@pytest.mark.rule("deal.any")
def test_an_offer_expires_with_the_phase_that_it_names():
    sentence = open_to(position(2), DiscardOrAdvance(0, "y", optional=True), ExpireOffers())
    for expires in ((2, 3), (2, 4), None):
        sentence.when(0, Propose((0, 1), Terms(text="peace"), expires=expires))
    question = sentence.match.question
    sentence.when(0, question.options(sentence.state, 0)[-1])
    assert told(sentence, DealExpired) == [DealExpired("s0/1")]
    sentence.when(1, Accept("s0/1")).refused("deal_closed", "deal.any", status="expired")
    sentence.when(1, Accept("s0/2")).when(1, Accept("s0/3"))


# --- who may know, and what is said later ---------------------------------------------------------


@pytest.mark.rule("deal.audit")
def test_the_terms_of_a_private_deal_are_for_its_parties():
    secret = Terms(text="strike at S2b", payments=(pay(RED, BLUE, 2),))
    offer = Propose((RED, BLUE), private=secret)
    shown = [view_decision(offer, viewer, RED)["private"] for viewer in (RED, BLUE, YELLOW, None)]
    assert shown[0] == shown[1] != shown[2]
    assert shown[2] == shown[3] == {"hidden": True}
    sentence = table().when(RED, offer)
    for record in (sentence.facts[0], sentence.state.deals[0]):
        assert view(record, BLUE)["private"]["text"] == "strike at S2b"
        assert view(record, YELLOW)["private"] == view(record, None)["private"] == {"hidden": True}
        assert view(record, YELLOW)["parties"] == [RED, BLUE]
    sentence.when(BLUE, Accept("s0/1"))
    assert told(sentence, CapsGiven) == [CapsGiven(RED, BLUE, 2, "s0/1")]
    openly = StateOutcome("s0/1", (RED, BLUE), statement=Statement(about=RED, kept=False))
    sentence.when(BLUE, openly).refused("bad_visibility", "deal.audit")
    said = Statement(about=RED, kept=False, note="he struck at S2c")
    sentence.when(BLUE, StateOutcome("s0/1", (RED, BLUE), private=said))
    assert view(sentence.facts[0], RED)["private"]["note"] == "he struck at S2c"
    assert view(sentence.facts[0], GREEN)["private"] == {"hidden": True}
    assert sentence.state.deals[0].said_privately == [PartyStatement(seat=BLUE, statement=said)]


@pytest.mark.rule("deal.audit")
def test_a_deal_is_open_or_private_and_by_a_reading_always_open():
    both, secret = Propose((0, 1), Terms(), Terms()), Propose((0, 1), private=Terms(text="x"))
    sentence = table()
    sentence.when(RED, both).refused("bad_visibility", "deal.audit")
    sentence.when(RED, Propose((0, 1))).refused("bad_visibility", "deal.audit")
    sentence.when(RED, secret)
    assert told(sentence, DealProposed)[0].private == Terms(text="x")
    public = table(overlay=house(deal__visibility="public"))
    public.when(RED, secret).refused("bad_visibility", "deal.audit")


@pytest.mark.rule("deal.audit", "deal.non-binding")
def test_each_party_says_later_whether_the_deal_was_kept():
    owed = Promise(seat=BLUE, to=RED, what="pay", amount=4)
    sentence = table().when(RED, Propose((RED, BLUE), Terms(text="later", promises=(owed,))))
    sentence.when(BLUE, Accept("s0/1"))
    assert Transfer(RED, 4, "s0/1") in standing(sentence, BLUE, Transfers)
    said = Statement(about=BLUE, kept=False, note="nothing came")
    sentence.when(RED, StateOutcome("s0/1", (RED, BLUE), statement=said))
    sentence.then(OutcomeStated(RED, "s0/1", (RED, BLUE), said, None))
    sentence.when(BLUE, Transfer(RED, 4, "s0/1"))
    deal = sentence.holds("caps", seat_0=9, seat_1=2).state.deals[0]
    assert (deal.paid, deal.said) == (
        [pay(BLUE, RED, 4)],
        [PartyStatement(seat=RED, statement=said)],
    )
    assert Transfer(RED, 4, "s0/1") not in standing(sentence, BLUE, Transfers)
    sentence.when(BLUE, Transfer(YELLOW, 1, "s0/1")).refused("no_such_deal", "deal.audit")
    of_yellow = Statement(about=YELLOW, kept=True)
    for parties, statement in (((RED, BLUE), of_yellow), ((RED, BLUE, YELLOW), said)):
        told_so = StateOutcome("s0/1", parties, statement=statement)
        sentence.when(RED, told_so).refused("bad_parties", "deal.audit")


@pytest.mark.rule("deal.any", "deal.caps")
def test_offers_disturb_nobody_and_transfers_only_those_whose_caps_they_move():
    offers = (Propose, Reject, Withdraw, StateOutcome)
    assert {kind.disturbs for kind in offers} == {Disturbs.NOBODY}
    assert {kind.disturbs for kind in (Transfer, Accept)} == {Disturbs.TOUCHED}


@pytest.mark.rule("deal.non-binding")
def test_what_others_have_heard_or_have_been_given_is_not_taken_back_at_once():
    heard = (DealProposed, DealAccepted, DealRejected, OutcomeStated, CapsGiven)
    assert all(fact.irrevocable for fact in heard)


@pytest.mark.rule("deal.audit")
def test_the_kinds_of_promises_and_plain_decisions_come_in_from_the_wire():
    plain = {
        "type": "deal.propose", "parties": [0, 1], "expires": [3, 4],
        "terms": {"promises": [{"seat": 1, "to": 0, "what": "spare", "subject": "S2b"}]},
    }  # fmt: skip
    rules = terms_of().rules
    promise = Promise(seat=1, to=0, what="spare", subject="S2b")
    offer = Propose((0, 1), Terms(promises=(promise,)), expires=(3, 4))
    assert rules.decision(plain) == offer
