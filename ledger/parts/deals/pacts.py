"""Reads deals from the facts, and says what a promise to pay means of a promise to pay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

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

from .agreement import Moment, Promise
from .answers import OutcomeStated
from .offers import DealProposed
from .transfers import Gift, currency_named

A_ROUND: Final = 10  # of the clock: more than there are phases


def _read_proposal(fact: DealProposed[Any]) -> Sequence[Offered]:
    terms = fact.terms if fact.private is None else fact.private
    assert terms is not None, f"{fact.deal} has no terms"
    paid = tuple(Paid(one.seat, one.to, one.amount) for one in terms.payments)
    pledges = tuple(Pledge(one.seat, one.to, one.what, one) for one in terms.promises)
    private = fact.private is not None
    offer = Offered(fact.deal, fact.seat, fact.parties, private, terms.text, paid, pledges)
    return (offer._replace(counters=fact.counters),)


def _read_statement(fact: OutcomeStated) -> Sequence[Spoken]:
    said = fact.statement if fact.private is None else fact.private
    assert said is not None, f"nothing was said of {fact.deal}"
    return (Spoken(fact.deal, fact.seat, said.about, said.kept, said.note),)


def _read_gift(fact: Gift) -> Sequence[GivenStep]:
    paid = Paid(fact.seat, fact.to, fact.amount)
    return (GivenStep(fact.deal, paid),) if fact.deal else ()


READS: Final[Mapping[str, Callable[[Any], Sequence[PactStep]]]] = {
    "deal.proposed": _read_proposal,
    "deal.accepted": lambda fact: (Agreed(fact.deal, fact.seat, fact.made),),
    "deal.rejected": lambda fact: (Ended(fact.deal, "declined", fact.seat),),
    "deal.withdrawn": lambda fact: (Ended(fact.deal, "withdrawn", fact.seat),),
    "deal.expired": lambda fact: (Ended(fact.deal, "expired"),),
    "deal.outcome-stated": _read_statement,
}


def reads_with(given: type[Gift]) -> Mapping[str, Callable[[Any], Sequence[PactStep]]]:
    """Returns how facts record deals in a game where something changes hands."""
    return {**READS, tag_of(given): _read_gift}


def pays(given: type[Gift], deal: str, promise: Promise[Any], window: Window) -> PromiseMeaning:
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


def never(pattern: Pattern | None, until: int | None) -> PromiseMeaning | None:
    """Forbids something up to a time of the clock; what is in words only stays so."""
    if pattern is None:
        return None
    return PromiseMeaning(how="never", pattern=pattern, window=Window(until=until))


class Clock(NamedTuple):
    """The clock of a game of rounds and phases: ten for each round, and one for each phase."""

    last: int  # phase of a round

    def after(self, moment: Moment | None) -> int | None:
        """Returns the clock's value just after a phase of a round; None without a moment."""
        if moment is None:
            return None
        round_, phase = moment
        return self.at(round_ + 1, 0) if phase >= self.last else self.at(round_, phase + 1)

    @staticmethod
    def at(round_: int, phase: int) -> int:
        return round_ * A_ROUND + phase

    @property
    def hands(self) -> Mapping[str, Callable[[int, Any], int]]:
        """Returns how the facts of rounds and phases move the clock."""
        return {
            "round.begun": lambda _, fact: self.at(fact.round, 0),
            "round.phase-begun": lambda now, fact: self.at(now // A_ROUND, fact.phase),
        }
