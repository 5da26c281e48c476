"""The table: nine cells, two notes, a purse; and who may look."""

from __future__ import annotations

import msgspec

from ledger.kernel.accounts import Accounts, account_of
from ledger.kernel.audience import Open, Own
from ledger.kernel.content import Row, Table
from ledger.kernel.lookup import Door
from ledger.kernel.records import Seat, State
from ledger.kernel.refusals import Refused

CHIPS = "chips"
POT = "pot"
CELLS = 9


class Line(Row):
    """Three cells that win together."""

    cells: tuple[int, int, int]


LINES = Table("lines", Line, {"": "end.win"})


def fitting(door: Door) -> None:
    """Refuse lines that the board cannot hold."""
    for line in LINES.behind(door).values():
        if any(not 0 <= cell < CELLS for cell in line.cells):
            evidence = {"table": LINES.name, "row": line.id, "cells": f"0..{CELLS - 1}"}
            raise Refused("bad_value", "play.turn", "The board has no such cell.", evidence)


def purse_of(seat: Seat) -> str:
    """The account of a seat."""
    return account_of(seat)


class Note(msgspec.Struct, array_like=True):
    """What a seat has written down; the others see that it has, and not what."""

    seat: Open[Seat]
    written: Open[bool] = False
    cell: Own[int | None] = None


class Board(State):
    """Cells 0..8 from the top left; each marked by a seat, or by nobody yet."""

    cells: Open[list[Seat | None]]
    notes: Open[list[Note]]
    accounts: Open[Accounts]
    gifts: Open[list[int]]  # how many gifts each seat has made
    first: Open[Seat] = 0
    winner: Open[Seat | None] = None
    line: Open[str | None] = None  # the id of the winning line

    def empty(self) -> list[int]:
        """The cells that nobody has marked."""
        return [cell for cell, owner in enumerate(self.cells) if owner is None]

    def line_of(self, seat: Seat) -> str | None:
        """The first line that a seat holds."""
        cells = self.cells
        for line in LINES.of(self).values():
            one, two, three = line.cells
            if seat == cells[one] == cells[two] == cells[three]:
                return line.id
        return None


def empty_table(seats: int) -> Board:
    """Before anything has happened."""
    return Board(
        cells=[None] * CELLS,
        notes=[Note(seat) for seat in range(seats)],
        accounts=Accounts.opened(CHIPS),
        gifts=[0] * seats,
    )
