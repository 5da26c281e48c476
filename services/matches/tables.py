"""Tables: matches opened for reading and writing, each with its book, cached while there is
room.

One process keeps some matches in memory, and asks the store for new events on each visit.
Several processes may serve one match: each write names the event before it, and the store
refuses it if that is no longer the last.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from ledger.club.clocks import Clocks, Tick
from ledger.club.table import MatchTable, TableEntry, book_of
from ledger.club.talk import TALK, TalkIndex
from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.kernel.match import Match
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.log.books import Book
from ledger.log.format.acts import Paused, Resumed, Rewound
from ledger.log.format.bodies import ActBody
from ledger.log.format.chain import Tip
from ledger.log.format.secrets import KEPT_AS
from ledger.log.read.follower import last_good
from ledger.log.read.history import History, Undisclosed, WentBack
from ledger.log.stores.protocol import DamagedLog, Store, Unavailable
from ledger.log.write.journal import Journal, Stale
from ledger.log.write.lifecycle import refused
from replays.story.chronicle import Chronicle

from .play import now_ms, surroundings

KEPT_MAX: Final = 128  # matches kept in memory
ATTEMPTS_MAX: Final = 32  # to be first


class CannotRead(Exception):
    """The match exists but cannot be read or folded here. The cause says why."""


class Opened:
    """A match and its table, held by one thread at a time."""

    def __init__(self, store: Store, match: str, clock: Callable[[], int]) -> None:
        self.match = match
        self.lock = threading.RLock()
        self.store = store
        self.book: Book[MatchTable] = Book(store, book_of(match), TableEntry, MatchTable, clock)
        self._clock = clock
        self._journal: Journal | None = None
        self._history: History | None = None
        self._chronicle: Chronicle | None = None
        self._clocks: Clocks | None = None
        self._clocked: Chronicle | None = None  # what the clocks were made of
        self._notice: bytes | None = None
        self._news: int | None = None  # the last news of it; what they are about was read
        self._table: MatchTable | None = None  # as it was when it was first asked for
        self._talk: int | None = None
        self.roll = TalkIndex(store, match)  # of what is said there
        self.sent: dict[tuple[Viewer, int], bytes] = {}  # events as they are sent to viewers
        self.sent_bytes = 0

    def ready(self, news: int | None, *, warm: bool = False) -> None:
        """Reads new events, unless the last news is known to be read already."""
        if news is not None and self._news is not None and news <= self._news:
            return
        self._table = self._talk = self._news = None
        if not warm or self._journal is None:
            self.refresh()
            self._news = news

    def refresh(self) -> None:
        """Reads new events and whether the match is parked."""
        if self._history is None and self._journal is None:
            self._open()
        history = self.history
        try:
            history.catch_up(self.store)
        except WentBack:
            self._open()
        if not self.history.events:
            raise refused("no_such_match", {"match": self.match[:80]})
        self._notice = self.store.parked(self.match)

    def _open(self) -> None:
        try:
            written_here = self.store.kept(self.match, KEPT_AS) is not None
        except ValueError:  # no match can have this id
            raise refused("no_such_match", {"match": self.match[:80]}) from None
        self._chronicle = None
        self.sent, self.sent_bytes = {}, 0
        if written_here and self.store.tip(self.match).version:
            self._journal = Journal(surroundings(self.store, self._clock), self.match)
        else:
            self._journal, self._history = None, History.of(self.store, self.match, ruleset)

    @property
    def read(self) -> History | None:
        """The log as far as it was read, or None if it was not read yet."""
        return self._history if self._journal is None else self._journal.history

    @property
    def history(self) -> History:
        """The log as far as it was read, with every opening. Views restrict it for viewers."""
        found = self.read
        assert found is not None, "a match is refreshed before it is handed out"
        return found

    @property
    def journal(self) -> Journal:
        """The journal of the match; refuses a match that is not written here."""
        if self._journal is None:
            raise refused("read_only", {"match": self.match})
        return self._journal

    @property
    def writable(self) -> bool:
        """True if the match is written here."""
        return self._journal is not None

    def now(self) -> int:
        return self._clock()

    @property
    def table(self) -> MatchTable:
        """The table's current state, read once per visit."""
        if self._table is None:
            self._table = self.book.read()
        return self._table

    def beside(self) -> tuple[int, int]:
        """Returns the counts of public changes at the table and of chat messages."""
        if self._talk is None:
            self._talk = self.store.tip(self.match + TALK).version
        return self.table.shown, self._talk

    @property
    def good(self) -> int:
        """The last event up to which the match can be folded."""
        tip = self.history.tip.version
        return tip if self._notice is None else min(tip, last_good(self._notice))

    @property
    def parked(self) -> bool:
        """True if the match cannot be folded to its end."""
        return self.good < self.history.tip.version

    @property
    def held(self) -> bool:
        """True if the match takes no decisions until an operator has dealt with its failure."""
        return self._notice is not None

    def at(self, version: int) -> Match | None:
        """Returns the match after an event, or None before the start. Do not change it."""
        history = self.history
        if version == history.tip.version and self._journal is not None and history.life.started:
            return self._journal.match()
        return history.at(version)

    def to_decide(self, version: int) -> Match | None:
        """Returns the match after an event, or None if it is closed there: questions may stay
        open.
        """
        over = version == self.history.tip.version and self.history.life.closed
        return None if over else self.at(version)

    @property
    def chronicle(self) -> Chronicle:
        """The walk over the log, which folds each event once."""
        if self._chronicle is None or self._chronicle.history is not self.history:
            self._chronicle = Chronicle(self.history)
        return self._chronicle

    @property
    def timed(self) -> bool:
        """True if the match is played with clocks."""
        return self.table.laid is not None and self.table.laid.clock is not None

    @property
    def clocks(self) -> Clocks | None:
        """The clocks after the last good event, or None if the match has none."""
        table = self.table
        if table.laid is None or table.laid.clock is None:
            return None
        chronicle, clocks = self.chronicle, self._clocks
        if clocks is None or clocks.stops != table.stops or self._clocked is not chronicle:
            clocks = Clocks(table.laid.clock, self.history.created.seats, table.stops)
        for version in range(clocks.version + 1, self.good + 1):
            clocks.take(tick_of(chronicle, version))
        self._clocks, self._clocked = clocks, chronicle
        return clocks


