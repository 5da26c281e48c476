"""Schemas of editions in running matches, and of errata that a club writes."""

from __future__ import annotations

from typing import Final

from marshmallow import fields, validate

from ledger.log.format.published import SCOPES
from replays.reproject.erratum_file import FILE_BYTES_MAX, Mistake
from services.web.app.shapes import Shape, Whole, page_of, says, shape_of
from services.web.matches.schemas import errata_field
from services.web.seats.schemas import UNDO_STATES, NewUndoShape


class NewEditionShape(Shape):
    """The edition and errata a match goes on under."""

    edition = fields.String(
        load_default="",
        validate=validate.Length(0, 1_000),
        **says("an edition of the ruleset, or as the match calls it; empty: no change"),
    )
    errata = errata_field("errata of the club to add to it: the texts of their files")
    reason = NewUndoShape().fields["reason"]


class AskedEditionShape(NewEditionShape):
    """A request to all other seats for another edition."""

    seat = NewUndoShape().fields["seat"]
    seconds = NewUndoShape().fields["seconds"]


class PublishedShape(Shape):
    """An erratum that a club has written."""

    id = fields.String(required=True)
    ruleset = fields.String(required=True)
    date = fields.String(required=True)
    text = fields.String(required=True)
    scope = fields.String(required=True, validate=validate.OneOf(SCOPES))
    source = fields.String()
    readings = fields.Dict(**says("by name"))
    content = fields.Dict(**says("tables, rows and cells; null: the row is removed"))
    mark = fields.String(required=True, **says("its hash, in hex"))


class EditionRequestShape(Shape):
    """A request to go on under another edition."""

    number = Whole(required=True)
    seat = Whole(required=True)
    edition = fields.String(required=True, **says("empty: no change"))
    errata = fields.List(fields.Nested(PublishedShape), required=True)
    reason = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(UNDO_STATES))
    agreed = fields.List(Whole(), required=True, **says("bots need not answer"))
    expires = Whole(required=True)
    version = Whole(required=True, **says("of the match now"))


EditionRequestsShape: Final = page_of("EditionRequestsShape", "requests", EditionRequestShape)


class ErratumTextShape(Shape):
    """The text of an erratum file."""

    text = fields.String(required=True, validate=validate.Length(1, FILE_BYTES_MAX))


class CheckedErratumShape(Shape):
    """The erratum in a file, or its mistakes."""

    erratum = fields.Nested(
        PublishedShape, required=True, allow_none=True, **says("null: it is none")
    )
    troubles = fields.List(fields.Nested(shape_of(Mistake, "TroubleShape")), required=True)
