"""The operations ledger: what officials did to a match, and who looked at private material.

It is for everyone who has, or had, a part in the match, for its host, and for organizers.
"""

from __future__ import annotations

from typing import Any, Final

from flask.views import MethodView

from ledger.club import table as tables
from ledger.kernel.audience import Viewer
from services.matches.club import Caller
from services.matches.operations import Operation, operations_of
from services.matches.tables import Opened
from services.web.app.identity import signed_in
from services.web.app.routes import Routes
from services.web.disputes.schemas import OperationsQueryShape, OperationsShape
from services.web.replays.api import has_part

from .view import all_tables

OPERATING: Final = Routes("operations", "/matches", "What was done to a match, and who looked")


@OPERATING.route("/<string:match>/operations")
class OfMatch(MethodView):
    """The operations ledger of a match."""

    @OPERATING.takes(OperationsQueryShape, location="query")
    @OPERATING.gives(200, OperationsShape)
    def get(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Lists rulings, edits and looks at private material, oldest first."""
        with all_tables().opened(match) as opened:
            found = operations_for(opened, signed_in())
            last = asked["after"] + asked["limit"]
            return {
                "match": match,
                "operations": [plain_operation(one) for one in found[asked["after"] : last]],
                "more": last < len(found),
            }


def operations_for(opened: Opened, who: Caller) -> list[Operation]:
    """Returns the operations a caller may read. Refuses callers without a part in the match."""
    me, table = who.person.id, opened.table
    if not (has_part(table, me) or table.host == me or who.organizer):
        raise tables.refused("not_your_seat")
    return operations_of(opened, ear_of(opened, me))


def ear_of(opened: Opened, person: str) -> Viewer:
    """Returns the seat whose talk a person may read: one they decide for now."""
    own = opened.table.seats_of(person)
    return own[0] if own else None


def plain_operation(one: Operation) -> dict[str, Any]:
    return {
        "at": one.at,
        "kind": one.kind,
        "by": one.by,
        "said": one.said,
        "version": one.version or None,
        "head": one.head,
    }
