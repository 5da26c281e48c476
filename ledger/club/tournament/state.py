"""The state of a tournament, folded from its entries.

A state is immutable: each entry makes a new one, so readers need no lock. Entries were checked
before they were written (commands.py, results.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from ledger.kernel.frozen import FrozenByName

from .entries import (
    AnyEntry,
    Forfeited,
    MatchMade,
    PlayerDropped,
    PlayerEntered,
    ResultApproved,
    ResultCorrected,
    ResultRead,
    RoundClosed,
    RoundPaired,
    RoundSet,
    TournamentEnded,
    TournamentMade,
    make_refusal,
)

replace: Final = msgspec.structs.replace


class TournamentPlayer(FrozenByName, frozen=True, kw_only=True):
    number: int
    person: str
    name: str
    granted: tuple[tuple[int, int], ...] = ()  # rounds missed before entering, and their points
    left_in: int | None = None  # the last round that was paired when they left
    reason: str = ""

    @property
    def active(self) -> bool:
        """Tells if they are in the next round."""
        return self.left_in is None


class Seating(FrozenByName, frozen=True, kw_only=True):
    number: int
    players: tuple[int, ...]
    match: str = ""
    forfeits: tuple[Forfeited, ...] = ()
    read: ResultRead | None = None
    readings: tuple[ResultRead, ...] = ()  # all, the last one too
    corrected: ResultCorrected | None = None
    corrections: tuple[ResultCorrected, ...] = ()
    approved: bool = False

    @property
    def forfeiting(self) -> tuple[int, ...]:
        if self.corrected is not None:
            return self.corrected.forfeits
        said = {player for one in self.forfeits for player in one.players}
        return tuple(player for player in self.players if player in said)

    @property
    def absent(self) -> tuple[int, ...]:
        """Returns the players who were not there at all, and so met no one."""
        said = {one for each in self.forfeits if each.why == "no show" for one in each.players}
        return tuple(player for player in self.forfeiting if player in said)

    @property
    def result(self) -> ResultRead | ResultCorrected | None:
        return self.read if self.corrected is None else self.corrected

    @property
    def settled(self) -> bool:
        """Tells if the table counts: it has a result, or a forfeit before any match was made."""
        return self.result is not None or bool(self.forfeits and not self.match)

    @property
    def begun(self) -> bool:
        """Tells if the table can no longer be paired anew."""
        return bool(self.match or self.settled)


class Round(FrozenByName, frozen=True, kw_only=True):
    number: int
    tables: tuple[Seating, ...]
    byes: tuple[int, ...] = ()
    drawn: RoundPaired | None = None  # the last draw; None where it was set by hand from the start
    by_hand: str = ""  # why the organizer paired otherwise
    closed: bool = False

    def table(self, number: int) -> Seating:
        if not 1 <= number <= len(self.tables):
            raise make_refusal("no_such_table", {"table": number, "tables": len(self.tables)})
        return self.tables[number - 1]

    @property
    def players(self) -> set[int]:
        """Returns all players of the round, including byes."""
        return {one for table in self.tables for one in table.players} | set(self.byes)


class TournamentState(FrozenByName, frozen=True, kw_only=True):
    """A tournament after an entry."""

    made: TournamentMade
    made_at: int
    # Replaced, never changed.
    players: dict[int, TournamentPlayer] = msgspec.field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    ended: bool = False

    def player(self, number: int) -> TournamentPlayer:
        if number not in self.players:
            raise make_refusal("no_such_player", {"player": number})
        return self.players[number]

    def player_of(self, person: str) -> TournamentPlayer | None:
        """Returns the player that a person is, or None."""
        return next((one for one in self.players.values() if one.person == person), None)

    def round(self, number: int) -> Round:
        """Returns a paired round, or refuses."""
        if not 1 <= number <= len(self.rounds):
            raise make_refusal("no_such_round", {"round": number, "paired": len(self.rounds)})
        return self.rounds[number - 1]

    @property
    def active(self) -> list[TournamentPlayer]:
        return [one for _, one in sorted(self.players.items()) if one.active]


class Tournament:
    """The contents of a book; each entry replaces the state."""

    def __init__(self) -> None:
        self.state: TournamentState | None = None

    def take(self, number: int, at: int, by: str, entry: AnyEntry) -> None:
        if isinstance(entry, TournamentMade):
            self.state = TournamentState(made=entry, made_at=at)
            return
        assert self.state is not None, "a tournament is made before anything else"
        self.state = after(self.state, entry)


def after(state: TournamentState, entry: AnyEntry) -> TournamentState:
    match entry:
        case PlayerEntered():
            return _with_player(state, _entrant_of(state, entry))
        case PlayerDropped():
            player = state.players[entry.player]
            gone = replace(player, left_in=len(state.rounds), reason=entry.reason)
            return _with_player(state, gone)
        case RoundPaired():
            return _with_round(state, _round(entry.round, entry.tables, entry.byes, drawn=entry))
        case RoundSet():
            return _with_round(state, _set(state, entry))
        case RoundClosed():
            return _with_round(state, replace(state.round(entry.round), closed=True))
        case TournamentEnded():
            return replace(state, ended=True)
        case MatchMade() | Forfeited() | ResultRead() | ResultApproved() | ResultCorrected():
            return _with_round(state, _at_table(state.round(entry.round), entry))
    return state


def _entrant_of(state: TournamentState, entry: PlayerEntered) -> TournamentPlayer:
    known = state.players.get(entry.player)
    first = 1 if known is None else (known.left_in or 0) + 1
    missed = tuple((number, entry.points) for number in range(first, entry.round))
    granted = missed if known is None else (*known.granted, *missed)
    return TournamentPlayer(
        number=entry.player, person=entry.person, name=entry.name, granted=granted
    )


def _with_player(state: TournamentState, player: TournamentPlayer) -> TournamentState:
    return replace(state, players={**state.players, player.number: player})


def _with_round(state: TournamentState, found: Round) -> TournamentState:
    before, behind = state.rounds[: found.number - 1], state.rounds[found.number :]
    return replace(state, rounds=(*before, found, *behind))


def _round(
    number: int, tables: Iterable[tuple[int, ...]], byes: tuple[int, ...], **more: Any
) -> Round:
    seated = tuple(Seating(number=at, players=one) for at, one in enumerate(tables, 1))
    return Round(number=number, tables=seated, byes=byes, **more)


def _set(state: TournamentState, entry: RoundSet) -> Round:
    """Sets a round by hand. Tables that have begun keep their number and stay unchanged."""
    made = _round(entry.round, entry.tables, entry.byes, by_hand=entry.reason)
    if entry.round > len(state.rounds):
        return made
    was = state.round(entry.round)
    kept = {one.number: one for one in was.tables if one.begun}
    tables = tuple(kept.get(one.number, one) for one in made.tables)
    return replace(made, tables=tables, drawn=was.drawn)


def _at_table(
    found: Round, entry: MatchMade | Forfeited | ResultRead | ResultApproved | ResultCorrected
) -> Round:
    table = found.table(entry.table)
    match entry:
        case MatchMade():
            table = replace(table, match=entry.match)
        case Forfeited():
            forfeits, corrected = (*table.forfeits, entry), table.corrected
            if corrected is not None:
                forfeiting = (*corrected.forfeits, *entry.players)
                corrected = replace(corrected, forfeits=forfeiting)
            table = replace(table, forfeits=forfeits, corrected=corrected, approved=False)
        case ResultRead():
            readings = (*table.readings, entry)
            table = replace(table, read=entry, readings=readings, corrected=None, approved=False)
        case ResultApproved():
            table = replace(table, approved=True)
        case ResultCorrected():
            corrections = (*table.corrections, entry)
            table = replace(table, corrected=entry, corrections=corrections, approved=True)
    tables = (*found.tables[: entry.table - 1], table, *found.tables[entry.table :])
    return replace(found, tables=tables)
