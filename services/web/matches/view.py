"""The caller's viewpoint of a match, and the last event shown.

| as | may |
|---|---|
| a seat | a person who decides for it; after a closed match was opened, anyone who may watch it |
| spectator | anyone whom the table lets watch, with the table's delay |
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from ledger.club import table as tables
from ledger.club.table import Looked, MatchTable, TableEntry
from ledger.club.tournament.state import TournamentState
from ledger.kernel.audience import Viewer
from ledger.kernel.refusals import Refused
from ledger.log.read.bundle import everything_is_open
from ledger.log.read.history import History
from ledger.log.write.lifecycle import make_refusal
from replays.story.names import ALL, SPECTATOR, why_not_through_seats
from services.matches.cache import OpenMatch, no_such_seat
from services.matches.club import Caller
from services.web.app.forms import TypedForm
from services.web.app.identity import caller, is_foreign
from services.web.app.parts import all_tournaments, match_cache, match_list
from services.web.app.problems import Problem
from services.web.matches.listing import Listed, Summary, table_until


class Look(NamedTuple):
    """A caller's viewpoint: the viewer and the last event shown."""

    viewer: Viewer
    last: int  # the last event that they may know of
    live: bool  # whether that is the last there is

    @property
    def word(self) -> str:
        return SPECTATOR if self.viewer is None else str(self.viewer)


def look_here(opened: OpenMatch, word: str | None) -> Look:
    """Returns the viewpoint of this request."""
    return looking(opened, word, caller())


def try_here(
    match: str, form: TypedForm, act: Callable[[OpenMatch], Any], called: Mapping[str, str] = {}
) -> Any:
    """Runs a form's act on a match. Refuses first whoever may not look at the match."""
    with match_cache().opened(match) as opened:
        look_here(opened, None)
        return form.tries(lambda: act(opened), called)


def looking(opened: OpenMatch, word: str | None, who: Caller | None) -> Look:
    """Returns a caller's viewpoint; by default one's own seat, or a spectator's."""
    history = opened.history
    if word is None:
        own = [] if who is None else opened.table.seats_of(who.person.id)
        word = str(own[0]) if own else SPECTATOR
    if word == SPECTATOR:
        return _spectator(opened, who)
    return _seat(opened, history, who, seat_in(history, word))


def _spectator(opened: OpenMatch, who: Caller | None) -> Look:
    table, history = opened.table, opened.history
    if not may_watch(table, who):
        raise tables.make_refusal("not_to_be_watched")
    last = find_public_end(table, history, opened.good)
    return Look(None, last, last == history.tip.version)


def look_of(opened: OpenMatch, word: str | None, who: Caller | None) -> tuple[str, int]:
    """Returns the viewer and the last event they may know. Records an organizer's look at all."""
    if word != ALL:
        look = looking(opened, word, who)
        return look.word, look.last
    if not everything_is_open(opened.history):
        if who is None or not is_judge(opened, who):
            if who is None:
                raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
            raise tables.make_refusal("not_your_seat", {"seat": ALL})
        look_as_judge(opened, who, opened.good)
    elif not may_watch(opened.table, who):
        raise tables.make_refusal("not_to_be_watched")
    return ALL, opened.good


class AtTable(Protocol):
    @property
    def table(self) -> MatchTable:
        """The table of the match."""


def is_judge(opened: AtTable, who: Caller | None) -> bool:
    """Tells whether a caller is an organizer without any part in the match, now or before."""
    if who is None or not who.organizer:
        return False
    return not has_part(opened.table, who.person.id)


def has_part(table: MatchTable, person: str) -> bool:
    """Tells whether a person decides for a seat of the table, or did so before."""
    return bool(table.seats_of(person)) or any(one == person for one, _ in table.knew)


def look_as_judge(opened: OpenMatch, who: Caller, last: int, what: str = "") -> None:
    """Records in the table's book that an organizer saw secrets, so they can never sit there.

    `what` names the thing they looked at, unless it was the match itself.
    """
    if who.kind == "session" and is_foreign():  # a look bars them from sitting there
        raise Problem(403, "not_from_our_page", "This request did not come from our pages.")
    me = who.person.id

    def follows(table: MatchTable) -> list[TableEntry]:
        if has_part(table, me):  # since we looked
            raise tables.make_refusal("not_your_seat", {"seat": ALL})
        before = (one for _, by, one in table.looks if by == me and one.at_what == what)
        return [] if any(one.knew >= last for one in before) else [Looked(knew=last, at_what=what)]

    opened.book.write(me, follows)


def is_behind(opened: OpenMatch, look: Look) -> bool:
    """Tells whether the viewpoint sees events later than others, even if none is pending."""
    return look.viewer is None and bool(opened.table.delay) and not opened.history.life.closed


