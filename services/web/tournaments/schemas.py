"""Schemas of tournaments."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import fields, validate

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
    Flag,
    Number,
    Shape,
    Whole,
    Wholly,
    one_line,
    page_of,
    printable,
    says,
    shape_of,
)
from services.web.matches.schemas import DELAY_MAX, TITLE_MAX, ClockShape

SEATS_MAX: Final = 64
SCORE_MAX: Final = 1_000_000_000
STATES: Final = ("open", "running", "ended")
_ID: Final = {"pattern": "^[a-z0-9]{16}$"}
_NUMBERS: Final = {"description": "players, by their numbers, in the order of their seats"}


def _points(**said: Any) -> Whole:
    return Whole(validate=validate.Range(0, POINTS_MAX), **said)


def _reason(**said: Any) -> fields.String:
    return fields.String(validate=[validate.Length(1, 300), printable], **said)


def _players(**said: Any) -> fields.List[int]:
    return fields.List(Whole(validate=validate.Range(1, PLAYERS_MAX)), **said)


class PlacesShape(Shape):
    """The points for the places of a table."""

    seats = Whole(required=True, validate=validate.Range(2, SEATS_MAX))
    points = fields.List(_points(), required=True, **says("by place, the first place first"))


class NewTournamentShape(Shape):
    """The terms of a new tournament."""

    title = fields.String(required=True, validate=[validate.Length(1, TITLE_MAX), one_line])
    ruleset = fields.String(required=True, validate=validate.Length(1, 64))
    edition = fields.String(load_default="printed", validate=validate.Length(1, 64))
    options = fields.Dict(keys=fields.String(), load_default=dict, validate=printable)
    content = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String()),
        load_default=dict,
        validate=printable,
    )
    seats = Whole(required=True, validate=validate.Range(2, SEATS_MAX))
    sizes = fields.List(
        Whole(validate=validate.Range(2, SEATS_MAX)),
        load_default=list,
        validate=validate.Length(0, SEATS_MAX),
        **says("other allowed table sizes; if empty, there are byes"),
    )
    rounds = Whole(required=True, validate=validate.Range(1, ROUNDS_MAX))
    method = fields.String(load_default="swiss", validate=validate.OneOf(METHODS))
    places = fields.List(
        fields.Nested(PlacesShape),
        load_default=list,
        **says("else even steps from the first place down to nothing"),
    )
    bye = _points(
        load_default=None, allow_none=True, **says("points; else what a seat gets on average")
    )
    forfeit = _points(load_default=0)
    late_until = Whole(
        load_default=0,
        validate=validate.Range(0, ROUNDS_MAX),
        **says("the last round before which players may still enter"),
    )
    late_points = _points(load_default=0, **says("for each round that was missed"))
    tiebreaks = fields.List(
        fields.String(validate=validate.OneOf(TIEBREAKS)),
        load_default=["opponents", "scores", "met", "lot"],
        validate=validate.Length(0, len(TIEBREAKS)),
    )
    discloses = fields.List(
        fields.String(validate=Wholly(r"^(decisions|outcomes|chance(:[a-z0-9._-]{1,64})?)$")),
        load_default=["decisions", "outcomes", "chance"],
    )
    looking = fields.String(load_default="everybody", validate=validate.OneOf(LOOKING))
    delay = Whole(load_default=0, validate=validate.Range(0, DELAY_MAX))
    clock = fields.Nested(ClockShape, load_default=None, allow_none=True)
    pause_on_dispute = Flag(
        load_default=False, **says("pause a match while a dispute waits for its ruling")
    )


class EntrantShape(Shape):
    """A player of a tournament."""

    player = Whole(required=True, **says("their number"))
    name = fields.String(required=True)
    active = fields.Boolean(required=True)
    person = fields.String(**says("for members of the club"))
    reason = fields.String(required=True, **says("of leaving"))


class TournamentLineShape(Shape):
    """A tournament in one line of a list."""

    id = fields.String(required=True, metadata=_ID)
    title = fields.String(required=True)
    ruleset = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    players = Whole(required=True)
    rounds = Whole(required=True)
    paired = Whole(required=True, **says("rounds that are paired"))
    made = Whole(required=True)


TournamentsShape: Final = page_of("TournamentsShape", "tournaments", TournamentLineShape)


class TournamentShape(TournamentLineShape):
    """A tournament, its terms and its players."""

    entrants = fields.List(fields.Nested(EntrantShape), required=True)
    terms = fields.Dict(required=True, **says("as it was made, and the seed"))


class EnterShape(Shape):
    """The person who takes part, and the name they play under."""

    person = fields.String(
        validate=validate.Length(1, 40),
        **says("another person, if the host enters them; else the caller"),
    )
    name = fields.String(validate=[validate.Length(1, NAME_MAX), one_line])


class WhyShape(Shape):
    """The reason, which the tournament's book records."""

    reason = fields.String(load_default="", validate=[validate.Length(0, 300), printable])


