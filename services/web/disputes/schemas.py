"""Schemas of disputes, rulings and operations."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import fields, validate

from ledger.club.claims import State
from services.matches.operations import Operation
from services.web.app.shapes import (
    Flag,
    Number,
    Page,
    Shape,
    Whole,
    Wholly,
    page_of,
    printable,
    shape_of,
)
from services.web.matches.schemas import REASON_MAX

WORDS_MAX: Final = 2_000
RULES_MAX: Final = 20
STATES: Final[tuple[str, ...]] = State.__args__  # type: ignore[attr-defined] # of a Literal
FINDINGS: Final = ("upheld", "dismissed", "void")
REMEDIES: Final = ("none", "note", "rewind", "transfer", "annul-deal", "edition")
_SEAT: Final = validate.Range(0, 63)
_VERSION: Final = validate.Range(1, 10**9)
_NONE: Final[dict[str, Any]] = {"required": True, "allow_none": True}


class NewDisputeShape(Shape):
    """A claim about events, a deal or a conflict."""

    words = fields.String(
        required=True,
        validate=[validate.Length(1, WORDS_MAX), printable],
        metadata={"description": "what is wrong; the parties and the organizer can read it"},
    )
    seat = Whole(
        load_default=None,
        allow_none=True,
        validate=_SEAT,
        metadata={"description": "the seat; else the caller's own, or as the organizer"},
    )
    first = Whole(load_default=None, allow_none=True, validate=_VERSION, data_key="from")
    last = Whole(load_default=None, allow_none=True, validate=_VERSION, data_key="to")
    deal = fields.String(
        load_default="", validate=validate.Length(0, 80), metadata={"description": "its id"}
    )
    conflict = Whole(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "the event with which it began"},
    )
    parties = fields.List(
        Whole(validate=_SEAT),
        load_default=list,
        validate=validate.Length(0, 64),
        metadata={
            "description": "the seats that the claim concerns; else those of the deal, or all"
        },
    )
    pause = Flag(
        load_default=False,
        metadata={
            "description": "pause the match until the ruling; only for its host or an organizer"
        },
    )


class RemedyShape(Shape):
    """The remedy that a ruling orders."""

    kind = fields.String(required=True, validate=validate.OneOf(REMEDIES))
    version = Whole(
        load_default=None,
        allow_none=True,
        validate=_VERSION,
        metadata={"description": "rewind: play goes on after this event"},
    )
    seat = Whole(load_default=None, allow_none=True, validate=_SEAT)
    to = Whole(load_default=None, allow_none=True, validate=_SEAT)
    amount = Whole(
        load_default=0,
        validate=validate.Range(0, 10**6),
        metadata={"description": "transfer: what `seat` pays `to`"},
    )
    deal = fields.String(load_default="", validate=validate.Length(0, 80))
    edition = fields.String(load_default="", validate=validate.Length(0, 64))
    text = fields.String(load_default="", validate=[validate.Length(0, REASON_MAX), printable])


class NewRulingShape(Shape):
    """An organizer's ruling."""

    finding = fields.String(required=True, validate=validate.OneOf(FINDINGS))
    reason = fields.String(
        required=True,
        validate=[validate.Length(1, REASON_MAX), printable],
        metadata={"description": "the log records it, for everybody to read"},
    )
    rules = fields.List(
        fields.String(validate=validate.Length(1, 64)),
        load_default=list,
        validate=validate.Length(0, RULES_MAX),
        metadata={"description": "ids of the rules that the ruling cites"},
    )
    remedy = fields.Nested(RemedyShape, load_default=None, allow_none=True)
    dossier = fields.String(
        load_default="",
        validate=Wholly(r"^([0-9a-f]{64})?$"),
        metadata={"description": "the SHA-256 of the dossier that the organizer read, in hex"},
    )
    resume = Flag(
        load_default=True,
        metadata={"description": "resume a match that was paused for the dispute"},
    )


class AppealShape(Shape):
    """The reason to look at a ruling again."""

    words = fields.String(required=True, validate=[validate.Length(1, WORDS_MAX), printable])
    seat = Whole(load_default=None, allow_none=True, validate=_SEAT)


class ConsentShape(Shape):
    """A seat's consent to show its private talk."""

    gives = Flag(required=True)


class RulingShape(Shape):
    """A ruling as recorded in the log."""

    version = Whole(required=True)
    at = Whole(required=True)
    finding = fields.String(required=True, validate=validate.OneOf(FINDINGS))
    reason = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    remedy = fields.Dict(**_NONE)
    by = fields.String(metadata={"description": "for members of the club"})


