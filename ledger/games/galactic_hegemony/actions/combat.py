"""Combat, in general: dice are ranked and compared in pairs, from the highest down."""

from __future__ import annotations

from ledger.games.galactic_hegemony.state.board import Board, Phase
from ledger.kernel.audience import Open
from ledger.kernel.records import Fact, Happenings
from ledger.parts.dice import pair


class AttackRolled(Fact, tag="combat.attack-rolled"):
    """The spacecraft's dice were rolled."""

    dice: Open[tuple[int, ...]]


class DefenceRolled(Fact, tag="combat.defence-rolled"):
    """The defenders' dice were rolled."""

    dice: Open[tuple[int, ...]]

    def apply(self, board: Board) -> None:
        """Marks the fight's dice as rolled."""
        if board.fight is not None:
            board.fight.rolling = False


class Comparison(Phase):
    """`combat.compare`: the highest die against the highest, then the second against the second.

    `combat.roll`: both sides roll at once, and rank their dice from high to low.
    `combat.win`: a higher die of the spacecraft wins a pair; `combat.tie-loses`: an equal one
    does not.
    `combat.stop-pairs`: until one side has no die left; extra dice do nothing.
    """

    attack: Open[tuple[int, ...]]
    defence: Open[tuple[int, ...]]

    def play(self, board: Board) -> Happenings:
        """Compares pair by pair; each takes effect before the next."""
        for mine, theirs in pair(self.attack, self.defence):
            if self.decided(board):
                return
            yield from self.won(board) if self.beats(mine, theirs) else self.lost(board)

    def beats(self, mine: int, theirs: int) -> bool:
        """Tells if the spacecraft win the pair."""
        return mine > theirs

    def decided(self, board: Board) -> bool:
        """Tells if one side has nothing left to fight with."""
        raise NotImplementedError

    def won(self, board: Board) -> Happenings:
        """Yields the effects of a pair won."""
        raise NotImplementedError

    def lost(self, board: Board) -> Happenings:
        """Yields the effects of a pair lost."""
        raise NotImplementedError
