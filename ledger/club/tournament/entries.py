"""The entries of a tournament's book, and its refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ledger.club.table import ClockTerms, Looking
from ledger.kernel.refusals import Refused
from ledger.log.books import Entry
from ledger.log.format.acts import FULL
from ledger.log.format.shapes import Hash, PolicyName, StoredPart

PREFIX: Final = "tournament:"
PLAYERS_MAX: Final = 256
ROUNDS_MAX: Final = 40
POINTS_MAX: Final = 1_000_000

Method: TypeAlias = Literal["swiss", "random", "fixed"]
METHODS: Final[tuple[Method, ...]] = ("swiss", "random", "fixed")
Tiebreak: TypeAlias = Literal["opponents", "scores", "wins", "met", "lot"]
TIEBREAKS: Final[tuple[Tiebreak, ...]] = ("opponents", "scores", "wins", "met", "lot")
Why: TypeAlias = Literal["no show", "clock", "ruling"]
WHYS: Final[tuple[Why, ...]] = ("no show", "clock", "ruling")

TOURNAMENT_REFUSALS: Final[Mapping[str, str]] = {
    "no_such_tournament": "There is no tournament with this id.",
    "no_such_round": "The tournament has no such round, or it is not paired yet.",
    "no_such_table": "The round has no such table.",
    "no_such_player": "The tournament has no such player.",
    "bad_sizes": "A table has 2 seats or more, as the ruleset allows, up to a full table.",
    "bad_points": "Give each table size a number for each place, none above the one before.",
    "tournament_over": "The tournament has ended.",
    "entered_already": "This person takes part already.",
    "entry_closed": "The tournament has begun: its host can enter players, if its terms allow.",
    "too_many_players": "The tournament takes no more players.",
    "dropped_already": "This player has left the tournament.",
    "too_few_players": "There are too few players for a table.",
    "rounds_over": "All planned rounds have been paired.",
    "round_open": "The round before this one is not closed.",
    "round_closed": "The round is closed.",
    "round_begun": "The round has matches already: you cannot change tables that have a match.",
    "bad_pairing": "Each player needs one table or a bye, and tables must have legal sizes.",
    "table_begun": "This table has a match already.",
    "paired_anew": "The round was paired again meanwhile.",
    "no_match": "This table has no match.",
    "no_result": "This table has no result yet.",
    "bad_result": "A result has a score for each seat, or no scores, and its winners are seats.",
    "not_settled": "Some tables have no result yet.",
    "no_time_out": "The match's log has no time-out of this seat.",
}


def make_refusal(code: str, evidence: Mapping[str, Any] | None = None) -> Refused:
    return Refused(code, "", TOURNAMENT_REFUSALS[code], evidence)


def book_of(tournament: str) -> str:
    return PREFIX + tournament


class PointsByPlace(StoredPart, frozen=True, kw_only=True):
    """The points for each place at a table of one size, the first place first."""

    seats: int
    points: tuple[int, ...]


class TournamentMade(Entry, tag="tournament-made"):
    """A tournament, and the terms under which all players enter."""

    title: str
    host: str  # a person
    ruleset: str
    seats: int  # of a full table
    sizes: tuple[int, ...]  # that a table may have, the full one first
    rounds: int
    method: Method
    places: tuple[PointsByPlace, ...]
    bye: int  # points
    forfeit: int  # points
    tiebreaks: tuple[Tiebreak, ...]
    seed: Hash  # of the lots that break the last ties
    late_until: int = 0  # the last round in which somebody may still enter; 0: none after the first
    late_points: int = 0  # for each round that was missed
    edition: str = "printed"
    options: dict[str, int | bool | str] = msgspec.field(default_factory=dict)
    # A club's own: tables, rows and cells.
    content: dict[str, Any] = msgspec.field(default_factory=dict)
    discloses: tuple[PolicyName, ...] = FULL
    clock: ClockTerms | None = None
    looking: Looking = "everybody"
    delay: int = 0  # milliseconds
    pauses: bool = False  # whether a match is paused while a dispute waits for its ruling

    def points_at(self, size: int) -> tuple[int, ...]:
        return next(one.points for one in self.places if one.seats == size)


class PlayerEntered(Entry, tag="player-entered"):
    """A person takes part from a round on, or again."""

    player: int
    person: str
    name: str
    round: int = 1
    points: int = 0  # for each round that was missed: those since they left, or all before


class PlayerDropped(Entry, tag="player-dropped"):
    """A player is out of all rounds that are not paired yet."""

    player: int
    reason: str = ""


Seats: TypeAlias = tuple[int, ...]


class RoundPaired(Entry, tag="round-paired"):
    """A drawn pairing; repeating the draw with this seed gives the same."""

    round: int
    seed: Hash
    tables: tuple[Seats, ...]
    byes: tuple[int, ...] = ()
    rematches: int = 0
    spread: int = 0
    exact: bool = True  # there is no way with fewer rematches; else none was found
    reason: str = ""  # of drawing anew


class RoundSet(Entry, tag="round-set"):
    """A pairing made by the organizer."""

    round: int
    tables: tuple[Seats, ...]
    reason: str
    byes: tuple[int, ...] = ()


class MatchMade(Entry, tag="match-made"):
    """A table got its match."""

    round: int
    table: int
    match: str


class Forfeited(Entry, tag="forfeited"):
    """Players did not play, or not to the end; the event is the one that shows it."""

    round: int
    table: int
    players: tuple[int, ...]
    why: Why
    reason: str = ""
    version: int = 0
    head: Hash | None = None


class ResultRead(Entry, tag="result-read"):
    """The result in the log of a table's match after an event; no scores if it was abandoned."""

    round: int
    table: int
    match: str
    version: int
    head: Hash
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    reason: str = ""


class ResultApproved(Entry, tag="result-approved"):
    """The organizer approved a result."""

    round: int
    table: int
    reason: str = ""


class ResultCorrected(Entry, tag="result-corrected"):
    """The organizer replaced a result; the log's result stays visible."""

    round: int
    table: int
    reason: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()


class RoundClosed(Entry, tag="round-closed"):
    """All tables of a round have results."""

    round: int


class Reminded(Entry, tag="reminded"):
    """The players who must decide were reminded."""

    round: int
    players: tuple[int, ...]


class TournamentEnded(Entry, tag="tournament-ended"):
    """The tournament ended; its standings are final."""

    reason: str = ""


AnyEntry: TypeAlias = (
    TournamentMade
    | PlayerEntered
    | PlayerDropped
    | RoundPaired
    | RoundSet
    | MatchMade
    | Forfeited
    | ResultRead
    | ResultApproved
    | ResultCorrected
    | RoundClosed
    | Reminded
    | TournamentEnded
)
