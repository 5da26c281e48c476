"""How the board looks: nine squares, crosses and noughts, chips where they are played for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.audience import hidden
from ledger.kernel.scene import Card, Cell, Counter, Piece, Scene, Target

from .state import CHIPS

SIGNS = ("X", "O")
NAMES = ("cross", "nought")


def scene_of(seen: Mapping[str, Any]) -> Scene:
    """The scene of a view."""
    board = seen["state"]
    return Scene(
        title="Tic-tac-toe",
        grid="square",
        cells=tuple(
            Cell(id=f"c{cell}", x=cell % 3, y=cell // 3, label=str(cell)) for cell in range(9)
        ),
        pieces=tuple(
            Piece(id=f"m{cell}", cell=f"c{cell}", sign=SIGNS[seat], name=NAMES[seat], seat=seat)
            for cell, seat in enumerate(board["cells"])
            if seat is not None
        ),
        cards=tuple(
            Card(id=f"n{note['seat']}", place="note", name=_noted(note["cell"]), seat=note["seat"])
            for note in board["notes"]
            if note["written"] and note["cell"] is not None
        ),
        counters=tuple(
            Counter(id=account, name=f"{account} chips", value=chips)
            for account, chips in sorted(board["accounts"]["balances"][CHIPS].items())
        ),
        targets=tuple(
            Target(on=f"c{option['cell']}", label=f"mark {option['cell']}", decision=option)
            for option in seen.get("options", ())
        ),
    )


def _noted(cell: Any) -> str:
    return "" if hidden(cell) else f"cell {cell}"
