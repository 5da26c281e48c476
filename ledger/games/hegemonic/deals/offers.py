"""Offers, answers and statements about deals, and the limits on them."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from ledger.games.hegemonic.state.caps import caps_of
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Among, Open
from ledger.kernel.records import Decision, Disturbs, Seat
from ledger.kernel.refusals import Refused

from .agreement import ACCEPTED, PROPOSED, Deal, Moment, Payment, Promise, Statement, Terms
from .transfers import Exchange

# CAPs that are owed; and promises that say exactly what they mean.
LATER: Final = frozenset(("pay", "pay-at-collection"))
EXACT: Final = frozenset(("hold-fire", "choose-arbiter", "choose-starter", "pay-at-collection"))


class Propose(Decision, tag="deal.propose"):
    """Offer a deal, its terms open to all or to the parties; it may counter another offer."""

    disturbs: ClassVar[Disturbs] = Disturbs.NOBODY
    parties: Open[tuple[Seat, ...]]  # all of them, oneself included
    terms: Open[Terms | None] = None
    private: Annotated[Terms | None, Among("parties")] = None
    counters: Open[str] = ""
    expires: Open[Moment | None] = None


class Accept(Decision, tag="deal.accept"):
    """Agree to an offer."""

    disturbs: ClassVar[Disturbs] = Disturbs.TOUCHED
    deal: Open[str]


class Reject(Decision, tag="deal.reject"):
    """Decline an offer."""

    disturbs: ClassVar[Disturbs] = Disturbs.NOBODY
    deal: Open[str]


class Withdraw(Decision, tag="deal.withdraw"):
    """Take an offer back."""

    disturbs: ClassVar[Disturbs] = Disturbs.NOBODY
    deal: Open[str]


class StateOutcome(Decision, tag="deal.state-outcome"):
    """Say whether a party to a deal has kept its word; open or private as the deal is."""

    disturbs: ClassVar[Disturbs] = Disturbs.NOBODY
    deal: Open[str]
    parties: Open[tuple[Seat, ...]]  # of the deal
    statement: Open[Statement | None] = None
    private: Annotated[Statement | None, Among("parties")] = None


# --- what may not be said -------------------------------------------------------------------------


class Offer:
    """`deal.any`: players may agree on anything, at any time; this only governs how they say it."""

    @staticmethod
    def check(galaxy: Galaxy, seat: Seat, decision: Propose) -> None:
        """Refuses an offer for the first check that fails."""
        parties = decision.parties
        known = set(parties) <= set(galaxy.seats) and len(set(parties)) == len(parties)
        if not known or seat not in parties or len(parties) < 2:
            message = "A deal is between the one who offers it and others of the match."
            raise refused("bad_parties", "deal.any", message, parties=list(parties))
        if (decision.terms is None) == (decision.private is None):
            message = "The terms of a deal are for all to read, or for the parties."
            raise refused("bad_visibility", "deal.audit", message)
        if decision.private is not None and galaxy.reads("deal.visibility") == "public":
            message = "In this match all deals are public."
            raise refused("bad_visibility", "deal.audit", message)
        Offer.check_terms(galaxy, decision.terms or decision.private or Terms(), parties)
        if decision.counters:
            Offer.check_countered(galaxy, seat, decision)
        if decision.expires is not None and decision.expires < (galaxy.round, galaxy.phase):
            message = "That phase is over already."
            raise refused("bad_expiry", "deal.any", message, expires=list(decision.expires))

    @staticmethod
    def check_terms(galaxy: Galaxy, terms: Terms, parties: tuple[Seat, ...]) -> None:
        """Requires CAPs and promises to go from one party to another."""
        later = [one for one in terms.promises if one.what in LATER]
        owed = [Payment(seat=one.seat, to=one.to, amount=one.amount) for one in later]
        if owed or terms.payments:
            Exchange.check_ever(galaxy)
        for payment in (*terms.payments, *owed):
            Exchange.check_payment(galaxy, payment)
        named = {seat for one in terms.payments for seat in (one.seat, one.to)}
        named |= {seat for one in terms.promises for seat in (one.seat, one.to)}
        if not named <= set(parties):
            message = "What is agreed on is between the parties."
            raise refused("bad_parties", "deal.any", message, parties=list(parties))
        for promise in terms.promises:
            Offer.check_promise(galaxy, promise)

    @staticmethod
    def check_promise(galaxy: Galaxy, promise: Promise) -> None:
        """Checks only the newer templates, which are exact; the older ones may use words."""
        if promise.what not in EXACT:
            return
        evidence = {"what": promise.what, "subject": promise.subject}
        if promise.to == promise.seat:
            message = "A promise is made to somebody else."
            raise refused("bad_promise", "deal.audit", message, **evidence)
        if promise.what == "hold-fire" and galaxy.place(promise.subject) is None:
            message = "The promise is about a sector or a board in play."
            raise refused("bad_promise", "deal.audit", message, **evidence)

    @staticmethod
    def check_countered(galaxy: Galaxy, seat: Seat, decision: Propose) -> None:
        """Requires another party's open offer to the same parties."""
        deal = Offer.open_to(galaxy, seat, decision.counters)
        if deal.seat == seat or set(deal.parties) != set(decision.parties):
            message = "A counter-offer answers another's, among the same parties."
            raise refused("bad_parties", "deal.any", message, deal=deal.id)

    @staticmethod
    def check_own(galaxy: Galaxy, seat: Seat, deal: str) -> None:
        """Refuses to withdraw another player's offer."""
        if Offer.open_to(galaxy, seat, deal).seat != seat:
            message = "Only who made the offer takes it back."
            raise refused("not_a_party", "deal.any", message, deal=deal)

    @staticmethod
    def open_to(galaxy: Galaxy, seat: Seat, deal: str) -> Deal:
        """Returns the offer if a party may still answer it."""
        found = Offer.of_party(galaxy, seat, deal)
        if found.status != PROPOSED:
            message = "The offer is answered, withdrawn or expired."
            raise refused("deal_closed", "deal.any", message, deal=deal, status=found.status)
        return found

    @staticmethod
    def of_party(galaxy: Galaxy, seat: Seat, deal: str) -> Deal:
        """Returns the deal if the player is a party to it."""
        found = next((one for one in galaxy.deals if one.id == deal), None)
        if found is None:
            raise refused("no_such_deal", "deal.audit", "There is no such deal.", deal=deal)
        if seat not in found.parties:
            message = "The player is no party to the deal."
            raise refused("not_a_party", "deal.any", message, deal=deal)
        return found


