"""The greedy bot: a position that fits what its seat sees, and a value for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.kernel.accounts import Accounts
from ledger.kernel.audience import hidden
from ledger.kernel.chance import Stream
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Seat

from .begin import RollForFirst
from .opening import RollForCell, WriteFirst
from .play import Turn
from .state import LINES, Board, Note

QUESTIONS = {kind.__name__: kind for kind in (Turn, WriteFirst, RollForFirst, RollForCell)}


def sample(seen: Mapping[str, Any], stream: Stream, _: Lookup) -> tuple[Board, list[Any]]:
    """Builds a whole position, guessing the cell that the other seat has written down."""
    shown = seen["state"]
    notes = [
        Note(
            note["seat"], note["written"], stream.below(9) if hidden(note["cell"]) else note["cell"]
        )
        for note in shown["notes"]
    ]
    board = Board(
        cells=list(shown["cells"]),
        notes=notes,
        accounts=Accounts({name: dict(book) for name, book in _books(shown).items()}),
        gifts=list(shown["gifts"]),
        first=shown["first"],
        winner=shown["winner"],
        line=shown["line"],
    )
    return board, [_question(item) for item in seen["agenda"]]


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


def _books(shown: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
    books: Mapping[str, Mapping[str, int]] = shown["accounts"]["balances"]
    return books


def _question(item: Mapping[str, Any]) -> Any:
    fields = {name: value for name, value in item.items() if name != "type"}
    kind = QUESTIONS[item["type"]]
    return msgspec.convert([item["type"], *fields.values()], kind)
