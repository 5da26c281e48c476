"""Comparing: one match under two sets of rules, event by event, with both boards.

| as | may |
|---|---|
| a seat, spectator, all | of a closed and opened match, anyone who may watch it |
| all | else an organizer without part in it; the look is recorded |

Any other match is refused, because other rules would be tried on secrets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from flask.views import MethodView
from marshmallow import fields
from marshmallow.validate import Equal, Length, Range

from ledger.kernel.ruleset import Ruleset
from ledger.log.read.bundle import everything_is_open
from replays.reproject.change import Change
from replays.reproject.policies import Illegal, Missing, Policies
from replays.story.names import ALL
from services.jobs.comparisons import WantedComparison
from services.matches.club import Caller
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.shapes import ABSENT, Shape
from services.web.app.waiting import MakingShape, answer
from services.web.matches.view import Look as Eyes
from services.web.matches.view import event_in, look_of
from services.web.replays.api import DocumentShape, ViewerWord

from .api import find_visible_run
from .schemas import READINGS_MAX, AnyLabel, Lenient
from .sight import change_of

COMPARING: Final = Routes("comparing", "/matches", "A match under two sets of rules")
WORDS_MAX: Final = 200


class CompareQueryShape(Shape):
    """The two editions, the viewer and the event of a comparison."""

    a: Annotated[AnyLabel, "an edition; else the one it was played under"] = ""
    b: AnyLabel = ""
    reading: Annotated[
        list[Annotated[str, Length(3, WORDS_MAX)]],
        Length(max=READINGS_MAX),
        "a change for the second: a reading, a figure or a cell, as `name=value`",
        {"load_default": list},
    ] = ABSENT
    run: Annotated[AnyLabel, "a re-projection, whose changes the second side uses"] = ""
    over_options: Lenient = False
    illegal: Illegal = "stop"
    missing: Missing = "default"
    at: Annotated[
        int,
        fields.Integer,
        Range(1, 10**9),
        "the boards after this event; else at the first difference",
        {"load_default": None},
    ] = ABSENT
    viewer: ViewerWord = ABSENT


class ComparisonShape(DocumentShape):
    """The document; docs/errata.md describes it."""

    format: Annotated[str, Equal("hegemon-comparison")]
    version: int
    match: str
    at: int
    a: str
    b: str
    first: dict[str, Any] | None
    lines: list[dict[str, Any]]


@COMPARING.route("/<string:match>/compare")
class OfMatch(MethodView):
    """The comparison of a match."""

    @COMPARING.takes(CompareQueryShape, location="query")
    @COMPARING.gives(200, ComparisonShape, later=MakingShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Compares a match under two sets of rules, event by event. 202 while it is made."""
        return answer(comparison_wanted(match, asked, caller()))


def comparison_wanted(match: str, asked: Mapping[str, Any], who: Caller | None) -> WantedComparison:
    """Parses the request's query and refuses a comparison that the caller may not see."""
    with match_cache().opened(match) as opened:
        is_open = everything_is_open(opened.history)
        word = asked["viewer"] or (ALL if is_open else None)
        viewer, last = look_of(opened, word, who)
        if not is_open and viewer != ALL:
            raise Problem(403, detail="This would try other rules on secrets of this match.")
        rules = opened.history.rules
        if asked["at"] is not None:
            event_in(Eyes(None, last, last == opened.good), asked["at"])
        change, policies = _second(rules, asked)
        about = {"a": change_of(rules, asked["a"]), "b": change, "policies": policies}
        return WantedComparison.of(opened.history, last, viewer, at=asked["at"] or 0, **about)


def _second(rules: Ruleset, asked: Mapping[str, Any]) -> tuple[Change, Policies]:
    """Returns the second side's change and policies, from the request or from a run."""
    if asked["run"]:
        _, of_run = find_visible_run(asked["run"])
        if of_run.ruleset != rules.name:
            raise Problem(404, detail="That run is of another game.")
        return of_run.terms.change, of_run.terms.policies
    said = dict(one.partition("=")[::2] for one in asked["reading"])
    change = change_of(rules, asked["b"], said, over_options=asked["over_options"])
    return change, Policies(illegal=asked["illegal"], missing=asked["missing"])
