"""The archive: matches as read for pages.

It keeps a few histories in memory and asks the store on each visit whether they are current.
It never writes: decisions go through a journal.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, NamedTuple

import msgspec

from ledger.club.table import MatchTable, TableEntry, book_of
from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.log.books import Book
from ledger.log.format.chain import EMPTY, Tip
from ledger.log.read.bundle import last_close
from ledger.log.read.follower import last_good
from ledger.log.read.history import History, Undisclosed, WentBack
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import Store, Unavailable
from replays.story.names import player_name, result_words, ruleset_title, state_of
from replays.story.sentences import Told, tell
from services.matches.disputes import Dispute, disputes_in
from services.run.measures import measured
from services.run.programs import CannotServe
from services.run.settings import Settings
from services.run.stores import standing_store

EVERYTHING: Final = frozenset(("decisions", "outcomes"))
OPENED_MAX: Final = 32  # matches whose histories are kept
GROWING_MAX: Final = 64  # ... of those in the list that go on, so that only what is new is read
PATIENCE_SECONDS: Final = 2.0  # somebody waits for the page


class NoSuchMatch(LookupError):
    """The store has no match with this id."""


class Unreadable(Exception):
    """The store has the match, but it cannot be read or folded here."""


def stores_of(settings: Settings) -> Callable[[], Store]:
    """Returns a function that gives the store. A store on a server is shared and reached late.

    A store in files keeps in memory what it has read, so each reading gets its own.
    """
    lock = threading.Lock()
    shared: list[Store] = []

    def open_store() -> Store:
        with lock:
            if shared:
                return shared[0]
            try:
                store = standing_store(settings, PATIENCE_SECONDS)
            except CannotServe as why:
                raise Unavailable(str(why)) from None
            if store is None:
                return FileStore(settings.data)
            shared.append(measured(store, PATIENCE_SECONDS))
            return shared[0]

    return open_store


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


class ReadMatch:
    """One match as read for pages. One thread uses it at a time."""

    def __init__(self, store: Store, match: str, history: History | None = None) -> None:
        self.match = match
        self.lock = threading.Lock()
        self._store = store
        self._tip: Tip | None = None
        self._history = history
        self._told: dict[Viewer, tuple[Told, ...]] = {}
        self.parked = False  # the match cannot be folded any further than it is shown
        self._notice: bytes | None = None
        self._book = table_of(store, match)
        self._earlier: ReadMatch | None = None

    def refresh(self) -> None:
        """Reads the log again if the store has another head than the one known here."""
        try:
            tip = self._store.tip(self.match)
            notice = self._store.parked(self.match)
        except ValueError:  # no match can have this id
            tip = EMPTY
        if tip == EMPTY:
            raise NoSuchMatch(self.match)
        if (tip, notice) != (self._tip, self._notice):
            history = History.of(self._store, self.match, ruleset)
            self._tip, self._notice, self._told = history.tip, notice, {}
            self._earlier = None
            self.parked = notice is not None
            good = history.tip.version if notice is None else last_good(notice)
            self._history = history if good >= history.tip.version else history.up_to(max(good, 1))

    @property
    def history(self) -> History:
        """Returns the log with every opening; views cut it down to what a viewer may see."""
        assert self._history is not None, "a reading is refreshed before it is handed out"
        return self._history

    @property
    def table(self) -> MatchTable:
        """Returns the match's table; an empty one for a store in files, which keeps none."""
        return MatchTable() if self._book is None else self._book.read()

    def up_to(self, last: int) -> ReadMatch:
        """Returns the match as it was after an event, for viewers who see it later."""
        if last >= self.history.tip.version:
            return self
        if self._earlier is None or self._earlier.history.tip.version != last:
            self._earlier = ReadMatch(self._store, self.match, self.history.up_to(last))
        return self._earlier

    def told(self, viewer: Viewer) -> tuple[Told, ...]:
        """Returns the story of every event for a viewer."""
        if viewer not in self._told:
            self._told[viewer] = tuple(tell(self.history, viewer))
        return self._told[viewer]


