"""Conflict, step 1: starting power, and what agents and fleets draw on.

StartingPower ─▶ DrawAndCount (attacker) ─▶ DrawAndCount (defender)
│ each: [ChooseDraws] ─▶ CountPower
└ or, by a reading, both at once: DrawTogether (sealed) ─▶ OpenDraws ─▶ CountPower, CountPower
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from ledger.games.hegemonic.state.components import FACTIONS, INDUSTRIAL, MARTIAL, POLITICAL, figure
from ledger.games.hegemonic.state.contest import Side
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.games.hegemonic.state.technologies import (
    POST_PHYSICAL_ARRAY,
    SYNERGIZED_LOGISTICS,
    holds,
)
from ledger.kernel.audience import Open, Own
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.battle import Contribution
from ledger.parts.sealed import Revealing, SealedQuestion
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from . import power
from .facts import contest_of, side_of
from .power import Contributions


class ChooseDraw(Decision, tag="conflict.choose-draw"):
    """Draw on a faction for agents, on the stack of a sector for fleets, or on none."""

    on: Open[tuple[str, ...]] = ()


class ChooseDrawSealed(Decision, tag="conflict.choose-draw-sealed"):
    """Draw on these in secret, where both sides choose at once."""

    on: Own[tuple[str, ...]] = ()


# --- facts ----------------------------------------------------------------------------------------


class DrawChosen(Revealing, tag="conflict.draw-chosen"):
    """A side draws on these factions, or stacks, for its units; or on none."""

    on: Open[tuple[str, ...]]
    key: Open[str] = ""  # of the answer, where it was sealed

    def apply(self, galaxy: Galaxy) -> None:
        """Counts each draw as a use in this phase, even if it lends nothing."""
        side = side_of(galaxy, self.seat)
        side.draws, side.has_drawn, side.sealed = list(self.on), True, ()
        first = self.on[0] if self.on else ""
        if side.type == POLITICAL:
            side.faction = first
        else:
            side.lender = first
        galaxy.houses[self.seat].drawn_on += self.on


class DrawSealed(SeatFact, tag="conflict.draw-sealed"):
    """A side chose in secret what it draws on."""

    on: Own[tuple[str, ...]]
    key: Open[str]

    def apply(self, galaxy: Galaxy) -> None:
        """Lets the other side see that a choice was made."""
        side = side_of(galaxy, self.seat)
        side.sealed, side.answered = self.on, self.key


class StartingPowerCounted(SeatFact, tag="conflict.starting-power"):
    """The starting power of a side was counted."""

    contributions: Open[tuple[Contribution, ...]]

    def apply(self, galaxy: Galaxy) -> None:
        """Fixes the power, whatever becomes of the pieces behind it."""
        side_of(galaxy, self.seat).add(*self.contributions)


# --- what may be drawn on -------------------------------------------------------------------------


def may_draw_on(galaxy: Galaxy, side: Side, name: str, more: int = 1) -> bool:
    """`step1.agent-limit`: each faction lends to a player's agents once a phase.

    `step1.fleet-limit`: each stack is chosen to lend to a fleet once a phase.
    `tech.post-physical-array`, `tech.synergized-logistics`: the owner has no such limit.

    Returns whether a side may draw on a faction, or a stack, `more` times.
    """
    times = galaxy.houses[side.seat].drawn_on.count(name) + more
    if side.type == MARTIAL:
        free = times <= figure(galaxy, "fleet.outpost-uses")
        return free or holds(galaxy, side.seat, SYNERGIZED_LOGISTICS)
    if times == 1 or holds(galaxy, side.seat, POST_PHYSICAL_ARRAY):
        return True
    return bool(times <= galaxy.reads("agent.faction-uses"))


def list_named(galaxy: Galaxy, side: Side) -> list[str]:
    """Returns factions or stacks, used up or not."""
    if side.type == POLITICAL:
        return list(FACTIONS.of(galaxy))
    return power.lenders(galaxy, side.seat, side.sector)


def count_draws(galaxy: Galaxy, side: Side) -> int:
    """Returns the number of draws allowed in this conflict."""
    several = len(side.units) > 1 and galaxy.reads("conflict.draws-per-side") == "per-unit"
    return len(side.units) if several else 1


def check_draws(galaxy: Galaxy, side: Side, on: tuple[str, ...]) -> None:
    """The draws of units that fight without a base of their type.

    `step1.agent-zero`: any faction, also one that lends nothing, or none.
    `step1.fleet-none`: a stack whose range reaches the fleet, or none.
    `step1.agents-many`, `step1.fleets-many`: one for the side; by a reading, one for each unit.

    Refuses draws that do not exist, are used up, or exceed the side's number.
    """
    rule = "step1.agent" if side.type == POLITICAL else "step1.fleet"
    evidence = {"on": list(on)}
    named = list_named(galaxy, side)
    if not set(on) <= set(named) or sorted(on, key=named.index) != list(on):
        raise Refused("cannot_draw_on", rule, "This cannot lend power to the units.", evidence)
    if len(on) > count_draws(galaxy, side):
        message = "A side can draw on only one of these."
        raise Refused("too_many_draws", f"{rule}s-many", message, evidence)
    for name in dict.fromkeys(on):
        if not may_draw_on(galaxy, side, name, on.count(name)):
            message = "It has already lent power in this phase."
            raise Refused("already_lent", f"{rule}-limit", message, {"on": name})


def list_draws(galaxy: Galaxy, side: Side) -> Iterator[tuple[str, ...]]:
    """Yields every choice, drawing on none last."""
    if not side.may_draw:
        return
    named = [one for one in list_named(galaxy, side) if may_draw_on(galaxy, side, one)]
    most = count_draws(galaxy, side) if named else 0
    for count in range(1, most + 1):
        for on in combinations_with_replacement(named, count):
            if all(may_draw_on(galaxy, side, one, on.count(one)) for one in on):
                yield on
    yield ()


# --- the step -------------------------------------------------------------------------------------


class StartingPower(Step):
    """`step1.order`: the attacker chooses its draws and is counted, then the defender.

    By a reading, if both have a choice, they choose at once.
    """

    def run(self, galaxy: Galaxy) -> Happenings:
        contest = contest_of(galaxy)
        choosing = [s for s in contest.sides if len(list(list_draws(galaxy, s))) > 1]
        if len(choosing) > 1 and galaxy.reads("step1.order") == "simultaneous":
            yield DrawTogether(tuple(side.seat for side in choosing))
            yield OpenDraws()
            return
        yield DrawAndCount(contest.attacker.seat)
        yield DrawAndCount(contest.defender.seat)


class DrawAndCount(SeatStep):
    """`step1.order`: a side chooses, where there is a choice, and is counted."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks only where there is a choice; otherwise takes the only option."""
        options = list(list_draws(galaxy, side_of(galaxy, self.seat)))
        if len(options) > 1:
            yield ChooseDraws(self.seat)
        elif options:
            yield DrawChosen(self.seat, options[0])
        yield CountPower(self.seat)


