"""Deals: offers, counter-offers, answers, promises, and later statements about them.

deal.propose ─▶ proposed ─┬─ deal.accept by all ─▶ accepted: payments move, promises hold
                          ├─ deal.reject ────────▶ declined
                          ├─ deal.propose that counters it ─▶ countered
                          ├─ deal.withdraw ──────▶ withdrawn
                          └─ its phase is over ──▶ expired
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Among, Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused

from .agreement import (
    ACCEPTED,
    COUNTERED,
    DECLINED,
    EXPIRED,
    PROPOSED,
    WITHDRAWN,
    Deal,
    Moment,
    Said,
    Statement,
    Terms,
)
from .offers import Accept, Acceptance, Offer, Outcome, Propose, Reject, StateOutcome, Withdraw
from .transfers import counted, find, paying, standing_key

# --- facts ----------------------------------------------------------------------------------------


class DealProposed(Fact, tag="deal.proposed"):
    """A player offered a deal."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]
    parties: Open[tuple[Seat, ...]]
    terms: Open[Terms | None]
    private: Annotated[Terms | None, Among("parties")]
    counters: Open[str]
    expires: Open[Moment | None]

    def apply(self, galaxy: Galaxy) -> None:
        """The other parties may answer. A counter-offer closes the offer that it answers."""
        counted(galaxy, "deal", self.seat)
        if self.counters:
            find(galaxy, self.counters).status = COUNTERED
        galaxy.deals.append(
            Deal(
                self.deal,
                self.seat,
                self.parties,
                self.terms,
                self.private,
                self.counters,
                self.expires,
                (self.seat,),
            )
        )


class DealAccepted(Fact, tag="deal.accepted"):
    """A party agreed to an offer; the last agreement makes the deal."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]
    made: Open[bool]

    def apply(self, galaxy: Galaxy) -> None:
        """Payments follow if the deal is made."""
        counted(galaxy, "deal", self.seat)
        deal = find(galaxy, self.deal)
        deal.accepted = (*deal.accepted, self.seat)
        if self.made:
            deal.status = ACCEPTED


class DealRejected(Fact, tag="deal.rejected"):
    """A party declined an offer."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        counted(galaxy, "deal", self.seat)
        find(galaxy, self.deal).status = DECLINED


class DealWithdrawn(Fact, tag="deal.withdrawn"):
    """The player who made an offer took it back."""

    seat: Open[Seat]
    deal: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        counted(galaxy, "deal", self.seat)
        find(galaxy, self.deal).status = WITHDRAWN


class DealExpired(Fact, tag="deal.expired"):
    """The time to accept an offer ran out."""

    deal: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        find(galaxy, self.deal).status = EXPIRED


class OutcomeStated(Fact, tag="deal.outcome-stated"):
    """A party said whether another party, or itself, kept a deal."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]
    parties: Open[tuple[Seat, ...]]
    statement: Open[Statement | None]
    private: Annotated[Statement | None, Among("parties")]

    def apply(self, galaxy: Galaxy) -> None:
        """Records it with the deal, openly or for the parties."""
        counted(galaxy, "deal", self.seat)
        deal = find(galaxy, self.deal)
        if self.statement is not None:
            deal.said.append(Said(seat=self.seat, statement=self.statement))
        elif self.private is not None:
            deal.said_privately.append(Said(seat=self.seat, statement=self.private))


# --- deals ----------------------------------------------------------------------------------------


class Deals(Question):
    """`deal.any`: players may make any deal at any time.

    `deal.non-binding`: no rule enforces it. `deal.audit`: the record shows the offer, its answers,
    the transfers that name it and the parties' statements; none of that alters the table.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (
        Propose, Accept, Reject, Withdraw, StateOutcome,
    )  # fmt: skip

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        return tuple(galaxy.seats)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """Counts each player's decisions; the end of the key also names a new deal."""
        return standing_key(galaxy, "deal", seat)

    def standing_open(self, galaxy: Galaxy) -> bool:
        return not galaxy.over

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        if isinstance(decision, Propose):
            Offer.check(galaxy, seat, decision)
        elif isinstance(decision, Accept):
            Acceptance.check(galaxy, seat, decision.deal)
        elif isinstance(decision, Reject):
            Offer.open_to(galaxy, seat, decision.deal)
        elif isinstance(decision, Withdraw):
            Offer.check_own(galaxy, seat, decision.deal)
        elif isinstance(decision, StateOutcome):
            Outcome.check(galaxy, seat, decision)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[Decision]:
        """Lists answers to offers and statements on deals. New offers cannot be listed."""
        found = [one for deal in galaxy.deals for one in _thinkable(seat, deal)]
        return [one for one in found if self._possible(galaxy, seat, one)]

    def _possible(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        try:
            return self.allows(galaxy, seat, decision)
        except Refused:
            return False

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> Happenings:
        """Records the decision; CAPs move with the last acceptance."""
        if isinstance(decision, Propose):
            yield proposed(galaxy, seat, decision)
        elif isinstance(decision, Accept):
            deal = find(galaxy, decision.deal)
            made = Acceptance.is_last(deal)
            yield DealAccepted(seat, deal.id, made)
            for payment in deal.agreed_on.payments if made else ():
                yield from paying(galaxy, payment, deal.id)
        elif isinstance(decision, Reject):
            yield DealRejected(seat, decision.deal)
        elif isinstance(decision, Withdraw):
            yield DealWithdrawn(seat, decision.deal)
        elif isinstance(decision, StateOutcome):
            parties, private = decision.parties, decision.private
            yield OutcomeStated(seat, decision.deal, parties, decision.statement, private)


class ExpireOffers(Step):
    """`deal.any`: a party can accept an offer until the phase that the offer names is over."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Runs at the end of every phase."""
        now = (galaxy.round, galaxy.phase)
        for deal in tuple(galaxy.deals):
            if deal.status == PROPOSED and deal.expires is not None and deal.expires <= now:
                yield DealExpired(deal.id)


def proposed(galaxy: Galaxy, seat: Seat, decision: Propose) -> DealProposed:
    """Returns the offer with its id, which does not depend on other players' decisions."""
    deal = standing_key(galaxy, "deal", seat).removeprefix("deal/")
    said = (decision.parties, decision.terms, decision.private)
    return DealProposed(seat, deal, *said, decision.counters, decision.expires)


def _thinkable(seat: Seat, deal: Deal) -> Iterable[Decision]:
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