class Archive:
    """The matches of a store, as pages read them.

    `at_hand` lends a log that is already read to the given head, if there is one.
    """

    def __init__(
        self,
        open_store: Callable[[], Store],
        at_hand: Callable[[str, Tip], AbstractContextManager[History | None]],
    ) -> None:
        self._at_hand = at_hand
        # Each reading has a store object of its own: what that keeps in memory goes with it.
        self._open_store = open_store
        self._lock = threading.Lock()
        self._opened: OrderedDict[str, ReadMatch] = OrderedDict()
        self._list_lock = threading.Lock()
        self._list_store: Store | None = None
        self._listed: dict[str, tuple[Tip, Tip, Listed]] = {}
        self._growing: OrderedDict[str, History] = OrderedDict()

    @contextmanager
    def opened(self, match: str) -> Iterator[ReadMatch]:
        """Opens a match, fresh from the store, for the length of the block."""
        with self._lock:
            reading = self._opened.get(match) or ReadMatch(self._open_store(), match)
        with reading.lock, _read(reading):
            self._keep(reading)
            yield reading

    @contextmanager
    def apart(self, match: str) -> Iterator[ReadMatch]:
        """Opens a reading of its own for slow work, so that no other request waits."""
        reading = ReadMatch(self._open_store(), match)
        with _read(reading):
            yield reading

    def _keep(self, reading: ReadMatch) -> None:
        with self._lock:
            self._opened[reading.match] = reading
            self._opened.move_to_end(reading.match)
            if len(self._opened) > OPENED_MAX:
                self._opened.popitem(last=False)

    def listed(self) -> list[Listed]:
        """Lists all matches, newest first, without checking who may see them."""
        with self._list_lock:
            store = self._list_store = self._list_store or self._open_store()
            matches = store.matches()
            tips = store.tips(matches)
            books = [EMPTY] * len(matches)
            if not isinstance(store, FileStore):
                books = store.tips([book_of(match) for match in matches])
            self._listed = {
                match: self._line(store, match, tip, book)
                for match, tip, book in zip(matches, tips, books, strict=True)
            }
            parked = set(store.parked_matches())
            lines = [
                one._replace(summary=msgspec.structs.replace(one.summary, state="parked"))
                if match in parked
                else one
                for match, (_, _, one) in self._listed.items()
            ]
        return sorted(lines, key=lambda one: (-one.summary.made_at, one.summary.match))

    def summaries(self) -> list[Summary]:
        return [one.summary for one in self.listed()]

    def _line(self, store: Store, match: str, tip: Tip, laid: Tip) -> tuple[Tip, Tip, Listed]:
        """Returns a match's row of the list, read anew only if a log has another head."""
        known = self._listed.get(match)
        if known is not None and known[:2] == (tip, laid):
            return known
        book = table_of(store, match)
        if known is not None and known[1] == laid:
            table = known[2].table
        else:
            table = MatchTable() if book is None or laid == EMPTY else book.read()
        try:
            with self._at_hand(match, tip) as lent:
                history = self._grown(store, match) if lent is None else lent
                line = listed_line(history, table, book)
        except Unavailable:
            raise
        except Exception:  # noqa: BLE001 - one damaged log must not hide the others
            damaged = Summary(match=match, title=match, ruleset="", state="unreadable")
            return EMPTY, EMPTY, Listed(damaged, table)
        return line.tip, laid, line

    def _grown(self, store: Store, match: str) -> History:
        """Reloads a match whose log changed. If the log only grew, reads the new events."""
        history = self._growing.pop(match, None)
        try:
            if history is None:
                history = History.of(store, match, ruleset)
            else:
                history.catch_up(store)
        except WentBack:
            history = History.of(store, match, ruleset)
        if match in self._listed:  # it was there when all were listed before, and has gone on
            self._growing[match] = history
        if len(self._growing) > GROWING_MAX:
            self._growing.popitem(last=False)
        return history


@contextmanager
def _read(reading: ReadMatch) -> Iterator[None]:
    try:
        reading.refresh()
    except (NoSuchMatch, Unavailable):
        raise
    except Exception as reason:
        raise Unreadable(reading.match) from reason
    try:
        yield
    except (Refused, BrokenRule, Undisclosed, ValueError) as reason:
        # In reading all these are ours, or the overlay beside the log was changed.
        raise Unreadable(reading.match) from reason


def table_of(store: Store, match: str) -> Book[MatchTable] | None:
    if isinstance(store, FileStore):
        return None
    return Book(store, book_of(match), TableEntry, MatchTable, lambda: 0)


# --- in words -------------------------------------------------------------------------------------


def summary_of(history: History) -> Summary:
    created = history.created
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
        fork=created.origin.kind == "fork",
    )


def listed_line(history: History, table: MatchTable, book: Book[MatchTable] | None) -> Listed:
    """Returns a match's row of the list, with what decides who may see it."""
    line = Listed(
        seated_line(summary_of(history), history, table),
        table,
        tip=history.tip,
        edition=history.created.edition,
        started=bool(history.life.started),
        opened=everything_is_open(history),
    )
    if history.life.disputes:
        line = line._replace(disputes=tuple(disputes_in(history, table)))
    if table.delay and not history.life.closed:
        times = tuple(history.body(one).at for one in range(1, history.tip.version + 1))
        free = max(history.life.started, 1)
        people = () if book is None else people_at(table_until(book, times[free - 1]))
        line = line._replace(times=times, free=free, people=people)
    return line


def seated_line(line: Summary, history: History, table: MatchTable) -> Summary:
    """Adds what the table knows: its people, its host and its free seats."""
    life = history.life
    free: list[int] = []
    if table.laid is not None and not (life.started or life.over):
        vacant = table.vacant()
        seats = range(history.created.seats)
        free = [seat for seat in seats if seat not in life.joined or seat in vacant]
    return msgspec.structs.replace(
        line,
        free=tuple(free),
        people=people_at(table),
        host=table.host,
    )


def everything_is_open(history: History) -> bool:
    """Tells whether the match is closed and everything secret in it was opened."""
    closing = last_close(history)
    return closing is not None and set(closing.discloses) >= EVERYTHING


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
