"""Schemas of matches."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from marshmallow import fields
from marshmallow.validate import Length, OneOf, Range

from ledger.club.clocks import SeatClock
from ledger.club.table import LOOKING
from ledger.kernel.bots import BOTS
from ledger.log.format.published import BEHIND_MAX
from replays.reproject.erratum_file import FILE_BYTES_MAX
from services.matches.forks import ForkOrigin
from services.web.app.shapes import (
    ABSENT,
    Number,
    Shape,
    Wholly,
    one_line,
    page_of,
    printable,
    shape_of,
)

TITLE_MAX: Final = 80
DELAY_MAX: Final = 24 * 3600
REASON_MAX: Final = 300
STATES: Final = ("open", "running", "paused", "parked", "finished", "abandoned", "unreadable")

MatchId: TypeAlias = Annotated[str, {"metadata": {"pattern": "^[a-z0-9][a-z0-9-]{0,63}$"}}]
State: TypeAlias = Annotated[str, OneOf(STATES)]
Seat: TypeAlias = Annotated[int, Range(0, 63)]
Bot: TypeAlias = Annotated[str, OneOf(sorted(BOTS))]
PersonId: TypeAlias = Annotated[str, Length(1, 40)]
QuestionKey: TypeAlias = Annotated[str | None, Length(1, 200)]
# Used in queries and in their answers.
Eyes: TypeAlias = Annotated[
    str | None, "a seat's number, or spectator; else the caller's own seat", {"data_key": "as"}
]
SeenAs: TypeAlias = Annotated[str, {"data_key": "as"}]
EventNumber: TypeAlias = Annotated[int, Number, Range(0, 10**9)]


def errata_field(says: str) -> fields.List[str]:
    """Returns a field for the texts of erratum files."""
    return fields.List(
        fields.String(validate=Length(1, FILE_BYTES_MAX)),
        load_default=list,
        validate=Length(0, BEHIND_MAX),
        metadata={"description": says},
    )


class ClockShape(Shape):
    """The clock of a match."""

    kind: Literal["decision", "bank"]
    seconds: Annotated[
        int, Range(1, 90 * 24 * 3600), "seconds for each decision, or in the bank at the start"
    ]
    increment: Annotated[
        int, Range(0, 24 * 3600), "seconds added to the bank after each decision"
    ] = 0
    out: Literal["default", "bot"] = "default"


class NewMatchShape(Shape):
    """The terms of a new match."""

    ruleset: Annotated[str, Length(1, 64)]
    seats: Annotated[int, Range(1, 64)]
    edition: Annotated[str, Length(1, 64)] = "printed"
    options: Annotated[dict[str, Any], printable, {"load_default": dict}] = ABSENT
    content: Annotated[
        dict[str, dict[str, Any]] | None, printable, "a club's own content: tables, rows and cells"
    ] = None
    errata: Annotated[
        list[str], errata_field("errata of the club added to the edition: the texts of their files")
    ]
    title: Annotated[str, Length(0, TITLE_MAX), one_line] = ""
    discloses: Annotated[
        list[Annotated[str, Wholly(r"^(decisions|outcomes|chance(:[a-z0-9._-]{1,64})?)$")]],
        "what the close discloses to everybody",
        {"load_default": ["decisions", "outcomes", "chance"]},
    ] = ABSENT
    looking: Annotated[str, OneOf(LOOKING)] = "everybody"
    delay: Annotated[int, Range(0, DELAY_MAX), "the delay for spectators, in seconds"] = 0
    clock: ClockShape | None = None
    pause_on_dispute: Annotated[bool, "pause the match while a dispute waits for its ruling"] = (
        False
    )


class SittingShape(Shape):
    """A seat and its holder."""

    seat: int
    name: Annotated[str, "empty if no player sits there"]
    who: Literal["nobody", "person", "bot", "unknown"]
    person: Annotated[str, "for members of the club"] = ABSENT
    delegates: Annotated[list[str], "for members of the club"] = ABSENT


class KnewShape(Shape):
    """A person who held a seat before, and the last event they have seen through it."""

    seat: int
    person: str
    version: Annotated[int, "up to this event"]


class PlaceShape(Shape):
    """A match's place in a tournament."""

    id: str
    round: int
    table: int


shape_of(ForkOrigin, "OriginShape")
shape_of(SeatClock, "SeatClockShape")


