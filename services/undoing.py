"""Going back when all have agreed: what the book says is carried out in the log, once.

Whoever writes the last consent does it, or the steward, should that process have ended in between.
"""

from __future__ import annotations

from ledger.club import consent
from ledger.club.undo import Request, UndoWithdrawn
from ledger.kernel.refusals import Refused
from ledger.log.acts import Rewound
from ledger.log.journal import Stale
from ledger.log.pen import SERVICE

from .tables import Opened


def settle_undo(opened: Opened) -> bool:
    """Go back where all have agreed; says whether there was anything to do."""
    table, seats = opened.table, range(opened.history.created.seats)
    asked = consent.seats_asked(table, seats)
    for request in table.requests:
        if not request.ended and request.state(asked, opened.now()) == "agreed":
            _carry_out(opened, request)
            return True
    return False


def _carry_out(opened: Opened, request: Request) -> None:
    number, looked = request.number, opened.history.tip.version
    if not done_by(opened, request):
        everybody = tuple(range(opened.history.created.seats))
        try:
            reason = request.asked.reason
            # Another process may be doing the same: once more would undo what came since.
            opened.journal.rewind(request.asked.to, SERVICE, reason, everybody, at=looked)
        except Stale:
            return  # somebody decides meanwhile; it is looked at again
        except Refused:
            # The match was closed, or there is no way back to there any more.
            opened.book.write("", lambda _: [UndoWithdrawn(request=number)])
            return
    version = done_by(opened, request)
    opened.book.write("", lambda table: consent.finish_undo(table, number, version))


def done_by(opened: Opened, request: Request) -> int:
    """The act that carried a request out, if the log has it."""
    history, asked = opened.history, request.asked
    for version in range(asked.version + 1, history.tip.version + 1):
        act = history.act(version)
        if isinstance(act, Rewound) and act.to == asked.to and act.reason == asked.reason:
            return version
    return 0
