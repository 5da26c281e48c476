"""Phase 3, Morale checks: every colony rolls, in ascending order."""

from __future__ import annotations

from typing import Final, Protocol

from ledger.games.galactic_hegemony.state.board import Board, Phase
from ledger.games.galactic_hegemony.state.components import MORALE, MORALE_MAX, PLANETS
from ledger.games.galactic_hegemony.state.hexes import Nearness
from ledger.kernel.audience import Open
from ledger.kernel.chance import ChanceQuestion, Roll, Rolled
from ledger.kernel.records import Fact, Happenings

from .revolt import ChangeMorale
from .tracks import CHECKS, PhaseBegun, gain

DICE: Final = 2


class ChecksBegun(Fact, tag="morale.checks-begun"):
    """The morale checks began, with these planets in revolt."""

    in_revolt: Open[tuple[int, ...]]

    def apply(self, board: Board) -> None:
        """Remember them: there is a reading by which they count for all checks."""
        board.uneasy = self.in_revolt


class MoraleRolled(Fact, tag="morale.rolled"):
    """A planet's morale was rolled for."""

    planet: Open[int]
    dice: Open[tuple[int, ...]]
    modifier: Open[int]
    shift: Open[int]


class BonusPutOff(Fact, tag="morale.bonus-put-off"):
    """A bonus resource will be given when all have been rolled for."""

    planet: Open[int]

    def apply(self, board: Board) -> None:
        """Count it."""
        board.bonus_due += 1


class BonusesGiven(Fact, tag="morale.bonuses-given"):
    """The bonuses that were put off were given."""

    count: Open[int]

    def apply(self, board: Board) -> None:
        """None is due."""
        board.bonus_due = 0


# --- modifiers ------------------------------------------------------------------------------------


class Modifier(Protocol):
    """Something that is added to a morale roll."""

    @staticmethod
    def of(board: Board, planet: int) -> int:
        """How much, for this planet."""


class SpecialModifier:
    """`morale.mod-special`: what the planet's card says (`card.special-modifier`)."""

    @staticmethod
    def of(board: Board, planet: int) -> int:
        """Of any sign."""
        return PLANETS.of(board)[str(planet)].modifier


class RevoltNearby:
    """`morale.mod-revolt`: -1 for each planet in revolt within 2 hexes, the planet itself included.

    `morale.sequential`: a planet counts as it is after the checks before this one.
    """

    @staticmethod
    def of(board: Board, planet: int) -> int:
        """Never above nothing."""
        uneasy = board.uneasy
        counting = [one for one in board.colonies if one.in_revolt or one.planet in uneasy]
        if not counting:
            return 0
        here = board.hex_of(planet)
        near = [one for one in counting if Nearness.within(board, here, board.hex_of(one.planet))]
        now = [colony.planet for colony in near if colony.in_revolt]
        then = [colony.planet for colony in near if colony.planet in uneasy]
        if now != then and board.reads("morale-sequential") == "simultaneous":
            return -len(then)
        return -len(now)


class CivilModifier:
    """`morale.mod-civil`: +1 with civil infrastructure, in revolt too until it is lost."""

    @staticmethod
    def of(board: Board, planet: int) -> int:
        """Once, however many there are."""
        return int(board.of(planet).civil > 0)


class OrbitModifier:
    """`morale.mod-spacecraft`: +1 for each spacecraft in orbit."""

    @staticmethod
    def of(board: Board, planet: int) -> int:
        """As many as there are."""
        return board.ships_at(board.hex_of(planet))


MODIFIERS: Final[tuple[type[Modifier], ...]] = (
    SpecialModifier,
    RevoltNearby,
    CivilModifier,
    OrbitModifier,
)


# --- the checks -----------------------------------------------------------------------------------


class MoraleChecks(Phase):
    """`morale.order`: by ascending planet number, each wholly before the next.

    `morale.who`: every colonised planet, in revolt or not.
    """

    def play(self, board: Board) -> Happenings:
        """One after another."""
        yield PhaseBegun(CHECKS)
        yield ChecksBegun(tuple(one.planet for one in board.colonies if one.in_revolt))
        for colony in board.colonies:
            yield MoraleCheck(colony.planet)
        yield GiveBonuses()


class MoraleCheck(Phase):
    """`morale.roll`: a planet's roll, unless the game has ended."""

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        """Two dice."""
        yield RollMorale(self.planet)


class RollMorale(ChanceQuestion):
    """`morale.roll`: 2d6 and the modifiers, looked up in the morale roll table."""

    planet: Open[int]

    def address(self, board: Board) -> str:
        """By the turn and the planet."""
        return f"morale/{board.turn}/{self.planet}"

    def wish(self, board: Board) -> Roll:
        """Two dice."""
        return Roll(sides=6, count=DICE)

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        """What the table says happens at once."""
        modifier = sum(kind.of(board, self.planet) for kind in MODIFIERS)
        shift = MoraleTable.shift(board, sum(answer.values) + modifier)
        yield MoraleRolled(self.planet, answer.values, modifier, shift)
        if shift > 0 and board.of(self.planet).morale == MORALE_MAX:
            yield Bonus(self.planet)
        elif shift:
            yield ShiftMorale(self.planet, shift)


class MoraleTable:
    """The morale roll table.

    `morale.table-minus2`: 4 or less; `morale.table-minus1`: 5 or 6; `morale.table-zero`: 7 to 10;
    `morale.table-plus1`: 11 or more.
    """

    @staticmethod
    def shift(board: Board, total: int) -> int:
        """By how much a total moves morale."""
        for row in MORALE.of(board).values():
            if row.most is None or total <= row.most:
                return row.shift
        raise AssertionError("the last line of the table has no end")


class ShiftMorale(Phase):
    """`morale.enter-revolt`: a drop below 0 has all that follows from falling into revolt.

    `morale.leave-revolt`: and a rise to 0 what follows from coming out of it.
    """

    planet: Open[int]
    shift: Open[int]

    def play(self, board: Board) -> Happenings:
        """Before the next planet's check."""
        yield ChangeMorale(self.planet, self.shift)


class Bonus(Phase):
    """`morale.bonus`: a rise where morale is at its highest is a resource instead.

    `morale.bonus-cap`: as long as the limit leaves room for it.
    """

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        """At once, by the limit of this moment."""
        if board.reads("bonus-timing") == "at-once":
            yield from gain(board, 1, "morale.bonus")
        else:
            yield BonusPutOff(self.planet)


class GiveBonuses(Phase):
    """`morale.bonus-cap`: bonuses that were put off are given after the last check."""

    def play(self, board: Board) -> Happenings:
        """None are where bonuses are given at once."""
        if count := board.bonus_due:
            yield BonusesGiven(count)
            yield from gain(board, count, "morale.bonus")
