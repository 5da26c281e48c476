"""The archive: matches as read for pages.

It keeps a few histories in memory and asks the store on each visit whether they are still the
newest. Nothing here is ever written from: who decides opens a journal.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.refusals import BrokenRule, Refused
from ledger.log.acts import Closed
from ledger.log.chain import EMPTY, Tip
from ledger.log.history import History, Undisclosed
from ledger.log.store import Store
from ledger.rules import ruleset
from replays.telling import Told, tell

OPENED_MAX: Final = 32  # matches whose histories are kept


class NoSuchMatch(LookupError):
    """The store has no match of this id."""


class Unreadable(Exception):
    """The match is there and cannot be read or folded here."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A match in one line of a list."""

    match: str
    title: str
    ruleset: str
    state: str  # open | running | paused | finished | abandoned | unreadable
    events: int = 0
    players: tuple[str, ...] = ()
    result: str = ""
    made_at: int = 0
    closed: bool = False  # nothing will come any more


class Reading:
    """One match as read for pages; held by one thread at a time."""

    def __init__(self, store: Store, match: str) -> None:
        self.match = match
        self.lock = threading.Lock()
        self._store = store
        self._tip: Tip | None = None
        self._history: History | None = None
        self._told: dict[Viewer, tuple[Told, ...]] = {}

    def refresh(self) -> None:
        """Read the log again if the store has another end of it than we know."""
        try:
            tip = self._store.tip(self.match)
        except ValueError:  # no match can have this id
            tip = EMPTY
        if tip == EMPTY:
            raise NoSuchMatch(self.match)
        if tip != self._tip:
            self._history = History.of(self._store, self.match, ruleset)
            self._tip = self._history.tip
            self._told = {}

    @property
    def history(self) -> History:
        """The log, with every opening: what a viewer may see of it is cut by views."""
        assert self._history is not None, "a reading is refreshed before it is handed out"
        return self._history

    def told(self, viewer: Viewer) -> tuple[Told, ...]:
        """Every event as told to a viewer."""
        if viewer not in self._told:
            self._told[viewer] = tuple(tell(self.history, viewer))
        return self._told[viewer]


class Archive:
    """The matches of a store."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        # Each reading has a store object of its own: what that keeps in memory goes with it.
        self._open_store = open_store
        self._lock = threading.Lock()
        self._opened: OrderedDict[str, Reading] = OrderedDict()
        self._list_lock = threading.Lock()
        self._finished: dict[str, Summary] = {}  # these never change again
        self._going: dict[str, tuple[Store, Tip, Summary]] = {}

    @contextmanager
    def opened(self, match: str) -> Iterator[Reading]:
        """A match, fresh from the store, for as long as the block lasts."""
        with self._lock:
            reading = self._opened.get(match) or Reading(self._open_store(), match)
        with reading.lock:
            try:
                reading.refresh()
            except NoSuchMatch:
                raise
            except Exception as reason:
                raise Unreadable(match) from reason
            self._keep(reading)
            try:
                yield reading
            except (Refused, BrokenRule, Undisclosed, ValueError) as reason:
                # In reading all these are ours, or the overlay beside the log was changed.
                raise Unreadable(match) from reason

    def _keep(self, reading: Reading) -> None:
        with self._lock:
            self._opened[reading.match] = reading
            self._opened.move_to_end(reading.match)
            if len(self._opened) > OPENED_MAX:
                self._opened.popitem(last=False)

    def summaries(self) -> list[Summary]:
        """All matches, the newest first."""
        with self._list_lock:
            found = [self._summary(match) for match in self._open_store().matches()]
        return sorted(found, key=lambda one: (-one.made_at, one.match))

    def _summary(self, match: str) -> Summary:
        if match in self._finished:
            return self._finished[match]
        try:
            store, known, summary = self._going.pop(match, (self._open_store(), EMPTY, None))
            tip = store.tip(match)
            if summary is None or tip != known:
                history = History.of(store, match, ruleset)
                tip, summary = history.tip, summary_of(history)
        except Exception:  # noqa: BLE001 - one damaged log must not hide the others
            return Summary(match=match, title=match, ruleset="", state="unreadable")
        if summary.closed:
            self._finished[match] = summary
        else:
            self._going[match] = (store, tip, summary)
        return summary


# --- in words -------------------------------------------------------------------------------------


def summary_of(history: History) -> Summary:
    """A match in one line."""
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
        closed=history.life.closed,
    )


def ruleset_title(history: History) -> str:
    """The title of the ruleset, or its bare name where it is not known here."""
    try:
        return history.rules.title
    except Refused:
        return history.created.ruleset


def state_of(history: History) -> str:
    """How far a match has come, in a word."""
    life = history.life
    if life.abandoned:
        return "abandoned"
    if life.closed:
        return "finished"
    if not life.started:
        return "open"
    return "paused" if life.paused else "running"


def player_name(history: History, seat: int) -> str:
    """Who sits on a seat."""
    joined = history.life.joined.get(seat)
    return joined.name if joined is not None else "free"


def result_words(history: History) -> str:
    """Who won, for people; nothing before a result is approved."""
    closing = history.act(history.tip.version)
    if not isinstance(closing, Closed) or closing.result is None:
        return ""
    result: dict[str, Any] = closing.result
    scores = " : ".join(str(score) for score in result["scores"])
    if len(result["winners"]) == history.created.seats:
        return f"{result['reason']}, {scores}"
    winners = " and ".join(player_name(history, seat) for seat in result["winners"]) or "nobody"
    return f"{winners} won {scores} ({result['reason']})"
