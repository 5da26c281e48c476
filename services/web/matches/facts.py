"""The content of a match's page, as far as the visitor may know it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ledger.club.clocks import SeatClock
from ledger.club.table import MatchTable
from ledger.club.undo import EditionAsked
from ledger.games import ruleset
from ledger.kernel.refusals import Refused
from ledger.kernel.scene import Scene
from ledger.log.format.acts import Abandoned, Paused
from replays.drawing.paints import seat_class
from services.matches.cache import OpenMatch
from services.matches.club import Caller
from services.matches.disputes import disputes_in
from services.matches.forks import ForkOrigin
from services.web.app.identity import caller, club
from services.web.app.parts import match_cache
from services.web.replays.frames import HEAD_SHOWN
from services.web.seats.api import waiting_for

from .answers import plain_match
from .view import Look, look_here, table_as_seen, tournament_of

Who: TypeAlias = Literal["nobody", "person", "bot", "unknown"]

LOOKING: Final = {
    "everybody": "everybody",
    "members": "members of the club",
    "nobody": "only its players and organizers",
}
OUT: Final = {"default": "the rules decide for the seat", "bot": "a bot takes over the seat"}
OPENED: Final = {
    "decisions": "secret decisions",
    "outcomes": "outcomes of chance",
    "chance": "the keys of chance",
}


class SeatLine(msgspec.Struct, frozen=True, kw_only=True):
    """A seat, and who decides for it."""

    seat: int
    name: str  # empty: nobody sits there
    called: str  # as the game calls the seat, where it does
    paint: str  # the classes of its colour
    who: Who
    bot: str = ""
    person: str = ""  # by id, for members of the club
    delegates: tuple[tuple[str, str], ...] = ()  # by id and name
    mine: bool = False
    asked: bool = False
    left: int | None = None  # seconds on its clock
    running: bool = False  # ... which runs
    score: int | None = None
    won: bool = False


class MatchFacts(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: str
    origin: ForkOrigin | None  # of a fork: what it was forked from
    game: str
    edition: str
    state: str
    seats: tuple[SeatLine, ...]
    options: tuple[tuple[str, str, str], ...]  # chosen ones: what, the value, why
    events: int
    head: str
    made: int
    looking: str
    delay: int  # seconds
    discloses: tuple[str, ...]
    clock: Mapping[str, Any] | None
    result: Mapping[str, Any] | None
    reason: str  # why it is paused, or was abandoned
    behind: bool  # whether spectators see it later, and whoever looks is one
    tournament: tuple[str, str, int] | None  # id, title and round
    host: str  # by name, for members
    runs: bool  # whether whoever looks is its host, or an organizer
    writable: bool  # whether it is played here
    disputes: int = 0
    asked_of_me: int = 0  # requests for another edition that one's seats have not answered

    @property
    def head_short(self) -> str:
        return self.head[:HEAD_SHOWN]

    @property
    def mine(self) -> bool:
        """Tells whether the visitor decides for a seat."""
        return any(one.mine for one in self.seats)

    @property
    def my_turn(self) -> bool:
        """Tells whether the visitor has a decision to make."""
        return any(one.mine and one.asked for one in self.seats)

    @property
    def waits(self) -> bool:
        return self.state == "open"

    @property
    def runs_now(self) -> bool:
        return self.state in ("running", "paused", "parked")

    @property
    def full(self) -> bool:
        return all(one.who in ("person", "bot") for one in self.seats)

    @property
    def to_approve(self) -> bool:
        """Tells whether the match has ended and its result is not approved."""
        return self.runs_now and self.result is not None

    @property
    def shared(self) -> bool:
        """Tells whether all seats, of several, have won."""
        return len(self.seats) > 1 and all(one.won for one in self.seats)

    @property
    def winners(self) -> list[str]:
        return [one.name for one in self.seats if one.won]


def to_look_at(match: str) -> AbstractContextManager[OpenMatch]:
    """Opens a match for the length of a block, from a server or from files."""
    cache = match_cache()
    return cache.read(match) if cache.in_files else cache.opened(match)


def match_facts_of(match: str) -> MatchFacts:
    """Returns a match as its page shows it. Refuses a caller who may not look."""
    with to_look_at(match) as opened:
        look, who = look_here(opened, None), caller()
        plain = plain_match(opened, look)
        created, laid = opened.history.created, opened.table.laid
        return MatchFacts(
            id=match,
            title=plain["title"],
            origin=plain["origin"],
            game=game_title(created.ruleset),
            edition=plain["edition"],
            state=plain["state"],
            seats=_seats(opened, look, plain),
            options=_options(created.ruleset, plain["options"]),
            events=look.last,
            head=plain["head"],
            made=plain["made"],
            looking=LOOKING[plain["looking"]],
            delay=plain["delay"],
            discloses=tuple(OPENED.get(one, one) for one in created.discloses),
            clock=plain["clock"],
            result=plain["result"],
            reason=_reason(opened, look),
            behind=look.viewer is None and bool(plain["delay"]) and plain["state"] != "finished",
            tournament=_tournament(opened, plain),
            host=name_of(who, "" if laid is None else laid.host),
            runs=runs(opened.table, who),
            writable=opened.writable,
            disputes=len(disputes_in(opened.history, opened.table, look.last)),
            asked_of_me=sum(waiting_for(opened, seat, EditionAsked) for seat in plain["yours"]),
        )


def runs(table: MatchTable, who: Caller | None) -> bool:
    """Tells whether a caller made the match or is an organizer."""
    return who is not None and (who.organizer or table.host == who.person.id)


def _seats(opened: OpenMatch, look: Look, plain: Mapping[str, Any]) -> tuple[SeatLine, ...]:
    scene = _scene(opened, look)
    clocks: dict[int, SeatClock] = {clock.seat: clock for clock in plain["clocks"]}
    result, who = plain["result"], caller()
    seated = table_as_seen(opened, look, who)
    lines = []
    for one in plain["seats"]:
        seat, clock = one["seat"], clocks.get(one["seat"])
        delegates = one.get("delegates", [])
        lines.append(
            SeatLine(
                seat=seat,
                name=one["name"],
                called=_find_scene_name(scene, seat, one["name"]),
                paint=seat_class(scene, seat),
                who=one["who"],
                bot=seated.bot_at(seat),
                person=one.get("person", ""),
                delegates=tuple((person, name_of(who, person)) for person in delegates),
                mine=seat in plain["yours"],
                asked=seat in plain["asked"] and plain["state"] == "running",
                left=None if clock is None else max(0, clock.left) // 1000,
                running=clock is not None and clock.running,
                score=result["scores"][seat] if result and result["scores"] else None,
                won=bool(result) and seat in result["winners"],
            )
        )
    return tuple(lines)


def _scene(opened: OpenMatch, look: Look) -> Scene | None:
    match = opened.at(look.last) if opened.history.life.started else None
    return None if match is None else match.scene(None)


def _find_scene_name(scene: Scene | None, seat: int, name: str) -> str:
    if scene is None or seat >= len(scene.players):
        return ""
    called = scene.players[seat].name
    return "" if called == name else called


def game_title(game: str) -> str:
    """Returns a game's title, or its name if it is not known here."""
    try:
        return ruleset(game).title
    except Refused:
        return game


def _options(game: str, chosen: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    try:
        readings = ruleset(game).readings
    except Refused:
        readings = {}
    return tuple(
        (readings[name].called, value_words(value), readings[name].why)
        if name in readings
        else (name, value_words(value), "")
        for name, value in chosen.items()
    )


def value_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("-", " ")


def _reason(opened: OpenMatch, look: Look) -> str:
    """Returns the reason of a pause or abandonment, as far as the viewer may know it."""
    for version in range(look.last, max(look.last - 50, 0), -1):
        act = opened.history.act(version)
        if isinstance(act, Paused | Abandoned):
            return act.reason
    return ""


def _tournament(opened: OpenMatch, plain: Mapping[str, Any]) -> tuple[str, str, int] | None:
    """Returns the match's tournament and round, if the caller may see it."""
    state = tournament_of(opened.history, caller())
    if state is None:
        return None
    place = plain["tournament"]
    tournament = str(opened.history.created.tournament)
    return tournament, state.made.title, place["round"] if place else 0


def name_of(who: Caller | None, person: str) -> str:
    """Returns a person's name; members of the club only."""
    if who is None or not person:
        return ""
    found = club().people().people.get(person)
    return "" if found is None else found.name
