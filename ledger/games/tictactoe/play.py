"""Chapter 3, Play: mark a cell in turn; three in a line win."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Fact, Happenings, Question, Seat
from ledger.kernel.refusals import Refused

from .ending import PayWinner, ReturnStakes
from .state import Board


class Mark(Decision, tag="play.mark"):
    """Claim an empty cell."""

    cell: Open[int]


class Marked(Fact, tag="play.marked"):
    """A cell was claimed."""

    seat: Open[Seat]
    cell: Open[int]

    def apply(self, board: Board) -> None:
        assert board.cells[self.cell] is None, f"cell {self.cell} is marked twice"
        board.cells[self.cell] = self.seat


class Won(Fact, tag="play.won"):
    """A seat has three in a line."""

    seat: Open[Seat]
    line: Open[str]

    def apply(self, board: Board) -> None:
        board.winner, board.line = self.seat, self.line


class Drew(Fact, tag="play.drew"):
    """All nine cells are marked without a line."""


class Turn(Question):
    """`play.turn`: the seats alternate; each marks an empty cell."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Mark,)
    seat: Open[Seat]
    number: Open[int]  # counts the marks of the match from 1

    def asks(self, board: Board) -> tuple[Seat, ...]:
        return (self.seat,)

    def key(self, board: Board, seat: Seat) -> str:
        return f"turn/{self.number}"

    def allows(self, board: Board, seat: Seat, mark: Mark) -> bool:
        """Requires an empty cell of the board."""
        if not 0 <= mark.cell < len(board.cells):
            evidence = {"cell": mark.cell, "cells": f"0..{len(board.cells) - 1}"}
            raise Refused("no_such_cell", "play.turn", "The board has no such cell.", evidence)
        owner = board.cells[mark.cell]
        if owner is not None:
            evidence = {"cell": mark.cell, "owner": owner}
            raise Refused("cell_taken", "play.turn", "The cell is marked already.", evidence)
        return True

    def options(self, board: Board, seat: Seat) -> list[Mark]:
        return [Mark(cell) for cell in board.empty()]

    def decide(self, board: Board, seat: Seat, mark: Mark) -> Happenings:
        """Marks the cell, then ends the match or passes the turn."""
        yield Marked(seat, mark.cell)
        if line := board.line_of(seat):
            yield Won(seat, line)
            yield PayWinner(seat)
        elif None in board.cells:
            yield Turn(1 - seat, self.number + 1)
        else:
            yield Drew()
            yield ReturnStakes()
