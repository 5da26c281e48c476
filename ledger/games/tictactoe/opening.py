"""Chapter 2, The sealed opening: both seats write down a cell, then show them together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.audience import Open, Own
from ledger.kernel.chance import Rolled
from ledger.kernel.records import Decision, Fact, Happenings, Seat, Step
from ledger.parts.dice import RollQuestion
from ledger.parts.sealed import SealedQuestion

from .play import Marked, Turn
from .state import Board

WRITE = "opening"  # the key of the sealed question


class Write(Decision, tag="opening.write"):
    """Write down the cell of one's first mark."""

    cell: Own[int]


class CellWritten(Fact, tag="opening.written"):
    """A seat has written down its cell; only it knows which."""

    seat: Open[Seat]
    cell: Own[int]

    def apply(self, board: Board) -> None:
        note = board.notes[self.seat]
        note.written, note.cell = True, self.cell


class CellShown(Fact, tag="opening.shown"):
    """A note was turned up."""

    irrevocable: ClassVar[bool] = True
    seat: Open[Seat]
    cell: Open[int]

    def apply(self, board: Board) -> None:
        """Clears the note."""
        note = board.notes[self.seat]
        note.written, note.cell = False, None

    def discloses(self) -> Iterable[tuple[str, Seat]]:
        """Discloses the seat's answer to the sealed question."""
        return ((WRITE, self.seat),)


class WriteFirst(SealedQuestion):
    """`opening.write`: each seat writes down one cell, unseen by the other."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Write,)
    waiting: Open[tuple[Seat, ...]]

    def key(self, board: Board, seat: Seat) -> str:
        return WRITE

    def allows(self, board: Board, seat: Seat, write: Write) -> bool:
        """Allows any cell, since none is marked yet."""
        return 0 <= write.cell < len(board.cells)

    def options(self, board: Board, seat: Seat) -> list[Write]:
        return [Write(cell) for cell in range(len(board.cells))]

    def decide(self, board: Board, seat: Seat, write: Write) -> Happenings:
        """Keeps the question open for the seats that have not written."""
        yield CellWritten(seat, write.cell)
        yield from self.without(seat)
        if self.waiting == (seat,):
            yield ShowNotes()


class ShowNotes(Step):
    """`opening.show`: the notes are turned up together; two different cells are marked."""

    def run(self, board: Board) -> Happenings:
        """Marks two different cells; the same cell twice is a clash."""
        first, second = (note.cell for note in board.notes)
        assert first is not None, "both have written"
        assert second is not None, "both have written"
        yield CellShown(0, first)
        yield CellShown(1, second)
        if first == second:
            yield Clash(first)
        else:
            yield Marked(0, first)
            yield Marked(1, second)
            yield Turn(board.first, 3)


class Clash(Step):
    """`opening.clash`: of two notes for one cell none is marked, or a die decides whose is."""

    cell: Open[int]

    def run(self, board: Board) -> Happenings:
        """Leaves the cell empty as printed; erratum e1 rolls for it."""
        if board.reads("opening.clash") == "rolled":
            yield RollForCell(self.cell)
        else:
            yield Turn(board.first, 1)


class RollForCell(RollQuestion):
    """`opening.roll`: a die of two sides; the other seat then has the next turn."""

    sides = 2
    cell: Open[int]

    def address(self, board: Board) -> str:
        return "opening/clash"

    def fallen(self, board: Board, answer: Rolled) -> Happenings:
        seat = answer.values[0] - 1
        yield Marked(seat, self.cell)
        yield Turn(1 - seat, 2)
