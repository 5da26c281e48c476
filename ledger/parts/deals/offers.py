"""Offers, and the limits on offers, acceptances and statements."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic

from ledger.kernel.audience import Among, Open
from ledger.kernel.records import Decision, Disturbs, Fact, Seat
from ledger.parts.refusals import make_refusal
from ledger.parts.standing import count

from .agreement import (
    ACCEPTED,
    COUNTERED,
    PROPOSED,
    AnyDeal,
    Deal,
    DealTable,
    Moment,
    Promise,
    TermsT,
    find,
)
from .answers import StateOutcome
from .transfers import Exchange, payment_of

# --- records: the game's own name its terms, and have the same wire names -------------------------


class Propose(Decision, Generic[TermsT]):
    """Offer a deal, its terms open to all or to the parties; it may counter another offer."""

    disturbs: ClassVar[Disturbs] = Disturbs.NOBODY
    parties: Open[tuple[Seat, ...]]  # all of them, oneself included
    terms: Open[TermsT | None] = None
    private: Annotated[TermsT | None, Among("parties")] = None
    counters: Open[str] = ""
    expires: Open[Moment | None] = None


class DealProposed(Fact, Generic[TermsT]):
    """A player offered a deal."""

    irrevocable: ClassVar[bool] = True
    record: ClassVar[type[AnyDeal]] = Deal
    seat: Open[Seat]
    deal: Open[str]
    parties: Open[tuple[Seat, ...]]
    terms: Open[TermsT | None]
    private: Annotated[TermsT | None, Among("parties")]
    counters: Open[str]
    expires: Open[Moment | None]

    def apply(self, table: DealTable) -> None:
        """The other parties may answer. A counter-offer closes the offer that it answers."""
        count(table, "deal", self.seat)
        if self.counters:
            find(table, self.counters).status = COUNTERED
        terms, agreed = (self.terms, self.private), (self.seat,)
        said = (self.counters, self.expires)
        table.deals.append(self.record(self.deal, self.seat, self.parties, *terms, *said, agreed))


# --- what may not be said -------------------------------------------------------------------------


class DealOffer:
    """The limits on offers and on what follows them. The game's class cites the rules."""

    rule: ClassVar[str]  # by which players deal
    recorded: ClassVar[str]  # by which deals are recorded
    exchange: ClassVar[type[Exchange] | None] = None  # of notes: nothing changes hands
    owing: ClassVar[frozenset[str]] = frozenset()  # templates of which the amount is a payment

    @classmethod
    def check_time(cls, table: Any, seat: Seat) -> None:
        """Refuses where this player may not deal now."""

    @classmethod
    def may_be_private(cls, _: Any) -> bool:
        return True

    @classmethod
    def check_promise(cls, table: Any, promise: Any) -> None:
        """Refuses a promise that does not say what its template needs."""

    @classmethod
    def now(cls, table: Any) -> Moment:
        """Returns the moment that goes on."""
        return table.round, table.phase

    @classmethod
    def check(cls, table: DealTable, seat: Seat, decision: Propose[Any]) -> None:
        """Refuses an offer for the first check that fails."""
        cls.check_time(table, seat)
        parties = decision.parties
        known = set(parties) <= set(table.seats) and len(set(parties)) == len(parties)
        if not known or seat not in parties or len(parties) < 2:
            message = "A deal is between its proposer and other players of the match."
            raise make_refusal("bad_parties", cls.rule, message, parties=list(parties))
        if (decision.terms is None) == (decision.private is None):
            message = "The terms of a deal are open to all, or private to its parties."
            raise make_refusal("bad_visibility", cls.recorded, message)
        if decision.private is not None and not cls.may_be_private(table):
            message = "In this match all deals are public."
            raise make_refusal("bad_visibility", cls.recorded, message)
        cls.check_terms(table, decision.terms or decision.private, parties)
        if decision.counters:
            cls.check_countered(table, seat, decision)
        if decision.expires is not None and decision.expires < cls.now(table):
            message = "The phase in which the offer would end is over already."
            raise make_refusal("bad_expiry", cls.rule, message, expires=list(decision.expires))

    @classmethod
    def check_terms(cls, table: DealTable, terms: Any, parties: tuple[Seat, ...]) -> None:
        """Requires payments and promises to go from one party to another."""
        if cls.exchange is not None:
            cls.check_payments(table, cls.exchange, terms)
        promises: tuple[Promise[Any], ...] = terms.promises
        named = {seat for one in (*terms.payments, *promises) for seat in (one.seat, one.to)}
        if not named <= set(parties):
            message = "All payments and promises must be between the parties."
            raise make_refusal("bad_parties", cls.rule, message, parties=list(parties))
        for promise in promises:
            cls.check_promise(table, promise)

    @classmethod
    def check_payments(cls, table: DealTable, exchange: type[Exchange], terms: Any) -> None:
        """Checks payments and promised payments alike; what is promised may be had later."""
        later = [one for one in terms.promises if one.what in cls.owing]
        owed = [payment_of(exchange.given.payment, one) for one in later]
        if owed or terms.payments:
            exchange.check_ever(table)
        for payment in (*terms.payments, *owed):
            exchange.check_payment(table, payment)

    @classmethod
    def check_countered(cls, table: DealTable, seat: Seat, decision: Propose[Any]) -> None:
        """Requires another party's open offer to the same parties."""
        deal = cls.open_to(table, seat, decision.counters)
        if deal.seat == seat or set(deal.parties) != set(decision.parties):
            message = "A counter-offer must answer another player's offer, among the same parties."
            raise make_refusal("bad_parties", cls.rule, message, deal=deal.id)

    @classmethod
    def check_own(cls, table: DealTable, seat: Seat, deal: str) -> None:
        """Refuses to withdraw another player's offer."""
        if cls.open_to(table, seat, deal).seat != seat:
            message = "Only the player who made the offer can take it back."
            raise make_refusal("not_a_party", cls.rule, message, deal=deal)

    @classmethod
    def open_to(cls, table: DealTable, seat: Seat, deal: str) -> AnyDeal:
        """Returns the offer if a party may still answer it."""
        offer = cls.of_party(table, seat, deal)
        if offer.status != PROPOSED:
            message = "The offer was answered, was withdrawn, or has expired."
            raise make_refusal("deal_closed", cls.rule, message, deal=deal, status=offer.status)
        return offer

    @classmethod
    def of_party(cls, table: DealTable, seat: Seat, deal: str) -> AnyDeal:
        """Returns the deal if the player is a party to it."""
        named: AnyDeal | None = next((one for one in table.deals if one.id == deal), None)
        if named is None:
            raise make_refusal("no_such_deal", cls.recorded, "There is no such deal.", deal=deal)
        if seat not in named.parties:
            message = "The player is not a party to the deal."
            raise make_refusal("not_a_party", cls.rule, message, deal=deal)
        return named

    # --- answers --------------------------------------------------------------------------------

    @classmethod
    def check_acceptance(cls, table: Any, seat: Seat, deal: str) -> None:
        """Refuses an offer that is closed or already accepted, or whose payments cannot be made."""
        cls.check_time(table, seat)
        offer = cls.open_to(table, seat, deal)
        if seat in offer.accepted:
            message = "The player has agreed already."
            raise make_refusal("already_accepted", cls.rule, message, deal=deal)
        if cls.exchange is not None and offer.lacks_one:
            cls.exchange.check_all(table, offer.agreed_on.payments)

    @classmethod
    def check_statement(cls, table: DealTable, seat: Seat, decision: StateOutcome) -> None:
        """Requires an accepted deal, and a statement that is open or private as its terms are."""
        rule = cls.recorded
        deal = cls.of_party(table, seat, decision.deal)
        if deal.status != ACCEPTED:
            message = "The deal was not made."
            raise make_refusal("deal_closed", rule, message, deal=deal.id, status=deal.status)
        said, other = decision.statement, decision.private
        if deal.private is not None:
            said, other = other, said
        if said is None or other is not None:
            message = "Statements about a deal must be open or private as the deal is."
            raise make_refusal("bad_visibility", rule, message, deal=deal.id)
        if set(decision.parties) != set(deal.parties) or said.about not in deal.parties:
            message = "Only a party can make a statement, and only about another party."
            raise make_refusal("bad_parties", rule, message, deal=deal.id)
