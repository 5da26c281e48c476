"""Other editions in running matches: by an organizer's ruling, or because all seats agree."""

from __future__ import annotations

from typing import Any, Final

from flask.views import MethodView

from ledger.club import claims
from ledger.club import table as tables
from ledger.club.undo import EditionAsked, Request
from ledger.log.format.published import Published
from services.matches.tables import Opened, until_first
from services.web.app.identity import signed_in
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.errata.texts import errata_in, plain_published
from services.web.matches.answers import SECOND, plain_match
from services.web.matches.api import submitter
from services.web.matches.schemas import MatchShape
from services.web.matches.view import Look, all_tables, here, is_behind, seat_in
from services.web.replays.api import has_part
from services.web.seats.api import answered, ask_all, asked_for, entry_of, plain_request, withdraw
from services.web.seats.schemas import AfterNumberShape, UndoAnswerShape

from .schemas import AskedEditionShape, EditionRequestShape, EditionRequestsShape, NewEditionShape

EDITIONS: Final = Routes("editions", "/matches", "Other editions in running matches")


@EDITIONS.route("/<string:match>/edition")
class InForce(MethodView):
    """The edition in force."""

    @EDITIONS.takes(NewEditionShape)
    @EDITIONS.gives(200, MatchShape, problems=(409,))
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Rule that another edition holds from here on; who has a part in the match asks for it"""
        with all_tables().opened(match) as opened:
            rule_edition(opened, asked)
            return plain_match(opened, here(opened, None))


@EDITIONS.route("/<string:match>/edition/requests")
class Requests(MethodView):
    """Requests for another edition."""

    @EDITIONS.takes(AfterNumberShape, location="query")
    @EDITIONS.gives(200, EditionRequestsShape)
    def get(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Who has asked for another edition, and what became of it; the first has number 1"""
        with all_tables().opened(match) as opened:
            found = edition_requests(opened, here(opened, None))
            last = asked["after"] + asked["limit"]
            return {
                "requests": [plain_edition(opened, one) for one in found[asked["after"] : last]],
                "more": last < len(found),
            }

    @EDITIONS.takes(AskedEditionShape)
    @EDITIONS.gives(201, EditionRequestShape, problems=(409,))
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Ask all other seats to go on under another edition"""
        with all_tables().opened(match) as opened:
            return plain_edition(opened, ask_edition(opened, asked))


@EDITIONS.route("/<string:match>/edition/requests/<int:number>")
class OneRequest(MethodView):
    """One of them."""

    @EDITIONS.takes(UndoAnswerShape)
    @EDITIONS.gives(200, EditionRequestShape, problems=(409,))
    def put(self, asked: dict[str, Any], match: str, number: int) -> dict[str, Any]:
        """Agree to another edition, or do not; when all have agreed it holds from there on"""
        me = signed_in().person.id
        with all_tables().opened(match) as opened:
            return plain_edition(opened, answered(opened, number, EditionAsked, asked, me))

    @EDITIONS.gives(204, problems=(409,))
    def delete(self, match: str, number: int) -> None:
        """Take one's request back"""
        with all_tables().opened(match) as opened:
            withdraw(opened, entry_of(opened, number, EditionAsked), signed_in().person.id)


def rule_edition(opened: Opened, asked: dict[str, Any]) -> None:
    """Put an edition in force as it is asked for."""
    if has_part(opened.table, signed_in().person.id):
        raise claims.refused("own_case", {"match": opened.match})
    errata = wanted(opened, asked)
    edition, reason = asked["edition"], asked["reason"]
    until_first(
        lambda: opened.journal.change_edition(edition, submitter(), reason, bringing=errata)
    )


def edition_requests(opened: Opened, look: Look) -> list[Request]:
    """What has been asked for; who sees the match later is told nothing of it yet."""
    told = look.live and not is_behind(opened, look)
    return asked_for(opened, EditionAsked) if told else []


def ask_edition(opened: Opened, asked: dict[str, Any]) -> Request:
    """Ask all other seats for an edition."""
    me, seat = signed_in().person.id, asked["seat"]
    seat_in(opened.history, str(seat))
    tables.check_decides(opened.table, seat, me)
    errata = wanted(opened, asked)
    request = EditionAsked(
        seat=seat,
        edition=asked["edition"],
        errata=tuple(errata),
        version=opened.history.tip.version,
        reason=asked["reason"],
        expires=opened.now() + asked["seconds"] * SECOND,
    )
    return ask_all(opened, request, me)


def wanted(opened: Opened, asked: dict[str, Any]) -> list[Published]:
    """The errata that are asked for; refused where what is asked for cannot be in this match."""
    if not asked["edition"] and not asked["errata"]:
        raise Problem(422, errors={"edition": ["Name an edition or an erratum."]})
    errata = errata_in(asked["errata"])
    opened.journal.edition_act(asked["edition"], asked["reason"], bringing=errata)
    return errata


def plain_edition(opened: Opened, request: Request) -> dict[str, Any]:
    """A request for another edition, for JSON."""
    asked = request.asked
    assert isinstance(asked, EditionAsked), "it is one of those"
    return {
        "edition": asked.edition,
        "errata": [plain_published(one) for one in asked.errata],
        **plain_request(opened, request),
    }
