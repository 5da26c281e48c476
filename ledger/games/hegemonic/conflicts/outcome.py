"""Conflict, step 4: the totals are compared, and the losing pieces fall.

`step4.returned`: destroyed pieces go back to their owner's player board. Each loss is recorded for
later reactions.

Outcome ─▶ GatesAtStake ─▶ [ChooseGates] ─▶ [SaveGates] ─▶ DestroyGates
        ─▶ Removals ─▶ TakeOver (takeover.py) ─▶ React, React (reactions.py)
"""

from __future__ import annotations

from itertools import combinations

from ledger.games.hegemonic.leaders.activation import Window
from ledger.games.hegemonic.map.placing import BaseReturned, GateReturned, UnitReturned
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import (
    BASE_OF,
    DESTROYED,
    EMBASSY,
    FATES,
    GATE,
    INDUSTRIAL,
    TAKEOVER,
    UNIT_OF,
    figure,
)
from ledger.games.hegemonic.state.contest import Side
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import POLYMORPHIC_MATTER, PSIONIC_ECOLOGY, holds
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.battle import Lost
from ledger.parts.seats import SeatFact, SeatStep

from .facts import StepBegun, contest_of
from .moving import on_map
from .reactions import React, SaveGates
from .takeover import TakeOver


class ChooseGates(Decision, tag="conflict.choose-gates"):
    """Destroy these gates of the loser; or none."""

    gates: Open[tuple[int, ...]] = ()


# --- facts ----------------------------------------------------------------------------------------


class Compared(Fact, tag="conflict.compared"):
    """The totals were compared."""

    attacker: Open[Seat]
    attack: Open[int]
    defender: Open[Seat]
    defense: Open[int]
    winner: Open[Seat | None]  # none in a draw
    rule: Open[str]  # by which it is the winner

    def apply(self, galaxy: Galaxy) -> None:
        contest = contest_of(galaxy)
        contest.winner, contest.drawn = self.winner, self.winner is None


class GatesChosen(Fact, tag="conflict.gates-chosen"):
    """These gates of the loser are to be destroyed."""

    seat: Open[Seat]  # whose they are
    gates: Open[tuple[int, ...]]


# --- who has won ----------------------------------------------------------------------------------


def compare(galaxy: Galaxy) -> tuple[Side | None, str]:
    """`step4.compare`: the higher total wins; equal totals are a draw, unless a reading differs.

    `tech.polymorphic-matter`: its owner wins equal totals; the attacker does, if both have it.

    Returns the winner, or None in a draw, and the rule that decided.
    """
    attacker, defender = contest_of(galaxy).sides
    if attacker.power != defender.power:
        higher = attacker if attacker.power > defender.power else defender
        return higher, "step4.compare"
    for side in (attacker, defender):
        if holds(galaxy, side.seat, POLYMORPHIC_MATTER):
            return side, "tech.polymorphic-matter"
    named = {"none": None, "attacker": attacker, "defender": defender}
    return named[galaxy.reads("draw.winner")], "step4.compare"


# --- the step -------------------------------------------------------------------------------------


