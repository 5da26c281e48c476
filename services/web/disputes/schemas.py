"""Schemas of disputes, rulings and operations."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from marshmallow.validate import Equal, Length, OneOf, Range

from ledger.club.claims import State
from services.matches.operations import Operation
from services.web.app.shapes import (
    ABSENT,
    Number,
    Page,
    Shape,
    Wholly,
    page_of,
    printable,
    shape_of,
)
from services.web.matches.schemas import REASON_MAX, EventNumber, Seat, SeenAs

WORDS_MAX: Final = 2_000
RULES_MAX: Final = 20
FINDINGS: Final = ("upheld", "dismissed", "void")
REMEDIES: Final = ("none", "note", "rewind", "transfer", "annul-deal", "edition")

Words: TypeAlias = Annotated[str, Length(1, WORDS_MAX), printable]
AnySeat: TypeAlias = Annotated[int | None, Range(0, 63)]
Version: TypeAlias = Annotated[int | None, Range(1, 10**9)]
DealName: TypeAlias = Annotated[str, Length(0, 80)]
Name: TypeAlias = Annotated[str, Length(0, 64)]
Finding: TypeAlias = Annotated[str, OneOf(FINDINGS)]
# The events of a dispute.
First: TypeAlias = Annotated[int, {"data_key": "from"}]
Last: TypeAlias = Annotated[int, {"data_key": "to"}]


class NewDisputeShape(Shape):
    """A claim about events, a deal or a conflict."""

    words: Annotated[Words, "what is wrong; the parties and the organizer can read it"]
    seat: Annotated[AnySeat, "the seat; else the caller's own, or as the organizer"] = None
    first: Annotated[Version, {"data_key": "from"}] = None
    last: Annotated[Version, {"data_key": "to"}] = None
    deal: Annotated[DealName, "its id"] = ""
    conflict: Annotated[int, Range(0, 10**9), "the event with which it began"] = 0
    parties: Annotated[
        list[Seat],
        Length(0, 64),
        "the seats that the claim concerns; else those of the deal, or all",
        {"load_default": list},
    ] = ABSENT
    pause: Annotated[
        bool, "pause the match until the ruling; only for its host or an organizer"
    ] = False


class RemedyShape(Shape):
    """The remedy that a ruling orders."""

    kind: Annotated[str, OneOf(REMEDIES)]
    version: Annotated[Version, "rewind: play goes on after this event"] = None
    seat: AnySeat = None
    to: AnySeat = None
    amount: Annotated[int, Range(0, 10**6), "transfer: what `seat` pays `to`"] = 0
    deal: DealName = ""
    edition: Name = ""
    text: Annotated[str, Length(0, REASON_MAX), printable] = ""


class NewRulingShape(Shape):
    """An organizer's ruling."""

    finding: Finding
    reason: Annotated[
        str, Length(1, REASON_MAX), printable, "the log records it, for everybody to read"
    ]
    rules: Annotated[
        list[Annotated[str, Length(1, 64)]],
        Length(0, RULES_MAX),
        "ids of the rules that the ruling cites",
        {"load_default": list},
    ] = ABSENT
    remedy: RemedyShape | None = None
    dossier: Annotated[
        str,
        Wholly(r"^([0-9a-f]{64})?$"),
        "the SHA-256 of the dossier that the organizer read, in hex",
    ] = ""
    resume: Annotated[bool, "resume a match that was paused for the dispute"] = True


class AppealShape(Shape):
    """The reason to look at a ruling again."""

    words: Words
    seat: AnySeat = None


class ConsentShape(Shape):
    """A seat's consent to show its private talk."""

    gives: bool


class RulingShape(Shape):
    """A ruling as recorded in the log."""

    version: int
    at: int
    finding: Finding
    reason: str
    rules: list[str]
    remedy: dict[str, Any] | None
    by: Annotated[str, "for members of the club"] = ABSENT


class AppealedShape(Shape):
    """An appeal."""

    seat: int | None
    version: Annotated[int, "of the ruling"]
    words: str


class ClaimShape(Shape):
    """The part of a dispute that the parties and the organizer know."""

    seat: Annotated[int | None, "who filed it; null: the organizer"]
    words: str
    parties: list[int]
    deal: str
    conflict: int
    consents: list[int]
    appeals: list[AppealedShape]
    rested: Annotated[dict[str, str], "by the event of a ruling: the dossier that it rests on"]


class DisputeShape(Shape):
    """A dispute."""

    match: str
    id: str
    version: Annotated[int, "the event that filed it"]
    at: int
    first: First
    last: Last
    state: State
    rulings: list[RulingShape]
    claim: Annotated[ClaimShape | None, "null: for the parties and the organizer"]
    viewer: Annotated[str | None, {"data_key": "as"}, "the viewer of the dossier"]


class DisputesShape(Shape):
    """The disputes of a match."""

    disputes: list[DisputeShape]


class DossierQueryShape(Shape):
    """The viewer of a dossier."""

    viewer: Annotated[
        str,
        Length(1, 20),
        "a seat of the caller; else the first that is a party",
        {"data_key": "as", "load_default": None},
    ] = ABSENT


class DossierShape(Shape):
    """The evidence; docs/disputes.md describes it field by field."""

    format: Annotated[str, Equal("hegemon-dossier")]
    version: int
    match: str
    viewer: SeenAs
    claim: dict[str, Any]
    events: list[dict[str, Any]]
    positions: list[dict[str, Any]]


class RulingsQueryShape(Page):
    """The rulings to list."""

    rule: Annotated[
        Name, "only rulings that cite this rule; or this chapter, if it ends in a dot"
    ] = ""
    ruleset: Name = ""
    finding: Annotated[str, OneOf(("", *FINDINGS))] = ""


class PrecedentShape(RulingShape):
    """A ruling, with its match and dispute."""

    id: Annotated[str, "match, dispute and event"]
    match: str
    title: str
    ruleset: str
    dispute: str
    first: First
    last: Last


PrecedentsShape: Final = page_of("PrecedentsShape", "rulings", PrecedentShape)


class WaitingDisputeShape(Shape):
    """A dispute that waits for a ruling."""

    id: Annotated[str, "match and dispute"]
    match: Annotated[str, {"attribute": "match.summary.match"}]
    title: Annotated[str, {"attribute": "match.summary.title"}]
    dispute: Annotated[str, {"attribute": "dispute.name"}]
    at: Annotated[int, {"attribute": "dispute.at"}]
    first: Annotated[First, {"attribute": "dispute.act.first"}]
    last: Annotated[Last, {"attribute": "dispute.act.last"}]
    appealed: bool


WaitingShape: Final = page_of("WaitingShape", "disputes", WaitingDisputeShape)


class OperationsQueryShape(Shape):
    """The part of the ledger to list."""

    after: EventNumber = 0
    limit: Annotated[int, Number, Range(1, 1_000)] = 200


shape_of(Operation, "OperationShape")


class OperationsShape(Shape):
    """The operations ledger of a match."""

    match: str
    operations: list[Operation]
    more: bool
