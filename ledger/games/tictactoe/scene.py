"""The scene: nine squares, crosses and noughts, and chips if they are played for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.kernel.accounts import BANK, holder
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Card, Cell, Counter, Piece, Scene
from ledger.kernel.story import Seen
from ledger.parts.shown.scene import PieceLook, with_targets

from .state import CELLS, CHIPS, LINES

MARKS: Final = (PieceLook("cross", "X", "cross"), PieceLook("nought", "O", "ring"))
SIGNS: Final = tuple(mark.sign for mark in MARKS)


def scene_of(seen: Seen, lookup: Lookup) -> Scene:
    board = seen["state"]
    drawn = Scene(
        title="Tic-tac-toe",
        grid="square",
        cells=tuple(_cells(board, lookup)),
        pieces=tuple(_pieces(board)),
        cards=tuple(_notes(board)),
        counters=tuple(_chips(board)),
    )
    return with_targets(
        drawn,
        seen.get("options", ()),
        lambda option: (f"c{option['cell']}",),
        lambda option: f"mark {option['cell']}",
    )


def _cells(board: Seen, lookup: Lookup) -> Iterator[Cell]:
    won = () if board["line"] is None else LINES.behind(lookup)[board["line"]].cells
    for cell in range(CELLS):
        yield Cell(id=f"c{cell}", x=cell % 3, y=cell // 3, label=str(cell), marked=cell in won)


def _pieces(board: Seen) -> Iterator[Piece]:
    for cell, seat in enumerate(board["cells"]):
        if seat is not None:
            yield MARKS[seat].piece(f"m{cell}", f"c{cell}", seat=seat)


def _notes(board: Seen) -> Iterator[Card]:
    for note in board["notes"]:
        if note["written"]:
            name = "" if hidden(note["cell"]) else f"cell {note['cell']}"
            yield Card(id=f"n{note['seat']}", place="note", name=name, seat=note["seat"])


def _chips(board: Seen) -> Iterator[Counter]:
    for account, chips in sorted(board["accounts"]["balances"][CHIPS].items()):
        if account != BANK:
            seat = holder(account)
            whose = account if seat is None else SIGNS[seat]
            yield Counter(id=account, name=f"chips of {whose}", value=chips, seat=seat)
