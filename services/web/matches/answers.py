"""Matches in plain types for answers, as the caller may know them."""

from __future__ import annotations

from typing import Any, Final

from ledger.club.clocks import SeatClock
from ledger.club.table import ClockTerms, MatchTable
from ledger.kernel.match import Match
from replays.story.names import state_of
from services.matches.cache import OpenMatch
from services.matches.forks import fork_of
from services.web.app.identity import as_shown, caller

from .view import Look, place_in_tournament, table_as_seen

SECOND: Final = 1_000


def plain_match(opened: OpenMatch, look: Look) -> dict[str, Any]:
    """Returns a match as the caller may know it."""
    history, table, who = opened.history, opened.table, caller()
    created, laid = history.created, opened.table.laid
    seen = history if look.live else history.up_to(look.last)
    seated = table_as_seen(opened, look, who)
    match = opened.at(look.last) if seen.life.started else None
    ended = match is not None and match.ended
    said = {
        "id": history.match,
        "title": created.title or f"Match {history.match}",
        "origin": fork_of(created),
        "ruleset": created.ruleset,
        "edition": created.edition if match is None else match.terms.edition,
        "options": dict(created.options),
        "state": "parked" if opened.parked and look.last >= opened.good else state_of(seen),
        "version": look.last,
        "head": history.events[look.last - 1].head.hex(),
        "made": history.body(1).at,
        "seats": [plain_sitting(opened, seated, seat) for seat in range(created.seats)],
        "asked": _list_asked_seats(match, over=seen.life.closed),
        "result": plain_result(opened, look) if ended else None,
        "looking": "everybody" if laid is None else laid.looking,
        "delay": table.delay // SECOND,
        "tournament": place_in_tournament(history, who),
        "clock": plain_clock(None if laid is None else laid.clock),
        "pause_on_dispute": laid is not None and laid.pauses,
        "clocks": plain_clocks(opened, look),
        "yours": [] if who is None else table.seats_of(who.person.id),
        "knew": plain_knew(seated, look),
    }
    return as_shown("match", said)


def _list_asked_seats(match: Match | None, *, over: bool) -> list[int]:
    """Returns the seats that may answer now: none once a match is over."""
    return [] if match is None or over else [seat for seat in match.asked() if seat >= 0]


def plain_knew(table: MatchTable, look: Look) -> list[dict[str, Any]]:
    """Returns who sat where before and until which event, as far as the viewer may know."""
    return [
        {"seat": seat, "person": person, "version": version}
        for (person, seat), version in sorted(table.knew.items())
        if version <= look.last
    ]


def plain_result(opened: OpenMatch, look: Look) -> dict[str, Any]:
    match = opened.at(look.last)
    assert match is not None, "what has ended has begun"
    result = match.result()
    return {
        "winners": list(result.winners),
        "scores": list(result.scores),
        "reason": result.reason,
        "approved": opened.history.life.closed,
    }


def plain_sitting(opened: OpenMatch, table: MatchTable, seat: int) -> dict[str, Any]:
    joined = opened.history.life.joined.get(seat)
    sitting = table.sitting.get(seat)
    who = "nobody" if joined is None else "unknown"
    if sitting is not None:
        who = "bot" if sitting.bot else "person" if sitting.person else "nobody"
    found: dict[str, Any] = {
        "seat": seat,
        "name": "" if joined is None else (sitting and sitting.name) or joined.name,
        "who": who,
    }
    if sitting is not None and sitting.person:
        found |= {"person": sitting.person, "delegates": list(sitting.delegates)}
    return as_shown("seat", found)


def plain_clocks(opened: OpenMatch, look: Look) -> list[SeatClock]:
    """Returns each seat's remaining time. A viewer with a delay gets no newer times."""
    if opened.parked or not opened.history.life.started or opened.table.laid is None:
        return []
    clocks = opened.clocks if look.live else None
    if clocks is None:
        return []
    if opened.history.life.closed:  # they stand as they did then
        then = opened.history.body(opened.history.tip.version).at
        return [one._replace(deadline=None, running=False) for one in clocks.all(then)]
    return clocks.all(opened.now())


def plain_clock(clock: ClockTerms | None) -> dict[str, Any] | None:
    if clock is None:
        return None
    return {
        "kind": clock.kind,
        "seconds": clock.time // SECOND,
        "increment": clock.increment // SECOND,
        "out": clock.out,
    }
