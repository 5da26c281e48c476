"""Schemas of matches."""

from __future__ import annotations

from typing import Final

from marshmallow import fields, validate

from ledger.club.clocks import SeatClock
from ledger.club.table import LOOKING
from ledger.kernel.bots import BOTS
from ledger.log.format.published import BEHIND_MAX
from replays.reproject.erratum_file import FILE_BYTES_MAX
from services.matches.forks import ForkOrigin
from services.web.app.shapes import (
    Flag,
    Number,
    Shape,
    Whole,
    Wholly,
    one_line,
    page_of,
    printable,
    shape_of,
)

TITLE_MAX: Final = 80
DELAY_MAX: Final = 24 * 3600
MINUTE: Final = 60
REASON_MAX: Final = 300
STATES: Final = ("open", "running", "paused", "parked", "finished", "abandoned", "unreadable")
_MATCH_ID: Final = {"pattern": "^[a-z0-9][a-z0-9-]{0,63}$"}
_AS: Final = {"description": "a seat's number, or spectator; else the caller's own seat"}


def errata_field(says: str) -> fields.List[str]:
    """Returns a field for the texts of erratum files."""
    return fields.List(
        fields.String(validate=validate.Length(1, FILE_BYTES_MAX)),
        load_default=list,
        validate=validate.Length(0, BEHIND_MAX),
        metadata={"description": says},
    )


class ClockShape(Shape):
    """The clock of a match."""

    kind = fields.String(required=True, validate=validate.OneOf(("decision", "bank")))
    seconds = Whole(
        required=True,
        validate=validate.Range(1, 90 * 24 * 3600),
        metadata={"description": "seconds for each decision, or in the bank at the start"},
    )
    increment = Whole(
        load_default=0,
        validate=validate.Range(0, 24 * 3600),
        metadata={"description": "seconds added to the bank after each decision"},
    )
    out = fields.String(load_default="default", validate=validate.OneOf(("default", "bot")))


class NewMatchShape(Shape):
    """The terms of a new match."""

    ruleset = fields.String(required=True, validate=validate.Length(1, 64))
    seats = Whole(required=True, validate=validate.Range(1, 64))
    edition = fields.String(load_default="printed", validate=validate.Length(1, 64))
    options = fields.Dict(keys=fields.String(), load_default=dict, validate=printable)
    content = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String()),
        load_default=None,
        allow_none=True,
        validate=printable,
        metadata={"description": "a club's own content: tables, rows and cells"},
    )
    errata = errata_field("errata of the club added to the edition: the texts of their files")
    title = fields.String(load_default="", validate=[validate.Length(0, TITLE_MAX), one_line])
    discloses = fields.List(
        fields.String(validate=Wholly(r"^(decisions|outcomes|chance(:[a-z0-9._-]{1,64})?)$")),
        load_default=["decisions", "outcomes", "chance"],
        metadata={"description": "what the close discloses to everybody"},
    )
    looking = fields.String(load_default="everybody", validate=validate.OneOf(LOOKING))
    delay = Whole(
        load_default=0,
        validate=validate.Range(0, DELAY_MAX),
        metadata={"description": "the delay for spectators, in seconds"},
    )
    clock = fields.Nested(ClockShape, load_default=None, allow_none=True)
    pause_on_dispute = Flag(
        load_default=False,
        metadata={"description": "pause the match while a dispute waits for its ruling"},
    )


class SittingShape(Shape):
    """A seat and its holder."""

    seat = Whole(required=True)
    name = fields.String(required=True, metadata={"description": "empty if no player sits there"})
    who = fields.String(
        required=True, validate=validate.OneOf(("nobody", "person", "bot", "unknown"))
    )
    person = fields.String(metadata={"description": "for members of the club"})
    delegates = fields.List(fields.String(), metadata={"description": "for members of the club"})


class KnewShape(Shape):
    """A person who held a seat before, and the last event they have seen through it."""

    seat = Whole(required=True)
    person = fields.String(required=True)
    version = Whole(required=True, metadata={"description": "up to this event"})


class PlaceShape(Shape):
    """A match's place in a tournament."""

    id = fields.String(required=True)
    round = Whole(required=True)
    table = Whole(required=True)


