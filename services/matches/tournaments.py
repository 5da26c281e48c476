"""Tournaments: their books and their tables' matches, with the clock and the entropy."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Concatenate, Final, Literal, NamedTuple, ParamSpec, TypeAlias

from msgspec import Meta

from ledger.club import table as tables
from ledger.club.table import TableLaid
from ledger.club.tournament import commands, results
from ledger.club.tournament.audit import BookAudit, audit
from ledger.club.tournament.entries import (
    PREFIX,
    AnyEntry,
    TournamentMade,
    Why,
    book_of,
    make_refusal,
)
from ledger.club.tournament.state import Seating, Tournament, TournamentPlayer, TournamentState
from ledger.games import ruleset
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms
from ledger.log.books import Book
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store
from ledger.log.write.founding import Plan, new_id
from ledger.log.write.journal import Journal

from .cache import CannotRead, MatchCache, OpenMatch, until_first
from .club import now_ms
from .play import surroundings

P = ParamSpec("P")
MatchAct: TypeAlias = Literal["pause", "resume"]
KEPT_MAX: Final = 64  # books kept in memory
SEED_BYTES: Final = 32


class TableOutcome(NamedTuple):
    table: int
    match: str
    code: Annotated[str, Meta(description="why not; empty: it was done")] = ""
    detail: str = ""
    players: tuple[int, ...] = ()


class Tournaments:
    def __init__(self, store: Store, cache: MatchCache, clock: Callable[[], int] = now_ms) -> None:
        self.store = store
        self.cache = cache
        self.clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Book[Tournament]] = OrderedDict()

    # --- the books -----------------------------------------------------------------------------

    def ids(self) -> list[str]:
        names = (name for name in self.store.books() if name.startswith(PREFIX))
        return [name.removeprefix(PREFIX) for name in names]

    def book(self, tournament: str) -> Book[Tournament]:
        with self._lock:
            kept = self._kept.get(tournament)
        return kept or tournament_book(self.store, tournament, self.clock)

    def state(self, tournament: str) -> TournamentState:
        """Returns a tournament's current state; refuses an unknown one."""
        book = self.book(tournament)
        try:
            state = book.read().state
        except ValueError:  # no book can have this name
            state = None
        if state is None:
            raise make_refusal("no_such_tournament", {"tournament": tournament[:40]})
        with self._lock:
            self._kept[tournament] = book
            self._kept.move_to_end(tournament)
            while len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return state

    def head_at(self, tournament: str, entry: int) -> bytes:
        [event] = self.store.events(book_of(tournament), entry, entry)
        return event.head

    def write(
        self,
        tournament: str,
        by: str,
        follows: Callable[Concatenate[TournamentState, P], Sequence[AnyEntry]],
        /,
        *about: P.args,
        **named: P.kwargs,
    ) -> None:
        """Writes the entries that `follows` returns for the state and the further arguments."""
        self.state(tournament)  # refuses one that there is not

        def from_contents(contents: Tournament) -> Sequence[AnyEntry]:
            assert contents.state is not None, "a book that is there begins with its making"
            return follows(contents.state, *about, **named)

        self.book(tournament).write(by, from_contents)

    def make(self, made: TournamentMade) -> str:
        """Makes a tournament; refuses terms that could not make a match."""
        rules = ruleset(made.ruleset)
        Terms(rules, made.edition, dict(made.options), made.content or None)
        tournament = new_id(os.urandom)
        self.book(tournament).write(made.host, lambda _: [made])
        return tournament

    # --- rounds --------------------------------------------------------------------------------

    def draw(self, tournament: str, number: int, by: str, reason: str = "") -> None:
        """Pairs a round by a random seed."""
        self.write(tournament, by, commands.draw_round, number, os.urandom(SEED_BYTES), reason)

    def start(self, tournament: str, number: int, by: str) -> list[TableOutcome]:
        """Makes and starts the matches of all tables that wait for theirs."""
        found = commands.check_round_open(self.state(tournament), number)
        return [
            _try_table(table, lambda one: self.start_table(tournament, number, one, by))
            for table in found.tables
            if not table.settled
        ]

    def start_table(self, tournament: str, number: int, table: Seating, by: str) -> str:
        """Makes a table's match, seats its players and starts it. Continues where it broke off."""
        who = Submitter(role="organizer", name=by)
        match = table.match or self._make_match(tournament, number, table, who)
        state = self.state(tournament)
        made = state.made
        laid = TableLaid(
            host=made.host,
            looking=made.looking,
            delay=made.delay,
            clock=made.clock,
            pauses=made.pauses,
        )
        with self.cache.opened(match) as opened:
            opened.book.write(by, lambda known: [] if known.laid else [laid])
            for seat, player in enumerate(table.players):
                _sit(opened, seat, state.player(player), who)
            until_first(lambda: _start(opened, who))
        return match

    def _make_match(self, tournament: str, number: int, table: Seating, who: Submitter) -> str:
        state = self.state(tournament)
        plan = plan_of(tournament, state, number, table)
        journal = Journal.create(surroundings(self.store, self.clock), plan, who)
        match = journal.match_id
        try:
            about = (number, table.number, match, table.players)
            self.write(tournament, who.name, commands.make_match, *about)
        except Refused:
            # Another process was first, so this match belongs to no table.
            journal.abandon(who, "the table has another match, or other players")
            raise
        return match

    def each_match(
        self, tournament: str, number: int, by: str, act: MatchAct, reason: str
    ) -> list[TableOutcome]:
        """Pauses or resumes all running matches of a round."""
        who = Submitter(role="organizer", name=by)
        found = commands.check_round_open(self.state(tournament), number)

        def at_one(table: Seating) -> str:
            with self.cache.opened(table.match) as opened:
                until_first(lambda: getattr(opened.journal, act)(who, reason))
            return table.match

        return [
            _try_table(table, at_one)
            for table in found.tables
            if table.match and table.read is None
        ]

    def remind(self, tournament: str, number: int, by: str) -> list[TableOutcome]:
        """Records which players must decide now. The courier sends the reminders from this
        entry.
        """
        found = commands.check_round_open(self.state(tournament), number)
        waiting = [
            TableOutcome(one.number, one.match, players=self._asked(one)) for one in found.tables
        ]
        players = sorted({player for one in waiting for player in one.players})
        self.write(tournament, by, commands.remind, number, players)
        return [one for one in waiting if one.players]

    def _asked(self, table: Seating) -> tuple[int, ...]:
        if not table.match or table.read is not None:
            return ()
        with self.cache.opened(table.match) as opened:
            match = opened.at(opened.good)
            running = match is not None and not opened.history.life.closed
            asked = match.asked() if match is not None and running else ()
        return tuple(table.players[seat] for seat in asked if seat >= 0)

    def read_results(self, tournament: str, number: int, by: str) -> list[TableOutcome]:
        """Records the results in a round's logs; names each table whose match goes on."""
        found = commands.check_round_open(self.state(tournament), number)
        return [
            _try_table(table, lambda one: self.read_table(tournament, number, one, by))
            for table in found.tables
            if table.match
        ]

    def read_table(self, tournament: str, number: int, table: Seating, by: str) -> str:
        """Records the result in the log of a table's match."""
        if not table.match:
            raise make_refusal("no_match", {"table": table.number})
        with self.cache.opened(table.match) as opened:
            found = results.reading(opened.history, number, table.number)
        self.write(tournament, by, results.read_result, found)
        return table.match

    def close(self, tournament: str, number: int, by: str) -> None:
        """Closes the matches of a round, approves all their results, and closes the round."""
        who = Submitter(role="organizer", name=by)
        found = commands.check_round_open(self.state(tournament), number)

        def close_one(table: Seating) -> str:
            with self.cache.opened(table.match) as opened:
                until_first(lambda: _close(opened, who))
            return self.read_table(tournament, number, table, by)

        for table in found.tables:
            if table.match:
                _try_table(table, close_one)  # who is not done is named when the round is closed
        for table in self.state(tournament).round(number).tables:
            if table.settled and not table.approved:
                about = (number, table.number, "the round is closed")
                self.write(tournament, by, results.approve, *about)
        self.write(tournament, by, results.close_round, number)

    def forfeit(
        self,
        tournament: str,
        number: int,
        table: int,
        by: str,
        *,
        players: Sequence[int],
        why: Why,
        reason: str,
    ) -> None:
        """Records that players did not play, or not to the end."""
        match = self.state(tournament).round(number).table(table).match
        history = None
        if match:
            with self.cache.opened(match) as opened:
                history = opened.history.up_to(opened.good)
        about = (number, table, players, why, reason, history)
        self.write(tournament, by, results.forfeit, *about)

    def audit(self, tournament: str) -> BookAudit:
        """Checks everything again, from the book and the logs."""
        self.state(tournament)
        return audit_book(self.store, tournament)