def runs(table: MatchTable, who: Caller | None) -> bool:
    """Tells whether a caller made the match or is an organizer."""
    return who is not None and (who.organizer or table.host == who.person.id)


def may_watch(table: MatchTable, who: Caller | None) -> bool:
    """Tells whether a caller may look as a spectator."""
    seated = runs(table, who) or (who is not None and bool(table.seats_of(who.person.id)))
    return table.lets_watch(member=who is not None, seated=seated)


def table_as_seen(opened: OpenMatch, look: Look, who: Caller | None) -> MatchTable:
    """Returns the table as the viewpoint may know it: a delay also hides later changes of seats.

    The seating at the start is public. The host and organizers see the present one.
    """
    life, host = opened.history.life, opened.table.host
    is_host = who is not None and (who.person.organizer or who.person.id == host)
    if is_host or not is_behind(opened, look) or not life.started:
        return opened.table
    until = max(opened.now() - opened.table.delay, opened.history.body(life.started).at)
    return table_until(opened.book, until)


def tournament_of(history: History, who: Caller | None) -> TournamentState | None:
    """Returns the tournament of a match, if it is one of this service that the caller may see."""
    if not history.created.tournament:
        return None
    try:
        state = all_tournaments().state(history.created.tournament)
    except Refused:
        return None  # the match was imported, and its tournament was not
    return None if state.made.looking != "everybody" and who is None else state


def place_in_tournament(history: History, who: Caller | None) -> dict[str, Any] | None:
    """Returns the tournament, round and table of a match, if the caller may see the tournament."""
    state = tournament_of(history, who)
    for found in () if state is None else state.rounds:
        for table in found.tables:
            if table.match == history.match:
                place = {"round": found.number, "table": table.number}
                return {"id": history.created.tournament, **place}
    return None


def find_public_end(table: MatchTable, history: History, last: int) -> int:
    """Returns the last event, up to `last`, that spectators may know by now."""
    if not table.delay or history.life.closed:
        return last
    times = [history.body(version).at for version in range(1, last + 1)]
    return _last_until(table, times, max(history.life.started, 1))


def _last_until(table: MatchTable, times: Sequence[int], free: int) -> int:
    """Returns the last event outside the delay; events before the start are public."""
    until = match_cache().clock() - table.delay
    return max(bisect.bisect_right(times, until), min(free, len(times)))


def list_visible_matches(who: Caller | None) -> list[Summary]:
    """Returns the matches that a caller may look at, each as far as they may know it."""
    return [as_listed(one, who) for one in match_list().listed() if may_watch(one.table, who)]


def as_listed(one: Listed, who: Caller | None) -> Summary:
    """Returns a match's row of the list, as far as a caller may know it. Does not check access.

    A caller who sees the match later sees the people who sat there at the start.
    """
    line = one.summary
    if _sees_all_listed(one, who):
        return line
    if not runs(one.table, who):
        line = msgspec.structs.replace(line, people=one.people)
    last = _last_until(one.table, one.times, one.free)
    if last < len(one.times):
        line = msgspec.structs.replace(line, events=last, state="running")
    return line


def find_listed_end(one: Listed, who: Caller | None) -> int:
    """Returns the last event of a listed match that a caller may know."""
    if _sees_all_listed(one, who):
        return one.summary.events
    return _last_until(one.table, one.times, one.free)


def _sees_all_listed(one: Listed, who: Caller | None) -> bool:
    """Tells whether a caller sees a listed match without delay."""
    own = who is not None and bool(one.table.seats_of(who.person.id))
    return own or not one.times or one.summary.state not in ("running", "paused", "parked")


def _seat(opened: OpenMatch, history: History, who: Caller | None, seat: int) -> Look:
    mine = who is not None and opened.table.decides(who.person.id, seat)
    if not mine and why_not_through_seats(history):
        if who is None:
            raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
        raise tables.make_refusal("not_your_seat", {"seat": seat})
    if not mine and not may_watch(opened.table, who):
        raise tables.make_refusal("not_to_be_watched")
    return Look(seat, opened.good, opened.good == history.tip.version)


def seat_in(history: History, word: str) -> int:
    """Parses the number of a seat. Refuses one that the match does not have."""
    seats = history.created.seats
    if not (word.isascii() and word.isdigit() and len(word) < 4 and int(word) < seats):
        raise no_such_seat(word, seats)
    return int(word)


def event_in(look: Look, at: int | None) -> int:
    """Returns the requested event. Refuses one that the caller may not know yet."""
    if at is None:
        return look.last
    if not 1 <= at <= look.last:
        raise make_refusal("no_such_event", {"at": at, "first": 1, "last": look.last})
    return at


def etag_of(look: Look, version: int) -> str:
    """Returns the ETag: the version and the viewer."""
    return f"{version}-{'w' if look.viewer is None else f's{look.viewer}'}"
