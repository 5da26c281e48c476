"""A deal between players, as recorded: the offer, the answers and the outcome."""

from __future__ import annotations

from typing import Annotated, Any, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from ledger.kernel.accounts import Accounts
from ledger.kernel.audience import Among, Open
from ledger.kernel.frozen import FrozenByName
from ledger.kernel.records import Seat

# The states of an offer.
PROPOSED: Final = "proposed"
ACCEPTED, DECLINED, COUNTERED = "accepted", "declined", "countered"
WITHDRAWN, EXPIRED = "withdrawn", "expired"

Moment: TypeAlias = tuple[int, int]  # a round and a phase of it


class DealTable(Protocol):
    """The part of a game's state that deals use. Keys of standing questions come from `counts`."""

    deals: list[Any]  # of the game's own `Deal`
    counts: dict[str, int]

    @property
    def seats(self) -> range: ...

    @property
    def over(self) -> bool: ...


class RichTable(DealTable, Protocol):
    """A table at which something can be given away."""

    accounts: Accounts


# --- terms ----------------------------------------------------------------------------------------


class Payment(FrozenByName, frozen=True):
    seat: Open[Seat]
    to: Open[Seat]
    amount: Open[int]


class PaymentIn(Payment, frozen=True):
    """A payment in one of several currencies."""

    currency: Open[str]


TemplateT = TypeVar("TemplateT", bound=str)


class Promise(FrozenByName, Generic[TemplateT], frozen=True):
    """A party's commitment to another. The game names its templates: `Promise[Literal[...]]`."""

    seat: Open[Seat]
    to: Open[Seat]
    what: Open[TemplateT]
    amount: Open[int] = 0  # of what is paid or lent
    subject: Open[str] = ""  # a place, a piece, a card, whatever it is about
    due: Open[Moment | None] = None


PaymentT = TypeVar("PaymentT", bound=Payment)
PromiseT = TypeVar("PromiseT", bound="Promise[Any]")


class DealTerms(FrozenByName, Generic[PaymentT, PromiseT], frozen=True):
    """The content of a deal: words, payments that are made at once, and promises."""

    text: Open[str] = ""
    payments: Open[tuple[PaymentT, ...]] = ()  # on the last acceptance, one after another
    promises: Open[tuple[PromiseT, ...]] = ()


class Notes(FrozenByName, Generic[PromiseT], frozen=True, forbid_unknown_fields=True):
    """The content of a deal in a game where nothing changes hands: words and promises."""

    text: Open[str] = ""
    promises: Open[tuple[PromiseT, ...]] = ()

    @property
    def payments(self) -> tuple[Payment, ...]:
        return ()


class Statement(FrozenByName, frozen=True):
    """A party's verdict on another party or itself: whether it has kept its word."""

    about: Open[Seat]
    kept: Open[bool]
    note: Open[str] = ""


class PartyStatement(FrozenByName, frozen=True):
    """A statement and the seat that made it."""

    seat: Open[Seat]
    statement: Open[Statement]


# --- deals ----------------------------------------------------------------------------------------

TermsT = TypeVar("TermsT", bound="DealTerms[Any, Any] | Notes[Any]")


class Deal(msgspec.Struct, Generic[TermsT, PaymentT], array_like=True):
    """A deal, with all that was done and said about it; it alters nothing.

    Its terms and later statements are for all players or for the parties alone: one of the two
    fields of each pair is used, and the other is empty.
    """

    id: Open[str]
    seat: Open[Seat]  # who proposed it
    parties: Open[tuple[Seat, ...]]  # all of them, the proposer included
    terms: Open[TermsT | None] = None
    private: Annotated[TermsT | None, Among("parties")] = None
    counters: Open[str] = ""  # the offer that it answers
    expires: Open[Moment | None] = None  # it can be accepted until this phase is over
    accepted: Open[tuple[Seat, ...]] = ()  # the proposer agrees from the first
    status: Open[str] = PROPOSED
    said: Open[list[PartyStatement]] = msgspec.field(default_factory=list)
    said_privately: Annotated[list[PartyStatement], Among("parties")] = msgspec.field(
        default_factory=list
    )
    paid: Open[list[PaymentT]] = msgspec.field(default_factory=list)  # that named this deal

    @property
    def agreed_on(self) -> TermsT:
        """Returns the terms, public or private."""
        terms = self.terms if self.private is None else self.private
        assert terms is not None, f"{self.id} has no terms"
        return terms

    @property
    def lacks_one(self) -> bool:
        """Returns whether all parties but one have agreed."""
        return len(self.accepted) + 1 == len(self.parties)


AnyDeal: TypeAlias = "Deal[Any, Any]"


def find(table: DealTable, deal: str) -> AnyDeal:
    """Returns the deal of an id; a fact that names it comes after its proposal."""
    recorded: AnyDeal
    for recorded in table.deals:
        if recorded.id == deal:
            return recorded
    raise LookupError(deal)


def between(table: DealTable, deal: str, *seats: Seat) -> AnyDeal | None:
    """Returns the accepted deal of an id, if all these seats are parties to it."""
    named = (one for one in table.deals if one.id == deal and one.status == ACCEPTED)
    return next((one for one in named if set(seats) <= set(one.parties)), None)