class MatchShape(Shape):
    """A match as everybody may know it."""

    id = fields.String(required=True, metadata=_MATCH_ID)
    title = fields.String(required=True)
    origin = fields.Nested(
        shape_of(ForkOrigin, "OriginShape"),
        required=True,
        allow_none=True,
        metadata={"description": "for a fork: the event of the match that it continues"},
    )
    ruleset = fields.String(required=True)
    edition = fields.String(required=True)
    options = fields.Dict(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    version = Whole(
        required=True, metadata={"description": "the last event that the caller may know of"}
    )
    head = fields.String(required=True, metadata={"description": "its head, in hex"})
    made = Whole(required=True)
    seats = fields.List(fields.Nested(SittingShape), required=True)
    asked = fields.List(Whole(), required=True, metadata={"description": "the seats that decide"})
    result = fields.Dict(allow_none=True, required=True)
    looking = fields.String(required=True)
    delay = Whole(required=True)
    clock = fields.Nested(ClockShape, required=True, allow_none=True)
    pause_on_dispute = fields.Boolean(required=True)
    clocks = fields.List(
        fields.Nested(shape_of(SeatClock, "SeatClockShape")),
        required=True,
        metadata={"description": "as of now; none for a viewer who sees the match delayed"},
    )
    knew = fields.List(fields.Nested(KnewShape), metadata={"description": "for members"})
    tournament = fields.Nested(
        PlaceShape,
        required=True,
        allow_none=True,
        metadata={"description": "null: none, or none that the caller may see"},
    )
    yours = fields.List(
        Whole(), required=True, metadata={"description": "seats that the caller decides for"}
    )


class LineShape(Shape):
    """A match in one line of a list."""

    id = fields.String(attribute="match", required=True, metadata=_MATCH_ID)
    title = fields.String(required=True)
    ruleset = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    version = Whole(attribute="events", required=True)
    players = fields.List(fields.String(), required=True)
    result = fields.String(required=True)
    made = Whole(attribute="made_at", required=True)


MatchesShape: Final = page_of("MatchesShape", "matches", LineShape)


class JoinShape(Shape):
    """The name and the nonce of a player who sits down."""

    name = fields.String(
        validate=[validate.Length(1, 40), one_line],
        metadata={"description": "the player's name in the log; else the caller's name here"},
    )
    nonce = fields.String(
        validate=Wholly(r"^[0-9a-f]{64}$"),
        metadata={
            "description": "32 bytes of your own, in hex, for chance that no other knows in advance"
        },
    )


class BotShape(Shape):
    """The bot that plays for a seat."""

    bot = fields.String(required=True, validate=validate.OneOf(sorted(BOTS)))


class DelegateShape(Shape):
    """A person who may also decide for a seat."""

    person = fields.String(required=True, validate=validate.Length(1, 40))


class InvitationShape(Shape):
    """A link to a seat."""

    id = fields.String(required=True)
    seat = Whole(required=True)
    expires = Whole(required=True)
    link = fields.String(required=True, metadata={"description": "shown once; it opens once"})


class LookShape(Shape):
    """The viewer and the event."""

    viewer = fields.String(data_key="as", load_default=None, metadata=_AS)
    at = Number(
        load_default=None,
        validate=validate.Range(1, 10**9),
        metadata={"description": "the event after which to begin; else the last"},
    )


class SinceShape(Shape):
    """The viewer and the first event."""

    viewer = fields.String(data_key="as", load_default=None, metadata=_AS)
    since = Number(
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "events after this one"},
    )
    limit = Number(load_default=1_000, validate=validate.Range(1, 10_000))


class ViewShape(Shape):
    """A position as one viewer may see it."""

    match = fields.String(required=True)
    version = Whole(required=True)
    last = Whole(required=True, metadata={"description": "the last event this viewer may know"})
    viewer = fields.String(data_key="as", required=True)
    view = fields.Dict(required=True, allow_none=True, metadata={"description": "null: not begun"})


class SceneShape(Shape):
    """A position drawn in a vocabulary that knows no game."""

    match = fields.String(required=True)
    version = Whole(required=True)
    last = Whole(required=True)
    viewer = fields.String(data_key="as", required=True)
    scene = fields.Dict(required=True, allow_none=True)


class AskedShape(Shape):
    """A question open to a seat."""

    question = fields.String(required=True, metadata={"description": "its key"})
    takes = fields.List(fields.String(), required=True, metadata={"description": "decision types"})
    sealed = fields.Boolean(required=True)
    options = fields.List(
        fields.Dict(), required=True, metadata={"description": "all that can be listed"}
    )


class OptionsShape(Shape):
    """The decisions open to a seat now."""

    match = fields.String(required=True)
    version = Whole(required=True)
    seat = Whole(required=True)
    asked = fields.Nested(AskedShape, required=True, allow_none=True)
    standing = fields.List(fields.Nested(AskedShape), required=True)


class DecisionShape(Shape):
    """A decision, and the question it answers."""

    seat = Whole(required=True, validate=validate.Range(0, 63))
    question = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, 200))
    decision = fields.Dict(
        required=True,
        validate=printable,
        metadata={"description": "its type, and its fields as the ruleset defines them"},
    )


class DecidedShape(Shape):
    """The events that a decision led to."""

    match = fields.String(required=True)
    first = Whole(required=True, metadata={"description": "the decision's own event"})
    version = Whole(required=True, metadata={"description": "the last event that followed from it"})
    head = fields.String(required=True)
    facts = fields.List(
        fields.Dict(), required=True, metadata={"description": "as the caller may see them"}
    )
    receipt = fields.String(
        required=True, metadata={"description": "the decision's event, signed: keep it"}
    )


class EventShape(Shape):
    """An event. It is the same for everybody, except its openings."""

    version = Whole(required=True)
    head = fields.String(required=True, metadata={"description": "in hex"})
    body = fields.String(required=True, metadata={"description": "its bytes, in base64"})
    said = fields.Dict(required=True, metadata={"description": "the same, decoded"})
    openings = fields.List(fields.Dict(), required=True)


class EventsShape(Shape):
    """A part of a log."""

    match = fields.String(required=True)
    viewer = fields.String(data_key="as", required=True)
    last = Whole(required=True)
    events = fields.List(fields.Nested(EventShape), required=True)


class FactsOfShape(Shape):
    """The facts of one event, as one viewer may know them."""

    version = Whole(required=True)
    at = Whole(required=True)
    seat = Whole(required=True, allow_none=True)
    undone = fields.Boolean(required=True)
    sentences = fields.List(fields.String(), required=True)
    facts = fields.List(fields.Dict(), required=True)


class FactsShape(Shape):
    """The facts of a part of a log."""

    match = fields.String(required=True)
    viewer = fields.String(data_key="as", required=True)
    last = Whole(required=True)
    events = fields.List(fields.Nested(FactsOfShape), required=True)


class ReasonShape(Shape):
    """The reason, which the log records."""

    reason = fields.String(required=True, validate=[validate.Length(1, REASON_MAX), printable])
