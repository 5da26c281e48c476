"""Where deals stand in the facts, and the meaning of a promise to pay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ledger.kernel.pacts import (
    Agreed,
    Ended,
    Offered,
    PactStep,
    Paid,
    Pattern,
    Pledge,
    PromiseMeaning,
    Spoken,
    Window,
    having,
)
from ledger.kernel.pacts import Given as GivenStep
from ledger.kernel.records import tag_of

from .agreement import Promise
from .answers import DealAccepted, DealExpired, DealRejected, DealWithdrawn, OutcomeStated
from .offers import DealProposed
from .transfers import Given, currency_named


def _proposed(fact: DealProposed[Any]) -> Sequence[Offered]:
    terms = fact.terms if fact.private is None else fact.private
    assert terms is not None, f"{fact.deal} has no terms"
    paid = tuple(Paid(one.seat, one.to, one.amount) for one in terms.payments)
    pledges = tuple(Pledge(one.seat, one.to, one.what, one) for one in terms.promises)
    private = fact.private is not None
    offer = Offered(fact.deal, fact.seat, fact.parties, private, terms.text, paid, pledges)
    return (offer._replace(counters=fact.counters),)


def _stated(fact: OutcomeStated) -> Sequence[Spoken]:
    said = fact.statement if fact.private is None else fact.private
    assert said is not None, f"nothing was said of {fact.deal}"
    return (Spoken(fact.deal, fact.seat, said.about, said.kept, said.note),)


def _given(fact: Given) -> Sequence[GivenStep]:
    paid = Paid(fact.seat, fact.to, fact.amount)
    return (GivenStep(fact.deal, paid),) if fact.deal else ()


def _accepted(fact: DealAccepted) -> Sequence[Agreed]:
    return (Agreed(fact.deal, fact.seat, fact.made),)


def _rejected(fact: DealRejected) -> Sequence[Ended]:
    return (Ended(fact.deal, "declined", fact.seat),)


def _withdrawn(fact: DealWithdrawn) -> Sequence[Ended]:
    return (Ended(fact.deal, "withdrawn", fact.seat),)


def _expired(fact: DealExpired) -> Sequence[Ended]:
    return (Ended(fact.deal, "expired"),)


READS: Final[Mapping[str, Callable[[Any], Sequence[PactStep]]]] = {
    "deal.proposed": _proposed,
    "deal.accepted": _accepted,
    "deal.rejected": _rejected,
    "deal.withdrawn": _withdrawn,
    "deal.expired": _expired,
    "deal.outcome-stated": _stated,
}


def reads_with(given: type[Given]) -> Mapping[str, Callable[[Any], Sequence[PactStep]]]:
    """Returns how facts record deals in a game where something changes hands."""
    return {**READS, tag_of(given): _given}


def pays(given: type[Given], deal: str, promise: Promise[Any], window: Window) -> PromiseMeaning:
    """Requires payment on account of the deal. Gifts that name no deal are doubtful."""
    facts = (tag_of(given),)
    hands = (
        having("seat", promise.seat),
        having("to", promise.to),
        *(having("currency", currency) for currency in currency_named(promise)),
    )
    return PromiseMeaning(
        how="at-least",
        count=promise.amount,
        summed="amount",
        spent=True,
        pattern=Pattern(facts=facts, where=(*hands, having("deal", deal))),
        window=window,
        doubtful=Pattern(facts=facts, where=(*hands, having("deal", ""))),
    )
