"""Deals: audits each deal's steps, payments and promises.

The verdicts are those of replays/deals/verdicts.py, from the same fold. recounts.py checks that
payments match their deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.kernel.match import Match
from ledger.kernel.records import Fact
from ledger.log.read.history import History, Moment
from replays.deals.promise import Promised
from replays.deals.verdicts import Judge, JudgedDeal
from replays.verify.followers import Follower

from .document import DealAudit, PromiseAudit


class _EveryEvent(set[int]):
    """Contains every event: while a log is being read, a line may yet go back to any of them."""

    def __contains__(self, version: object) -> bool:
        return True


class _Following(Judge):
    """A judge of promises for a log that is still being read."""

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._turning = _EveryEvent()
        pacts = history.rules.audit.pacts
        self._tags = frozenset(() if pacts is None else (*pacts.reads, *pacts.clock))
        self._idle = False  # no promise is open, and none was since

    def before(self, version: int, match: Match) -> None:
        """Skips the work while no promise is open, since none can be kept then."""
        if not self._idle:
            super().before(version, match)

    def follow(self, moment: Moment) -> None:
        """Takes an event. While no promise is open, only rewinds and facts about deals matter."""
        version = moment.version
        straight = moment.parent == version - 1 and moment.seat is not None
        if self._idle and straight and not self._is_heard(moment.facts):
            self.last = version
            self._held[version] = self._line
            return
        self.take(moment)
        self._idle = not any(deal.is_running for deal in self._line.deals.values())

    def _is_heard(self, facts: Sequence[Fact]) -> bool:
        """Tells if any of the facts is about deals."""
        return not self._tags.isdisjoint([type(fact).__struct_config__.tag for fact in facts])


class DealFollower(Follower):
    """Follows a fold and judges its deals."""

    def __init__(self) -> None:
        self.history: History | None = None  # as it is being read
        self._judge: _Following | None = None

    def before(self, version: int, match: Match) -> None:
        """Passes the event on: the next decision may be a chance to keep a promise."""
        if self._judge is not None:
            self._judge.before(version, match)

    def take(self, moment: Moment) -> None:
        if self._judge is None:
            assert self.history is not None, "it is read before it is folded"
            self._judge = _Following(self.history)
        self._judge.follow(moment)

    def lose(self, moment: Moment) -> None:
        """Marks the rest of this line as unknown."""
        if self._judge is not None:
            self._judge.take(moment)

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
        payments=[list(one) for one in offer.payments],
        steps=[(step.n, step.what) for step in deal.steps],
        paid=[(n, list(paid)) for n, paid in deal.paid],
        promises=list(_promises(deal.promises)),
    )


def _promises(promises: tuple[Promised, ...]) -> Iterator[PromiseAudit]:
    for one in promises:
        yield PromiseAudit(
            seat=one.pledge.seat,
            to=one.pledge.to,
            words=one.words,
            verdict=one.verdict or "not agreed",
            event=one.at,
            settled=one.settled,
            why=one.why,
            events=sorted({proof.n for proof in one.proofs}),
        )