def tournament_book(
    store: Store, tournament: str, clock: Callable[[], int] = lambda: 0
) -> Book[Tournament]:
    """Returns a tournament's book, which is only read unless there is a clock."""
    return Book(store, book_of(tournament), AnyEntry, Tournament, clock)


def audit_book(store: Store, tournament: str) -> BookAudit:
    """Computes a tournament again from the store alone."""
    entries = tournament_book(store, tournament).entries()
    return audit(entries, lambda match: History.of(store, match, ruleset))


def _try_table(table: Seating, act: Callable[[Seating], str]) -> TableOutcome:
    """Acts on one table. A refusal there does not stop the others."""
    try:
        return TableOutcome(table.number, act(table))
    except Refused as refusal:
        return TableOutcome(table.number, table.match, refusal.code, refusal.message)
    except CannotRead:
        return TableOutcome(table.number, table.match, "unreadable", "Its log cannot be read here.")


def plan_of(tournament: str, state: TournamentState, number: int, table: Seating) -> Plan:
    made = state.made
    return Plan(
        ruleset=made.ruleset,
        seats=len(table.players),
        edition=made.edition,
        options=tuple(sorted(made.options.items())),
        overlay=made.content or None,
        discloses=made.discloses,
        title=f"{made.title}, round {number}, table {table.number}",
        tournament=tournament,
    )


def _sit(opened: OpenMatch, seat: int, player: TournamentPlayer, who: Submitter) -> None:
    """Seats a player: first the log gets a name, then the table a person."""

    def join() -> None:
        if seat not in opened.history.life.joined:
            opened.journal.join(seat, player.name, who)

    until_first(join)
    if seat not in opened.table.sitting:
        opened.book.write(who.name, lambda table: tables.take_seat(table, seat, player.person))


def _start(opened: OpenMatch, who: Submitter) -> None:
    if not opened.history.life.started:
        opened.journal.start(who)


def _close(opened: OpenMatch, who: Submitter) -> None:
    life = opened.history.life
    match = opened.at(opened.good) if life.started else None
    if match is not None and match.ended and not life.closed and not life.paused:
        with suppress(Refused):  # it is written elsewhere, or somebody was first
            opened.journal.close(who)
