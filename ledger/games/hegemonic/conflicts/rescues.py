"""Reactions carried out: the use of one technology, checked, paid and done.

Reaction ─┬─ Saving          a gate that is about to be destroyed
          ├─ Replacement ─── NewAgent, NewFleet
          ├─ SavedOutpost    of a stack that was destroyed
          └─ HiddenAgent     one that has survived its attack
"""

from __future__ import annotations

from typing import ClassVar

from ledger.games.hegemonic.actions.building import check_waiting
from ledger.games.hegemonic.map.gates import check_gate_places
from ledger.games.hegemonic.map.placing import BasePlaced, GatePlaced, UnitMoved, UnitPlaced
from ledger.games.hegemonic.map.reach import Distance, Range, Reach
from ledger.games.hegemonic.state.caps import spend
from ledger.games.hegemonic.state.components import AGENT, FLEET, MARTIAL, OUTPOST, figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.locations import check_foreign_home, check_location
from ledger.games.hegemonic.state.technologies import (
    BIO_ADAPTIVE_HULLS,
    PHASED_TELEPORTATION,
    PREDICTIVE_ALGORITHMS,
    STEALTH_FIELD_EMITTER,
    SUBLIMINAL_TELEPATHY,
    holds,
)
from ledger.kernel.audience import Open
from ledger.kernel.frozen import Frozen
from ledger.kernel.records import Decision, Happenings, Seat
from ledger.kernel.refusals import Refused
from ledger.parts.seats import SeatFact

from .facts import contest_of


class PredictiveAlgorithms(Decision, tag="react.predictive-algorithms"):
    """Put a gate that is about to be destroyed elsewhere."""

    gate: Open[int]
    first: Open[str]  # with an own complex
    second: Open[str]


class SubliminalTelepathy(Decision, tag="react.subliminal-telepathy"):
    """Build an agent at home for one that was destroyed."""

    unit: Open[int]


class PhasedTeleportation(Decision, tag="react.phased-teleportation"):
    """Build a fleet at home for one that was destroyed."""

    unit: Open[int]


class BioAdaptiveHulls(Decision, tag="react.bio-adaptive-hulls"):
    """Put one outpost of a destroyed stack elsewhere."""

    sector: Open[str]


class StealthFieldEmitter(Decision, tag="react.stealth-field-emitter"):
    """Put an agent that has survived its attack where you have an embassy."""

    sector: Open[str]
    unit: Open[int | None] = None  # where several have attacked


# --- facts ----------------------------------------------------------------------------------------


class Reacted(SeatFact, tag="react.used"):
    """A player used an advanced technology in answer to what happened in a conflict."""

    technology: Open[str]
    price: Open[int]


# --- what is done ---------------------------------------------------------------------------------


class Reaction(Frozen, frozen=True):
    """One use of a technology: its conditions, its price and its effect."""

    technology: ClassVar[str]
    seat: Open[Seat]

    def check(self, galaxy: Galaxy) -> None:
        """Refuses what the card's text does not allow; the caller checks the price last."""
        rule = f"tech.{self.technology}"
        if not holds(galaxy, self.seat, self.technology):
            message = "The player has no such advanced technology."
            raise Refused("not_advanced", rule, message, {"technology": self.technology})
        self.check_text(galaxy, rule)

    def check_text(self, galaxy: Galaxy, rule: str) -> None:
        """Refuses what this technology in particular does not allow."""
        raise NotImplementedError

    def price(self, galaxy: Galaxy) -> int:
        raise NotImplementedError

    def place(self, galaxy: Galaxy) -> Happenings:
        raise NotImplementedError

    def run(self, galaxy: Galaxy) -> Happenings:
        """`general.pay-first`, as for everything."""
        price = self.price(galaxy)
        yield Reacted(self.seat, self.technology, price)
        yield from spend(galaxy, self.seat, price, f"tech.{self.technology}")
        yield from self.place(galaxy)


