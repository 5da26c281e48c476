"""Deals in two currencies."""

from __future__ import annotations

import msgspec
import pytest

from ledger.kernel.accounts import Transferred
from ledger.kernel.fold import fold
from ledger.kernel.pacts import having
from ledger.parts.deals.agreement import PaymentIn
from ledger.parts.deals.answers import Accept, DealAccepted
from tests.support.bazaar.market import (
    MARKET,
    Promise,
    Propose,
    Terms,
    Trade,
    TradeCounted,
    Traded,
)
from tests.support.bazaar.rounds import EndPhase
from tests.support.given import Given, given, match_of

ANN, BOB, CID = range(3)


def market() -> Given:
    return given(match_of(MARKET))


def pay(seat: int, to: int, amount: int, currency: str) -> PaymentIn:
    return PaymentIn(seat=seat, to=to, amount=amount, currency=currency)


BARTER = Terms(payments=(pay(ANN, BOB, 2, "ore"), pay(BOB, ANN, 3, "grain")))


def test_a_deal_moves_each_currency_when_all_have_accepted():
    sentence = market().when(ANN, Propose((ANN, BOB), BARTER)).when(BOB, Accept("s0/1"))
    sentence.then(
        DealAccepted(BOB, "s0/1", made=True),
        Traded(ANN, BOB, 2, "s0/1", "ore"),
        Transferred("ore", "seat.0", "seat.1", 2, "market.trade"),
        Traded(BOB, ANN, 3, "s0/1", "grain"),
        Transferred("grain", "seat.1", "seat.0", 3, "market.trade"),
    )
    sentence.holds("ore", seat_0=0, seat_1=4).holds("grain", seat_0=6, seat_1=0)
    assert sentence.state.deals[0].paid == list(BARTER.payments)


def test_each_currency_has_to_suffice_by_itself():
    chain = (pay(ANN, BOB, 2, "ore"), pay(BOB, CID, 4, "ore"), pay(CID, ANN, 4, "grain"))
    sentence = market().when(ANN, Propose((ANN, BOB, CID), Terms(payments=chain)))
    sentence.when(BOB, Accept("s0/1")).when(CID, Accept("s0/1"))
    sentence.refused("unaffordable", "market.trade", seat=CID)
    sentence.when(ANN, Trade(CID, 1, "", "grain")).when(CID, Accept("s0/1"))
    sentence.holds("ore", seat_0=0, seat_1=0, seat_2=6).holds("grain", seat_0=6, seat_2=0)


def test_a_gift_names_its_currency():
    sentence = market().when(ANN, Trade(BOB, 3, "", "grain"))
    sentence.then(
        TradeCounted(ANN),
        Traded(ANN, BOB, 3, "", "grain"),
        Transferred("grain", "seat.0", "seat.1", 3, "market.trade"),
    )
    sentence.when(ANN, Trade(BOB, 1, "", "grain"))
    sentence.refused("unaffordable", "market.trade", needed=1, has=0)
    for currency in ("", "gold"):
        sentence.when(ANN, Trade(BOB, 1, "", currency)).refused("no_such_currency", "market.trade")
    gold = Terms(payments=(pay(ANN, BOB, 1, "gold"),))
    sentence.when(ANN, Propose((ANN, BOB), gold)).refused("no_such_currency", "market.trade")
    sentence.when(ANN, Trade(BOB, 0, "", "ore")).refused("nothing_given", "market.trade")
    sentence.when(ANN, Trade(ANN, 1, "", "ore")).refused("no_such_player", "market.trade")
    sentence.when(ANN, Trade(BOB, 1, "s1/1", "ore")).refused("no_such_deal", "market.book")


def test_every_gift_in_every_currency_is_offered_and_what_is_owed():
    owed = Terms(promises=(Promise(seat=BOB, to=ANN, what="pay", amount=2, currency="grain"),))
    sentence = market().when(ANN, Propose((ANN, BOB), owed)).when(BOB, Accept("s0/1"))
    transfers = sentence.match.standing(BOB)[0]
    options = list(transfers.options(sentence.state, BOB))
    gifts = [Trade(to, n, "", "ore") for to in (ANN, CID) for n in (1, 2)]
    gifts += [Trade(to, n, "", "grain") for to in (ANN, CID) for n in (1, 2, 3)]
    due = Trade(ANN, 2, "s0/1", "grain")
    assert options == [*gifts, due]
    assert all(transfers.allows(sentence.state, BOB, option) for option in options)
    sentence.when(BOB, due)
    assert due not in transfers.options(sentence.state, BOB)