def tick_of(chronicle: Chronicle, version: int) -> Tick:
    """Returns an event as the clocks need it."""
    history = chronicle.history
    body = history.body(version)
    act = body.act if isinstance(body, ActBody) else None
    return Tick(
        at=body.at,
        parent=history.lines.parent(version),
        asked=dict(chronicle.came(version).asked),
        answers=None if isinstance(body, ActBody) else (body.seat, body.question),
        timed_out=body.by.role == "clock",
        goes_back=isinstance(act, Rewound),
        pauses=isinstance(act, Paused) if isinstance(act, Paused | Resumed) else None,
    )


def until_first(act: Callable[[], object]) -> None:
    """Acts on a match. If another write came first, tries again."""
    for _ in range(ATTEMPTS_MAX):
        with suppress(Stale):
            act()
            return
    raise Unavailable("everybody writes in this match at once")


class Tables:
    def __init__(self, store: Store, clock: Callable[[], int] = now_ms) -> None:
        self.store = store
        self.clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Opened] = OrderedDict()

    @contextmanager
    def opened(
        self, match: str, news: int | None = None, *, warm: bool = False
    ) -> Iterator[Opened]:
        """Opens a match, fresh from the store, for the block.

        A listener passes the number of its last news; with a number already seen, the store is not
        asked again. `warm` is for writers: the match may be out of date, since the store refuses an
        outdated write.
        """
        with self._lock:
            found = self._kept.get(match) or Opened(self.store, match, self.clock)
        with found.lock:
            try:
                found.ready(news, warm=warm)
            except (Refused, Unavailable):
                raise
            except Exception as reason:
                raise CannotRead(match) from reason
            self._keep(found)
            try:
                yield found
            except (BrokenRule, Undisclosed, DamagedLog) as reason:
                self._drop(match)
                raise CannotRead(match) from reason

    @contextmanager
    def at_hand(self, match: str, tip: Tip) -> Iterator[History | None]:
        """Yields the log of a cached match if it ends at `tip` and no other thread uses it.

        Never asks the store and never waits.
        """
        with self._lock:
            found = self._kept.get(match)
        if found is None or not found.lock.acquire(blocking=False):
            yield None
            return
        try:
            history = found.read
            yield history if history is not None and history.tip == tip else None
        finally:
            found.lock.release()

    def _keep(self, opened: Opened) -> None:
        with self._lock:
            self._kept[opened.match] = opened
            self._kept.move_to_end(opened.match)
            while len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)

    def _drop(self, match: str) -> None:
        with self._lock:
            self._kept.pop(match, None)