class Saving(Reaction, frozen=True):
    """`tech.predictive-algorithms`: the half in the sector of the conflict leaves it, or both go.

    The player pays for each moved half; the result must be a legal pair.
    """

    technology = PREDICTIVE_ALGORITHMS
    gates: Open[tuple[int, ...]]
    gate: Open[int]
    first: Open[str]
    second: Open[str]

    def check_text(self, galaxy: Galaxy, rule: str) -> None:
        evidence = {"gate": self.gate, "first": self.first, "second": self.second}
        if self.gate not in self.gates:
            message = "The gate is not about to be destroyed."
            raise Refused("not_threatened", rule, message, evidence)
        if contest_of(galaxy).sector in (self.first, self.second):
            message = "A half of the gate would stay in the sector of the conflict."
            raise Refused("stays_in_conflict", rule, message, evidence)
        check_gate_places(galaxy, self.seat, self.first, self.second)

    def price(self, galaxy: Galaxy) -> int:
        """Charges nothing for a half that stays where it is."""
        before = galaxy.houses[self.seat].gates[self.gate].sectors
        moved = len({self.first, self.second} - set(before))
        return moved * figure(galaxy, "tech.predictive")

    def place(self, galaxy: Galaxy) -> Happenings:
        yield GatePlaced(self.seat, self.gate, self.first, self.second)


class Replacement(Reaction, frozen=True):
    """`board.units-supply`: a unit from the player board goes to the home for a lost one."""

    kind: ClassVar[str]
    priced: ClassVar[str]
    unit: Open[int]

    def check_text(self, galaxy: Galaxy, rule: str) -> None:
        check_waiting(galaxy, self.seat, self.kind, self.unit, rule)

    def price(self, galaxy: Galaxy) -> int:
        return figure(galaxy, self.priced)

    def place(self, galaxy: Galaxy) -> Happenings:
        home = galaxy.houses[self.seat].home
        yield UnitPlaced(self.seat, self.kind, self.unit, home)


class NewAgent(Replacement, frozen=True):
    """`tech.subliminal-telepathy`: an agent at home for each one lost, the same or another."""

    technology = SUBLIMINAL_TELEPATHY
    kind = AGENT
    priced = "tech.telepathy"


class NewFleet(Replacement, frozen=True):
    """`tech.phased-teleportation`: a fleet at home for each one lost, the same or another."""

    technology = PHASED_TELEPORTATION
    kind = FLEET
    priced = "tech.phased"


class SavedOutpost(Reaction, frozen=True):
    """`tech.bio-adaptive-hulls`: one outpost of a lost stack goes to another martial location.

    It must be in range of the lost stack, or of any outpost or fleet of the player. It is never
    where the stack was lost.
    """

    technology = BIO_ADAPTIVE_HULLS
    sector: Open[str]

    def check_text(self, galaxy: Galaxy, rule: str) -> None:
        lost, evidence = contest_of(galaxy).sector, {"sector": self.sector}
        if self.sector == lost:
            raise Refused("same_place", rule, "The stack was lost in this sector.", evidence)
        check_foreign_home(galaxy, self.seat, self.sector)
        check_location(galaxy, self.seat, MARTIAL, self.sector)
        height = stack_lost(galaxy, self.seat)
        reaching = [
            (lost, Range.of_stack(height)),
            *Reach.of_bases(galaxy, self.seat, MARTIAL),
            *Reach.of_units(galaxy, self.seat, MARTIAL),
        ]
        if not any(Distance.within(galaxy, at, self.sector, far) for at, far in reaching):
            raise Refused("out_of_range", rule, "The location is out of range.", evidence)

    def price(self, galaxy: Galaxy) -> int:
        return figure(galaxy, "tech.bio")

    def place(self, galaxy: Galaxy) -> Happenings:
        yield BasePlaced(self.seat, OUTPOST, self.sector)


class HiddenAgent(Reaction, frozen=True):
    """`tech.stealth-field-emitter`: the agent goes, for nothing, to an embassy of its owner."""

    technology = STEALTH_FIELD_EMITTER
    sector: Open[str]
    unit: Open[int]

    def check_text(self, galaxy: Galaxy, rule: str) -> None:
        house, evidence = galaxy.houses[self.seat], {"sector": self.sector}
        if self.sector not in house.embassies:
            raise Refused("no_own_base", rule, "The player has no embassy there.", evidence)
        if house.agents[self.unit] == self.sector:
            raise Refused("same_place", rule, "The agent is there already.", evidence)

    def price(self, galaxy: Galaxy) -> int:
        return 0

    def place(self, galaxy: Galaxy) -> Happenings:
        path = (galaxy.houses[self.seat].agents[self.unit], self.sector)
        yield UnitMoved(self.seat, AGENT, self.unit, path)


def stack_lost(galaxy: Galaxy, seat: Seat) -> int:
    """Counts the outposts that a player has lost in this conflict; they were on one location."""
    losses = contest_of(galaxy).losses
    return sum(lost.count for lost in losses if (lost.seat, lost.piece) == (seat, OUTPOST))
