"""The operations ledger: what officials did to a match, and who looked at private material.

It is for everyone who has, or had, a part in the match, for its host, and for organizers.
"""

from __future__ import annotations

from typing import Any, Final

from flask.views import MethodView

from ledger.club import table as tables
from ledger.kernel.audience import Viewer
from services.matches.cache import OpenMatch
from services.matches.club import Caller
from services.matches.operations import Operation, operations_of
from services.web.app.access import allowed
from services.web.app.identity import require_caller
from services.web.app.parts import match_cache
from services.web.app.routes import Routes
from services.web.disputes.schemas import OperationsQueryShape, OperationsShape
from services.web.matches.view import has_part

OPERATING: Final = Routes("operations", "/matches", "What was done to a match, and who looked")


@OPERATING.route("/<string:match>/operations")
class OfMatch(MethodView):
    """The operations ledger of a match."""

    @OPERATING.takes(OperationsQueryShape, location="query")
    @OPERATING.gives(200, OperationsShape)
    @allowed("seat")
    def get(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Lists rulings, edits and looks at private material, oldest first."""
        with match_cache().opened(match) as opened:
            found = operations_for(opened, require_caller())
            last = asked["after"] + asked["limit"]
            return {
                "match": match,
                "operations": found[asked["after"] : last],
                "more": last < len(found),
            }


def operations_for(opened: OpenMatch, who: Caller) -> list[Operation]:
    """Returns the operations a caller may read. Refuses callers without a part in the match."""
    me, table = who.person.id, opened.table
    if not (has_part(table, me) or table.host == me or who.organizer):
        raise tables.make_refusal("not_your_seat")
    return operations_of(opened, ear_of(opened, me))


def ear_of(opened: OpenMatch, person: str) -> Viewer:
    """Returns the seat whose talk a person may read: one they decide for now."""
    own = opened.table.seats_of(person)
    return own[0] if own else None
