"""The list of all matches: a row for each, read anew only if a log has another head."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from ledger.club.table import MatchTable, TableEntry, book_of
from ledger.games import ruleset
from ledger.log.books import Book
from ledger.log.format.chain import EMPTY, Tip
from ledger.log.read.bundle import everything_is_open
from ledger.log.read.history import History
from ledger.log.stores.protocol import Unavailable
from replays.story.names import player_name, result_words, ruleset_title, state_of
from services.matches.cache import MatchCache
from services.matches.disputes import Dispute, disputes_in


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    match: str
    title: str
    ruleset: str
    state: str  # open | running | paused | parked | finished | abandoned | unreadable
    events: int = 0
    players: tuple[str, ...] = ()
    result: str = ""
    made_at: int = 0
    game: str = ""  # the ruleset's name
    seats: int = 0
    free: tuple[int, ...] = ()  # seats that wait for somebody; none where no table was laid
    people: tuple[str, ...] = ()  # who decides for a seat, by id: for nobody but themselves
    host: str = ""  # a person
    fork: bool = False  # of another match


class Listed(NamedTuple):
    """A match in a list, with what decides who may see it there."""

    summary: Summary
    table: MatchTable
    times: tuple[int, ...] = ()  # of its events, where spectators see them later
    free: int = 0  # the last event that is no secret to them
    people: tuple[str, ...] = ()  # who decided for a seat at the start, which is no secret either
    tip: Tip = EMPTY  # of the log that it was read from
    edition: str = ""  # under which it was begun
    started: bool = False
    opened: bool = False  # whether it was closed, and all that was secret in it opened
    disputes: tuple[Dispute, ...] = ()


class MatchList:
    """The list of the matches in a cache's store. It waits for no thread that uses a match."""

    def __init__(self, cache: Callable[[], MatchCache]) -> None:
        self._cache = cache
        self._lock = threading.Lock()
        self._rows: dict[str, tuple[Tip, Tip, Listed]] = {}

    def listed(self) -> list[Listed]:
        """Lists all matches, newest first, without checking who may see them."""
        cache = self._cache()
        store = cache.store
        with self._lock:
            matches = store.matches()
            tips = store.tips(matches)
            books = [EMPTY] * len(matches)
            if not cache.in_files:
                books = store.tips([book_of(match) for match in matches])
            self._rows = {
                match: self._row(cache, match, tip, book)
                for match, tip, book in zip(matches, tips, books, strict=True)
            }
            parked = set(store.parked_matches())
            rows = [
                row._replace(summary=msgspec.structs.replace(row.summary, state="parked"))
                if match in parked
                else row
                for match, (_, _, row) in self._rows.items()
            ]
        return sorted(rows, key=lambda row: (-row.summary.made_at, row.summary.match))

    def _row(self, cache: MatchCache, match: str, tip: Tip, laid: Tip) -> tuple[Tip, Tip, Listed]:
        known = self._rows.get(match)
        if known is not None and known[:2] == (tip, laid):
            return known
        store = cache.store
        book = Book(store, book_of(match), TableEntry, MatchTable, cache.clock)
        if known is not None and known[1] == laid:
            table = known[2].table
        else:
            table = MatchTable() if laid == EMPTY else book.read()
        try:
            # A match that has gone on since the last list is kept open: only the rest is read then.
            with cache.glance(match, tip, keep=known is not None) as history:
                row = make_listed_row(history or History.of(store, match, ruleset), table, book)
        except Unavailable:
            raise
        except Exception:  # noqa: BLE001 - one damaged log must not hide the others
            damaged = Summary(match=match, title=match, ruleset="", state="unreadable")
            return EMPTY, EMPTY, Listed(damaged, table)
        return row.tip, laid, row


# --- in words -------------------------------------------------------------------------------------


def summary_of(history: History, table: MatchTable) -> Summary:
    created, life = history.created, history.life
    waits, vacant = not (life.started or life.over), table.vacant()
    free = [seat for seat in range(created.seats) if seat not in life.joined or seat in vacant]
    return Summary(
        match=history.match,
        title=created.title or f"Match {history.match}",
        ruleset=ruleset_title(history),
        state=state_of(history),
        events=history.tip.version,
        players=tuple(player_name(history, seat) for seat in range(created.seats)),
        result=result_words(history),
        made_at=history.body(1).at,
        game=created.ruleset,
        seats=created.seats,
        free=tuple(free) if waits and table.laid is not None else (),
        people=people_at(table),
        host=table.host,
        fork=created.origin.kind == "fork",
    )


def make_listed_row(history: History, table: MatchTable, book: Book[MatchTable]) -> Listed:
    """Returns a match's row of the list, with what decides who may see it."""
    row = Listed(
        summary_of(history, table),
        table,
        tip=history.tip,
        edition=history.created.edition,
        started=bool(history.life.started),
        opened=everything_is_open(history),
    )
    if history.life.disputes:
        row = row._replace(disputes=tuple(disputes_in(history, table)))
    if table.delay and not history.life.closed:
        times = tuple(history.body(one).at for one in range(1, history.tip.version + 1))
        free = max(history.life.started, 1)
        people = people_at(table_until(book, times[free - 1]))
        row = row._replace(times=times, free=free, people=people)
    return row


def people_at(table: MatchTable) -> tuple[str, ...]:
    """Returns the ids of everyone who decides for a seat of the table."""
    sitting = table.sitting.values()
    return tuple(sorted({who for one in sitting for who in (one.person, *one.delegates) if who}))


def table_until(book: Book[MatchTable], until: int) -> MatchTable:
    table = MatchTable()
    for number, at, by, what in book.entries():
        if at > until:
            break
        table.take(number, at, by, what)
    return table
