"""Deals: audits each deal's steps, payments and promises.

The verdicts are those of replays/deals/verdicts.py, from the same fold. recounts.py checks that
payments match their deal.
"""

from __future__ import annotations

from ledger.kernel.match import Match
from ledger.log.read.history import History, Moment
from replays.deals.promise import Promised
from replays.deals.verdicts import Judge, JudgedDeal
from replays.verify.refold import Follower

from .document import DealAudit, PromiseAudit


class DealFollower(Follower):
    """Follows a fold and judges its deals."""

    def __init__(self) -> None:
        self._judge: Judge | None = None

    def begin(self, history: History) -> None:
        self._judge = Judge(history)

    def before(self, version: int, match: Match) -> None:
        """Passes the event on: the next decision may be a chance to keep a promise."""
        assert self._judge is not None, "the first event begins the fold"
        self._judge.before(version, match)

    def take(self, moment: Moment) -> None:
        """Judges an event. A lost one marks the rest of its line as unknown."""
        assert self._judge is not None, "the first event begins the fold"
        self._judge.take(moment)

    lose = take

    def found(self) -> list[DealAudit]:
        return [] if self._judge is None else [_deal_audit_of(deal) for deal in self._judge.deals]


def _deal_audit_of(deal: JudgedDeal) -> DealAudit:
    offer = deal.offer
    return DealAudit(
        id=offer.deal,
        seats=list(offer.parties),
        private=offer.private,
        text=offer.text,
        status=deal.status,
        proposed=deal.proposed,
        made=deal.made,
        undone_by=deal.undone_by,
        payments=[list(payment) for payment in offer.payments],
        steps=[(step.n, step.what) for step in deal.steps],
        paid=[(n, list(paid)) for n, paid in deal.paid],
        promises=[_promise_audit_of(promise) for promise in deal.promises],
    )


def _promise_audit_of(promise: Promised) -> PromiseAudit:
    return PromiseAudit(
        seat=promise.pledge.seat,
        to=promise.pledge.to,
        words=promise.words,
        verdict=promise.verdict or "not agreed",
        event=promise.at,
        settled=promise.settled,
        why=promise.why,
        events=sorted({proof.n for proof in promise.proofs}),
    )
