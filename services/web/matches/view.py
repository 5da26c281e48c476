"""Through whose eyes somebody looks at a match, and how far they see.

| as | may |
|---|---|
| a seat | who decides for it; of a match that was closed and opened, who may watch it |
| spectator | whom the table lets watch, so far behind as it says |
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec
from flask import current_app, request

from ledger.club import table as tables
from ledger.club.table import Table
from ledger.kernel.audience import Viewer
from ledger.kernel.refusals import Refused
from ledger.log.read.history import History
from ledger.log.write.lifecycle import refused
from replays.story.names import SPECTATOR, why_not_through_seats
from services.matches.club import Caller
from services.matches.tables import Opened, Tables
from services.matches.tournaments import Tournaments
from services.web.app.identity import caller
from services.web.app.problems import Problem
from services.web.matches.archive import Archive, Listed, Summary, table_until

_DIGITS_MAX: Final = 9


class Look(NamedTuple):
    """Somebody's eyes."""

    viewer: Viewer
    last: int  # the last event that they may know of
    live: bool  # whether that is the last there is

    @property
    def word(self) -> str:
        """As an address names it."""
        return SPECTATOR if self.viewer is None else str(self.viewer)


def all_tables() -> Tables:
    """The tables of this application."""
    return cast("Tables", current_app.extensions["tables"]())


def archive() -> Archive:
    """The archive of this application: matches in one line each."""
    return cast("Archive", current_app.extensions["archive"])


def here(opened: Opened, word: str | None) -> Look:
    """Through whose eyes this request looks."""
    return looking(opened, word, caller())


def looking(opened: Opened, word: str | None, who: Caller | None) -> Look:
    """Through whose eyes somebody looks; without a word one's own seat, or a spectator's."""
    history = opened.history
    if word is None:
        own = [] if who is None else opened.table.seats_of(who.person.id)
        word = str(own[0]) if own else SPECTATOR
    if word == SPECTATOR:
        return _spectator(opened, who)
    return _seat(opened, history, who, seat_in(history, word))


def _spectator(opened: Opened, who: Caller | None) -> Look:
    table, history = opened.table, opened.history
    if not may_watch(table, who):
        raise tables.refused("not_to_be_watched")
    last = known_to_all(table, history, opened.good)
    return Look(None, last, last == history.tip.version)


def is_behind(opened: Opened, look: Look) -> bool:
    """Whether these eyes see everything later than others, even if nothing has come just now."""
    return look.viewer is None and bool(opened.table.delay) and not opened.history.life.closed


def may_watch(table: Table, who: Caller | None) -> bool:
    """Whether somebody may look as a spectator."""
    seated = who is not None and (
        bool(table.seats_of(who.person.id)) or table.host == who.person.id or who.organizer
    )
    return table.lets_watch(member=who is not None, seated=seated)


def table_as_seen(opened: Opened, look: Look, who: Caller | None) -> Table:
    """The table as these eyes may know it: who sees the match later sees later who sits there.

    How it stood at the start is no secret, and who gives seats away knows to whom.
    """
    life, host = opened.history.life, opened.table.host
    runs = who is not None and (who.person.organizer or who.person.id == host)
    if runs or not is_behind(opened, look) or not life.started:
        return opened.table
    until = max(opened.now() - opened.table.delay, opened.history.body(life.started).at)
    return table_until(opened.book, until)


def place_in_tournament(history: History, who: Caller | None) -> dict[str, Any] | None:
    """The tournament, the round and the table of a match, for who may see the tournament."""
    if not (tournament := history.created.tournament):
        return None
    all_of_them = cast("Tournaments", current_app.extensions["tournaments"]())
    try:
        state = all_of_them.state(tournament)
    except Refused:
        return None  # the match was imported, and its tournament was not
    if state.made.looking != "everybody" and who is None:
        return None
    for found in state.rounds:
        for table in found.tables:
            if table.match == history.match:
                return {"id": tournament, "round": found.number, "table": table.number}
    return None


def known_to_all(table: Table, history: History, last: int) -> int:
    """The last event that spectators may know of by now, of those up to one."""
    if not table.delay or history.life.closed:
        return last
    times = [history.body(version).at for version in range(1, last + 1)]
    return _last_until(table, times, max(history.life.started, 1))


def _last_until(table: Table, times: Sequence[int], free: int) -> int:
    """The last event that had come by then; what came before the start is no secret."""
    until = all_tables().clock() - table.delay
    return max(bisect.bisect_right(times, until), min(free, len(times)))


def listed_for(who: Caller | None) -> list[Summary]:
    """The matches that somebody may look at, each as far as they may know of it."""
    return [as_listed(one, who) for one in archive().listed() if may_watch(one.table, who)]


def as_listed(one: Listed, who: Caller | None) -> Summary:
    """A match in one line, as far as somebody may know of it; whether they may look is not asked.

    Who sees the match later sees in the list those who sat there at the start.
    """
    line = one.summary
    if _sees_all_listed(one, who):
        return line
    runs = who is not None and (who.organizer or one.table.host == who.person.id)
    if not runs:
        line = msgspec.structs.replace(line, people=one.people)
    last = _last_until(one.table, one.times, one.free)
    if last < len(one.times):
        line = msgspec.structs.replace(line, events=last, state="running")
    return line


def known_of_listed(one: Listed, who: Caller | None) -> int:
    """The last event of a match in the list that somebody may know of."""
    if _sees_all_listed(one, who):
        return one.summary.events
    return _last_until(one.table, one.times, one.free)


def _sees_all_listed(one: Listed, who: Caller | None) -> bool:
    """Whether somebody sees a match in the list as it stands, and not later."""
    own = who is not None and bool(one.table.seats_of(who.person.id))
    return own or not one.times or one.summary.state not in ("running", "paused", "parked")


def _seat(opened: Opened, history: History, who: Caller | None, seat: int) -> Look:
    mine = who is not None and opened.table.decides(who.person.id, seat)
    if not mine and why_not_through_seats(history):
        if who is None:
            raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
        raise tables.refused("not_your_seat", {"seat": seat})
    if not mine and not may_watch(opened.table, who):
        raise tables.refused("not_to_be_watched")
    return Look(seat, opened.good, opened.good == history.tip.version)


def seat_in(history: History, word: str) -> int:
    """The number of a seat of a match."""
    seats = history.created.seats
    if not (word.isascii() and word.isdigit() and len(word) < 4 and int(word) < seats):
        evidence = {"seat": word[:20], "seats": seats}
        raise Refused("no_such_seat", "", "The match has no such seat.", evidence)
    return int(word)


def event_in(look: Look, at: int | None) -> int:
    """The event that is asked for, of those that may be known."""
    if at is None:
        return look.last
    if not 1 <= at <= look.last:
        raise refused("no_such_event", {"at": at, "first": 1, "last": look.last})
    return at


def etag_of(look: Look, version: int) -> str:
    """What a representation is called: the version, and whose eyes it is for."""
    return f"{version}-{'w' if look.viewer is None else f's{look.viewer}'}"


def composed_at() -> int | None:
    """The version that `If-Match` names; what follows it says whose representation it was."""
    said = request.headers.get("If-Match", "").strip()
    if not said:
        return None
    number = said.removeprefix("W/").strip('"').partition("-")[0]
    if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS_MAX):
        raise Problem(400, "bad_precondition", 'If-Match names a version, as in "17".')
    return int(number)
