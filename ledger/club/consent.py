"""Who may ask for what all must agree to, agree, decline and withdraw, as a table's book has it."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel.records import Seat

from .table import Table, TableEntry, check_decides, refused
from .undo import EditionAsked, Request, UndoAnswered, UndoAsked, UndoDone, UndoWithdrawn


def seats_asked(table: Table, seats: Sequence[Seat]) -> list[Seat]:
    """Who must agree: bots have no will of their own."""
    return [seat for seat in seats if not table.bot_at(seat)]


def ask_undo(
    table: Table, seats: Sequence[Seat], asked: UndoAsked | EditionAsked, by: str, now: int
) -> list[TableEntry]:
    """A seat asks to go back, or for another edition; one request at a time."""
    check_decides(table, asked.seat, by)
    who = seats_asked(table, seats)
    if any(one.state(who, now) in ("open", "agreed") for one in table.requests):
        raise refused("undo_open")
    return [asked]


def answer_undo(
    table: Table, seats: Sequence[Seat], answer: UndoAnswered, by: str, now: int
) -> list[TableEntry]:
    """A seat agrees or declines, once."""
    check_decides(table, answer.seat, by)
    request = _open_request(table, seats, answer.request, now)
    if answer.seat in request.answers:
        raise refused("undo_over", {"state": "answered"})
    return [answer]


def withdraw_undo(
    table: Table, seats: Sequence[Seat], number: int, by: str, now: int
) -> list[TableEntry]:
    """Who asked takes it back."""
    request = _open_request(table, seats, number, now)
    check_decides(table, request.asked.seat, by)
    return [UndoWithdrawn(request=number)]


def finish_undo(table: Table, number: int, version: int) -> list[TableEntry]:
    """It was done, by this act."""
    if request_of(table, number).ended:
        return []
    return [UndoDone(request=number, version=version)]


def request_of(table: Table, number: int) -> Request:
    """A request by its number."""
    for request in table.requests:
        if request.number == number:
            return request
    raise refused("no_such_undo", {"request": number})


def _open_request(table: Table, seats: Sequence[Seat], number: int, now: int) -> Request:
    request = request_of(table, number)
    state = request.state(seats_asked(table, seats), now)
    if state != "open":
        raise refused("undo_over", {"state": state})
    return request