class MatchShape(Shape):
    """A match as everybody may know it."""

    id: MatchId
    title: str
    origin: Annotated[ForkOrigin | None, "for a fork: the event of the match that it continues"]
    ruleset: str
    edition: str
    options: dict[str, Any]
    state: State
    version: Annotated[int, "the last event that the caller may know of"]
    head: Annotated[str, "its head, in hex"]
    made: int
    seats: list[SittingShape]
    asked: Annotated[list[int], "the seats that decide"]
    result: dict[str, Any] | None
    looking: str
    delay: int
    clock: ClockShape | None
    pause_on_dispute: bool
    clocks: Annotated[list[SeatClock], "as of now; none for a viewer who sees the match delayed"]
    knew: Annotated[list[KnewShape], "for members"] = ABSENT
    tournament: Annotated[PlaceShape | None, "null: none, or none that the caller may see"]
    yours: Annotated[list[int], "seats that the caller decides for"]


class LineShape(Shape):
    """A match in one line of a list."""

    id: Annotated[MatchId, {"attribute": "match"}]
    title: str
    ruleset: str
    state: State
    version: Annotated[int, {"attribute": "events"}]
    players: list[str]
    result: str
    made: Annotated[int, {"attribute": "made_at"}]


MatchesShape: Final = page_of("MatchesShape", "matches", LineShape)


class JoinShape(Shape):
    """The name and the nonce of a player who sits down."""

    name: Annotated[
        str, Length(1, 40), one_line, "the player's name in the log; else the caller's name here"
    ] = ABSENT
    nonce: Annotated[
        str,
        Wholly(r"^[0-9a-f]{64}$"),
        "32 bytes of your own, in hex, for chance that no other knows in advance",
    ] = ABSENT


class BotShape(Shape):
    """The bot that plays for a seat."""

    bot: Bot


class DelegateShape(Shape):
    """A person who may also decide for a seat."""

    person: PersonId


class InvitationShape(Shape):
    """A link to a seat."""

    id: str
    seat: int
    expires: int
    link: Annotated[str, "shown once; it opens once"]


class EyesShape(Shape):
    """The viewer."""

    viewer: Eyes = None


class LookShape(EyesShape):
    """The viewer and the event."""

    at: Annotated[
        int | None, Number, Range(1, 10**9), "the event after which to begin; else the last"
    ] = None


class SinceShape(EyesShape):
    """The viewer and the first event."""

    since: Annotated[EventNumber, "events after this one"] = 0
    limit: Annotated[int, Number, Range(1, 10_000)] = 1_000


class ViewShape(Shape):
    """A position as one viewer may see it."""

    match: str
    version: int
    last: Annotated[int, "the last event this viewer may know"]
    viewer: SeenAs
    view: Annotated[dict[str, Any] | None, "null: not begun"]


class SceneShape(Shape):
    """A position drawn in a vocabulary that knows no game."""

    match: str
    version: int
    last: int
    viewer: SeenAs
    scene: dict[str, Any] | None


class AskedShape(Shape):
    """A question open to a seat."""

    question: Annotated[str, "its key"]
    takes: Annotated[list[str], "decision types"]
    sealed: bool
    options: Annotated[list[dict[str, Any]], "all that can be listed"]


class OptionsShape(Shape):
    """The decisions open to a seat now."""

    match: str
    version: int
    seat: int
    asked: AskedShape | None
    standing: list[AskedShape]


class DecisionShape(Shape):
    """A decision, and the question it answers."""

    seat: Seat
    question: QuestionKey = None
    decision: Annotated[
        dict[str, Any], printable, "its type, and its fields as the ruleset defines them"
    ]


class DecidedShape(Shape):
    """The events that a decision led to."""

    match: str
    first: Annotated[int, "the decision's own event"]
    version: Annotated[int, "the last event that followed from it"]
    head: str
    facts: Annotated[list[dict[str, Any]], "as the caller may see them"]
    receipt: Annotated[str, "the decision's event, signed: keep it"]


class EventShape(Shape):
    """An event. It is the same for everybody, except its openings."""

    version: int
    head: Annotated[str, "in hex"]
    body: Annotated[str, "its bytes, in base64"]
    said: Annotated[dict[str, Any], "the same, decoded"]
    openings: list[dict[str, Any]]


class StretchShape(Shape):
    """A part of what happened, as one viewer may know it."""

    match: str
    viewer: SeenAs
    last: int


class EventsShape(StretchShape):
    """A part of a log."""

    events: list[EventShape]


class FactsOfShape(Shape):
    """The facts of one event, as one viewer may know them."""

    version: int
    at: int
    seat: int | None
    undone: bool
    sentences: list[str]
    facts: list[dict[str, Any]]


class FactsShape(StretchShape):
    """The facts of a part of a log."""

    events: list[FactsOfShape]


class ReasonShape(Shape):
    """The reason, which the log records."""

    reason: Annotated[str, Length(1, REASON_MAX), printable]
