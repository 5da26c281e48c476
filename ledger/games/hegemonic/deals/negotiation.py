"""Deals: offers, counter-offers, answers; what was promised, and what is said of it later.

deal.propose ─▶ proposed ─┬─ deal.accept by all ─▶ accepted: payments move, promises stand
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
    """A deal was offered."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]
    parties: Open[tuple[Seat, ...]]
    terms: Open[Terms | None]
    private: Annotated[Terms | None, Among("parties")]
    counters: Open[str]
    expires: Open[Moment | None]

    def apply(self, galaxy: Galaxy) -> None:
        """The other parties may answer; an offer that it counters is answered by it."""
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
    """A party agreed to an offer; with the last of them the deal is made."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]
    made: Open[bool]

    def apply(self, galaxy: Galaxy) -> None:
        """Its payments follow."""
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
        """Nobody can accept it any more."""
        counted(galaxy, "deal", self.seat)
        find(galaxy, self.deal).status = DECLINED


class DealWithdrawn(Fact, tag="deal.withdrawn"):
    """Whoever made an offer took it back."""

    seat: Open[Seat]
    deal: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """Nobody can accept it any more."""
        counted(galaxy, "deal", self.seat)
        find(galaxy, self.deal).status = WITHDRAWN


class DealExpired(Fact, tag="deal.expired"):
    """The time to accept an offer is over."""

    deal: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """Nobody can accept it any more."""
        find(galaxy, self.deal).status = EXPIRED


class OutcomeStated(Fact, tag="deal.outcome-stated"):
    """A party said whether a deal was kept."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]
    parties: Open[tuple[Seat, ...]]
    statement: Open[Statement | None]
    private: Annotated[Statement | None, Among("parties")]

    def apply(self, galaxy: Galaxy) -> None:
        """It stands beside the terms."""
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
    the transfers on its account and what the parties say of it; none of that alters the table.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (
        Propose, Accept, Reject, Withdraw, StateOutcome,
    )  # fmt: skip

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        """Everybody."""
        return tuple(galaxy.seats)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        """Each player's are counted; the tail of it names a deal."""
        return standing_key(galaxy, "deal", seat)

    def standing_open(self, galaxy: Galaxy) -> bool:
        """Until the game is over."""
        return not galaxy.over

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        """As the offer stands."""
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
        """Every answer to an offer, and what can be said of a deal; offers cannot be listed."""
        found = [one for deal in galaxy.deals for one in _thinkable(seat, deal)]
        return [one for one in found if self._possible(galaxy, seat, one)]

    def _possible(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        try:
            return self.allows(galaxy, seat, decision)
        except Refused:
            return False

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> Happenings:
        """What is said is recorded; CAPs move with the last acceptance."""
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
    """`deal.any`: an offer can be accepted until the phase is over that it names."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """At the end of every phase."""
        now = (galaxy.round, galaxy.phase)
        for deal in tuple(galaxy.deals):
            if deal.status == PROPOSED and deal.expires is not None and deal.expires <= now:
                yield DealExpired(deal.id)


def proposed(galaxy: Galaxy, seat: Seat, decision: Propose) -> DealProposed:
    """The offer under its id, which does not depend on what others have decided meanwhile."""
    deal = standing_key(galaxy, "deal", seat).removeprefix("deal/")
    said = (decision.parties, decision.terms, decision.private)
    return DealProposed(seat, deal, *said, decision.counters, decision.expires)


def _thinkable(seat: Seat, deal: Deal) -> Iterable[Decision]:
    """What a player could say to a deal as it stands, right or not."""
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
