"""Schemas of re-projections: requests, progress and results."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from marshmallow import fields
from marshmallow.validate import Equal, Length, OneOf, Range

from replays.reproject.policies import Illegal, Missing
from replays.reproject.report import LeftOut
from replays.reproject.verdicts import CLASSES
from services.web.app.shapes import ABSENT, Shape, printable, says, shape_of
from services.web.matches.schemas import Bot, errata_field
from services.web.replays.api import DocumentShape

MATCHES_MAX: Final = 20_000  # of one run
NAMED_MAX: Final = 5_000  # of these, one by one
READINGS_MAX: Final = 40
MATCH_SECONDS: Final = 20  # of work for one match

Label: TypeAlias = Annotated[str, Length(1, 64)]
AnyLabel: TypeAlias = Annotated[str, Length(0, 64)]
Lenient: TypeAlias = Annotated[bool, fields.Boolean]  # also of a query, where all is text


class PoliciesShape(Shape):
    """The replacement for a decision that is illegal now or was never taken."""

    illegal: Illegal = "stop"
    missing: Missing = "default"
    bot: Bot = "greedy"
    seed: Annotated[int, Range(0, (1 << 53) - 1)] = 0
    draws: Annotated[int, Range(1, 100)] = 10


class ReprojectionAskedShape(Shape):
    """The matches, and the rules to fold them under."""

    ruleset: Label
    edition: Annotated[
        str | None, Length(1, 64), "all errata up to this one; else each event under its own"
    ] = None
    readings: Annotated[
        dict[str, Any],
        fields.Dict(
            keys=fields.String(validate=Length(1, 120)),
            values=fields.Raw(),
            load_default=dict,
            validate=[Length(max=READINGS_MAX), printable],
            **says("a reading, a figure by its name, or table/row/cell, and a value"),
        ),
    ]
    errata: Annotated[
        list[str],
        errata_field("errata of the club added to the edition: the texts of their files"),
    ]
    over_options: Lenient = False
    policies: Annotated[PoliciesShape, {"load_default": lambda: PoliciesShape().load({})}] = ABSENT
    full: Annotated[Lenient, "fold every match from its first event"] = False
    match_seconds: Annotated[
        int, Range(1, 30), "of work for one match; more is an error of that match"
    ] = MATCH_SECONDS
    matches: Annotated[
        list[Label],
        Length(1, NAMED_MAX),
        "these matches; else all that the other fields select",
        {"load_default": None},
    ] = ABSENT
    tournament: AnyLabel = ""
    played: Annotated[AnyLabel, "only matches begun under this edition"] = ""
    since: Annotated[int | None, "created then, or later"] = None
    until: Annotated[int | None, "made before"] = None
    unopened: Annotated[
        Lenient,
        "for organizers: running matches too, and those kept closed; "
        "that they have looked is noted at each table, as with `as=all`",
    ] = False


class LeftOutShape(Shape):
    """The numbers of matches left out, by reason."""

    unopened: Annotated[int, "running, or closed and not opened"]
    parked: int


class TouchedShape(Shape):
    """The number of matches a change could matter to, by their recorded rule use."""

    matches: int
    touched: int
    unindexed: Annotated[int, "of which this is not known"]
    left_out: LeftOutShape


class ReprojectionShape(Shape):
    """A run and its progress."""

    id: str
    state: Literal["queued", "running", "done", "failed"]
    done: int
    of: int
    why: Annotated[str, "the event where it failed"]
    ruleset: str
    change: Annotated[str, "in a few words"]
    tournament: str


class ReprojectionBegunShape(ReprojectionShape):
    """A run that was requested, and what it left out."""

    left_out: LeftOutShape


class CorpusTableShape(Shape):
    """The counts of a run."""

    change: str
    matches: int
    classes: Annotated[dict[str, Any], f"by {', '.join(CLASSES)}"]
    causes: list[list[Any]]
    illegal: list[list[Any]]
    proved: Annotated[int, "unchanged, and not folded"]


class ReprojectionReportShape(DocumentShape):
    """The report; docs/errata.md describes it field by field."""

    format: Annotated[str, Equal("hegemon-reprojection")]
    version: int
    ruleset: str
    table: CorpusTableShape
    standings: dict[str, Any] | None
    matches: list[dict[str, Any]]


class MatchVerdictShape(DocumentShape):
    """The result of one match; docs/errata.md describes it."""

    match: str
    verdict: Annotated[str, OneOf(CLASSES)]


shape_of(LeftOut, "ApartShape")


class RunsApartShape(Shape):
    """The matches on which two runs disagree."""

    a: str
    b: str
    matches: list[LeftOut]


def plain_text(value: Any) -> str:
    """Returns a value of a body as typed on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
