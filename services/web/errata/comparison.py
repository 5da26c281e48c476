"""Comparing: one match under two sets of rules, event by event, with both boards.

| as | may |
|---|---|
| a seat, spectator, all | of a closed and opened match, anyone who may watch it |
| all | else an organizer without part in it; the look is recorded |

Any other match is refused, because other rules would be tried on secrets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask.views import MethodView
from marshmallow import INCLUDE, fields, validate

from ledger.kernel.ruleset import Ruleset
from ledger.log.read.bundle import everything_is_open
from replays.reproject.change import Change, parse_change
from replays.reproject.policies import Policies
from replays.story.names import ALL
from services.jobs.comparisons import WantedComparison
from services.jobs.results import program
from services.matches.club import Caller
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.shapes import Shape, says
from services.web.app.waiting import MakingShape, answer
from services.web.matches.view import Look as Eyes
from services.web.matches.view import event_in, look_of
from services.web.replays.api import ReplayQueryShape

from .api import find_visible_run
from .schemas import PoliciesShape

COMPARING: Final = Routes("comparing", "/matches", "A match under two sets of rules")
READINGS_MAX: Final = 40
WORDS_MAX: Final = 200


class CompareQueryShape(Shape):
    """The two editions, the viewer and the event of a comparison."""

    a = fields.String(
        load_default="",
        validate=validate.Length(0, 64),
        **says("an edition; else the one it was played under"),
    )
    b = fields.String(load_default="", validate=validate.Length(0, 64))
    reading = fields.List(
        fields.String(validate=validate.Length(3, WORDS_MAX)),
        load_default=list,
        validate=validate.Length(max=READINGS_MAX),
        **says("a change for the second: a reading, a figure or a cell, as `name=value`"),
    )
    run = fields.String(
        load_default="",
        validate=validate.Length(0, 64),
        **says("a re-projection, whose changes the second side uses"),
    )
    over_options = fields.Boolean(load_default=False)
    illegal = PoliciesShape().fields["illegal"]
    missing = PoliciesShape().fields["missing"]
    at = fields.Integer(
        load_default=None,
        validate=validate.Range(1, 10**9),
        **says("the boards after this event; else at the first difference"),
    )
    viewer = ReplayQueryShape().fields["viewer"]


class ComparisonShape(Shape):
    """The document; docs/errata.md describes it."""

    class Meta:
        unknown = INCLUDE

    format = fields.String(required=True, validate=validate.Equal("hegemon-comparison"))
    version = fields.Integer(required=True)
    match = fields.String(required=True)
    at = fields.Integer(required=True)
    a = fields.String(required=True)
    b = fields.String(required=True)
    first = fields.Dict(required=True, allow_none=True)
    lines = fields.List(fields.Dict(), required=True)


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
        return WantedComparison(
            match=match,
            version=last,
            head=opened.history.events[last - 1].head.hex(),
            viewer=viewer,
            a=_side(rules, asked["a"]),
            b=change,
            policies=policies,
            at=asked["at"] or 0,
            program=program(),
        )


def _second(rules: Ruleset, asked: Mapping[str, Any]) -> tuple[Change, Policies]:
    """Returns the second side's change and policies, from the request or from a run."""
    if asked["run"]:
        _, of_run = find_visible_run(asked["run"])
        if of_run.ruleset != rules.name:
            raise Problem(404, detail="That run is of another game.")
        return of_run.terms.change, of_run.terms.policies
    change = _side(rules, asked["b"], asked["reading"], over_options=asked["over_options"])
    return change, Policies(illegal=asked["illegal"], missing=asked["missing"])


def _side(
    rules: Ruleset, edition: str, said: Sequence[str] = (), *, over_options: bool = False
) -> Change:
    if edition:
        rules.errata_of(edition)  # refuses one that the game does not have
    pairs = dict(one.partition("=")[::2] for one in said)
    readings, content = parse_change(rules, pairs)
    return Change(
        edition=edition or None, readings=readings, content=content, over_options=over_options
    )
