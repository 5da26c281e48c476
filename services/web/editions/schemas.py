"""Schemas of editions in running matches, and of errata that a club writes."""

from __future__ import annotations

from typing import Annotated, Any, Final

from marshmallow.validate import Length, OneOf

from ledger.log.format.published import Scope
from replays.reproject.erratum_file import FILE_BYTES_MAX, Mistake
from services.web.app.shapes import ABSENT, Shape, page_of, shape_of
from services.web.matches.schemas import Seat, errata_field
from services.web.seats.schemas import UNDO_STATES, AnswerSeconds, Reason


class NewEditionShape(Shape):
    """The edition and errata a match goes on under."""

    edition: Annotated[
        str,
        Length(0, 1_000),
        "an edition of the ruleset, or as the match calls it; empty: no change",
    ] = ""
    errata: Annotated[
        list[str], errata_field("errata of the club to add to it: the texts of their files")
    ]
    reason: Reason


class AskedEditionShape(NewEditionShape):
    """A request to all other seats for another edition."""

    seat: Annotated[Seat, "the seat"]
    seconds: AnswerSeconds = 24 * 3600


class PublishedShape(Shape):
    """An erratum that a club has written."""

    id: str
    ruleset: str
    date: str
    text: str
    scope: Scope
    source: str = ABSENT
    readings: Annotated[dict[str, Any], "by name"] = ABSENT
    content: Annotated[dict[str, Any], "tables, rows and cells; null: the row is removed"] = ABSENT
    mark: Annotated[str, "its hash, in hex"]


class EditionRequestShape(Shape):
    """A request to go on under another edition."""

    number: int
    seat: int
    edition: Annotated[str, "empty: no change"]
    errata: list[PublishedShape]
    reason: str
    state: Annotated[str, OneOf(UNDO_STATES)]
    agreed: Annotated[list[int], "bots need not answer"]
    expires: int
    version: Annotated[int, "of the match now"]


EditionRequestsShape: Final = page_of("EditionRequestsShape", "requests", EditionRequestShape)


class ErratumTextShape(Shape):
    """The text of an erratum file."""

    text: Annotated[str, Length(1, FILE_BYTES_MAX)]


shape_of(Mistake, "TroubleShape")


class CheckedErratumShape(Shape):
    """The erratum in a file, or its mistakes."""

    erratum: Annotated[PublishedShape | None, "null: it is none"]
    troubles: list[Mistake]
