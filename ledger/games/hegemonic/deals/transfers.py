"""Gifts of CAPs: at any time, to any player, as many as the giver has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.games.hegemonic.rounds.clock import ARBITRATION
from ledger.games.hegemonic.state.caps import caps_of, check_price, give
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Disturbs, Fact, Happenings, Question, Seat
from ledger.kernel.refusals import Refused

from .agreement import ACCEPTED, Deal, Payment


class Transfer(Decision, tag="caps.transfer"):
    """Give CAPs to another player, on account of a deal or not."""

    disturbs: ClassVar[Disturbs] = Disturbs.TOUCHED
    to: Open[Seat]
    amount: Open[int]
    deal: Open[str] = ""


class CapsGiven(Fact, tag="deal.caps-given"):
    """A player gave CAPs to another, and cannot take them back; the transfer follows."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    to: Open[Seat]
    amount: Open[int]
    deal: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """Records the gift on the deal that it names."""
        if self.deal:
            paid = Payment(seat=self.seat, to=self.to, amount=self.amount)
            find(galaxy, self.deal).paid.append(paid)


class TransferCounted(Fact, tag="deal.transfer-counted"):
    """A player gave CAPs away out of turn; the count forms the next key."""

    seat: Open[Seat]

    def apply(self, galaxy: Galaxy) -> None:
        counted(galaxy, "transfer", self.seat)


class Exchange:
    """`deal.caps`: CAPs may be given at any time, in any amount that the giver has.

    `learn.no-caps`: not in the Learning Game. A reading may forbid them: always, or in the
    arbitration phase.
    """

    @staticmethod
    def check_ever(galaxy: Galaxy) -> None:
        """Refuses where CAPs never change hands."""
        if galaxy.reads("learning"):
            message = "In the Learning Game no CAPs change hands."
            raise Refused("caps_stay", "learn.no-caps", message)
        if galaxy.reads("deal.caps") == "never":
            raise Refused("caps_stay", "deal.caps", "No CAPs change hands in this match.")

    @staticmethod
    def check_now(galaxy: Galaxy) -> None:
        """Refuses where CAPs may not change hands now."""
        Exchange.check_ever(galaxy)
        if galaxy.phase == ARBITRATION and galaxy.reads("deal.caps") == "not-in-arbitration":
            message = "No CAPs change hands in the arbitration phase."
            raise Refused("caps_stay", "deal.caps", message)

    @staticmethod
    def check_payment(galaxy: Galaxy, payment: Payment) -> None:
        """Refuses a gift to oneself, to a player who does not exist, or of no CAPs."""
        evidence = {"from": payment.seat, "to": payment.to, "amount": payment.amount}
        if payment.to not in galaxy.seats or payment.to == payment.seat:
            message = "CAPs are given to another player of the match."
            raise Refused("no_such_player", "deal.caps", message, evidence)
        if payment.amount <= 0:
            message = "At least one CAP is given."
            raise Refused("nothing_given", "deal.caps", message, evidence)


class Transfers(Question):
    """`deal.caps`: a player may give CAPs away, whichever player is asked for what.

    `deal.only-caps`: nothing but CAPs changes hands. `deal.non-binding`: a gift stays given.
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (Transfer,)

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        return tuple(galaxy.seats)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return standing_key(galaxy, "transfer", seat)

    def standing_open(self, galaxy: Galaxy) -> bool:
        return not galaxy.over

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Transfer) -> bool:
        """Accepts an affordable amount to another player; a named deal must be between the two."""
        Exchange.check_now(galaxy)
        payment = Payment(seat=seat, to=decision.to, amount=decision.amount)
        Exchange.check_payment(galaxy, payment)
        if decision.deal and not between(galaxy, decision.deal, seat, decision.to):
            evidence = {"deal": decision.deal}
            message = "The two have not agreed on such a deal."
            raise Refused("no_such_deal", "deal.audit", message, evidence)
        check_price(galaxy, seat, decision.amount, "deal.caps")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> Iterable[Transfer]:
        """Returns every amount to every other player, and the promised payments still due."""
        try:
            Exchange.check_now(galaxy)
        except Refused:
            return []
        amounts = range(1, caps_of(galaxy, seat) + 1)
        others = [house.seat for house in galaxy.others(seat)]
        found = [Transfer(to, amount) for to in others for amount in amounts]
        return found + [one for one in _promised(galaxy, seat) if one.amount in amounts]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Transfer) -> Happenings:
        yield TransferCounted(seat)
        payment = Payment(seat=seat, to=decision.to, amount=decision.amount)
        yield from paying(galaxy, payment, decision.deal)


def paying(galaxy: Galaxy, payment: Payment, deal: str) -> Happenings:
    yield CapsGiven(payment.seat, payment.to, payment.amount, deal)
    yield from give(galaxy, payment.seat, payment.to, payment.amount, "deal.caps")


# --- deals and counts -----------------------------------------------------------------------------


def find(galaxy: Galaxy, deal: str) -> Deal:
    """Returns the deal of an id; a fact that names it comes after its proposal."""
    return next(one for one in galaxy.deals if one.id == deal)


def between(galaxy: Galaxy, deal: str, *seats: Seat) -> Deal | None:
    """Returns the accepted deal of an id, if all these seats are parties to it."""
    found = (one for one in galaxy.deals if one.id == deal and one.status == ACCEPTED)
    return next((one for one in found if set(seats) <= set(one.parties)), None)


def standing_key(galaxy: Galaxy, name: str, seat: Seat) -> str:
    """Returns the key of a player's next standing decision of a kind."""
    return f"{name}/s{seat}/{galaxy.counts.get(f'{name}/s{seat}', 0) + 1}"


def counted(galaxy: Galaxy, name: str, seat: Seat) -> None:
    """Counts a standing decision of a player; called by a fact."""
    key = f"{name}/s{seat}"
    galaxy.counts[key] = galaxy.counts.get(key, 0) + 1


def _promised(galaxy: Galaxy, seat: Seat) -> list[Transfer]:
    """Returns promised payments that the player has not made in this amount for that deal."""
    return [
        Transfer(one.to, one.amount, deal.id)
        for deal in galaxy.deals
        if deal.status == ACCEPTED and seat in deal.parties
        for one in deal.agreed_on.promises
        if one.what == "pay" and one.seat == seat
        if Payment(seat=seat, to=one.to, amount=one.amount) not in deal.paid
    ]