class AppealedShape(Shape):
    """An appeal."""

    seat = Whole(**_NONE)
    version = Whole(required=True, metadata={"description": "of the ruling"})
    words = fields.String(required=True)


class ClaimShape(Shape):
    """The part of a dispute that the parties and the organizer know."""

    seat = Whole(**_NONE, metadata={"description": "who filed it; null: the organizer"})
    words = fields.String(required=True)
    parties = fields.List(Whole(), required=True)
    deal = fields.String(required=True)
    conflict = Whole(required=True)
    consents = fields.List(Whole(), required=True)
    appeals = fields.List(fields.Nested(AppealedShape), required=True)
    rested = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "by the event of a ruling: the dossier that it rests on"},
    )


class DisputeShape(Shape):
    """A dispute."""

    match = fields.String(required=True)
    id = fields.String(required=True)
    version = Whole(required=True, metadata={"description": "the event that filed it"})
    at = Whole(required=True)
    first = Whole(required=True, data_key="from")
    last = Whole(required=True, data_key="to")
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    rulings = fields.List(fields.Nested(RulingShape), required=True)
    claim = fields.Nested(
        ClaimShape, **_NONE, metadata={"description": "null: for the parties and the organizer"}
    )
    viewer = fields.String(
        **_NONE, data_key="as", metadata={"description": "the viewer of the dossier"}
    )


class DisputesShape(Shape):
    """The disputes of a match."""

    disputes = fields.List(fields.Nested(DisputeShape), required=True)


class DossierQueryShape(Shape):
    """The viewer of a dossier."""

    viewer = fields.String(
        load_default=None,
        data_key="as",
        validate=validate.Length(1, 20),
        metadata={"description": "a seat of the caller; else the first that is a party"},
    )


class DossierShape(Shape):
    """The evidence; docs/disputes.md describes it field by field."""

    format = fields.String(required=True, validate=validate.Equal("hegemon-dossier"))
    version = fields.Integer(required=True)
    match = fields.String(required=True)
    viewer = fields.String(required=True, data_key="as")
    claim = fields.Dict(required=True)
    events = fields.List(fields.Dict(), required=True)
    positions = fields.List(fields.Dict(), required=True)


class RulingsQueryShape(Page):
    """The rulings to list."""

    rule = fields.String(
        load_default="",
        validate=validate.Length(0, 64),
        metadata={
            "description": "only rulings that cite this rule; or this chapter, if it ends in a dot"
        },
    )
    ruleset = fields.String(load_default="", validate=validate.Length(0, 64))
    finding = fields.String(load_default="", validate=validate.OneOf(("", *FINDINGS)))


class PrecedentShape(RulingShape):
    """A ruling, with its match and dispute."""

    id = fields.String(required=True, metadata={"description": "match, dispute and event"})
    match = fields.String(required=True)
    title = fields.String(required=True)
    ruleset = fields.String(required=True)
    dispute = fields.String(required=True)
    first = Whole(required=True, data_key="from")
    last = Whole(required=True, data_key="to")


PrecedentsShape: Final = page_of("PrecedentsShape", "rulings", PrecedentShape)


class WaitingDisputeShape(Shape):
    """A dispute that waits for a ruling."""

    id = fields.String(required=True, metadata={"description": "match and dispute"})
    match = fields.String(attribute="match.summary.match", required=True)
    title = fields.String(attribute="match.summary.title", required=True)
    dispute = fields.String(attribute="dispute.name", required=True)
    at = Whole(attribute="dispute.at", required=True)
    first = Whole(attribute="dispute.act.first", required=True, data_key="from")
    last = Whole(attribute="dispute.act.last", required=True, data_key="to")
    appealed = fields.Boolean(required=True)


WaitingShape: Final = page_of("WaitingShape", "disputes", WaitingDisputeShape)


class OperationsQueryShape(Shape):
    """The part of the ledger to list."""

    after = Number(load_default=0, validate=validate.Range(0, 10**9))
    limit = Number(load_default=200, validate=validate.Range(1, 1_000))


class OperationsShape(Shape):
    """The operations ledger of a match."""

    match = fields.String(required=True)
    operations = fields.List(fields.Nested(shape_of(Operation, "OperationShape")), required=True)
    more = fields.Boolean(required=True)
