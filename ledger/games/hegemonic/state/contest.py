"""The conflict in progress: its two sides, the contributions of each step, and the losses."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from ledger.kernel.audience import Open, Own
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Seat
from ledger.parts.battle import Contribution, Lost, total

from .components import INDUSTRIAL, POLITICAL

Unit: TypeAlias = tuple[str, int]  # its kind and its number, as ("fleet", 0)


class Side(msgspec.Struct, array_like=True):
    """The attacker or the defender."""

    seat: Open[Seat]
    type: Open[str]  # of power
    sector: Open[str]  # where its pieces stand
    bases: Open[int] = 0  # that fight: of a group of complexes, an embassy, a stack
    units: Open[tuple[int, ...]] = ()  # that fight, by number
    faction: Open[str] = ""  # whose support it can have: its embassy's, or the one it drew on
    lender: Open[str] = ""  # the sector of the stack that lends to its fleet
    has_drawn: Open[bool] = False
    power: Open[int] = 0  # of the steps so far
    card: Open[str] = ""  # revealed in step 3
    draws: Open[list[str]] = msgspec.field(default_factory=list)  # factions, or stacks
    given: Open[list[Contribution]] = msgspec.field(default_factory=list)  # but for support
    sealed: Own[tuple[str, ...]] = ()  # draws, chosen in secret and not yet told
    answered: Open[str] = ""  # the key of what was chosen in secret last

    @property
    def factions(self) -> tuple[str, ...]:
        """The factions that the side uses: its embassy's, or those that its agents drew on."""
        if self.type != POLITICAL:
            return ()
        return tuple(dict.fromkeys(filter(None, (self.faction, *self.draws))))

    def add(self, *contributions: Contribution) -> None:
        """Adds to the power of the side; called by a fact."""
        self.power += total(contributions)
        self.given += contributions

    @property
    def may_draw(self) -> bool:
        """True if agents fight without an embassy, or fleets without a stack."""
        return not self.bases and self.type != INDUSTRIAL


class Support(Frozen, frozen=True, array_like=True):
    """A third player's answer in step 2."""

    seat: Open[Seat]
    side: Open[Seat | None]  # the seat that is supported; None where it declined
    count: Open[int]
    amount: Open[int]
    given: Open[tuple[Contribution, ...]] = ()  # what it is made of


class SealedSupport(Frozen, frozen=True, array_like=True):
    """A third player's secret answer, where all answer at once."""

    seat: Open[Seat]
    side: Own[Seat | None]
    count: Own[int]
    key: Open[str]  # of the answer


class Contest(msgspec.Struct, array_like=True):
    """A conflict from its declaration to the end of its cleanup."""

    key: Open[str]  # of the action that it belongs to; its questions are named by it
    pattern: Open[str]
    action: Open[str]  # destroy, takeover
    sector: Open[str]  # that is fought over
    attacker: Open[Side]
    defender: Open[Side]
    cost: Open[int] = 0
    step: Open[int] = 1
    support: Open[list[Support]] = msgspec.field(default_factory=list)
    winner: Open[Seat | None] = None
    drawn: Open[bool] = False
    losses: Open[list[Lost]] = msgspec.field(default_factory=list)
    price: Open[tuple[Contribution, ...]] = ()  # what the cost is made of
    barred: Open[list[Seat]] = msgspec.field(default_factory=list)  # from support
    sealed: Open[list[SealedSupport]] = msgspec.field(default_factory=list)
    saved: Open[list[tuple[Seat, str, int]]] = msgspec.field(default_factory=list)  # units

    def side_of(self, seat: Seat) -> Side | None:
        """Returns the side of a seat, or None if it is not involved."""
        if self.attacker.seat == seat:
            return self.attacker
        return self.defender if self.defender.seat == seat else None

    def cards_out(self) -> int:
        """Returns the number of revealed cards that are not yet cleaned up."""
        return sum(bool(side.card) for side in (self.attacker, self.defender))

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.attacker, self.defender

    def against(self, side: Side) -> Side:
        return self.defender if side is self.attacker else self.attacker
