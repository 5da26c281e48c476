"""Deals: offers, counter-offers, answers, promises, and later statements about them.

deal.propose ─▶ proposed ─┬─ deal.accept by all ─▶ accepted: payments move, promises hold
                          ├─ deal.reject ────────▶ declined
                          ├─ deal.propose that counters it ─▶ countered
                          ├─ deal.withdraw ──────▶ withdrawn
                          └─ its phase is over ──▶ expired
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.parts.seats import StandingQuestion
from ledger.parts.standing import standing_key

from .agreement import PROPOSED, AnyDeal, DealTable, Statement, find
from .answers import (
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
from .offers import DealOffer, DealProposed, Propose


class Deals(StandingQuestion):
    """Players may deal, whichever player is asked for what. A standing question.

    The game's class cites the rules, and names its records and checks.
    """

    proposed: ClassVar[type[DealProposed[Any]]]
    offer: ClassVar[type[DealOffer]]

    def key(self, table: DealTable, seat: Seat) -> str:
        """Counts each player's decisions; the end of the key also names a new deal."""
        return standing_key(table, "deal", seat)

    def allows(self, table: DealTable, seat: Seat, decision: Decision) -> bool:
        if isinstance(decision, Propose):
            self.offer.check(table, seat, decision)
        elif isinstance(decision, Accept):
            self.offer.check_acceptance(table, seat, decision.deal)
        elif isinstance(decision, Reject):
            self.offer.open_to(table, seat, decision.deal)
        elif isinstance(decision, Withdraw):
            self.offer.check_own(table, seat, decision.deal)
        elif isinstance(decision, StateOutcome):
            self.offer.check_statement(table, seat, decision)
        return True

    def options(self, table: DealTable, seat: Seat) -> list[Decision]:
        """Lists answers to offers and statements on deals. New offers cannot be listed."""
        options = [answer for deal in table.deals for answer in _thinkable(seat, deal)]
        return self.legal(table, seat, options)

    def decide(self, table: Any, seat: Seat, decision: Decision) -> Happenings:
        """Records the decision; payments are made with the last acceptance."""
        if isinstance(decision, Propose):
            # The id does not depend on other players' decisions.
            deal = standing_key(table, "deal", seat).removeprefix("deal/")
            offer = (decision.parties, decision.terms, decision.private)
            yield self.proposed(seat, deal, *offer, decision.counters, decision.expires)
        elif isinstance(decision, Accept):
            yield from self._accepted(table, seat, find(table, decision.deal))
        elif isinstance(decision, Reject):
            yield DealRejected(seat, decision.deal)
        elif isinstance(decision, Withdraw):
            yield DealWithdrawn(seat, decision.deal)
        elif isinstance(decision, StateOutcome):
            parties, private = decision.parties, decision.private
            yield OutcomeStated(seat, decision.deal, parties, decision.statement, private)

    def _accepted(self, table: Any, seat: Seat, deal: AnyDeal) -> Happenings:
        made = deal.lacks_one
        yield DealAccepted(seat, deal.id, made)
        if made and self.offer.exchange is not None:
            for payment in deal.agreed_on.payments:
                yield from self.offer.exchange.paying(table, payment, deal.id)


class ExpireOffers(Step):
    """A party can accept an offer until the phase that the offer names is over.

    The game's class cites the rule. It runs at the end of every phase.
    """

    offer: ClassVar[type[DealOffer]]

    def run(self, table: DealTable) -> Happenings:
        now = self.offer.now(table)
        for deal in tuple(table.deals):
            if deal.status == PROPOSED and deal.expires is not None and deal.expires <= now:
                yield DealExpired(deal.id)


def _thinkable(seat: Seat, deal: AnyDeal) -> Iterable[Decision]:
    """Yields the answers and statements that a player might make on a deal, allowed or not."""
    if seat not in deal.parties:
        return
    if deal.status == PROPOSED:
        yield from (Accept(deal.id), Reject(deal.id), Withdraw(deal.id))
    for about in deal.parties:
        for kept in (True, False):
            said = Statement(about=about, kept=kept)
            if deal.private is None:
                yield StateOutcome(deal.id, deal.parties, statement=said)
            else:
                yield StateOutcome(deal.id, deal.parties, private=said)
