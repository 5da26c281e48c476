"""Re-projections: stored matches under other rules, many at once, by the workers of the queue.

Asked for once, found again by its id, and the same for all who ask for the same. Which matches
somebody may have re-projected, and who may see what came out, stands in reprojecting_sight.py.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from flask import Response
from flask.views import MethodView

from replays.reproject.report import apart
from services.jobs.queue import AGAIN_SECONDS
from services.jobs.reprojection.kept import Asked, Far, KeptRun, read_report
from services.web.app.identity import caller, signed_in
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.waiting import at_desk, being_made, count_making, desk_here
from services.web.replays.api import sent

from .schemas import (
    MatchVerdictShape,
    ReprojectionAskedShape,
    ReprojectionBegunShape,
    ReprojectionReportShape,
    ReprojectionShape,
    RunsApartShape,
    TouchedShape,
)
from .sight import asked_for, change_in, check_audience, chosen_by, touched_by

REPROJECTING: Final = Routes("reprojections", "/reprojections", "Matches under other rules")


@REPROJECTING.route("")
class All(MethodView):
    """All runs."""

    @REPROJECTING.takes(ReprojectionAskedShape)
    @REPROJECTING.gives(202, ReprojectionBegunShape)
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Have matches folded under other rules; the same answer for who asks for the same again"""
        return begun(asked)


@REPROJECTING.route("/touched")
class Touched(MethodView):
    """How many."""

    @REPROJECTING.takes(ReprojectionAskedShape)
    @REPROJECTING.gives(200, TouchedShape)
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """How many opened matches a change could matter to, without folding one"""
        return counted(asked)


@REPROJECTING.route("/<string:run>")
class One(MethodView):
    """One run."""

    @REPROJECTING.gives(200, ReprojectionShape)
    def get(self, run: str) -> dict[str, Any]:
        """How far it is"""
        found, asked = seen_run(run)
        return plain_run(found.id, asked, at_desk(found.far))


@REPROJECTING.route("/<string:run>/table")
class Table(MethodView):
    """What came out."""

    @REPROJECTING.gives(200, ReprojectionReportShape, later=ReprojectionShape)
    def get(self, run: str) -> Any:
        """The counts, the standings before and after, and every match in a line; 202 until then"""
        found, asked = seen_run(run)
        packed = at_desk(found.report)
        return (
            still_at_it(found, asked) if packed is None else sent(packed, f"{found.id}-t", "json")
        )


@REPROJECTING.route("/<string:run>/table.csv")
class TableCsv(MethodView):
    """The same as a table."""

    @REPROJECTING.gives(200, form="text/csv", later=ReprojectionShape)
    def get(self, run: str) -> Any:
        """A row for each match"""
        found, asked = seen_run(run)
        packed = at_desk(found.csv)
        if packed is None:
            return still_at_it(found, asked)
        response = sent(packed, f"{found.id}-c", "csv")
        name = f"reprojection-{found.id[:8]}.csv"
        response.headers.set("Content-Disposition", "attachment", filename=name)
        return response


@REPROJECTING.route("/<string:run>/matches/<string:match>")
class OneMatch(MethodView):
    """One match of a run."""

    @REPROJECTING.gives(200, MatchVerdictShape)
    def get(self, run: str, match: str) -> Any:
        """What became of it, event by event"""
        found, _ = seen_run(run)
        verdict = at_desk(lambda: found.verdict(match))
        if verdict is None:
            raise Problem(404, detail="This run has nothing to say of that match, or not yet.")
        response = Response(msgspec.json.encode(verdict), mimetype="application/json")
        response.headers["Cache-Control"] = "private, no-cache"
        return response


@REPROJECTING.route("/<string:run>/against/<string:other>")
class Against(MethodView):
    """Two runs."""

    @REPROJECTING.gives(200, RunsApartShape)
    def get(self, run: str, other: str) -> dict[str, Any]:
        """The matches that two runs do not agree on"""
        reports = []
        for name in (run, other):
            packed = at_desk(seen_run(name)[0].report)
            if packed is None:
                raise Problem(404, detail=f"The run {name[:40]} has no report yet.")
            reports.append(read_report(packed))
        found = msgspec.to_builtins(apart(*reports))
        return {"a": run, "b": other, "matches": found}


# --- what pages do as well ------------------------------------------------------------------------


def begun(asked: dict[str, Any]) -> dict[str, Any]:
    """A run that is asked for, and what was left out of it."""
    count_making()
    wanted, chosen = asked_for(asked)
    desk = desk_here()
    if desk is None:
        raise Problem(503, detail="Many matches are for workers, and there are none here.")

    def begin() -> tuple[KeptRun, Far]:
        run = KeptRun.begun(desk, wanted)
        return run, run.far()

    run, far = at_desk(begin)
    return {**plain_run(run.id, wanted, far), "left_out": chosen.left_out}


def counted(asked: dict[str, Any]) -> dict[str, Any]:
    """How many matches a change could matter to."""
    rules, change = change_in(asked)
    chosen = chosen_by(asked, signed_in(), look=False)
    [(touched, unknown)] = touched_by(rules, [change], chosen.matches)
    return {
        "matches": len(chosen.matches),
        "touched": touched,
        "unindexed": unknown,
        "left_out": chosen.left_out,
    }


def seen_run(run: str) -> tuple[KeptRun, Asked]:
    """A run that whoever asks may see."""
    desk = desk_here()  # where there are no workers, there are no runs either
    found = None if desk is None else KeptRun(desk, run[:64])
    asked = None if found is None else at_desk(lambda: found.asked)
    if found is None or asked is None:
        raise Problem(404, detail="There is no such run. What came out is kept for a week.")
    check_audience(asked, caller())
    return found, asked


def plain_run(run: str, asked: Asked, far: Far) -> dict[str, Any]:
    """A run for JSON."""
    return {
        "id": run,
        "state": far.state,
        "done": far.done,
        "of": far.of,
        "why": far.why,
        "ruleset": asked.ruleset,
        "change": asked.terms.change.named,
        "tournament": asked.tournament,
    }


def still_at_it(found: KeptRun, asked: Asked) -> Response:
    """That it is worked on."""
    far = at_desk(found.far)
    if far.state == "failed":
        detail = "This run could not be finished. The fault is ours, and was noted."
        raise Problem(503, "job_failed", detail, {"Retry-After": str(AGAIN_SECONDS)})
    return being_made(plain_run(found.id, asked, far))
