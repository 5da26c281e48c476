"""Requests that need everyone's consent: asking, agreeing, declining and withdrawing."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel.records import Seat

from .table import MatchTable, TableEntry, check_decides, make_refusal
from .undo import EditionAsked, Request, UndoAnswered, UndoAsked, UndoDone, UndoWithdrawn


def seats_asked(table: MatchTable, seats: Sequence[Seat]) -> list[Seat]:
    """Returns the seats that must agree; bots are never asked."""
    return [seat for seat in seats if not table.bot_at(seat)]


def ask_undo(
    table: MatchTable, seats: Sequence[Seat], asked: UndoAsked | EditionAsked, by: str, now: int
) -> list[TableEntry]:
    """Lets a seat ask to go back, or for another edition; one request at a time."""
    check_decides(table, asked.seat, by)
    who = seats_asked(table, seats)
    if any(one.state(who, now) in ("open", "agreed") for one in table.requests):
        raise make_refusal("undo_open")
    return [asked]


def answer_undo(
    table: MatchTable, seats: Sequence[Seat], answer: UndoAnswered, by: str, now: int
) -> list[TableEntry]:
    """Records a seat's one answer to a request."""
    check_decides(table, answer.seat, by)
    request = _open_request(table, seats, answer.request, now)
    if answer.seat in request.answers:
        raise make_refusal("undo_over", {"state": "answered"})
    return [answer]


def withdraw_undo(
    table: MatchTable, seats: Sequence[Seat], number: int, by: str, now: int
) -> list[TableEntry]:
    """Lets the seat that asked withdraw its request."""
    request = _open_request(table, seats, number, now)
    check_decides(table, request.asked.seat, by)
    return [UndoWithdrawn(request=number)]


def finish_undo(table: MatchTable, number: int, version: int) -> list[TableEntry]:
    """Records that the request was carried out by this act."""
    if request_of(table, number).ended:
        return []
    return [UndoDone(request=number, version=version)]


def request_of(table: MatchTable, number: int) -> Request:
    for request in table.requests:
        if request.number == number:
            return request
    raise make_refusal("no_such_undo", {"request": number})


def _open_request(table: MatchTable, seats: Sequence[Seat], number: int, now: int) -> Request:
    request = request_of(table, number)
    state = request.state(seats_asked(table, seats), now)
    if state != "open":
        raise make_refusal("undo_over", {"state": state})
    return request
