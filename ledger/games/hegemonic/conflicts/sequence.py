"""Conflict actions: DESTROY and TAKEOVER; a move first, then a conflict of five steps.

ConflictAction ─▶ BeginConflict ─▶ [moving.py] ─▶ BeginConflict ─▶ [declaring.py] ─▶ FightConflict
StartingPower ─▶ PoliticalSupport ─▶ PlayTechnologies ─▶ Outcome ─▶ Cleanup, one file a step
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ledger.games.hegemonic.actions.base import Action, check_done, check_untouched, turn_of
from ledger.games.hegemonic.actions.turn import ActionTakenBack, CancelAction
from ledger.games.hegemonic.leaders.activation import Interrupted, Resume
from ledger.games.hegemonic.state.components import INDUSTRIAL, PATTERNS, UNIT_OF, Pattern
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.parts.refusals import passes
from ledger.parts.seats import SeatFact, SeatQuestion, SeatStep

from .cleanup import Cleanup
from .committing import PlayTechnologies
from .declaring import (
    Declare,
    check_declared,
    check_targeting,
    check_unpaid,
    declare_conflict,
    list_attacks,
)
from .facts import ContestEnded, contest_of
from .moving import Movement, MoverNamed, MoveUnit, check_may_move, move
from .outcome import Outcome
from .starting_power import StartingPower
from .support import PoliticalSupport

Check: TypeAlias = Callable[[Galaxy, Seat, Pattern, Declare], object]


class StartConflict(Decision, tag="turn.start-conflict"):
    """Begin a conflict action with an attack pattern of the card."""

    pattern: Open[str]


class SkipConflict(Decision, tag="conflict.skip"):
    """End the action without a conflict, after a move."""


class ConflictSkipped(SeatFact, tag="conflict.skipped"):
    """A conflict action ended without a conflict."""


def check_pattern(galaxy: Galaxy, card: str, pattern: str) -> Pattern:
    """The attack patterns of each card; the three building cards take over their own type.

    `pattern.industrialize.takeover`: complexes attack complexes and gates.
    `pattern.politicize.infiltrate`: an agent attacks an embassy and agents.
    `pattern.martialize.strike`: a fleet attacks outposts and fleets.

    `card.assault` destroys, each type the two others.
    `pattern.assault.industrial-political`, `pattern.assault.industrial-martial`: Exploit, with
    complexes. `pattern.assault.sabotage-industrial`, `pattern.assault.sabotage-martial`: Sabotage,
    with an agent. `pattern.assault.raze-industrial`, `pattern.assault.raze-political`: Raze, with a
    fleet.

    `card.subvert` takes over, each type the two others.
    `pattern.subvert.industrial-political`, `pattern.subvert.industrial-martial`: Leverage, with
    complexes. `pattern.subvert.annex-industrial`, `pattern.subvert.annex-martial`: Annex, with an
    agent. `pattern.subvert.invade-industrial`, `pattern.subvert.invade-political`: Invade, with a
    fleet.

    Refuses a pattern that the card lacks. Patterns against its own type need a reading.
    """
    row = PATTERNS.of(galaxy).get(pattern)
    evidence = {"card": card, "pattern": pattern}
    if row is None or row.card != card:
        message = "The action card has no such attack pattern."
        raise Refused("no_such_pattern", "pattern.one-per-action", message, evidence)
    if row.own_type and galaxy.reads("patterns.same-type-destroy") == "off":
        message = "The card can only attack the two other types."
        raise Refused("own_type", "pattern.one-per-action", message, evidence)
    return row


class ConflictAction(Action):
    """`pattern.one-per-action`: one pattern, one conflict; another action may choose another."""

    listed = "conflict"
    pattern: Open[str]

    def check(self, galaxy: Galaxy) -> None:
        """`move.optional`: an action that can neither move nor attack cannot begin."""
        pattern = check_pattern(galaxy, turn_of(galaxy).card, self.pattern)
        moves = _moves(galaxy, self.seat, pattern)
        if not any(moves) and not any(_attacks(galaxy, self.seat, pattern)):
            message = "The player could neither move nor attack with this action."
            raise Refused("nothing_possible", "move.optional", message, {"pattern": self.pattern})

    def run(self, galaxy: Galaxy) -> Happenings:
        """Asks for a move first if the pattern has one; move and conflict are both optional."""
        moving = PATTERNS.of(galaxy)[self.pattern].attacker != INDUSTRIAL
        yield BeginConflict(self.seat, self.occasion, self.pattern, moving)


class BeginConflict(SeatQuestion):
    """`move.optional`: the player moves and attacks, only moves, or only attacks.

    A player who does neither takes the action back; it does not count. `leader.interrupt-unpaid`: a
    player may drop an action that a leader has interrupted.
    """

    answers = (
        MoveUnit, Declare, SkipConflict, CancelAction, Resume,
    )  # fmt: skip
    occasion: Open[str]
    pattern: Open[str]
    moving: Open[bool]  # whether a unit may still move

    def key(self, galaxy: Galaxy, seat: Seat) -> str:
        asked = "move" if self.moving else "declare"
        return f"{self.occasion}/{asked}{Interrupted.key(galaxy)}"

    def allows(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> bool:
        """Tests the rules for moving, declaring, or ending the action."""
        pattern = PATTERNS.of(galaxy)[self.pattern]
        if isinstance(decision, MoveUnit):
            check_may_move(galaxy, pattern, decision)
            Movement.check(galaxy, seat, decision.unit, decision.number, decision.path)
        elif isinstance(decision, Declare):
            check_declared(galaxy, seat, pattern, decision)
        elif isinstance(decision, SkipConflict):
            check_done(galaxy, "move.optional")
        elif isinstance(decision, Resume):
            Interrupted.check(galaxy)
        else:
            check_untouched(galaxy, "move.optional")
        return True

    def options(self, galaxy: Galaxy, seat: Seat) -> Iterator[Decision]:
        """A fleet gets one path to each sector that it can reach."""
        pattern = PATTERNS.of(galaxy)[self.pattern]
        if self.moving:
            yield from _moves(galaxy, seat, pattern)
        yield from _attacks(galaxy, seat, pattern)
        yield SkipConflict() if turn_of(galaxy).done else CancelAction()
        yield from Interrupted.options(galaxy)

    def decide(self, galaxy: Galaxy, seat: Seat, decision: Decision) -> Happenings:
        """After a move the player is asked whom to attack."""
        if isinstance(decision, MoveUnit):
            yield MoverNamed(seat, decision.unit, decision.number)
            yield from move(galaxy, seat, decision.unit, decision.number, decision.path)
            yield AfterMove(seat, self.occasion, self.pattern)
        elif isinstance(decision, Declare):
            pattern = PATTERNS.of(galaxy)[self.pattern]
            yield from declare_conflict(galaxy, seat, self.occasion, pattern, decision)
            yield FightConflict()
        elif isinstance(decision, SkipConflict):
            yield ConflictSkipped(seat)
        elif isinstance(decision, Resume):
            yield from Interrupted.decide(seat, decision, self)
        else:
            yield ActionTakenBack(seat)


class AfterMove(SeatStep):
    """`move.optional`: with nothing to attack after a move, the action is over."""

    occasion: Open[str]
    pattern: Open[str]

    def run(self, galaxy: Galaxy) -> Happenings:
        """Keeps the action open if only the price is lacking: others may give CAPs.

        A leader may let a piece that has attacked attack again.
        """
        pattern = PATTERNS.of(galaxy)[self.pattern]
        check = check_targeting if galaxy.houses[self.seat].leader else check_unpaid
        if any(_attacks(galaxy, self.seat, pattern, check)):
            yield BeginConflict(self.seat, self.occasion, self.pattern, moving=False)
        else:
            yield ConflictSkipped(self.seat)


def _moves(galaxy: Galaxy, seat: Seat, pattern: Pattern) -> Iterator[Decision]:
    if pattern.attacker != INDUSTRIAL:
        yield from Movement.options(galaxy, seat, UNIT_OF[pattern.attacker])


def _attacks(
    galaxy: Galaxy, seat: Seat, pattern: Pattern, check: Check = check_declared
) -> Iterator[Decision]:
    for attack in list_attacks(galaxy, seat, pattern):
        if passes(check, galaxy, seat, pattern, attack):
            yield attack


class FightConflict(Step):
    """`conflict.steps`: starting power, support, technology cards, outcome, cleanup."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Runs the steps in this order, to the end, before anything else."""
        yield StartingPower()
        yield PoliticalSupport()
        yield PlayTechnologies()
        yield Outcome()
        yield Cleanup()
        yield EndConflict()


class EndConflict(Step):
    """`conflict.steps`: after the fifth step the conflict is over."""

    def run(self, galaxy: Galaxy) -> Happenings:
        yield ContestEnded(contest_of(galaxy).key)
