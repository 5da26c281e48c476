"""Entries about a table's end: results from its match's log, forfeits, corrections.

A result is read only from the log of the table's match. The organizer approves it, or replaces it
and gives a reason; the log's result stays in the book.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ledger.kernel.ruleset import Result
from ledger.log.format.acts import SeatGiven
from ledger.log.format.bodies import ActBody, Submitter
from ledger.log.read.history import History

from .commands import check_round_open
from .entries import (
    AnyEntry,
    Forfeited,
    ResultApproved,
    ResultCorrected,
    ResultRead,
    RoundClosed,
    Why,
    make_refusal,
)
from .state import Seating, TournamentState


def reading(history: History, number: int, table: int, version: int | None = None) -> ResultRead:
    """Reads a result from a match's log, at an event or its last; refuses an unfinished match."""
    seen = history if version is None else history.up_to(version)
    at = seen.tip
    if seen.life.abandoned:
        result = Result(winners=(), scores=(), reason="abandoned")
    else:
        match = seen.at() if seen.life.started else None
        if match is None or not match.ended:
            evidence = {"round": number, "table": table, "match": history.match}
            raise make_refusal("no_result", evidence)
        result = match.result()
    return ResultRead(
        round=number,
        table=table,
        match=history.match,
        version=at.version,
        head=at.head,
        winners=tuple(result.winners),
        scores=tuple(result.scores),
        reason=result.reason,
    )


def says_the_same(one: ResultRead, other: ResultRead) -> bool:
    """Tells if two readings have the same result, whatever was written between them."""
    return (one.match, one.winners, one.scores) == (other.match, other.winners, other.scores)


def read_result(state: TournamentState, found: ResultRead) -> list[AnyEntry]:
    """Records a log's result, unless the same is recorded already."""
    table = check_round_open(state, found.round).table(found.table)
    if table.match != found.match:
        raise make_refusal("no_match", {"table": found.table, "match": found.match})
    if table.read is not None and says_the_same(table.read, found):
        return []
    return [found]


def approve(state: TournamentState, number: int, table: int, reason: str) -> list[AnyEntry]:
    found = check_round_open(state, number).table(table)
    if not found.settled:
        raise make_refusal("no_result", {"round": number, "table": table})
    return [] if found.approved else [ResultApproved(round=number, table=table, reason=reason)]


def correct(
    state: TournamentState,
    number: int,
    table: int,
    reason: str,
    winners: Sequence[int],
    scores: Sequence[int],
    forfeits: Sequence[int],
) -> list[AnyEntry]:
    """Replaces the log's result with another; works in a closed round, too."""
    found = state.round(number).table(table)
    if not found.settled:
        raise make_refusal("no_result", {"round": number, "table": table})
    seats = range(len(found.players))
    fits = len(scores) in (0, len(seats)) and all(one in seats for one in winners)
    if not fits or len(set(winners)) != len(winners) or bool(winners) > bool(scores):
        evidence = {"seats": len(seats), "winners": list(winners), "scores": list(scores)}
        raise make_refusal("bad_result", evidence)
    _check_there(found, forfeits)
    return [
        ResultCorrected(
            round=number,
            table=table,
            reason=reason,
            winners=tuple(winners),
            scores=tuple(scores),
            forfeits=tuple(forfeits),
        )
    ]


def forfeit(
    state: TournamentState,
    number: int,
    table: int,
    players: Sequence[int],
    why: Why,
    reason: str,
    history: History | None,
) -> list[AnyEntry]:
    """Records players who did not play, or not to the end. The log must show a forfeit by
    clock.
    """
    found = check_round_open(state, number).table(table)
    _check_there(found, players)
    version, head = 0, None
    if why == "clock":
        if history is None:
            raise make_refusal("no_match", {"table": table})
        version = max(_time_out(history, found.players.index(one)) for one in players)
        head = history.events[version - 1].head
    new = tuple(one for one in players if one not in found.forfeiting)
    if not new:
        return []
    return [
        Forfeited(
            round=number,
            table=table,
            players=new,
            why=why,
            reason=reason,
            version=version,
            head=head,
        )
    ]


def _check_there(table: Seating, players: Collection[int]) -> None:
    strange = sorted(set(players) - set(table.players))
    if strange:
        raise make_refusal("no_such_player", {"table": table.number, "players": strange})


RAN_OUT: Final = Submitter(role="service", name="clock")  # who gives a seat to a bot at a time-out


def _time_out(history: History, seat: int) -> int:
    """Returns the first event where the clock decided for a seat, or gave it to a bot; else 0.

    A player who resigns is replaced by a bot, too, but by name. Undone events do not count.
    """
    for version in history.lines.line(history.tip.version):
        body = history.body(version)
        if isinstance(body, ActBody):
            act = body.act
            given = isinstance(act, SeatGiven) and (act.seat, act.to) == (seat, "bot")
            if given and body.by == RAN_OUT:
                return version
        elif body.seat == seat and body.by.role == "clock":
            return version
    raise make_refusal("no_time_out", {"match": history.match, "seat": seat})


def close_round(state: TournamentState, number: int) -> list[AnyEntry]:
    """Closes a round; refuses while a table has no approved result."""
    found = check_round_open(state, number)
    open_ = [table.number for table in found.tables if not (table.settled and table.approved)]
    if open_:
        raise make_refusal("not_settled", {"round": number, "tables": open_})
    return [RoundClosed(round=number)]
