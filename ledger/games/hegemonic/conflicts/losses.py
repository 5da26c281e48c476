"""Losses: pieces that are destroyed in a conflict, each recorded for later reactions.

`step4.returned`: destroyed pieces go back to their owner's player board.
"""

from __future__ import annotations

from ledger.games.hegemonic.leaders.activation import Window
from ledger.games.hegemonic.map.placing import BaseReturned, GateReturned, UnitReturned
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import BASE_OF, EMBASSY, GATE, UNIT_OF, figure
from ledger.games.hegemonic.state.contest import Side
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import PSIONIC_ECOLOGY, holds
from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings
from ledger.parts.battle import Lost
from ledger.parts.seats import SeatFact, SeatStep

from .facts import contest_of
from .moving import on_map


class PieceLost(SeatFact, tag="conflict.lost"):
    """A player lost its bases in a sector, or a unit."""

    piece: Open[str]
    sector: Open[str]
    count: Open[int]
    rule: Open[str]
    unit: Open[int | None] = None
    taken_over: Open[bool] = False

    def apply(self, galaxy: Galaxy) -> None:
        lost = Lost(self.seat, self.piece, self.sector, self.count, self.unit, self.taken_over)
        contest_of(galaxy).losses.append(lost)


class DestroyBases(SeatStep):
    """`step4.returned`: all bases of a side in the sector go back, one after another.

    `tech.psionic-ecology`: an embassy that is destroyed or taken over brings its owner CAPs.
    """

    kind: Open[str]  # of power
    sector: Open[str]
    rule: Open[str]
    taken_over: Open[bool] = False

    def run(self, galaxy: Galaxy) -> Happenings:
        """Records a stack, or a group of complexes, as one loss."""
        piece = BASE_OF[self.kind]
        count = galaxy.houses[self.seat].bases_at(self.kind, self.sector)
        for _ in range(count):
            yield BaseReturned(self.seat, piece, self.sector)
        if not count:
            return
        yield PieceLost(self.seat, piece, self.sector, count, self.rule, taken_over=self.taken_over)
        if piece == EMBASSY and holds(galaxy, self.seat, PSIONIC_ECOLOGY):
            amount = figure(galaxy, "tech.psionic")
            yield from gain(galaxy, self.seat, amount, "tech.psionic-ecology")


def units_fall(side: Side, rule: str) -> Happenings:
    """Destroys the agents or fleets of a side one by one, each after a window for leaders."""
    unit = UNIT_OF[side.type]
    for number in side.units:
        yield Window("unit-falls", side.seat, (unit, number))
        yield DestroyUnit(side.seat, unit, number, side.sector, rule)


class DestroyUnit(SeatStep):
    """`step4.returned`: a unit goes back, if it is still where it fought, and was not saved."""

    unit: Open[str]
    number: Open[int]
    sector: Open[str]
    rule: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        saved = (self.seat, self.unit, self.number) in contest_of(galaxy).saved
        standing = on_map(galaxy, self.seat, self.unit, self.number)
        movers = galaxy.houses[self.seat].movers(self.unit)
        if standing and movers[self.number] == self.sector and not saved:
            yield UnitReturned(self.seat, self.unit, self.number, self.sector)
            yield PieceLost(self.seat, self.unit, self.sector, 1, self.rule, self.number)


class DestroyGates(SeatStep):
    """`gates.both-halves`: a gate that is destroyed leaves the map with both halves.

    A gate that has meanwhile been put outside the contested sector is saved.
    """

    gates: Open[tuple[int, ...]]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Returns only the gates that still have a half there."""
        contest = contest_of(galaxy)
        for number in self.gates:
            if contest.sector in galaxy.houses[self.seat].gates[number].sectors:
                yield GateReturned(self.seat, number)
                yield PieceLost(self.seat, GATE, contest.sector, 1, "gates.destroy", number)
