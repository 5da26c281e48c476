"""The match cache: matches opened for reading and writing, each with its table's book.

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
from weakref import WeakValueDictionary

from ledger.club.clocks import Clocks, make_tick
from ledger.club.table import MatchTable, TableEntry, book_of
from ledger.club.talk import TALK, TalkIndex
from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.kernel.match import Match
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.log.books import Book
from ledger.log.format.chain import Tip
from ledger.log.format.secrets import KEPT_AS
from ledger.log.read.history import History, Undisclosed, WentBack
from ledger.log.read.seek import last_good
from ledger.log.stores.files import FileStore
from ledger.log.stores.protocol import DamagedLog, Store, Unavailable
from ledger.log.write.journal import Journal
from ledger.log.write.lifecycle import make_refusal
from ledger.log.write.writer import Stale
from replays.story.sentences import RunningStory, Told, tell

from .club import now_ms
from .play import surroundings

KEPT_MAX: Final = 128  # matches kept in memory
SHOWN_MAX: Final = 2  # lengths that a match is shown at: whole, and to those who see it later
ATTEMPTS_MAX: Final = 32  # to be first


class CannotRead(Exception):
    """The match exists but cannot be read or folded here. The cause says why."""


class ShownMatch:
    """A match up to an event, with its story for each viewer."""

    def __init__(self, history: History, story: RunningStory | None, *, parked: bool) -> None:
        self.history = history  # with every opening; views cut it down for viewers
        self.parked = parked  # the match cannot be folded any further than it is shown
        self._story = story
        self._told: dict[Viewer, tuple[Told, ...]] = {}

    def told(self, viewer: Viewer) -> tuple[Told, ...]:
        """Returns the story of every event for a viewer."""
        if viewer not in self._told:
            events = range(1, self.history.tip.version + 1)
            told = tell(self.history, viewer)
            if self._story is not None:
                told = self._story.told(events, viewer)
            self._told[viewer] = tuple(told)
        return self._told[viewer]


class OpenMatch:
    """A match and its table, held by one thread at a time. One in files has an empty table."""

    def __init__(self, store: Store, match: str, clock: Callable[[], int]) -> None:
        self.match = match
        self.lock = threading.RLock()
        self.store = store
        self.book: Book[MatchTable] = Book(store, book_of(match), TableEntry, MatchTable, clock)
        self._clock = clock
        self._journal: Journal | None = None
        self._history: History | None = None
        self._shown: dict[int, ShownMatch] = {}
        self._story: RunningStory | None = None
        self._clocks: Clocks | None = None
        self._clocked: RunningStory | None = None  # what the clocks were made of
        self._notice: bytes | None = None
        self._news: int | None = None  # the last news of it; what they are about was read
        self._table: MatchTable | None = None  # as it was when it was first asked for
        self._talk: int | None = None
        self.roll = TalkIndex(store, match)  # of what is said there
        self.sent: dict[tuple[Viewer, int], bytes] = {}  # events as they are sent to viewers
        self.sent_bytes = 0

    def ready(self, news: int | None = None, *, warm: bool = False) -> None:
        """Reads new events, unless the last news is known to be read already."""
        if news is not None and self._news is not None and news <= self._news:
            return
        self._table = self._talk = self._news = None
        if not warm or self._journal is None:
            self.refresh()
            self._news = news

    def refresh(self) -> None:
        """Reloads a match whose log changed. If the log only grew, reads the new events."""
        if self.read is None:
            self._open()
        elif self.store.tip(self.match) != self.history.tip:
            self._shown.clear()
            try:
                self.history.catch_up(self.store)
            except WentBack:
                self._open()
        if not self.history.events:
            raise make_refusal("no_such_match", {"match": self.match[:80]})
        notice = self.store.parked(self.match)
        if notice != self._notice:
            self._shown.clear()
            self._notice = notice

    def _open(self) -> None:
        try:
            written_here = self.store.kept(self.match, KEPT_AS) is not None
        except ValueError:  # no match can have this id
            raise make_refusal("no_such_match", {"match": self.match[:80]}) from None
        self._story = None
        self._shown.clear()
        self.sent, self.sent_bytes = {}, 0
        played_here = written_here and not isinstance(self.store, FileStore)
        if played_here and self.store.tip(self.match).version:
            self._journal = Journal(surroundings(self.store, self._clock), self.match)
        else:
            self._journal, self._history = None, History.of(self.store, self.match, ruleset)

    def copy(self) -> OpenMatch:
        """Returns the same match for slow work: nothing of it is shared with other threads."""
        copied = OpenMatch(self.store, self.match, self._clock)
        copied._history = self.history.up_to(self.history.tip.version)
        copied._notice = self._notice
        return copied

    def check_seat(self, seat: int) -> None:
        """Refuses a seat that the match does not have."""
        seats = self.history.created.seats
        if not 0 <= seat < seats:
            raise no_such_seat(str(seat), seats)

    @property
    def read(self) -> History | None:
        """The log as far as it was read, or None if it was not read yet."""
        return self._history if self._journal is None else self._journal.history

    @property
    def history(self) -> History:
        """The log as far as it was read, with every opening. Views restrict it for viewers."""
        history = self.read
        assert history is not None, "a match is refreshed before it is handed out"
        return history

    @property
    def journal(self) -> Journal:
        """The journal of the match; refuses a match that is not written here."""
        if self._journal is None:
            raise make_refusal("read_only", {"match": self.match})
        return self._journal

    @property
    def writable(self) -> bool:
        """True if the match is written here."""
        return self._journal is not None

    def now(self) -> int:
        return self._clock()

    @property
    def table(self) -> MatchTable:
        """The table's current state, read once per visit; an empty one in files."""
        if self._table is None:
            in_files = isinstance(self.store, FileStore)
            self._table = MatchTable() if in_files else self.book.read()
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

    def shown(self, last: int | None = None) -> ShownMatch:
        """Returns the match up to an event, or as far as it can be folded."""
        history, good = self.history, max(self.good, 1)
        last = good if last is None else min(last, good)
        shown = self._shown.get(last)
        if shown is None or shown.history.tip.version != last:  # it was whole, and went on since
            while len(self._shown) >= SHOWN_MAX:
                del self._shown[next(iter(self._shown))]
            whole = last == history.tip.version
            # While it is played, others wait for it: nothing is folded again then.
            story = self.story if whole and not history.life.over else None
            seen = history if whole else history.up_to(last)
            shown = ShownMatch(seen, story, parked=self.held and last == good)
            self._shown[last] = shown
        return shown

    def to_decide(self, version: int) -> Match | None:
        """Returns the match after an event, or None if it is closed there: questions may stay
        open.
        """
        over = version == self.history.tip.version and self.history.life.closed
        return None if over else self.at(version)

    @property
    def story(self) -> RunningStory:
        """The walk over the log, which folds each event once."""
        if self._story is None or self._story.history is not self.history:
            self._story = RunningStory(self.history)
        return self._story

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
        story, clocks = self.story, self._clocks
        if clocks is None or clocks.stops != table.stops or self._clocked is not story:
            clocks = Clocks(table.laid.clock, self.history.created.seats, table.stops)
        for version in range(clocks.version + 1, self.good + 1):
            asked = dict(story.came(version).asked)
            clocks.take(make_tick(self.history.body(version), asked))
        self._clocks, self._clocked = clocks, story
        return clocks


