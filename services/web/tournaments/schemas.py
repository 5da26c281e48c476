"""Schemas of tournaments."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from marshmallow import fields
from marshmallow.validate import Length, OneOf, Range

from ledger.club.people import NAME_MAX
from ledger.club.table import LOOKING
from ledger.club.tournament.audit import BookAudit
from ledger.club.tournament.entries import (
    METHODS,
    PLAYERS_MAX,
    POINTS_MAX,
    ROUNDS_MAX,
    TIEBREAKS,
    WHYS,
)
from ledger.club.tournament.standings import Figure, FigureItem, Standings, StandingsRow
from services.matches.tournaments import TableOutcome
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
from services.web.matches.schemas import DELAY_MAX, TITLE_MAX, ClockShape, PersonId

SEATS_MAX: Final = 64
SCORE_MAX: Final = 1_000_000_000

Points: TypeAlias = Annotated[int, Range(0, POINTS_MAX)]
Seats: TypeAlias = Annotated[int, Range(2, SEATS_MAX)]
Label: TypeAlias = Annotated[str, Length(1, 64)]
Reason: TypeAlias = Annotated[str, Length(1, 300), printable]
AnyReason: TypeAlias = Annotated[str, Length(0, 300), printable]
Player: TypeAlias = Annotated[int, Range(1, PLAYERS_MAX)]


class PlacesShape(Shape):
    """The points for the places of a table."""

    seats: Seats
    points: Annotated[list[Points], "by place, the first place first"]


class NewTournamentShape(Shape):
    """The terms of a new tournament."""

    title: Annotated[str, Length(1, TITLE_MAX), one_line]
    ruleset: Label
    edition: Label = "printed"
    options: Annotated[dict[str, Any], printable, {"load_default": dict}] = ABSENT
    content: Annotated[dict[str, dict[str, Any]], printable, {"load_default": dict}] = ABSENT
    seats: Seats
    sizes: Annotated[
        list[Seats],
        Length(0, SEATS_MAX),
        "other allowed table sizes; if empty, there are byes",
        {"load_default": list},
    ] = ABSENT
    rounds: Annotated[int, Range(1, ROUNDS_MAX)]
    method: Annotated[str, OneOf(METHODS)] = "swiss"
    places: Annotated[
        list[PlacesShape],
        "else even steps from the first place down to nothing",
        {"load_default": list},
    ] = ABSENT
    bye: Annotated[int | None, Range(0, POINTS_MAX), "points; else what a seat gets on average"] = (
        None
    )
    forfeit: Points = 0
    late_until: Annotated[
        int, Range(0, ROUNDS_MAX), "the last round before which players may still enter"
    ] = 0
    late_points: Annotated[Points, "for each round that was missed"] = 0
    tiebreaks: Annotated[
        list[Annotated[str, OneOf(TIEBREAKS)]],
        Length(0, len(TIEBREAKS)),
        {"load_default": ["opponents", "scores", "met", "lot"]},
    ] = ABSENT
    discloses: Annotated[
        list[Annotated[str, Wholly(r"^(decisions|outcomes|chance(:[a-z0-9._-]{1,64})?)$")]],
        {"load_default": ["decisions", "outcomes", "chance"]},
    ] = ABSENT
    looking: Annotated[str, OneOf(LOOKING)] = "everybody"
    delay: Annotated[int, Range(0, DELAY_MAX)] = 0
    clock: ClockShape | None = None
    pause_on_dispute: Annotated[bool, "pause a match while a dispute waits for its ruling"] = False


class EntrantShape(Shape):
    """A player of a tournament."""

    player: Annotated[int, "their number"]
    name: str
    active: bool
    person: Annotated[str, "for members of the club"] = ABSENT
    reason: Annotated[str, "of leaving"]


class TournamentLineShape(Shape):
    """A tournament in one line of a list."""

    id: Annotated[str, {"metadata": {"pattern": "^[a-z0-9]{16}$"}}]
    title: str
    ruleset: str
    state: Literal["open", "running", "ended"]
    players: int
    rounds: int
    paired: Annotated[int, "rounds that are paired"]
    made: int


TournamentsShape: Final = page_of("TournamentsShape", "tournaments", TournamentLineShape)


class TournamentShape(TournamentLineShape):
    """A tournament, its terms and its players."""

    entrants: list[EntrantShape]
    terms: Annotated[dict[str, Any], "as it was made, and the seed"]


class EnterShape(Shape):
    """The person who takes part, and the name they play under."""

    person: Annotated[PersonId, "another person, if the host enters them; else the caller"] = ABSENT
    name: Annotated[str, Length(1, NAME_MAX), one_line] = ABSENT


class WhyShape(Shape):
    """The reason, which the tournament's book records."""

    reason: AnyReason = ""


