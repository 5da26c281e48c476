"""Phase 1, Move saboteurs: they land by dice, and incite revolt where they land."""

from __future__ import annotations

from ledger.games.galactic_hegemony.state.board import Board, Hex, Phase
from ledger.games.galactic_hegemony.state.hexes import COLUMNS, ROWS, column_of
from ledger.kernel.audience import Open
from ledger.kernel.chance import Rolled
from ledger.kernel.records import Fact, Happenings
from ledger.parts.dice import RollQuestion

from .revolt import ChangeMorale
from .tracks import MOVE_SABOTEURS, PhaseBegun, TokenLowered, TrimStock


class SaboteursLifted(Fact, tag="saboteur.lifted"):
    """All saboteurs were taken off the map."""

    def apply(self, board: Board) -> None:
        for saboteur in board.saboteurs:
            saboteur.hex = None


class SaboteurRowRolled(Fact, tag="saboteur.row-rolled"):
    """A saboteur's row was rolled."""

    number: Open[int]
    row: Open[int]


class SaboteurTurnedAway(Fact, tag="saboteur.turned-away"):
    """A saboteur's roll named the home planet in the first turn, so it did not land."""

    number: Open[int]
    hex: Open[Hex]


class SaboteurLanded(Fact, tag="saboteur.landed"):
    """`saboteur.stays`: a saboteur landed on a hex, and stays until it moves or is destroyed.

    `map.stack`: any number of saboteurs and of spacecraft share a hex; none is ever in the way.
    """

    number: Open[int]
    hex: Open[Hex]
    colony: Open[int | None]  # the colonised planet there

    def apply(self, board: Board) -> None:
        board.saboteurs[self.number - 1].hex = self.hex


class MoveSaboteurs(Phase):
    """`saboteur.lift`: all leave the map first; then each is rolled for, one after another.

    `saboteur.skip`: if none is left in the game the phase is skipped.
    """

    def play(self, board: Board) -> Happenings:
        """Moves them by number; `saboteur.removed`: destroyed ones are out of the game for good."""
        if not board.active():
            return
        yield PhaseBegun(MOVE_SABOTEURS)
        yield SaboteursLifted()
        for saboteur in board.active():
            yield MoveSaboteur(saboteur.number)


class MoveSaboteur(Phase):
    """`saboteur.roll`: a d6 for the row, a d10 for the column, planet or not."""

    number: Open[int]

    def play(self, board: Board) -> Happenings:
        yield RollSaboteurRow(self.number, 1)


class RollSaboteurRow(RollQuestion):
    """`saboteur.roll`: a roll for the row of a saboteur's hex."""

    sides = ROWS
    number: Open[int]
    attempt: Open[int]

    def address(self, board: Board) -> str:
        return f"sab/{board.turn}/{self.number}/{self.attempt}/row"

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        (row,) = answer.values
        yield SaboteurRowRolled(self.number, row)
        yield RollSaboteurColumn(self.number, self.attempt, row)


class RollSaboteurColumn(RollQuestion):
    """`saboteur.first-turn-home`: in the first turn none lands on the home planet: roll again."""

    sides = COLUMNS
    number: Open[int]
    attempt: Open[int]
    row: Open[int]

    def address(self, board: Board) -> str:
        return f"sab/{board.turn}/{self.number}/{self.attempt}/col"

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        """Lands the saboteur, or rolls again."""
        where = (self.row, column_of(board, answer.values[0]))
        if board.turn == 1 and where == board.hex_of(board.home):
            again = board.reads("first-turn-reroll")
            if again != "once" or self.attempt == 1:
                yield SaboteurTurnedAway(self.number, where)
                if again == "column-die":
                    yield RollSaboteurColumn(self.number, self.attempt + 1, self.row)
                else:
                    yield RollSaboteurRow(self.number, self.attempt + 1)
                return
        colony = board.colony_at(where)
        yield SaboteurLanded(self.number, where, None if colony is None else colony.planet)
        yield Incite(self.number)


class Incite(Phase):
    """`saboteur.incite`: a colonised planet on which a saboteur lands falls to morale -1 at once.

    `saboteur.worsen`: one in revolt already falls by 1 instead, not below -3 (`saboteur.floor`).
    `saboteur.no-effect`: on an empty hex, or on a planet that is not colonised, nothing happens.
    `saboteur.sequential`: a second saboteur acts on the state that the first has left.
    """

    number: Open[int]

    def play(self, board: Board) -> Happenings:
        where = board.saboteurs[self.number - 1].hex
        assert where is not None, "it has landed"
        colony = board.colony_at(where)
        if colony is None:
            return
        second = len(board.saboteurs_at(where)) > 1
        if second and board.reads("sab-sequential") == "once-a-phase":
            return
        if not colony.in_revolt:
            yield ChangeMorale(colony.planet, -1 - colony.morale)
            return
        yield ChangeMorale(colony.planet, -1)
        if board.reads("revolt-once") == "every-hit":
            yield TokenLowered(colony.planet)
            yield TrimStock()