class Outcome(Step):
    """`step4.reaction-order`: gates, removals, replacements, reactions.

    The defender reacts first, then the attacker.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        yield StepBegun(4)
        attacker, defender = contest_of(galaxy).sides
        winner, rule = compare(galaxy)
        won = winner.seat if winner else None
        yield Compared(attacker.seat, attacker.power, defender.seat, defender.power, won, rule)
        if winner is defender:
            yield Window("attack-lost", attacker.seat)
        yield GatesAtStake()
        yield Removals()
        yield TakeOver()
        yield React(defender.seat)
        yield React(attacker.seat)


def loser_of(galaxy: Galaxy) -> Side | None:
    """Returns the losing side; None in a draw."""
    attacker, defender = contest_of(galaxy).sides
    won = contest_of(galaxy).winner
    return None if won is None else defender if won == attacker.seat else attacker


# --- gates ----------------------------------------------------------------------------------------


class GatesAtStake(Step):
    """`gates.destroy`: the winner may destroy gates of a side that lost with industrial power.

    The choice is none, some or all gates in the contested sector; by readings all, or none.
    `gates.attacker-too`: an attacker's gates as well as a defender's.
    `step4.draw-gates`: in a draw gates stay; by a reading they fall like other defending units.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks nothing where there are no gates."""
        contest, loser = contest_of(galaxy), loser_of(galaxy)
        side = loser or contest.defender
        gates = _gates(galaxy, side)
        if not gates:
            return
        if loser is None:
            if galaxy.reads("draw.gates") == DESTROYED:
                yield from _gates_fall(side.seat, gates)
            return
        assert contest.winner is not None, "a side that has not lost has won"
        way = galaxy.reads("gates.destroy")
        if way == "choice":
            yield WhichGates(contest.winner, side.seat)
        elif way == "auto":
            yield from _gates_fall(side.seat, gates)


def _gates(galaxy: Galaxy, side: Side) -> tuple[int, ...]:
    if side.type != INDUSTRIAL:
        return ()
    return galaxy.houses[side.seat].gates_at(contest_of(galaxy).sector)


def _gates_fall(seat: Seat, gates: tuple[int, ...]) -> Happenings:
    yield GatesChosen(seat, gates)
    if gates:
        yield SaveGates(seat, gates)
        yield DestroyGates(seat, gates)


class WhichGates(Question):
    """`gates.destroy`: the winner chooses which of the loser's gates in the sector fall."""

    answers = (ChooseGates,)
    winner: Open[Seat]
    loser: Open[Seat]

    def asks(self, galaxy: Galaxy) -> tuple[Seat, ...]:
        return (self.winner,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/gates"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: ChooseGates) -> bool:
        if decision not in self.options(galaxy, seat):
            evidence = {"gates": list(decision.gates)}
            message = "The loser has no such gates there."
            raise Refused("no_such_gates", "gates.destroy", message, evidence)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseGates]:
        """Returns every set of gates, all of them first and none last."""
        gates = galaxy.houses[self.loser].gates_at(contest_of(galaxy).sector)
        counts = range(len(gates), -1, -1)
        return [ChooseGates(some) for count in counts for some in combinations(gates, count)]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseGates) -> Happenings:
        """Lets the owner save gates before they fall."""
        yield from _gates_fall(self.loser, decision.gates)


# --- what falls -----------------------------------------------------------------------------------


class Removals(Step):
    """The pieces that fall with each outcome.

    `step4.attacker-destroy`: if the attacker wins, all targeted bases and units are destroyed.
    `step4.attacker-takeover`: the same in a takeover, where bases take the place of bases.
    `step4.defender-wins`: if the defender wins, the attacking agent or fleet falls, no complexes.
    `step4.draw-bases`: no base falls in a draw. `step4.draw-attackers`: attacking units fall in a
    draw. `step4.draw-defenders`: defending units fall in a draw.

    `err.01`: defending units do not fall in a draw.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        """Leaves gates to `gates.destroy`."""
        contest = contest_of(galaxy)
        attacker, defender = contest.sides
        if contest.winner == attacker.seat:
            taken_over = contest.action == TAKEOVER
            rule = f"step4.attacker-{contest.action}"
            yield DestroyBases(defender.seat, defender.type, defender.sector, rule, taken_over)
            yield from units_fall(defender, rule)
        elif contest.winner == defender.seat:
            yield from units_fall(attacker, "step4.defender-wins")
        else:
            if defender.bases and _falls(galaxy, "draw.bases"):
                rule = "step4.draw-bases"
                yield DestroyBases(defender.seat, defender.type, defender.sector, rule)
            if attacker.units and _falls(galaxy, "draw.attacking-units"):
                yield from units_fall(attacker, "step4.draw-attackers")
            if defender.units and _falls(galaxy, "draw.defending-units"):
                yield from units_fall(defender, "step4.draw-defenders")


def _falls(galaxy: Galaxy, what: str) -> bool:
    return FATES.of(galaxy)[what].fate == DESTROYED


# --- losses ---------------------------------------------------------------------------------------


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
    for number in side.units if side.type != INDUSTRIAL else ():
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
