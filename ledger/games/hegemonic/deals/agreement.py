"""A deal between players, as recorded: the offer, the answers and the outcome."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from ledger.kernel.audience import Among, Open
from ledger.kernel.frozen import FrozenByName
from ledger.kernel.records import Seat

# What becomes of an offer.
PROPOSED: Final = "proposed"
ACCEPTED, DECLINED, COUNTERED = "accepted", "declined", "countered"
WITHDRAWN, EXPIRED = "withdrawn", "expired"

Moment: TypeAlias = tuple[int, int]  # a round and a phase of it


class Payment(FrozenByName, frozen=True):
    seat: Open[Seat]
    to: Open[Seat]
    amount: Open[int]


class Promise(FrozenByName, frozen=True):
    """A party's commitment to another; only the record holds it to that.

    promises.py says what fulfils each kind.
    """

    seat: Open[Seat]
    to: Open[Seat]
    what: Open[
        Literal[
            "pay", "support", "spare", "attack", "leave", "other",
            "hold-fire", "choose-arbiter", "choose-starter", "pay-at-collection",
        ]
    ]  # fmt: skip
    amount: Open[int] = 0  # of CAPs, or of embassies
    subject: Open[str] = ""  # a sector, a faction, a card, whatever it is about
    due: Open[Moment | None] = None


class Terms(FrozenByName, frozen=True):
    """The content of a deal: words, CAPs that move at once, and promises."""

    text: Open[str] = ""
    payments: Open[tuple[Payment, ...]] = ()  # on the last acceptance, one after another
    promises: Open[tuple[Promise, ...]] = ()


class Statement(FrozenByName, frozen=True):
    """A party's verdict on another party or itself: whether it has kept its word."""

    about: Open[Seat]
    kept: Open[bool]
    note: Open[str] = ""


class Said(FrozenByName, frozen=True):
    """A statement and the seat that made it."""

    seat: Open[Seat]
    statement: Open[Statement]


class Deal(msgspec.Struct, array_like=True):
    """`deal.audit`: a deal alters nothing; only transfers do.

    Its terms and later statements are for all players or for the parties alone: one of the two
    fields of each pair is used, and the other is empty.
    """

    id: Open[str]
    seat: Open[Seat]  # who proposed it
    parties: Open[tuple[Seat, ...]]  # all of them, the proposer included
    terms: Open[Terms | None] = None
    private: Annotated[Terms | None, Among("parties")] = None
    counters: Open[str] = ""  # the offer that it answers
    expires: Open[Moment | None] = None  # it can be accepted until this phase is over
    accepted: Open[tuple[Seat, ...]] = ()  # the proposer agrees from the first
    status: Open[str] = PROPOSED
    said: Open[list[Said]] = msgspec.field(default_factory=list)
    said_privately: Annotated[list[Said], Among("parties")] = msgspec.field(default_factory=list)
    paid: Open[list[Payment]] = msgspec.field(default_factory=list)  # that named this deal

    @property
    def agreed_on(self) -> Terms:
        """Returns the terms, public or private."""
        terms = self.terms if self.private is None else self.private
        assert terms is not None, f"{self.id} has no terms"
        return terms