def until_first(act: Callable[[], object]) -> None:
    """Acts on a match. If another write came first, tries again."""
    for _ in range(ATTEMPTS_MAX):
        with suppress(Stale):
            act()
            return
    raise Unavailable("too many writers write in this match at once")


class MatchCache:
    """The open matches of a store. Each is used by one thread at a time."""

    def __init__(self, store: Store, clock: Callable[[], int] = now_ms) -> None:
        self.store = store
        self.clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, OpenMatch] = OrderedDict()
        # Also those in use that are no longer kept: no two threads have a match of their own.
        self._open: WeakValueDictionary[str, OpenMatch] = WeakValueDictionary()

    @property
    def in_files(self) -> bool:
        """True if the matches are kept in files. They are only read here."""
        return isinstance(self.store, FileStore)

    @contextmanager
    def opened(
        self, match: str, news: int | None = None, *, warm: bool = False
    ) -> Iterator[OpenMatch]:
        """Opens a match for the block, fresh from the store.

        A listener passes the number of its last news; with a number already seen, the store is not
        asked again. `warm` is for writers: the match may be out of date, since the store refuses an
        outdated write.
        """
        if self.in_files:
            raise Unavailable("accounts need a server, but none runs")
        opened = self._entry(match)
        with opened.lock:
            self._prepare(opened, news, warm=warm)
            try:
                yield opened
            except (BrokenRule, Undisclosed, DamagedLog) as reason:
                self._drop(opened)
                raise CannotRead(match) from reason

    @contextmanager
    def read(self, match: str) -> Iterator[OpenMatch]:
        """Opens a match for a page that only shows it, also from files."""
        opened = self._entry(match)
        with opened.lock:
            self._prepare(opened)
            with _only_reading(match):
                yield opened

    @contextmanager
    def apart(self, match: str) -> Iterator[OpenMatch]:
        """Opens a copy of a match for slow work, so that no other request waits."""
        with self.read(match) as opened:
            copied = opened.copy()
        with _only_reading(match):
            yield copied

    @contextmanager
    def glance(self, match: str, tip: Tip, *, keep: bool) -> Iterator[History | None]:
        """Yields the log of an open match up to `tip`, or None if it is not open or in use.

        Never waits for another thread. With `keep` a match that is not open is opened and kept.
        """
        with self._lock:
            opened = self._open.get(match)
        if keep and opened is None:
            opened = self._entry(match)
        if opened is None or not opened.lock.acquire(blocking=False):
            yield None
            return
        try:
            if opened.read is None or opened.read.tip != tip:
                opened.ready()
                self._keep(opened)
            yield opened.history
        finally:
            opened.lock.release()

    def _entry(self, match: str) -> OpenMatch:
        with self._lock:
            opened = self._open.get(match)
            if opened is None:
                opened = self._open[match] = OpenMatch(self.store, match, self.clock)
            return opened

    def _keep(self, opened: OpenMatch) -> None:
        with self._lock:
            self._kept[opened.match] = opened
            self._kept.move_to_end(opened.match)
            while len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)

    def _prepare(self, opened: OpenMatch, news: int | None = None, *, warm: bool = False) -> None:
        """Reads what is new of a match and keeps it open."""
        try:
            opened.ready(news, warm=warm)
        except (Refused, Unavailable):
            raise
        except Exception as reason:
            raise CannotRead(opened.match) from reason
        self._keep(opened)

    def _drop(self, opened: OpenMatch) -> None:
        with self._lock:
            self._kept.pop(opened.match, None)
            self._open.pop(opened.match, None)


@contextmanager
def _only_reading(match: str) -> Iterator[None]:
    try:
        yield
    except (Refused, BrokenRule, Undisclosed, ValueError) as reason:
        # In reading all these are ours, or the overlay beside the log was changed.
        raise CannotRead(match) from reason


def no_such_seat(word: str, seats: int) -> Refused:
    evidence = {"seat": word[:20], "seats": seats}
    return Refused("no_such_seat", "", "The match has no such seat.", evidence)
