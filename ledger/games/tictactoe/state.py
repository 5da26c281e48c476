"""The state of the table: nine cells, two notes, a purse; and its visibility."""

from __future__ import annotations

import msgspec

from ledger.kernel.accounts import Accounts
from ledger.kernel.audience import Open, Own
from ledger.kernel.content import Row, Table
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Seat, State
from ledger.kernel.refusals import Refused

CHIPS = "chips"
POT = "pot"
CELLS = 9


class Line(Row):
    """Three cells that win together."""

    cells: tuple[int, int, int]


LINES = Table("lines", Line, {"": "end.win"})


def fitting(lookup: Lookup) -> None:
    """Refuses lines that the board cannot hold."""
    for line in LINES.behind(lookup).values():
        if any(not 0 <= cell < CELLS for cell in line.cells):
            evidence = {"table": LINES.name, "row": line.id, "cells": f"0..{CELLS - 1}"}
            raise Refused("bad_value", "play.turn", "The board has no such cell.", evidence)


class Note(msgspec.Struct, array_like=True):
    """A seat's note; others see only that it has written one."""

    seat: Open[Seat]
    written: Open[bool] = False
    cell: Own[int | None] = None


class Board(State):
    """The board: cells 0 to 8 from the top left; None marks an empty one."""

    cells: Open[list[Seat | None]]
    notes: Open[list[Note]]
    accounts: Open[Accounts]
    gifts: Open[list[int]]  # how many gifts each seat has made
    first: Open[Seat] = 0
    winner: Open[Seat | None] = None
    line: Open[str | None] = None  # the id of the winning line

    def empty(self) -> list[int]:
        return [cell for cell, owner in enumerate(self.cells) if owner is None]

    def line_of(self, seat: Seat) -> str | None:
        """Returns the first line that a seat holds, or None."""
        cells = self.cells
        for line in LINES.of(self).values():
            one, two, three = line.cells
            if seat == cells[one] == cells[two] == cells[three]:
                return line.id
        return None


def empty_table(seats: int) -> Board:
    """Returns the table before the match begins."""
    return Board(
        cells=[None] * CELLS,
        notes=[Note(seat) for seat in range(seats)],
        accounts=Accounts.opened(CHIPS),
        gifts=[0] * seats,
    )
