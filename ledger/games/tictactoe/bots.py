"""The greedy bot: a position that fits what its seat sees, and a value for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.audience import hidden, rebuild
from ledger.kernel.chance import Stream
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Seat

from .state import LINES, Board


def sample(seen: Mapping[str, Any], stream: Stream, _: Lookup) -> Board:
    """Builds a whole position, guessing the cell that the other seat has written down."""
    notes = [
        {**note, "cell": stream.below(9)} if hidden(note["cell"]) else note
        for note in seen["state"]["notes"]
    ]
    board: Board = rebuild({**seen["state"], "notes": notes}, Board)
    return board


def score(board: Board, seat: Seat) -> int:
    """Values a win above all; else lines one mark short, the other's more because it moves
    next.
    """
    if board.winner is not None:
        return 1000 if board.winner == seat else -1000
    value = 3 * (board.cells[4] == seat) - 3 * (board.cells[4] == 1 - seat)
    for line in LINES.of(board).values():
        owners = [board.cells[cell] for cell in line.cells]
        mine, theirs = owners.count(seat), owners.count(1 - seat)
        if not theirs:
            value += (0, 1, 10)[mine]
        elif not mine:
            value -= (0, 1, 50)[theirs]
    return value
