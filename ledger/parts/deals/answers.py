"""Answers to offers, what becomes of offers, and statements: a chapter of each game with deals."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from ledger.kernel.audience import Among, Open
from ledger.kernel.records import Decision, Disturbs, Fact, Seat
from ledger.parts.standing import count

from .agreement import (
    ACCEPTED,
    DECLINED,
    EXPIRED,
    WITHDRAWN,
    DealTable,
    PartyStatement,
    Statement,
    find,
)


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


ANSWERS: Final = (Accept, Reject, Withdraw, StateOutcome)


# --- facts ----------------------------------------------------------------------------------------


class DealAccepted(Fact, tag="deal.accepted"):
    """A party agreed to an offer; the last agreement makes the deal."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]
    made: Open[bool]

    def apply(self, table: DealTable) -> None:
        """Payments follow if the deal is made."""
        count(table, "deal", self.seat)
        deal = find(table, self.deal)
        deal.accepted = (*deal.accepted, self.seat)
        if self.made:
            deal.status = ACCEPTED


class DealRejected(Fact, tag="deal.rejected"):
    """A party declined an offer."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]

    def apply(self, table: DealTable) -> None:
        count(table, "deal", self.seat)
        find(table, self.deal).status = DECLINED


class DealWithdrawn(Fact, tag="deal.withdrawn"):
    """The player who made an offer took it back."""

    seat: Open[Seat]
    deal: Open[str]

    def apply(self, table: DealTable) -> None:
        count(table, "deal", self.seat)
        find(table, self.deal).status = WITHDRAWN


class DealExpired(Fact, tag="deal.expired"):
    """The time to accept an offer ran out."""

    deal: Open[str]

    def apply(self, table: DealTable) -> None:
        find(table, self.deal).status = EXPIRED


class OutcomeStated(Fact, tag="deal.outcome-stated"):
    """A party said whether another party, or itself, kept a deal."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    deal: Open[str]
    parties: Open[tuple[Seat, ...]]
    statement: Open[Statement | None]
    private: Annotated[Statement | None, Among("parties")]

    def apply(self, table: DealTable) -> None:
        """Records it with the deal, openly or for the parties."""
        count(table, "deal", self.seat)
        deal = find(table, self.deal)
        if self.statement is not None:
            deal.said.append(PartyStatement(seat=self.seat, statement=self.statement))
        elif self.private is not None:
            deal.said_privately.append(PartyStatement(seat=self.seat, statement=self.private))
