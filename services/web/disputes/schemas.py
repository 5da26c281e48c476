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
    says,
    shape_of,
)
from services.web.matches.schemas import REASON_MAX

WORDS_MAX: Final = 2_000
RULES_MAX: Final = 20
STATES: Final[tuple[str, ...]] = State.__args__  # type: ignore[attr-defined] # of a Literal
FINDINGS: Final = ("upheld", "dismissed", "void")
REMEDIES: Final = ("none", "note", "rewind", "transfer", "annul-deal", "edition")
_NONE: Final[dict[str, Any]] = {"required": True, "allow_none": True}


def _seat(**more: Any) -> Whole:
    """Returns the field of a seat that may be left out."""
    return Whole(load_default=None, allow_none=True, validate=validate.Range(0, 63), **more)


def _version(**more: Any) -> Whole:
    """Returns the field of an event that may be left out."""
    return Whole(load_default=None, allow_none=True, validate=validate.Range(1, 10**9), **more)


def _prose(most: int, least: int = 1, **more: Any) -> fields.String:
    """Returns the field of a text that people write and read."""
    return fields.String(validate=[validate.Length(least, most), printable], **more)


def _name(most: int, **more: Any) -> fields.String:
    """Returns the field of a name; empty: none."""
    return fields.String(load_default="", validate=validate.Length(0, most), **more)


class NewDisputeShape(Shape):
    """A claim about events, a deal or a conflict."""

    words = _prose(
        WORDS_MAX,
        required=True,
        **says("what is wrong; the parties and the organizer can read it"),
    )
    seat = _seat(**says("the seat; else the caller's own, or as the organizer"))
    first = _version(data_key="from")
    last = _version(data_key="to")
    deal = _name(80, **says("its id"))
    conflict = Whole(
        load_default=0,
        validate=validate.Range(0, 10**9),
        **says("the event with which it began"),
    )
    parties = fields.List(
        Whole(validate=validate.Range(0, 63)),
        load_default=list,
        validate=validate.Length(0, 64),
        **says("the seats that the claim concerns; else those of the deal, or all"),
    )
    pause = Flag(
        load_default=False,
        **says("pause the match until the ruling; only for its host or an organizer"),
    )


class RemedyShape(Shape):
    """The remedy that a ruling orders."""

    kind = fields.String(required=True, validate=validate.OneOf(REMEDIES))
    version = _version(**says("rewind: play goes on after this event"))
    seat = _seat()
    to = _seat()
    amount = Whole(
        load_default=0,
        validate=validate.Range(0, 10**6),
        **says("transfer: what `seat` pays `to`"),
    )
    deal = _name(80)
    edition = _name(64)
    text = _prose(REASON_MAX, 0, load_default="")


class NewRulingShape(Shape):
    """An organizer's ruling."""

    finding = fields.String(required=True, validate=validate.OneOf(FINDINGS))
    reason = _prose(REASON_MAX, required=True, **says("the log records it, for everybody to read"))
    rules = fields.List(
        fields.String(validate=validate.Length(1, 64)),
        load_default=list,
        validate=validate.Length(0, RULES_MAX),
        **says("ids of the rules that the ruling cites"),
    )
    remedy = fields.Nested(RemedyShape, load_default=None, allow_none=True)
    dossier = fields.String(
        load_default="",
        validate=Wholly(r"^([0-9a-f]{64})?$"),
        **says("the SHA-256 of the dossier that the organizer read, in hex"),
    )
    resume = Flag(load_default=True, **says("resume a match that was paused for the dispute"))


class AppealShape(Shape):
    """The reason to look at a ruling again."""

    words = _prose(WORDS_MAX, required=True)
    seat = _seat()


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
    by = fields.String(**says("for members of the club"))


class AppealedShape(Shape):
    """An appeal."""

    seat = Whole(**_NONE)
    version = Whole(required=True, **says("of the ruling"))
    words = fields.String(required=True)


class ClaimShape(Shape):
    """The part of a dispute that the parties and the organizer know."""

    seat = Whole(**_NONE, **says("who filed it; null: the organizer"))
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
        **says("by the event of a ruling: the dossier that it rests on"),
    )


class DisputeShape(Shape):
    """A dispute."""

    match = fields.String(required=True)
    id = fields.String(required=True)
    version = Whole(required=True, **says("the event that filed it"))
    at = Whole(required=True)
    first = Whole(required=True, data_key="from")
    last = Whole(required=True, data_key="to")
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    rulings = fields.List(fields.Nested(RulingShape), required=True)
    claim = fields.Nested(ClaimShape, **_NONE, **says("null: for the parties and the organizer"))
    viewer = fields.String(**_NONE, data_key="as", **says("the viewer of the dossier"))


class DisputesShape(Shape):
    """The disputes of a match."""

    disputes = fields.List(fields.Nested(DisputeShape), required=True)


class DossierQueryShape(Shape):
    """The viewer of a dossier."""

    viewer = fields.String(
        load_default=None,
        data_key="as",
        validate=validate.Length(1, 20),
        **says("a seat of the caller; else the first that is a party"),
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

    rule = _name(
        64, **says("only rulings that cite this rule; or this chapter, if it ends in a dot")
    )
    ruleset = _name(64)
    finding = fields.String(load_default="", validate=validate.OneOf(("", *FINDINGS)))


class PrecedentShape(RulingShape):
    """A ruling, with its match and dispute."""

    id = fields.String(required=True, **says("match, dispute and event"))
    match = fields.String(required=True)
    title = fields.String(required=True)
    ruleset = fields.String(required=True)
    dispute = fields.String(required=True)
    first = Whole(required=True, data_key="from")
    last = Whole(required=True, data_key="to")


PrecedentsShape: Final = page_of("PrecedentsShape", "rulings", PrecedentShape)


class WaitingDisputeShape(Shape):
    """A dispute that waits for a ruling."""

    id = fields.String(required=True, **says("match and dispute"))
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
