"""Other editions in running matches, by an organizer's ruling or by consent of all seats."""

from __future__ import annotations

from typing import Any, Final

from flask.views import MethodView

from ledger.club import claims
from ledger.club import table as tables
from ledger.club.undo import EditionAsked, Request
from ledger.log.format.published import Published
from services.matches.cache import OpenMatch, until_first
from services.web.app.access import allowed
from services.web.app.identity import require_caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.errata.texts import errata_in, plain_published
from services.web.matches.answers import SECOND
from services.web.matches.api import acted, submitter
from services.web.matches.schemas import MatchShape
from services.web.matches.view import has_part, look_here
from services.web.seats.api import ask_all, plain_request, record_answer, requests_known, withdraw
from services.web.seats.schemas import AfterNumberShape, UndoAnswerShape

from .schemas import AskedEditionShape, EditionRequestShape, EditionRequestsShape, NewEditionShape

EDITIONS: Final = Routes("editions", "/matches", "Other editions in running matches")


@EDITIONS.route("/<string:match>/edition")
class InForce(MethodView):
    """The edition in force."""

    @EDITIONS.takes(NewEditionShape)
    @EDITIONS.gives(200, MatchShape, problems=(409,))
    @allowed("host", scope="play")  # with no part in the match
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Rules that another edition holds from here on. Not for those with a part in the match."""
        return acted(match, lambda opened: rule_edition(opened, asked))


@EDITIONS.route("/<string:match>/edition/requests")
class Requests(MethodView):
    """Requests for another edition."""

    @EDITIONS.takes(AfterNumberShape, location="query")
    @EDITIONS.gives(200, EditionRequestsShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Lists the requests for another edition and their state. The first has number 1."""
        with match_cache().opened(match) as opened:
            found = requests_known(opened, look_here(opened, None), EditionAsked)
            last = asked["after"] + asked["limit"]
            return {
                "requests": [plain_edition(opened, one) for one in found[asked["after"] : last]],
                "more": last < len(found),
            }

    @EDITIONS.takes(AskedEditionShape)
    @EDITIONS.gives(201, EditionRequestShape, problems=(409,))
    @allowed("seat", scope="play")
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Asks all other seats to go on under another edition."""
        with match_cache().opened(match) as opened:
            return plain_edition(opened, ask_edition(opened, asked))


@EDITIONS.route("/<string:match>/edition/requests/<int:number>")
class OneRequest(MethodView):
    """A request for another edition."""

    @EDITIONS.takes(UndoAnswerShape)
    @EDITIONS.gives(200, EditionRequestShape, problems=(409,))
    @allowed("seat", scope="play")
    def put(self, asked: dict[str, Any], match: str, number: int) -> dict[str, Any]:
        """Agrees to another edition, or declines. When all have agreed it holds from there on."""
        me = require_caller().person.id
        with match_cache().opened(match) as opened:
            return plain_edition(opened, record_answer(opened, number, EditionAsked, asked, me))

    @EDITIONS.gives(204, problems=(409,))
    @allowed("seat", scope="play")
    def delete(self, match: str, number: int) -> None:
        """Withdraws one's own request."""
        with match_cache().opened(match) as opened:
            withdraw(opened, number, EditionAsked, require_caller().person.id)


def rule_edition(opened: OpenMatch, asked: dict[str, Any]) -> None:
    if has_part(opened.table, require_caller().person.id):
        raise claims.make_refusal("own_case", {"match": opened.match})
    errata = parse_errata(opened, asked)
    edition, reason = asked["edition"], asked["reason"]
    until_first(
        lambda: opened.journal.change_edition(edition, submitter(), reason, bringing=errata)
    )


def ask_edition(opened: OpenMatch, asked: dict[str, Any]) -> Request:
    me, seat = require_caller().person.id, asked["seat"]
    opened.check_seat(seat)
    tables.check_decides(opened.table, seat, me)
    errata = parse_errata(opened, asked)
    request = EditionAsked(
        seat=seat,
        edition=asked["edition"],
        errata=tuple(errata),
        version=opened.history.tip.version,
        reason=asked["reason"],
        expires=opened.now() + asked["seconds"] * SECOND,
    )
    return ask_all(opened, request, me)


def parse_errata(opened: OpenMatch, asked: dict[str, Any]) -> list[Published]:
    """Returns the requested errata. Refuses a change that this match cannot take."""
    if not asked["edition"] and not asked["errata"]:
        raise Problem(422, errors={"edition": ["Name an edition or an erratum."]})
    errata = errata_in(asked["errata"])
    opened.journal.edition_act(asked["edition"], asked["reason"], bringing=errata)
    return errata


def plain_edition(opened: OpenMatch, request: Request) -> dict[str, Any]:
    """Returns a request for another edition, for JSON."""
    asked = request.asked
    assert isinstance(asked, EditionAsked), "it is one of those"
    return {
        "edition": asked.edition,
        "errata": [plain_published(one) for one in asked.errata],
        **plain_request(opened, request),
    }
