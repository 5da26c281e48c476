"""Rounds of a tournament: paired, played, decided and closed by those who run it."""

from __future__ import annotations

from typing import Any, Final

from flask.views import MethodView

from ledger.club.tournament import commands, results
from services.web.app.access import allowed
from services.web.app.parts import all_tournaments
from services.web.app.routes import Routes

from .answers import plain_round
from .api import find_visible_tournament, me
from .schemas import (
    AllDoneShape,
    ByHandShape,
    CorrectionShape,
    ForfeitShape,
    RoundShape,
    TournamentReasonShape,
    WhyShape,
)

ROUNDS: Final = Routes("rounds", "/tournaments", "Rounds of a tournament, and their tables")
_ROUND: Final = "/<string:tournament>/rounds/<int:number>"
_TABLE: Final = _ROUND + "/tables/<int:table>"


def answer_of(tournament: str, number: int) -> dict[str, Any]:
    state = find_visible_tournament(tournament)
    return plain_round(state, state.round(number))


@ROUNDS.route(_ROUND)
class OneRound(MethodView):
    """A round of a tournament."""

    @ROUNDS.gives(200, RoundShape)
    @allowed("anyone")
    def get(self, tournament: str, number: int) -> dict[str, Any]:
        """Returns a round: its pairings, how they were drawn, and the results known so far."""
        return answer_of(tournament, number)

    @ROUNDS.takes(ByHandShape)
    @ROUNDS.gives(200, RoundShape, problems=(409,))
    @allowed("host", scope="organize")
    def put(self, asked: dict[str, Any], tournament: str, number: int) -> dict[str, Any]:
        """Pairs a round by hand, or those of its tables that have no match yet."""
        tables = [tuple(one) for one in asked["tables"]]
        about = (number, tables, asked["byes"], asked["reason"])
        all_tournaments().write(tournament, me(), commands.set_round, *about)
        return answer_of(tournament, number)


@ROUNDS.route(f"{_ROUND}/draw")
class Draw(MethodView):
    """The draw of a round."""

    @ROUNDS.takes(WhyShape)
    @ROUNDS.gives(201, RoundShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, asked: dict[str, Any], tournament: str, number: int) -> dict[str, Any]:
        """Pairs the next round by a new seed, or again while none of its tables has begun."""
        all_tournaments().draw(tournament, number, me(), asked["reason"])
        return answer_of(tournament, number)


@ROUNDS.route(f"{_ROUND}/start")
class StartAll(MethodView):
    """The start of all tables."""

    @ROUNDS.gives(200, AllDoneShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, tournament: str, number: int) -> dict[str, Any]:
        """Makes and starts the matches of all tables with everyone seated."""
        return {"tables": all_tournaments().start(tournament, number, me())}


@ROUNDS.route(f"{_ROUND}/pause")
class PauseAll(MethodView):
    """A pause of all tables."""

    @ROUNDS.takes(TournamentReasonShape)
    @ROUNDS.gives(200, AllDoneShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, asked: dict[str, Any], tournament: str, number: int) -> dict[str, Any]:
        """Pauses all tables of a round: the clocks stop and decisions wait."""
        return {"tables": all_tournaments().each_match(tournament, number, me(), "pause", **asked)}


@ROUNDS.route(f"{_ROUND}/resume")
class ResumeAll(MethodView):
    """The end of a pause of all tables."""

    @ROUNDS.takes(TournamentReasonShape)
    @ROUNDS.gives(200, AllDoneShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, asked: dict[str, Any], tournament: str, number: int) -> dict[str, Any]:
        """Resumes all tables of a round."""
        return {"tables": all_tournaments().each_match(tournament, number, me(), "resume", **asked)}


@ROUNDS.route(f"{_ROUND}/remind")
class RemindAll(MethodView):
    """Reminders to those who have a decision to make."""

    @ROUNDS.gives(200, AllDoneShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, tournament: str, number: int) -> dict[str, Any]:
        """Reminds everyone with a decision to make, and returns their tables."""
        return {"tables": all_tournaments().remind(tournament, number, me())}


@ROUNDS.route(f"{_ROUND}/results")
class ReadResults(MethodView):
    """The results in the logs."""

    @ROUNDS.gives(200, AllDoneShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, tournament: str, number: int) -> dict[str, Any]:
        """Reads the results of all tables from the logs of their matches."""
        return {"tables": all_tournaments().read_results(tournament, number, me())}


@ROUNDS.route(f"{_ROUND}/close")
class CloseRound(MethodView):
    """The close of a round."""

    @ROUNDS.gives(200, RoundShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(self, tournament: str, number: int) -> dict[str, Any]:
        """Closes the matches, approves all results, and closes the round."""
        all_tournaments().close(tournament, number, me())
        return answer_of(tournament, number)


@ROUNDS.route(f"{_TABLE}/approve")
class Approve(MethodView):
    """The approval of a result."""

    @ROUNDS.takes(WhyShape)
    @ROUNDS.gives(200, RoundShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(
        self, asked: dict[str, Any], tournament: str, number: int, table: int
    ) -> dict[str, Any]:
        """Approves a table's result."""
        all_tournaments().write(tournament, me(), results.approve, number, table, **asked)
        return answer_of(tournament, number)


@ROUNDS.route(f"{_TABLE}/correction")
class Correct(MethodView):
    """The correction of a result."""

    @ROUNDS.takes(CorrectionShape)
    @ROUNDS.gives(200, RoundShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(
        self, asked: dict[str, Any], tournament: str, number: int, table: int
    ) -> dict[str, Any]:
        """Corrects a table's result. The result from the log is kept too."""
        all_tournaments().write(tournament, me(), results.correct, number, table, **asked)
        return answer_of(tournament, number)


@ROUNDS.route(f"{_TABLE}/forfeits")
class Forfeits(MethodView):
    """The forfeits of a table."""

    @ROUNDS.takes(ForfeitShape)
    @ROUNDS.gives(200, RoundShape, problems=(409,))
    @allowed("host", scope="organize")
    def post(
        self, asked: dict[str, Any], tournament: str, number: int, table: int
    ) -> dict[str, Any]:
        """Records players who did not play, or not to the end."""
        all_tournaments().forfeit(tournament, number, table, me(), **asked)
        return answer_of(tournament, number)