def test_nothing_changes_hands_while_the_game_forbids_it():
    sentence = market().when(ANN, Propose((ANN, BOB), BARTER)).when(ANN, EndPhase())
    sentence.when(BOB, Accept("s0/1")).refused("not_the_moment", "market.work")
    sentence.when(BOB, Trade(ANN, 1, "", "ore")).refused("not_the_moment", "market.work")
    assert list(sentence.match.standing(BOB)[0].options(sentence.state, BOB)) == []


def test_a_promise_to_pay_means_its_currency():
    assert MARKET.audit.pacts is not None
    promise = Promise(seat=BOB, to=ANN, what="pay", amount=2, currency="grain")
    meaning = MARKET.audit.pacts.meaning(None, "s0/1", promise)
    assert meaning is not None
    assert having("currency", "grain") in meaning.pattern.where
    assert (meaning.pattern.facts, meaning.count) == (("market.given",), 2)
    assert MARKET.audit.pacts.words(promise, ("Ann", "Bob")) == "Bob will pay Ann 2 sacks of grain"


@pytest.mark.parametrize("currency", ["grain", "ore"])
def test_payments_are_counted_again(currency: str):
    sentence = market().when(ANN, Propose((ANN, BOB), BARTER))
    before = sentence.match.terms.restore(sentence.match.terms.snapshot(sentence.match))
    facts = fold(sentence.match, BOB, Accept("s0/1"))
    lookup = sentence.match.terms.silent
    assert all(total.right for total in recounted(before.state, facts, lookup))
    wrong = [
        msgspec.structs.replace(fact, currency="ore")
        if isinstance(fact, Transferred) and fact.currency == currency
        else fact
        for fact in facts
    ]
    assert all(total.right for total in recounted(before.state, wrong, lookup)) is (
        currency == "ore"
    )


def recounted(state, facts, lookup) -> list:
    totals = []
    for place, fact in enumerate(facts):
        recount = MARKET.audit.recounts.get(str(fact.__struct_config__.tag))
        totals += [] if recount is None else recount(state, facts, place, lookup)
    assert len(totals) == 3
    return totals


def test_it_is_shown_with_what_each_currency_is_called():
    match = market().match
    lookup, names = match.terms.silent, {"called": ("Ann", "Bob", "Cid")}
    (fact,) = fold(match, ANN, Propose((ANN, BOB), BARTER))
    said = MARKET.shown.story.by_tag["deal.proposed"].told(
        msgspec.to_builtins(fact) | names, lookup
    )
    assert said == (
        "Ann offers a deal to Bob (offer 1): Ann pays Bob 2 ores and Bob pays Ann 3 sacks of grain."
    )
    given_ = msgspec.to_builtins(Traded(ANN, BOB, 1, "", "grain")) | names
    assert (
        MARKET.shown.story.by_tag["market.given"].told(given_, lookup)
        == "Ann gives Bob 1 sack of grain."
    )
    assert MARKET.shown.wording is not None
    option = msgspec.to_builtins(Trade(CID, 1, "s0/1", "ore"))
    words = MARKET.shown.wording(option, match.view(BOB), lookup)
    assert words.startswith("give 1 ore to Cid, for Ann's offer 1 (Ann pays")


def test_its_forms_have_a_gift_for_each_currency_and_a_choice_of_them_in_terms():
    match = market().match
    assert MARKET.shown.forms is not None
    forms = {form.id: form for form in MARKET.shown.forms(match.view(ANN), match.terms.silent)}
    assert list(forms) == ["gift-ore", "gift-grain", "offer-terms", "offer-private"]
    gift = forms["gift-grain"]
    assert gift.label == "Give sacks of grain away"
    assert MARKET.decision(gift.decision | {"to": BOB, "amount": 1}) == Trade(BOB, 1, "", "grain")
    (payments,) = [one for one in forms["offer-terms"].fields if one.name == "terms.payments"]
    assert [field.name for field in payments.fields] == ["seat", "to", "amount", "currency"]
    assert [choice.value for choice in payments.fields[-1].choices] == ["ore", "grain"]
