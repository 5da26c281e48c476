"""Decisions by consent: a seat asks, each seat answers, and when all agree it is done.

A request is to go back, or to go on under another edition. Both are answered by the same entries,
which are named after the first kind.

asked ─▶ answered by every seat ─▶ agreed ─▶ done (an act in the match's log)
  └─▶ declined by one seat, withdrawn by the asker, or not answered in time
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from ledger.kernel.records import Seat
from ledger.log.books import Entry
from ledger.log.format.published import Published

State: TypeAlias = Literal["open", "agreed", "done", "declined", "withdrawn", "expired"]


class UndoAsked(Entry, tag="undo-asked"):
    """A seat asks all others to go back."""

    seat: Seat
    to: int  # the event after which play goes on
    version: int  # of the match when it was asked
    reason: str
    expires: int


class EditionAsked(Entry, tag="edition-asked"):
    """A seat asks all others to go on under another edition of the rules."""

    seat: Seat
    edition: str  # empty: the one in force stays
    errata: tuple[Published, ...]  # that are put behind it
    version: int  # of the match when it was asked
    reason: str
    expires: int


class UndoAnswered(Entry, tag="undo-answered"):
    """A seat agreed or declined."""

    request: int
    seat: Seat
    agrees: bool


class UndoWithdrawn(Entry, tag="undo-withdrawn"):
    """The seat that asked withdrew its request."""

    request: int


class UndoDone(Entry, tag="undo-done"):
    """The request was carried out."""

    request: int
    version: int  # of the act that says so


UndoEntry: TypeAlias = UndoAsked | EditionAsked | UndoAnswered | UndoWithdrawn | UndoDone


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request and the answers so far."""

    number: int  # of its entry in the book
    asked: UndoAsked | EditionAsked
    answers: dict[Seat, bool]
    ended: Literal["", "withdrawn", "done"] = ""

    def state(self, seats: Iterable[Seat], now: int) -> State:
        """Returns the request's state; `seats` are those that must agree."""
        if self.ended:
            return self.ended
        if False in self.answers.values():
            return "declined"
        if set(seats) <= self.answers.keys():
            return "agreed"
        return "expired" if now >= self.asked.expires else "open"


def with_entry(requests: Sequence[Request], number: int, entry: UndoEntry) -> tuple[Request, ...]:
    if isinstance(entry, UndoAsked | EditionAsked):
        new = Request(number=number, asked=entry, answers={entry.seat: True})
        return (*requests, new)
    return tuple(
        _apply_entry(one, entry) if one.number == entry.request else one for one in requests
    )


def _apply_entry(one: Request, entry: UndoAnswered | UndoWithdrawn | UndoDone) -> Request:
    if isinstance(entry, UndoAnswered):
        answers = {**one.answers, entry.seat: entry.agrees}
        return msgspec.structs.replace(one, answers=answers)
    ended: Literal["withdrawn", "done"] = "done" if isinstance(entry, UndoDone) else "withdrawn"
    return msgspec.structs.replace(one, ended=ended)
