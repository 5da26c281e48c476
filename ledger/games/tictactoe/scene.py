"""The scene: nine squares, crosses and noughts, and chips if they are played for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.accounts import BANK
from ledger.kernel.audience import hidden
from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Card, Cell, Counter, Form, Piece, Scene, Target

from .state import CHIPS, LINES

SIGNS = ("X", "O")
NAMES = ("cross", "nought")
FORMS: tuple[Form, ...] = ("cross", "ring")


def scene_of(seen: Mapping[str, Any], lookup: Lookup) -> Scene:
    board = seen["state"]
    won = () if board["line"] is None else LINES.behind(lookup)[board["line"]].cells
    return Scene(
        title="Tic-tac-toe",
        grid="square",
        cells=tuple(
            Cell(id=f"c{cell}", x=cell % 3, y=cell // 3, label=str(cell), marked=cell in won)
            for cell in range(9)
        ),
        pieces=tuple(
            Piece(
                id=f"m{cell}",
                cell=f"c{cell}",
                sign=SIGNS[seat],
                name=NAMES[seat],
                form=FORMS[seat],
                seat=seat,
            )
            for cell, seat in enumerate(board["cells"])
            if seat is not None
        ),
        cards=tuple(
            Card(
                id=f"n{note['seat']}",
                place="note",
                name=_describe_cell(note["cell"]),
                seat=note["seat"],
            )
            for note in board["notes"]
            if note["written"]
        ),
        counters=tuple(
            _counter(account, chips)
            for account, chips in sorted(board["accounts"]["balances"][CHIPS].items())
            if account != BANK
        ),
        targets=tuple(
            Target(on=f"c{option['cell']}", label=f"mark {option['cell']}", decision=option)
            for option in seen.get("options", ())
        ),
    )


def _counter(account: str, chips: int) -> Counter:
    kind, _, number = account.partition(".")
    seat = int(number) if number else None
    whose = kind if seat is None else SIGNS[seat]
    return Counter(id=account, name=f"chips of {whose}", value=chips, seat=seat)


def _describe_cell(cell: Any) -> str:
    return "" if hidden(cell) else f"cell {cell}"