class TournamentReasonShape(Shape):
    """The reason, which the tournament's book or each match's log records."""

    reason = _reason(required=True)


class SeatedShape(Shape):
    """A player at a table."""

    player = Whole(required=True)
    name = fields.String(required=True)
    place = Whole(required=True, allow_none=True, **says("0: forfeited"))
    shared = Whole(required=True, allow_none=True, **says("by so many"))
    points = Whole(required=True, allow_none=True)
    score = Whole(required=True, allow_none=True)


class ResultSaidShape(Shape):
    """A result, by the seats of the table."""

    winners = fields.List(Whole(), required=True)
    scores = fields.List(Whole(), required=True)
    reason = fields.String(required=True)
    forfeits = fields.List(Whole(), **says("players; of a correction"))
    version = Whole(**says("the event of the log that it was read at"))
    head = fields.String(**says("that event's head, in hex"))


class TableShape(Shape):
    """A table of a round."""

    table = Whole(required=True)
    match = fields.String(required=True, **says("empty: not made yet"))
    seats = fields.List(fields.Nested(SeatedShape), required=True)
    settled = fields.Boolean(required=True)
    approved = fields.Boolean(required=True)
    readings = fields.List(
        fields.Nested(ResultSaidShape), required=True, **says("the result in the log")
    )
    corrections = fields.List(
        fields.Nested(ResultSaidShape), required=True, **says("the last one counts")
    )
    forfeits = fields.List(fields.Dict(), required=True)


class ByeShape(Shape):
    """A player who sits out."""

    player = Whole(required=True)
    name = fields.String(required=True)
    points = Whole(required=True)


class RoundShape(Shape):
    """A round of a tournament."""

    round = Whole(required=True)
    closed = fields.Boolean(required=True)
    tables = fields.List(fields.Nested(TableShape), required=True)
    byes = fields.List(fields.Nested(ByeShape), required=True)
    draw = fields.Dict(
        required=True,
        allow_none=True,
        **says("its seed and the draw's result; null: paired by hand"),
    )
    by_hand = fields.String(required=True, **says("why it was changed by hand"))


class RoundsShape(Shape):
    """All rounds of a tournament."""

    tournament = fields.String(required=True)
    rounds = fields.List(fields.Nested(RoundShape), required=True)


class ByHandShape(Shape):
    """The pairings; tables that have begun stay as they are."""

    tables = fields.List(
        _players(validate=validate.Length(2, SEATS_MAX), metadata=_NUMBERS),
        required=True,
        validate=validate.Length(1, PLAYERS_MAX),
    )
    byes = _players(load_default=list, validate=validate.Length(0, PLAYERS_MAX))
    reason = _reason(required=True)


class ForfeitShape(Shape):
    """The players who did not play, or not to the end."""

    players = _players(required=True, validate=validate.Length(1, SEATS_MAX))
    why = fields.String(
        required=True,
        validate=validate.OneOf(WHYS),
        **says("`clock` needs a time-out in the match's log"),
    )
    reason = fields.String(load_default="", validate=[validate.Length(0, 300), printable])


class CorrectionShape(Shape):
    """The result that counts from now on."""

    winners = fields.List(
        Whole(validate=validate.Range(0, SEATS_MAX)),
        required=True,
        validate=validate.Length(0, SEATS_MAX),
        **says("seats, the first is 0"),
    )
    scores = fields.List(
        Whole(validate=validate.Range(-SCORE_MAX, SCORE_MAX)),
        required=True,
        validate=validate.Length(0, SEATS_MAX),
        **says("by seat; none: all players share"),
    )
    forfeits = _players(
        load_default=list, validate=validate.Length(0, SEATS_MAX), **says("players")
    )
    reason = _reason(required=True)


class AllDoneShape(Shape):
    """The result of an action at all tables of a round."""

    tables = fields.List(fields.Nested(shape_of(TableOutcome, "DoneShape")), required=True)


class AfterShape(Shape):
    """The round after which the standings are taken."""

    rounds = Number(
        load_default=None,
        validate=validate.Range(0, ROUNDS_MAX),
        **says("after this many rounds; else after all that are paired"),
    )


StandingsShape: Final = shape_of(
    Standings,
    "StandingsShape",
    {StandingsRow: "StandingShape", Figure: "FigureShape", FigureItem: "ItemShape"},
)


class EntriesShape(Shape):
    """The entries of a tournament's book."""

    tournament = fields.String(required=True)
    head = fields.String(required=True, **says("of the last entry, in hex"))
    entries = fields.List(fields.Dict(), required=True)


AuditShape: Final = shape_of(
    BookAudit, "AuditShape", standings=fields.Nested(StandingsShape, required=True)
)
