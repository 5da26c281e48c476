"""Deals of a match and their verdicts; and how people have kept their word in a tournament.

| as | may |
|---|---|
| a seat, spectator, all | as with replays |

Private terms are shown to the parties only. A worker makes the document, or this process if there
is none, with the same result. docs/deals.md describes the documents.
"""

from __future__ import annotations

import contextlib
import gzip
from typing import Annotated, Any, Final, cast

import msgspec
from flask.views import MethodView

from ledger.club.tournament.state import Seating, TournamentState
from ledger.kernel.refusals import Refused
from ledger.log.read.bundle import everything_is_open
from replays.deals.reputation import Breach, PromiseRecord, records
from replays.deals.statements import (
    DealsReport,
    SeenDeal,
    SeenFact,
    SeenPaid,
    SeenPayment,
    SeenPromise,
    SeenStep,
    SeenWord,
    unpack_deals_report,
)
from replays.story.names import ALL
from services.jobs.queue import Full, JobQueue
from services.jobs.replays import WantedReplay
from services.matches.cache import CannotRead
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.parts import match_cache
from services.web.app.routes import Routes
from services.web.app.shapes import Shape, shape_of
from services.web.app.waiting import (
    MakingShape,
    ask,
    ask_queue,
    being_made,
    make_here,
    queue_here,
)
from services.web.replays.api import ViewerQueryShape, answer_with_replay, parse_replay_request
from services.web.tournaments.api import find_visible_tournament

DEALING: Final = Routes("deals", "/matches", "Deals, and whether they were kept")
RECORDS: Final = Routes("records", "/tournaments", "How people have kept their word")


DealsShape: Final = shape_of(
    DealsReport,
    "DealsShape",
    {
        SeenDeal: "DealShape",
        SeenStep: "DealStepShape",
        SeenPaid: "DealPaidShape",
        SeenPayment: "DealPaymentShape",
        SeenPromise: "DealPromiseShape",
        SeenFact: "DealProofShape",
        SeenWord: "DealWordShape",
    },
)


@DEALING.route("/<string:match>/deals")
class OfMatch(MethodView):
    """The deals of a match."""

    @DEALING.takes(ViewerQueryShape, location="query")
    @DEALING.gives(200, DealsShape, later=MakingShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the deals of a match and the verdict on each promise, for one viewer."""
        return answer_with_replay(match, {**asked, "edition": ""}, "deals")


# --- of a tournament ------------------------------------------------------------------------------


shape_of(Breach, "DealBreachShape")


class DealRecordShape(Shape):
    """A player's record of kept and broken promises."""

    player: int
    name: str
    matches: int
    deals: int
    given: dict[str, int]
    got: dict[str, int]
    breaches: list[Breach]


class DealRecordsShape(Shape):
    """The records of all players, as far as the caller may know them."""

    tournament: str
    matches: int
    unseen: Annotated[int, "matches that the caller may not see"]
    records: list[DealRecordShape]


class DealCountingShape(Shape):
    """The deals of the matches are still being read: ask again in a moment."""

    done: int
    of: int


@RECORDS.route("/<string:tournament>/deals")
class OfTournament(MethodView):
    """The records of a tournament's players."""

    @RECORDS.gives(200, DealRecordsShape, later=DealCountingShape)
    @allowed("anyone")
    def get(self, tournament: str) -> Any:
        """Returns how each player has kept their word in the tournament's matches.

        An opened match counts in full; of other matches only what the caller's own seat, or a
        spectator, may know.
        """
        state = find_visible_tournament(tournament)
        wanted, unseen = _list_requests(state)
        found = [(_report(one), table) for one, table in wanted]
        done = [(report, table.players) for report, table in found if report is not None]
        if len(done) < len(found):
            return being_made({"done": len(done), "of": len(found)})
        return {
            "tournament": tournament,
            "matches": len(done),
            "unseen": unseen,
            "records": [_plain(state, one) for one in records(done)],
        }


def _list_requests(state: TournamentState) -> tuple[list[tuple[WantedReplay, Seating]], int]:
    """Returns the requests for each match, and the number of matches the caller may not see."""
    found, unseen = [], 0
    for table in (table for round_ in state.rounds for table in round_.tables if table.match):
        try:
            with match_cache().opened(table.match) as opened:
                word = ALL if everything_is_open(opened.history) else None
                asked = {"viewer": word, "edition": ""}
                found.append((parse_replay_request(opened, asked, "deals", caller()), table))
        except (CannotRead, Refused):
            unseen += 1
    return found, unseen


def _report(wanted: WantedReplay) -> DealsReport | None:
    """Returns the deals of a match, or None while a worker makes them."""
    queue = queue_here()
    found = (
        make_here(wanted).found
        if queue is None
        else ask_queue(lambda: _find_or_queue(queue, wanted))
    )
    return None if found is None else unpack_deals_report(gzip.decompress(found))


def _find_or_queue(queue: JobQueue, wanted: WantedReplay) -> bytes | None:
    """Returns the finished report; else queues it, if there is room."""
    found = queue.results.packed(wanted.name)
    if found is None:
        with contextlib.suppress(Full):  # who asks again asks for it then
            ask(queue, wanted)
    return found


def _plain(state: TournamentState, record: PromiseRecord[int]) -> dict[str, Any]:
    plain = cast("dict[str, Any]", msgspec.to_builtins(record))
    player = plain.pop("person")
    return {"player": player, "name": state.player(player).name, **plain}
