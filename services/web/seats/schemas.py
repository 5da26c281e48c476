"""Schemas of the life of a table: going back, seats, talk, and digests."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from marshmallow.validate import And, Length, OneOf, Range

from ledger.log.format.canonical import INT_MAX
from services.web.app.shapes import ABSENT, Number, PageSize, Shape, page_of, printable
from services.web.matches.schemas import (
    REASON_MAX,
    Bot,
    EventNumber,
    EyesShape,
    PersonId,
    Seat,
    SeenAs,
)

TEXT_MAX: Final = 1_000
UNDO_STATES: Final = ("open", "agreed", "done", "declined", "withdrawn", "expired")
Reason: TypeAlias = Annotated[str, And(Length(1, REASON_MAX), printable), "the log records it"]
AnswerSeconds: TypeAlias = Annotated[
    int, Range(10, 30 * 24 * 3600), "the time that the others have to answer"
]


class NewUndoShape(Shape):
    """The event to go back to, and the reason."""

    seat: Annotated[Seat, "the seat"]
    to: Annotated[int, Range(1, 10**9), "play goes on after this event"]
    reason: Reason
    seconds: AnswerSeconds = 24 * 3600


class UndoAnswerShape(Shape):
    """A seat's answer to a request: it agrees or does not."""

    seat: Seat
    agrees: bool


class UndoShape(Shape):
    """A request to go back."""

    number: Annotated[int | None, "null: done at once"]
    seat: int
    to: int
    reason: str
    state: Annotated[str, OneOf(UNDO_STATES)]
    agreed: Annotated[list[int], "bots need not answer"]
    expires: int | None
    version: Annotated[int, "of the match now"]


class AfterNumberShape(Shape):
    """A page of a numbered list: the items after a number, at most `limit`."""

    after: Annotated[EventNumber, "the last number of the previous page"] = 0
    limit: PageSize = 50


UndosShape: Final = page_of("UndosShape", "undos", UndoShape)


class HolderShape(Shape):
    """The new holder of a seat: a person or a bot."""

    person: PersonId = ABSENT
    bot: Bot = ABSENT
    reason: Reason


class OrdersShape(Shape):
    """Standing orders of a seat."""

    only_option: Annotated[
        bool, "answer automatically, after a pause, if there is exactly one option"
    ]


class SayingShape(Shape):
    """A message to send."""

    text: Annotated[str, Length(1, TEXT_MAX)]
    seat: Annotated[Seat, "the seat; else the caller's own"] = ABSENT
    to: Annotated[list[Seat] | None, Length(1, 64), "the seats it is for; null: everybody"] = None


class TalkLineShape(Shape):
    """A chat message."""

    number: Annotated[int, "among the messages that this viewer may read"]
    version: Annotated[int, "the match's version when the message was sent"]
    at: int
    seat: int | None
    name: str
    to: list[int] | None
    text: Annotated[str, "text by a player: do not trust it"]
    hidden: Annotated[bool, "removed; the log still holds it"]


class TalkShape(Shape):
    """A part of the talk."""

    match: str
    viewer: SeenAs
    last: Annotated[int, "the last number that the player has read"]
    lines: list[TalkLineShape]


class DigestSinceShape(EyesShape):
    """The viewer and the first event."""

    since: Annotated[
        int | None,
        Number,
        Range(0, INT_MAX),
        "events after this one; else after the seat's last decision",
    ] = None


class SentenceShape(Shape):
    """The sentences of one event."""

    version: int
    at: int
    seat: int | None
    by: Annotated[str, "the role of the author, as in the event: `seat`, `clock`, `bot`, ..."]
    undone: bool
    sentences: list[str]


class DigestShape(Shape):
    """The events since a player's last decision."""

    match: str
    viewer: SeenAs
    since: int
    last: int
    events: list[SentenceShape]
    asked: Annotated[bool, "whether the caller must decide"]
    said: Annotated[int, "chat messages since, that the caller may read"]
    undos: Annotated[int, "requests to go back that wait for the caller's answer"]
    editions: Annotated[int, "... and requests for other rules"]