class Acceptance:
    """`deal.any`: each other party agrees; with the last acceptance all payments move at once."""

    @staticmethod
    def check(galaxy: Galaxy, seat: Seat, deal: str) -> None:
        """Refuses an offer that is closed or already accepted, or whose payments cannot be made."""
        found = Offer.open_to(galaxy, seat, deal)
        if seat in found.accepted:
            message = "The player has agreed already."
            raise refused("already_accepted", "deal.any", message, deal=deal)
        if Acceptance.is_last(found):
            Acceptance.check_payments(galaxy, found.agreed_on.payments)

    @staticmethod
    def is_last(deal: Deal) -> bool:
        """Returns whether all other parties have agreed."""
        return len(deal.accepted) + 1 == len(deal.parties)

    @staticmethod
    def check_payments(galaxy: Galaxy, payments: tuple[Payment, ...]) -> None:
        """`deal.caps`: each giver must have what it gives, one payment after another."""
        if not payments:
            return
        Exchange.check_now(galaxy)
        held = {seat: caps_of(galaxy, seat) for seat in galaxy.seats}
        for payment in payments:
            if held[payment.seat] < payment.amount:
                message = f"A party would give {payment.amount} CAPs and has not so many."
                raise refused("unaffordable", "deal.caps", message, seat=payment.seat)
            held[payment.seat] -= payment.amount
            held[payment.to] += payment.amount


class Outcome:
    """`deal.audit`: each party of an accepted deal may say who has kept it."""

    @staticmethod
    def check(galaxy: Galaxy, seat: Seat, decision: StateOutcome) -> None:
        """Requires an accepted deal, and a statement that is open or private as its terms are."""
        deal = Offer.of_party(galaxy, seat, decision.deal)
        if deal.status != ACCEPTED:
            message = "The deal was not made."
            raise refused("deal_closed", "deal.audit", message, deal=deal.id, status=deal.status)
        said, other = decision.statement, decision.private
        if deal.private is not None:
            said, other = other, said
        if said is None or other is not None:
            message = "What is said of a deal is open or private as the deal is."
            raise refused("bad_visibility", "deal.audit", message, deal=deal.id)
        if set(decision.parties) != set(deal.parties) or said.about not in deal.parties:
            message = "It is said among the parties, and of one of them."
            raise refused("bad_parties", "deal.audit", message, deal=deal.id)


def refused(code: str, rule: str, message: str, **evidence: object) -> Refused:
    return Refused(code, rule, message, evidence)