class TournamentReasonShape(Shape):
    """The reason, which the tournament's book or each match's log records."""

    reason: Reason


class SeatedShape(Shape):
    """A player at a table."""

    player: int
    name: str
    place: Annotated[int | None, "0: forfeited"]
    shared: Annotated[int | None, "by so many"]
    points: int | None
    score: int | None


class ResultSaidShape(Shape):
    """A result, by the seats of the table."""

    winners: list[int]
    scores: list[int]
    reason: str
    forfeits: Annotated[list[int], "players; of a correction"] = ABSENT
    version: Annotated[int, "the event of the log that it was read at"] = ABSENT
    head: Annotated[str, "that event's head, in hex"] = ABSENT


class TableShape(Shape):
    """A table of a round."""

    table: int
    match: Annotated[str, "empty: not made yet"]
    seats: list[SeatedShape]
    settled: bool
    approved: bool
    readings: Annotated[list[ResultSaidShape], "the result in the log"]
    corrections: Annotated[list[ResultSaidShape], "the last one counts"]
    forfeits: list[dict[str, Any]]


class ByeShape(Shape):
    """A player who sits out."""

    player: int
    name: str
    points: int


class RoundShape(Shape):
    """A round of a tournament."""

    round: int
    closed: bool
    tables: list[TableShape]
    byes: list[ByeShape]
    draw: Annotated[dict[str, Any] | None, "its seed and the draw's result; null: paired by hand"]
    by_hand: Annotated[str, "why it was changed by hand"]


class RoundsShape(Shape):
    """All rounds of a tournament."""

    tournament: str
    rounds: list[RoundShape]


class ByHandShape(Shape):
    """The pairings; tables that have begun stay as they are."""

    tables: Annotated[
        list[
            Annotated[
                list[Player],
                Length(2, SEATS_MAX),
                "players, by their numbers, in the order of their seats",
            ]
        ],
        Length(1, PLAYERS_MAX),
    ]
    byes: Annotated[list[Player], Length(0, PLAYERS_MAX), {"load_default": list}] = ABSENT
    reason: Reason


class ForfeitShape(Shape):
    """The players who did not play, or not to the end."""

    players: Annotated[list[Player], Length(1, SEATS_MAX)]
    why: Annotated[str, OneOf(WHYS), "`clock` needs a time-out in the match's log"]
    reason: AnyReason = ""


class CorrectionShape(Shape):
    """The result that counts from now on."""

    winners: Annotated[
        list[Annotated[int, Range(0, SEATS_MAX)]], Length(0, SEATS_MAX), "seats, the first is 0"
    ]
    scores: Annotated[
        list[Annotated[int, Range(-SCORE_MAX, SCORE_MAX)]],
        Length(0, SEATS_MAX),
        "by seat; none: all players share",
    ]
    forfeits: Annotated[list[Player], Length(0, SEATS_MAX), "players", {"load_default": list}] = (
        ABSENT
    )
    reason: Reason


shape_of(TableOutcome, "DoneShape")


class AllDoneShape(Shape):
    """The result of an action at all tables of a round."""

    tables: list[TableOutcome]


class AfterShape(Shape):
    """The round after which the standings are taken."""

    rounds: Annotated[
        int,
        Number,
        Range(0, ROUNDS_MAX),
        "after this many rounds; else after all that are paired",
        {"load_default": None},
    ] = ABSENT


StandingsShape: Final = shape_of(
    Standings,
    "StandingsShape",
    {StandingsRow: "StandingShape", Figure: "FigureShape", FigureItem: "ItemShape"},
)


class EntriesShape(Shape):
    """The entries of a tournament's book."""

    tournament: str
    head: Annotated[str, "of the last entry, in hex"]
    entries: list[dict[str, Any]]


AuditShape: Final = shape_of(
    BookAudit, "AuditShape", standings=fields.Nested(StandingsShape, required=True)
)
