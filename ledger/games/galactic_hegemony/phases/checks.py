"""Phase 3, Morale checks: every colony rolls, in ascending order."""

from __future__ import annotations

from typing import Final

from ledger.games.galactic_hegemony.state.board import Board, Phase
from ledger.games.galactic_hegemony.state.components import MORALE, MORALE_MAX, PLANETS
from ledger.games.galactic_hegemony.state.hexes import Nearness
from ledger.kernel.audience import Open
from ledger.kernel.chance import Rolled
from ledger.kernel.records import Fact, Happenings
from ledger.parts.dice import RollQuestion

from .revolt import ChangeMorale
from .tracks import CHECKS, PhaseBegun, gain


class ChecksBegun(Fact, tag="morale.checks-begun"):
    """The morale checks began, with these planets in revolt."""

    in_revolt: Open[tuple[int, ...]]

    def apply(self, board: Board) -> None:
        """Remembers the planets: under one reading they count for all checks."""
        board.uneasy = self.in_revolt


class MoraleRolled(Fact, tag="morale.rolled"):
    """A planet's morale roll was made."""

    planet: Open[int]
    dice: Open[tuple[int, ...]]
    modifier: Open[int]
    shift: Open[int]


class BonusPutOff(Fact, tag="morale.bonus-put-off"):
    """A bonus resource was put off until all checks are done."""

    planet: Open[int]

    def apply(self, board: Board) -> None:
        board.bonus_due += 1


class BonusesGiven(Fact, tag="morale.bonuses-given"):
    """The bonuses that were put off were given."""

    count: Open[int]

    def apply(self, board: Board) -> None:
        board.bonus_due = 0


# --- modifiers ------------------------------------------------------------------------------------


class SpecialModifier:
    """`morale.mod-special`: the modifier on the planet's card (`card.special-modifier`)."""

    @staticmethod
    def of(board: Board, planet: int) -> int:
        return PLANETS.of(board)[str(planet)].modifier


class RevoltNearby:
    """`morale.mod-revolt`: -1 for each planet in revolt within 2 hexes, the planet itself included.

    `morale.sequential`: a planet counts as it is after the checks before this one.
    """

    @staticmethod
    def of(board: Board, planet: int) -> int:
        """Returns 0 or less."""
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
    """`morale.mod-civil`: +1 with civil infrastructure, also in revolt until it is lost."""

    @staticmethod
    def of(board: Board, planet: int) -> int:
        return int(board.of(planet).civil > 0)


class OrbitModifier:
    """`morale.mod-spacecraft`: +1 for each spacecraft in orbit."""

    @staticmethod
    def of(board: Board, planet: int) -> int:
        return board.ships_at(board.hex_of(planet))


MODIFIERS: Final = (SpecialModifier, RevoltNearby, CivilModifier, OrbitModifier)


def modifier_of(board: Board, planet: int) -> int:
    """Returns the sum of a planet's modifiers."""
    return sum(modifier.of(board, planet) for modifier in MODIFIERS)


# --- the checks -----------------------------------------------------------------------------------


class MoraleChecks(Phase):
    """`morale.order`: by ascending planet number; each check is completed before the next.

    `morale.who`: every colonised planet, in revolt or not.
    """

    def play(self, board: Board) -> Happenings:
        yield PhaseBegun(CHECKS)
        yield ChecksBegun(tuple(one.planet for one in board.colonies if one.in_revolt))
        for colony in board.colonies:
            yield MoraleCheck(colony.planet)
        yield GiveBonuses()


class MoraleCheck(Phase):
    """`morale.roll`: a planet's roll, unless the game has ended."""

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        yield RollMorale(self.planet)


class RollMorale(RollQuestion):
    """`morale.roll`: 2d6 and the modifiers, looked up in the morale roll table."""

    dice = 2
    planet: Open[int]

    def address(self, board: Board) -> str:
        return f"morale/{board.turn}/{self.planet}"

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        """Looks up the total in the table and applies the shift or the bonus at once."""
        modifier = modifier_of(board, self.planet)
        shift = MoraleTable.shift(board, sum(answer.values) + modifier)
        yield MoraleRolled(self.planet, answer.values, modifier, shift)
        if shift > 0 and board.of(self.planet).morale == MORALE_MAX:
            yield Bonus(self.planet)
        elif shift:
            yield ShiftMorale(self.planet, shift)


class MoraleTable:
    """The morale roll table.

    `morale.table-minus2`: 4 or less takes off 2. `morale.table-minus1`: 5 or 6 takes off 1.
    `morale.table-zero`: 7 to 10 changes nothing. `morale.table-plus1`: 11 or more adds 1.
    """

    @staticmethod
    def shift(board: Board, total: int) -> int:
        """Returns the change of morale for a total."""
        for row in MORALE.of(board).values():
            if row.most is None or total <= row.most:
                return row.shift
        raise AssertionError("the last line of the table has no end")


class ShiftMorale(Phase):
    """`morale.enter-revolt`: a drop below 0 has all effects of falling into revolt.

    `morale.leave-revolt`: a rise to 0 has all effects of leaving revolt.
    """

    planet: Open[int]
    shift: Open[int]

    def play(self, board: Board) -> Happenings:
        yield ChangeMorale(self.planet, self.shift)


class Bonus(Phase):
    """`morale.bonus`: a rise when morale is at its highest gives a resource instead.

    `morale.bonus-cap`: only while the limit has room for it.
    """

    planet: Open[int]

    def play(self, board: Board) -> Happenings:
        """Gives the bonus at once, or puts it off if the reading says so."""
        if board.reads("bonus-timing") == "at-once":
            yield from gain(board, 1, "morale.bonus")
        else:
            yield BonusPutOff(self.planet)


class GiveBonuses(Phase):
    """`morale.bonus-cap`: postponed bonuses are given after the last check."""

    def play(self, board: Board) -> Happenings:
        if count := board.bonus_due:
            yield BonusesGiven(count)
            yield from gain(board, count, "morale.bonus")
