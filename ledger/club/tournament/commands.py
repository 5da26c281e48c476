"""Checks and makes the next entries about players, rounds and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import msgspec

from ledger.club.people import check_name

from .entries import (
    PLAYERS_MAX,
    AnyEntry,
    MatchMade,
    PlayerDropped,
    PlayerEntered,
    Reminded,
    RoundPaired,
    RoundSet,
    Seats,
    TournamentEnded,
    make_refusal,
)
from .pairing import Entrant, PairingDraw, pair
from .standings import meetings, points_of
from .state import Round, Seating, TournamentState


def check_open(state: TournamentState) -> None:
    """Refuses an entry after the tournament's end."""
    if state.ended:
        raise make_refusal("tournament_over")


# --- players --------------------------------------------------------------------------------------


def enter(state: TournamentState, person: str, name: str, *, late: bool) -> list[AnyEntry]:
    """Enters a player; once a round is paired, only callers who may admit late players
    (`late`).
    """
    check_open(state)
    known, made = state.player_of(person), state.made
    if known is not None and known.active:
        raise make_refusal("entered_already", {"player": known.number})
    if known is None and len(state.players) >= PLAYERS_MAX:
        raise make_refusal("too_many_players", {"most": PLAYERS_MAX})
    first = len(state.rounds) + 1
    if first > 1 and (not late or first > made.late_until):
        raise make_refusal("entry_closed", {"round": first, "last": max(made.late_until, 1)})
    return [
        PlayerEntered(
            player=len(state.players) + 1 if known is None else known.number,
            person=person,
            name=check_name(name),
            round=first,
            points=made.late_points if first > 1 else 0,
        )
    ]


def drop(state: TournamentState, number: int, reason: str) -> list[AnyEntry]:
    """Drops a player from all later rounds."""
    check_open(state)
    if not state.player(number).active:
        raise make_refusal("dropped_already", {"player": number})
    return [PlayerDropped(player=number, reason=reason)]


# --- pairing --------------------------------------------------------------------------------------


def check_next(state: TournamentState, number: int) -> None:
    """Refuses to pair a round out of turn."""
    check_open(state)
    if number > state.made.rounds:
        raise make_refusal("rounds_over", {"rounds": state.made.rounds})
    if number > len(state.rounds) + 1:
        raise make_refusal("no_such_round", {"round": number, "paired": len(state.rounds)})
    if number == len(state.rounds) + 1 and state.rounds and not state.rounds[-1].closed:
        raise make_refusal("round_open", {"round": number - 1})
    if number <= len(state.rounds):
        check_round_open(state, number)


def check_round_open(state: TournamentState, number: int) -> Round:
    """Returns a round that is still open, or refuses."""
    found = state.round(number)
    if found.closed:
        raise make_refusal("round_closed", {"round": number})
    return found


def draw_round(
    state: TournamentState, number: int, seed: bytes, reason: str = ""
) -> list[AnyEntry]:
    """Pairs the next round, or pairs it anew while no table has begun."""
    check_next(state, number)
    if begun := _begun_in(state, number):
        raise make_refusal("round_begun", {"tables": [table.number for table in begun]})
    drawn = redraw_round(state, number, seed)
    return [RoundPaired(round=number, seed=seed, reason=reason, **drawn._asdict())]


def _begun_in(state: TournamentState, number: int) -> list[Seating]:
    """Returns the tables of a round, if it is paired, that cannot be paired anew."""
    paired = state.rounds[number - 1 : number]
    return [table for found in paired for table in found.tables if table.begun]


def redraw_round(state: TournamentState, number: int, seed: bytes) -> PairingDraw:
    """Draws a round from the players now in it and the rounds before it."""
    before = rounds_before(state, number)
    return pair(entrants(before), count_meetings(before), state.made.sizes, state.made.method, seed)


def rounds_before(state: TournamentState, number: int) -> TournamentState:
    """Returns the tournament without a round and all later ones."""
    return msgspec.structs.replace(state, rounds=state.rounds[: number - 1], ended=False)


def entrants(state: TournamentState) -> list[Entrant]:
    """Returns the players of the next round, with the data that a draw needs."""
    points = points_of(state)
    back = dict.fromkeys(state.players, 0)
    byes = dict.fromkeys(state.players, 0)
    for found in state.rounds:
        for table in found.tables:
            for seat, player in enumerate(table.players):
                back[player] += seat
        for player in found.byes:
            byes[player] += 1
    return [
        Entrant(one.number, points[one.number], byes[one.number], back[one.number])
        for one in state.active
    ]


def count_meetings(state: TournamentState) -> dict[tuple[int, int], int]:
    """Returns how often each pair has met."""
    return Counter((one, other) for _, _, one, other in meetings(state.rounds))


def set_round(
    state: TournamentState, number: int, tables: Sequence[Seats], byes: Sequence[int], reason: str
) -> list[AnyEntry]:
    """Pairs a round by hand, or those of its tables that have not begun."""
    check_next(state, number)
    begun = _begun_in(state, number)
    changed = [
        table.number
        for table in begun
        if table.number > len(tables) or tuple(tables[table.number - 1]) != table.players
    ]
    if changed:
        raise make_refusal("round_begun", {"tables": changed})
    everybody = {one.number for one in state.active}
    _check_seated(everybody, {one for table in begun for one in table.players}, tables, byes)
    wrong = [list(table) for table in tables if len(table) not in state.made.sizes]
    if wrong or not tables:
        raise make_refusal("bad_pairing", {"sizes": list(state.made.sizes), "tables": wrong})
    return [
        RoundSet(
            round=number,
            tables=tuple(tuple(one) for one in tables),
            byes=tuple(byes),
            reason=reason,
        )
    ]


def _check_seated(
    everybody: Collection[int],
    playing: Collection[int],
    tables: Sequence[Seats],
    byes: Sequence[int],
) -> None:
    """Refuses if a player is missing, listed twice, or no longer takes part."""
    seated = [*(one for table in tables for one in table), *byes]
    twice = sorted({one for one in seated if seated.count(one) > 1})
    missing = sorted(set(everybody) - set(seated))
    strange = sorted(set(seated) - set(everybody) - set(playing))
    if twice or missing or strange:
        evidence = {"twice": twice, "missing": missing, "not in the tournament": strange}
        raise make_refusal("bad_pairing", evidence)


# --- tables ---------------------------------------------------------------------------------------


def make_match(
    state: TournamentState, number: int, table: int, match: str, players: Sequence[int]
) -> list[AnyEntry]:
    """Gives a table its match, unless its players have changed since the match was made."""
    found = check_round_open(state, number).table(table)
    if found.begun:
        raise make_refusal("table_begun", {"table": table, "match": found.match})
    if found.players != tuple(players):
        raise make_refusal("paired_anew", {"table": table, "players": list(found.players)})
    return [MatchMade(round=number, table=table, match=match)]


def remind(state: TournamentState, number: int, players: Sequence[int]) -> list[AnyEntry]:
    check_round_open(state, number)
    return [Reminded(round=number, players=tuple(players))] if players else []


def end(state: TournamentState, reason: str) -> list[AnyEntry]:
    """Ends the tournament and makes its standings final."""
    check_open(state)
    if state.rounds and not state.rounds[-1].closed:
        raise make_refusal("round_open", {"round": len(state.rounds)})
    return [TournamentEnded(reason=reason)]
