"""Leaders that change turns: Thor's Will, Eadrom, The Consultant.

LD02 gains CAPs; LD05 moves, attacks again, saves a unit; LD06 settles who goes first, and acts
once more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games.hegemonic.actions.base import turn_of
from ledger.games.hegemonic.conflicts.facts import UnitSaved
from ledger.games.hegemonic.conflicts.moving import Movement, move
from ledger.games.hegemonic.map.placing import UnitMoved
from ledger.games.hegemonic.state.caps import gain
from ledger.games.hegemonic.state.components import AGENT, COMPLEX, FLEET, figure
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Open
from ledger.kernel.records import Happenings, Seat
from ledger.parts.abilities import Use
from ledger.parts.seats import SeatFact

from .activation import RULE, Ability, Activate, Moment


class AttackAllowed(SeatFact, tag="leader.attack-allowed"):
    """A piece that has attacked in this phase may attack once more."""

    attacker: Open[str]  # "agent 0", "complex S2b"

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].attacked.remove(self.attacker)


class StarterChosen(SeatFact, tag="leader.starter-chosen"):
    """A leader named the first player among equal order numbers, instead of the arbiter."""

    starter: Open[Seat]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.starter = self.starter


class OrderChanged(SeatFact, tag="leader.order-changed"):
    """The order number of a player's card changes for this phase."""

    number: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        galaxy.houses[self.seat].order = self.number


class ActionsAdded(SeatFact, tag="leader.actions-added"):
    """A player may take more actions in this turn."""

    most: Open[int]

    def apply(self, galaxy: Galaxy) -> None:
        """Sets the total number of actions."""
        turn_of(galaxy).most = self.most


def _own_turn(galaxy: Galaxy, seat: Seat) -> bool:
    return galaxy.turn is not None and galaxy.turn.seat == seat


# --- LD02 Thor's Will -----------------------------------------------------------------------------


class GainCaps(Ability):
    """`leader.anytime`, `LD02`: at any time, gain 2, 4 or 7 CAPs."""

    in_conflict = True
    counts = True

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield from gain(galaxy, use.seat, self.amount(galaxy), RULE)


# --- LD05 Eadrom ----------------------------------------------------------------------------------


class MoveFree(Ability):
    """`leader.anytime`, `LD05` level 1: outside of conflicts, one unit moves without paying.

    The other rules of movement hold: `move.agent`, `move.fleet`.
    """

    needs = ("piece", "number", "path")

    def check(self, galaxy: Galaxy, use: Use) -> None:
        said = use.said
        if said.number is None:
            raise self.untargeted("An agent or a fleet, by its number.", piece=said.piece)
        Movement.check(galaxy, use.seat, said.piece, said.number, said.path, free=True)

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        for unit in (AGENT, FLEET):
            for one in Movement.options(galaxy, seat, unit, free=True):
                yield Activate(self.level, piece=unit, number=one.number, path=one.path)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        said = use.said
        yield from move(galaxy, use.seat, said.piece, said.number, said.path, free=True)


class AttackAgain(Ability):
    """`leader.anytime`, `LD05` level 2: in its own turn, an attacker may attack once more."""

    in_conflict = True
    needs = ("piece", "number", "sector")

    def open(self, galaxy: Galaxy, seat: Seat) -> bool:
        return _own_turn(galaxy, seat)

    def check(self, galaxy: Galaxy, use: Use) -> None:
        attacker = self._attacker(use.said)
        if attacker not in galaxy.houses[use.seat].attacked:
            message = "Nothing of this name has attacked in this phase."
            raise self.untargeted(message, attacker=attacker)

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        for attacker in dict.fromkeys(galaxy.houses[seat].attacked):
            piece, _, which = attacker.partition(" ")
            if piece == COMPLEX:
                yield Activate(self.level, piece=piece, sector=which)
            else:
                yield Activate(self.level, piece=piece, number=int(which))

    def _attacker(self, said: Activate) -> str:
        if said.piece == COMPLEX and said.number is None:
            return f"{COMPLEX} {said.sector}"
        if said.piece in (AGENT, FLEET) and said.number is not None and not said.sector:
            return f"{said.piece} {said.number}"
        raise self.untargeted("An agent, a fleet or complexes of a sector.", piece=said.piece)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield AttackAllowed(use.seat, self._attacker(use.said))


class SaveUnit(Ability):
    """`leader.anytime`, `LD05` level 3: the player puts its unit that would be destroyed
    at home.
    """

    moments = ("unit-falls",)
    at_any_time = False

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        kind, number = use.moment.unit
        house = galaxy.houses[use.seat]
        at = house.movers(kind)[number]
        if at != house.home:
            yield UnitMoved(use.seat, kind, number, (at, house.home))
        yield UnitSaved(use.seat, kind, number)


# --- LD06 The Consultant --------------------------------------------------------------------------


class NameFirst(Ability):
    """`leader.anytime`, `LD06` level 1: with its own number tied, the player names who goes first.

    `action.ties`: instead of the arbiter, and among the tied players.
    """

    moments = ("tied",)
    at_any_time = False
    needs = ("seat",)

    def fits(self, galaxy: Galaxy, seat: Seat, moment: Moment) -> bool:
        return seat in moment.tied

    def check(self, galaxy: Galaxy, use: Use) -> None:
        if use.said.seat not in use.moment.tied:
            raise self.untargeted("The player is not tied there.", seat=use.said.seat)

    def ways(self, galaxy: Galaxy, seat: Seat, moment: Moment | None) -> Iterator[Activate]:
        assert moment is not None, "order numbers are tied"
        return (Activate(self.level, seat=one) for one in moment.tied)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield StarterChosen(use.seat, use.said.seat)


class ResolveFirst(Ability):
    """`leader.anytime`, `LD06` level 2: after the reveal, its order number is 0 this phase."""

    moments = ("revealed",)
    at_any_time = False
    counts = True

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        yield OrderChanged(use.seat, self.amount(galaxy))


class ActAgain(Ability):
    """`leader.anytime`, `LD06` level 3: in its own turn, one action more from the played card."""

    in_conflict = True
    counts = True

    def open(self, galaxy: Galaxy, seat: Seat) -> bool:
        return _own_turn(galaxy, seat)

    def carry(self, galaxy: Galaxy, use: Use) -> Happenings:
        most = figure(galaxy, "action.max") + self.amount(galaxy)
        yield ActionsAdded(use.seat, most)
