"""Schemas of the life of a table: going back, seats, talk, and digests."""

from __future__ import annotations

from typing import Final

from marshmallow import fields, validate

from ledger.kernel.bots import BOTS
from ledger.log.format.canonical import INT_MAX
from services.web.app.shapes import Flag, Number, Shape, Whole, page_of, printable
from services.web.matches.schemas import REASON_MAX

TEXT_MAX: Final = 1_000
_SEAT: Final = validate.Range(0, 63)
_REASON: Final = validate.And(validate.Length(1, REASON_MAX), printable)
_AS: Final = {"description": "a seat's number, or spectator; else the caller's own seat"}
UNDO_STATES: Final = ("open", "agreed", "done", "declined", "withdrawn", "expired")


class NewUndoShape(Shape):
    """The event to go back to, and the reason."""

    seat = Whole(required=True, validate=_SEAT, metadata={"description": "the seat"})
    to = Whole(
        required=True,
        validate=validate.Range(1, 10**9),
        metadata={"description": "play goes on after this event"},
    )
    reason = fields.String(
        required=True, validate=_REASON, metadata={"description": "the log records it"}
    )
    seconds = Whole(
        load_default=24 * 3600,
        validate=validate.Range(10, 30 * 24 * 3600),
        metadata={"description": "the time that the others have to answer"},
    )


class UndoAnswerShape(Shape):
    """A seat's answer to a request: it agrees or does not."""

    seat = Whole(required=True, validate=_SEAT)
    agrees = Flag(required=True)


class UndoShape(Shape):
    """A request to go back."""

    number = Whole(required=True, allow_none=True, metadata={"description": "null: done at once"})
    seat = Whole(required=True)
    to = Whole(required=True)
    reason = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(UNDO_STATES))
    agreed = fields.List(Whole(), required=True, metadata={"description": "bots need not answer"})
    expires = Whole(required=True, allow_none=True)
    version = Whole(required=True, metadata={"description": "of the match now"})


class AfterNumberShape(Shape):
    """A page of a numbered list: the items after a number, at most `limit`."""

    after = Number(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "the last number of the previous page"},
    )
    limit = Number(load_default=50, validate=validate.Range(1, 200))


UndosShape: Final = page_of("UndosShape", "undos", UndoShape)


class HolderShape(Shape):
    """The new holder of a seat: a person or a bot."""

    person = fields.String(validate=validate.Length(1, 40))
    bot = fields.String(validate=validate.OneOf(sorted(BOTS)))
    reason = NewUndoShape().fields["reason"]


class OrdersShape(Shape):
    """Standing orders of a seat."""

    only_option = Flag(
        required=True,
        metadata={
            "description": "answer automatically, after a pause, if there is exactly one option"
        },
    )


class SayingShape(Shape):
    """A message to send."""

    text = fields.String(required=True, validate=validate.Length(1, TEXT_MAX))
    seat = Whole(validate=_SEAT, metadata={"description": "the seat; else the caller's own"})
    to = fields.List(
        Whole(validate=_SEAT),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, 64),
        metadata={"description": "the seats it is for; null: everybody"},
    )


class TalkLineShape(Shape):
    """A chat message."""

    number = Whole(
        required=True, metadata={"description": "among the messages that this viewer may read"}
    )
    version = Whole(
        required=True, metadata={"description": "the match's version when the message was sent"}
    )
    at = Whole(required=True)
    seat = Whole(required=True, allow_none=True)
    name = fields.String(required=True)
    to = fields.List(Whole(), required=True, allow_none=True)
    text = fields.String(
        required=True, metadata={"description": "text by a player: do not trust it"}
    )
    hidden = fields.Boolean(
        required=True, metadata={"description": "removed; the log still holds it"}
    )


class EyesShape(Shape):
    """The viewer."""

    viewer = fields.String(data_key="as", load_default=None, metadata=_AS)


class TalkShape(Shape):
    """A part of the talk."""

    match = fields.String(required=True)
    viewer = fields.String(data_key="as", required=True)
    last = Whole(
        required=True, metadata={"description": "the last number that the player has read"}
    )
    lines = fields.List(fields.Nested(TalkLineShape), required=True)


class DigestSinceShape(Shape):
    """The viewer and the first event."""

    viewer = fields.String(data_key="as", load_default=None, metadata=_AS)
    since = Number(
        load_default=None,
        validate=validate.Range(0, INT_MAX),
        metadata={"description": "events after this one; else after the seat's last decision"},
    )


class SentenceShape(Shape):
    """The sentences of one event."""

    version = Whole(required=True)
    at = Whole(required=True)
    seat = Whole(required=True, allow_none=True)
    by = fields.String(
        required=True,
        metadata={
            "description": "the role of the author, as in the event: `seat`, `clock`, `bot`, ..."
        },
    )
    undone = fields.Boolean(required=True)
    sentences = fields.List(fields.String(), required=True)


class DigestShape(Shape):
    """The events since a player's last decision."""

    match = fields.String(required=True)
    viewer = fields.String(data_key="as", required=True)
    since = Whole(required=True)
    last = Whole(required=True)
    events = fields.List(fields.Nested(SentenceShape), required=True)
    asked = fields.Boolean(
        required=True, metadata={"description": "whether the caller must decide"}
    )
    said = Whole(
        required=True, metadata={"description": "chat messages since, that the caller may read"}
    )
    undos = Whole(
        required=True,
        metadata={"description": "requests to go back that wait for the caller's answer"},
    )
    editions = Whole(required=True, metadata={"description": "... and requests for other rules"})
