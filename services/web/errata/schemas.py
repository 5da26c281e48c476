"""Schemas of re-projections: requests, progress and results."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import INCLUDE, fields, validate

from ledger.kernel.bots import BOTS
from replays.reproject.report import LeftOut
from replays.reproject.verdicts import CLASSES
from services.web.app.shapes import Shape, Whole, printable, says, shape_of
from services.web.matches.schemas import errata_field

MATCHES_MAX: Final = 20_000  # of one run
NAMED_MAX: Final = 5_000  # of these, one by one
READINGS_MAX: Final = 40
MATCH_SECONDS: Final = 20  # of work for one match
_LABEL: Final = validate.Length(1, 64)


class PoliciesShape(Shape):
    """The replacement for a decision that is illegal now or was never taken."""

    illegal = fields.String(
        validate=validate.OneOf(("stop", "skip", "default", "bot", "chance")), load_default="stop"
    )
    missing = fields.String(
        validate=validate.OneOf(("stop", "default", "bot", "chance")), load_default="default"
    )
    bot = fields.String(validate=validate.OneOf(sorted(BOTS)), load_default="greedy")
    seed = Whole(validate=validate.Range(0, (1 << 53) - 1), load_default=0)
    draws = Whole(validate=validate.Range(1, 100), load_default=10)


class ReprojectionAskedShape(Shape):
    """The matches, and the rules to fold them under."""

    ruleset = fields.String(required=True, validate=_LABEL)
    edition = fields.String(
        load_default=None,
        allow_none=True,
        validate=_LABEL,
        **says("all errata up to this one; else each event under its own"),
    )
    readings = fields.Dict(
        keys=fields.String(validate=validate.Length(1, 120)),
        values=fields.Raw(),
        load_default=dict,
        validate=[validate.Length(max=READINGS_MAX), printable],
        **says("a reading, a figure by its name, or table/row/cell, and a value"),
    )
    errata = errata_field("errata of the club added to the edition: the texts of their files")
    over_options = fields.Boolean(load_default=False)
    policies = fields.Nested(PoliciesShape, load_default=lambda: PoliciesShape().load({}))
    full = fields.Boolean(load_default=False, **says("fold every match from its first event"))
    match_seconds = Whole(
        load_default=MATCH_SECONDS,
        validate=validate.Range(1, 30),
        **says("of work for one match; more is an error of that match"),
    )
    matches = fields.List(
        fields.String(validate=_LABEL),
        load_default=None,
        validate=validate.Length(1, NAMED_MAX),
        **says("these matches; else all that the other fields select"),
    )
    tournament = fields.String(load_default="", validate=validate.Length(0, 64))
    played = fields.String(
        load_default="",
        validate=validate.Length(0, 64),
        **says("only matches begun under this edition"),
    )
    since = Whole(load_default=None, allow_none=True, **says("created then, or later"))
    until = Whole(load_default=None, allow_none=True, **says("made before"))
    unopened = fields.Boolean(
        load_default=False,
        **says(
            "for organizers: running matches too, and those kept closed; "
            "that they have looked is noted at each table, as with `as=all`"
        ),
    )


class LeftOutShape(Shape):
    """The numbers of matches left out, by reason."""

    unopened = Whole(required=True, **says("running, or closed and not opened"))
    parked = Whole(required=True)


class TouchedShape(Shape):
    """The number of matches a change could matter to, by their recorded rule use."""

    matches = Whole(required=True)
    touched = Whole(required=True)
    unindexed = Whole(required=True, **says("of which this is not known"))
    left_out = fields.Nested(LeftOutShape, required=True)


class ReprojectionShape(Shape):
    """A run and its progress."""

    id = fields.String(required=True)
    state = fields.String(
        required=True, validate=validate.OneOf(("queued", "running", "done", "failed"))
    )
    done = Whole(required=True)
    of = Whole(required=True)
    why = fields.String(required=True, **says("the event where it failed"))
    ruleset = fields.String(required=True)
    change = fields.String(required=True, **says("in a few words"))
    tournament = fields.String(required=True)


class ReprojectionBegunShape(ReprojectionShape):
    """A run that was requested, and what it left out."""

    left_out = fields.Nested(LeftOutShape, required=True)


class CorpusTableShape(Shape):
    """The counts of a run."""

    change = fields.String(required=True)
    matches = Whole(required=True)
    classes = fields.Dict(required=True, **says(f"by {', '.join(CLASSES)}"))
    causes = fields.List(fields.List(fields.Raw()), required=True)
    illegal = fields.List(fields.List(fields.Raw()), required=True)
    proved = Whole(required=True, **says("unchanged, and not folded"))


class ReprojectionReportShape(Shape):
    """The report; docs/errata.md describes it field by field."""

    class Meta:
        unknown = INCLUDE

    format = fields.String(required=True, validate=validate.Equal("hegemon-reprojection"))
    version = Whole(required=True)
    ruleset = fields.String(required=True)
    table = fields.Nested(CorpusTableShape, required=True)
    standings = fields.Dict(required=True, allow_none=True)
    matches = fields.List(fields.Dict(), required=True)


class MatchVerdictShape(Shape):
    """The result of one match; docs/errata.md describes it."""

    class Meta:
        unknown = INCLUDE

    match = fields.String(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(CLASSES))


class RunsApartShape(Shape):
    """The matches on which two runs disagree."""

    a = fields.String(required=True)
    b = fields.String(required=True)
    matches = fields.List(fields.Nested(shape_of(LeftOut, "ApartShape")), required=True)


def plain_text(value: Any) -> str:
    """Returns a value of a body as typed on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