class ChooseDraws(SeatQuestion):
    """`step1.agent`, `step1.fleet`: the side chooses what its units draw on."""

    answers = (ChooseDraw,)

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/draw/s{seat}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: ChooseDraw) -> bool:
        check_draws(galaxy, side_of(galaxy, seat), decision.on)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseDraw]:
        return [ChooseDraw(on) for on in list_draws(galaxy, side_of(galaxy, seat))]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseDraw) -> Happenings:
        yield DrawChosen(seat, decision.on)


class DrawTogether(SealedQuestion):
    """`step1.order`: by a reading, both sides choose in secret what their units draw on."""

    answers = (ChooseDrawSealed,)
    waiting: Open[tuple[Seat, ...]]

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        return f"{contest_of(galaxy).key}/draw"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: ChooseDrawSealed) -> bool:
        """Applies the same limits as the open question."""
        check_draws(galaxy, side_of(galaxy, seat), decision.on)
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> list[ChooseDrawSealed]:
        return [ChooseDrawSealed(on) for on in list_draws(galaxy, side_of(galaxy, seat))]

    def decide(self, galaxy: Galaxy, seat: Seat, decision: ChooseDrawSealed) -> Happenings:
        yield DrawSealed(seat, decision.on, self.key(galaxy, seat))
        yield from self.without(seat)


class OpenDraws(Step):
    """`step1.order`: secret choices are revealed and both sides are counted."""

    def run(self, galaxy: Galaxy) -> Happenings:
        for side in contest_of(galaxy).sides:
            yield DrawChosen(side.seat, side.sealed, side.answered)
            yield CountPower(side.seat)


class CountPower(SeatStep):
    """`step1.tech`: the power of a side from what it fights with, technologies included."""

    def run(self, galaxy: Galaxy) -> Happenings:
        given = tuple(_power_of(galaxy, side_of(galaxy, self.seat)))
        yield StartingPowerCounted(self.seat, given)


def _power_of(galaxy: Galaxy, side: Side) -> Contributions:
    seat, sector = side.seat, side.sector
    if side.type == INDUSTRIAL:
        return (power.of_complexes if side.bases else power.of_gates)(galaxy, seat, sector)
    if side.type == POLITICAL:
        if side.bases:
            return power.of_embassy(galaxy, seat, sector)
        own = power.of_agents(galaxy, seat, side.units, sector, "")
        drawn = [power.of_faction(galaxy, seat, faction, "step1.agent") for faction in side.draws]
        return _with_each_once(own, drawn)
    if side.bases:
        return power.of_outposts(galaxy, seat, sector)
    own = power.of_fleets(galaxy, seat, side.units, sector, "")
    return _with_each_once(
        own, [power.of_outposts(galaxy, seat, at, side.units) for at in side.draws]
    )


def _with_each_once(own: Contributions, drawn: list[Contributions]) -> Contributions:
    """`step1.count-once`: a piece in two draws counts once."""
    yield from own
    counted: set[tuple[str, str]] = set()
    for lent in drawn:
        for one in lent:
            if (one.piece, one.sector) not in counted:
                counted.add((one.piece, one.sector))
                yield one
