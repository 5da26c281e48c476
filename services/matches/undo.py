"""Rewinds and edition changes that all have agreed to: done once, as the book says.

The process that writes the last consent does it, or the steward if that process has ended.
"""

from __future__ import annotations

from ledger.club.table import finish_undo, seats_asked
from ledger.club.undo import EditionAsked, Request, UndoAsked, UndoWithdrawn
from ledger.kernel.records import Seat
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import Act, EditionChanged, Rewound
from ledger.log.format.published import base_of
from ledger.log.write.journal import SERVICE
from ledger.log.write.writer import Stale

from .cache import OpenMatch


def settle_undo(opened: OpenMatch) -> bool:
    """Does what all have agreed to; returns whether there was anything to do."""
    table, seats = opened.table, range(opened.history.created.seats)
    asked = seats_asked(table, seats)
    for request in table.requests:
        if not request.ended and request.state(asked, opened.now()) == "agreed":
            _carry_out(opened, request)
            return True
    return False


def _carry_out(opened: OpenMatch, request: Request) -> None:
    number, looked = request.number, opened.history.tip.version
    if not find_undo_event(opened, request):
        everybody = tuple(range(opened.history.created.seats))
        try:
            _write(opened, request, everybody, looked)
        except Stale:
            return  # somebody decides meanwhile; it is looked at again
        except Refused:
            # The match was closed, or there is no way back to there, or no such edition any more.
            opened.book.write("", lambda _: [UndoWithdrawn(request=number)])
            return
    version = find_undo_event(opened, request)
    opened.book.write("", lambda table: finish_undo(table, number, version))


def _write(opened: OpenMatch, request: Request, everybody: tuple[Seat, ...], looked: int) -> None:
    asked, journal = request.asked, opened.journal
    # Another process may be doing the same: once more would undo what came since.
    if isinstance(asked, EditionAsked):
        journal.change_edition(
            asked.edition, SERVICE, asked.reason, everybody, bringing=asked.errata, at=looked
        )
    else:
        journal.rewind(asked.to, SERVICE, asked.reason, everybody, at=looked)


def find_undo_event(opened: OpenMatch, request: Request) -> int:
    """Returns the event that carried out a request, or 0."""
    history, asked = opened.history, request.asked
    later = range(asked.version + 1, history.tip.version + 1)
    return next((version for version in later if _is_of(history.act(version), asked)), 0)


def _is_of(act: Act | None, asked: UndoAsked | EditionAsked) -> bool:
    if isinstance(asked, EditionAsked):
        if not isinstance(act, EditionChanged) or act.errata != asked.errata or not act.consents:
            return False
        named = asked.edition in ("", base_of(act.edition), act.edition)
        return named and act.reason == asked.reason
    return isinstance(act, Rewound) and act.to == asked.to and act.reason == asked.reason
