"""Re-projections: many stored matches under other rules, by the workers of the queue.

A run is requested once and found again by its id. Equal requests share a run.
sight.py decides which matches a caller may use and who may see the result.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from flask import Response
from flask.views import MethodView

from replays.reproject.report import compare_reports
from services.jobs.queue import AGAIN_SECONDS
from services.jobs.reprojection.kept import Asked, Far, KeptRun, read_report
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.waiting import ask_queue, being_made, count_making, queue_here, send_result
from services.web.replays.api import TYPES

from .schemas import (
    MatchVerdictShape,
    ReprojectionAskedShape,
    ReprojectionBegunShape,
    ReprojectionReportShape,
    ReprojectionShape,
    RunsApartShape,
    TouchedShape,
)
from .sight import change_in, check_audience, choose_matches, count_touched_matches, parse_request

REPROJECTING: Final = Routes("reprojections", "/reprojections", "Matches under other rules")


@REPROJECTING.route("")
class All(MethodView):
    """The runs."""

    @REPROJECTING.takes(ReprojectionAskedShape)
    @REPROJECTING.gives(202, ReprojectionBegunShape)
    @allowed("person", scope="play")
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Folds matches under other rules. Equal requests get the same run."""
        return begin_run(asked)


@REPROJECTING.route("/touched")
class Touched(MethodView):
    """Counts of affected matches."""

    @REPROJECTING.takes(ReprojectionAskedShape)
    @REPROJECTING.gives(200, TouchedShape)
    @allowed("person")
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Counts the opened matches that a change could matter to, without folding any."""
        return count_touched(asked)


@REPROJECTING.route("/<string:run>")
class One(MethodView):
    """A run."""

    @REPROJECTING.gives(200, ReprojectionShape)
    @allowed("anyone")
    def get(self, run: str) -> dict[str, Any]:
        """Returns the progress of a run."""
        found, asked = find_visible_run(run)
        return plain_run(found.id, asked, ask_queue(found.far))


@REPROJECTING.route("/<string:run>/table")
class Table(MethodView):
    """The result of a run."""

    @REPROJECTING.gives(200, ReprojectionReportShape, later=ReprojectionShape)
    @allowed("anyone")
    def get(self, run: str) -> Any:
        """Returns counts, standings before and after, and a row per match. 202 until then."""
        found, asked = find_visible_run(run)
        packed = ask_queue(found.report)
        return still_at_it(found, asked) if packed is None else send_result(packed, f"{found.id}-t")


@REPROJECTING.route("/<string:run>/table.csv")
class TableCsv(MethodView):
    """The result of a run as CSV."""

    @REPROJECTING.gives(200, form="text/csv", later=ReprojectionShape)
    @allowed("anyone")
    def get(self, run: str) -> Any:
        """Returns the result as CSV, one row per match. 202 until then."""
        found, asked = find_visible_run(run)
        packed = ask_queue(found.csv)
        if packed is None:
            return still_at_it(found, asked)
        response = send_result(packed, f"{found.id}-c", TYPES["csv"])
        name = f"reprojection-{found.id[:8]}.csv"
        response.headers.set("Content-Disposition", "attachment", filename=name)
        return response


@REPROJECTING.route("/<string:run>/matches/<string:match>")
class OneMatch(MethodView):
    """One match of a run."""

    @REPROJECTING.gives(200, MatchVerdictShape)
    @allowed("anyone")
    def get(self, run: str, match: str) -> Any:
        """Returns the result of one match, event by event."""
        found, _ = find_visible_run(run)
        verdict = ask_queue(lambda: found.verdict(match))
        if verdict is None:
            raise Problem(404, detail="This run has no result for that match, or not yet.")
        response = Response(msgspec.json.encode(verdict), mimetype="application/json")
        response.headers["Cache-Control"] = "private, no-cache"
        return response


@REPROJECTING.route("/<string:run>/against/<string:other>")
class Against(MethodView):
    """The comparison of two runs."""

    @REPROJECTING.gives(200, RunsApartShape)
    @allowed("anyone")
    def get(self, run: str, other: str) -> dict[str, Any]:
        """Lists the matches on which two runs disagree."""
        reports = []
        for name in (run, other):
            packed = ask_queue(find_visible_run(name)[0].report)
            if packed is None:
                raise Problem(404, detail=f"The run {name[:40]} has no report yet.")
            reports.append(read_report(packed))
        return {"a": run, "b": other, "matches": compare_reports(*reports)}


# --- what pages do as well ------------------------------------------------------------------------


def begin_run(asked: dict[str, Any]) -> dict[str, Any]:
    """Begins a requested run, and says what was left out."""
    count_making()
    wanted, chosen = parse_request(asked)
    queue = queue_here()
    if queue is None:
        raise Problem(503, detail="So many matches need workers, and none run here.")
    run = ask_queue(lambda: KeptRun.begun(queue, wanted))
    return {**plain_run(run.id, wanted, ask_queue(run.far)), "left_out": chosen.left_out}


def count_touched(asked: dict[str, Any]) -> dict[str, Any]:
    rules, change = change_in(asked)
    chosen = choose_matches(asked, caller(), look=False)
    [(touched, unknown)] = count_touched_matches(rules, [change], chosen.matches)
    return {
        "matches": len(chosen.matches),
        "touched": touched,
        "unindexed": unknown,
        "left_out": chosen.left_out,
        "change": change.named,  # for the page
    }


def find_visible_run(run: str) -> tuple[KeptRun, Asked]:
    """Returns a run that the caller may see."""
    queue = queue_here()  # where there are no workers, there are no runs either
    found = None if queue is None else KeptRun(queue, run[:64])
    asked = None if found is None else ask_queue(lambda: found.asked)
    if found is None or asked is None:
        raise Problem(404, detail="There is no such run. Results are stored for a week.")
    check_audience(asked, caller())
    return found, asked


def plain_run(run: str, asked: Asked, far: Far) -> dict[str, Any]:
    return {
        "id": run,
        **msgspec.structs.asdict(far),
        "ruleset": asked.ruleset,
        "change": asked.terms.change.named,
        "tournament": asked.tournament,
    }


def still_at_it(found: KeptRun, asked: Asked) -> Response:
    """Returns 202 with the run's progress, or refuses a run that failed."""
    far = ask_queue(found.far)
    if far.state == "failed":
        detail = "The service could not finish this run. The fault is ours, and we logged it."
        raise Problem(503, "job_failed", detail, {"Retry-After": str(AGAIN_SECONDS)})
    return being_made(plain_run(found.id, asked, far))
