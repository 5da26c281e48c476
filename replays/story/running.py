"""The facts of each event of a match, folded once and kept while the match goes on.

Many viewers watch one match. The facts are the same for all of them; each viewer's part is cut
out on request.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.match import Match
from ledger.kernel.records import Fact, Seat
from ledger.kernel.terms import Terms
from ledger.log.read.history import History
from replays.deals.verdicts import Judge, JudgedDeal, NewVerdict
from replays.walk import Walk

from .sentences import Told, tell_event, tell_undisclosed


class Came(NamedTuple):
    """The facts and news of one folded event."""

    seat: Seat | None
    facts: tuple[Fact, ...]
    terms: Terms | None  # None before the start
    called: tuple[str, ...]
    disclosed: bool
    asked: tuple[tuple[Seat, str], ...] = ()  # after it: seats, and the keys of their questions
    news: tuple[NewVerdict, ...] = ()  # promises that were kept or broken with it


class RunningStory:
    """Folds the events of a history once, as far as a caller has asked."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._came: list[Came] = []
        self._judge = Judge(history)
        self._walk = Walk(history, self._judge.before)

    @property
    def deals(self) -> tuple[JudgedDeal, ...]:
        return self._judge.deals

    def came(self, version: int) -> Came:
        """Returns the outcome of an event, folding up to it if needed."""
        while len(self._came) < version:
            self._came.append(self._fold(len(self._came) + 1))
        return self._came[version - 1]

    def told(self, versions: range, viewer: Viewer) -> Iterator[Told]:
        """Yields events as one viewer may see them, marked undone as of now."""
        undone = set(self.history.lines.undone())
        for version in versions:
            told = self._told(version, viewer)
            yield msgspec.structs.replace(told, undone=True) if version in undone else told

    def _told(self, version: int, viewer: Viewer) -> Told:
        came = self.came(version)
        if not came.disclosed:
            return tell_undisclosed(self.history, version)
        facts, terms = came.facts, came.terms
        return tell_event(self.history, version, viewer, facts, terms, came.called, came.news)

    def _fold(self, version: int) -> Came:
        moment = self._walk.take(version)
        self._judge.take(moment)
        if moment.lost:
            return Came(None, (), None, (), disclosed=False)
        match = moment.match
        return Came(
            seat=moment.seat,
            facts=tuple(moment.facts),
            terms=None if match is None else match.terms,
            called=() if match is None else match.called(),
            disclosed=True,
            asked=() if match is None else _asked(match),
            news=tuple(self._judge.news),
        )


def _asked(match: Match) -> tuple[tuple[Seat, str], ...]:
    if match.ended:
        return ()
    return tuple((seat, match.key(seat)) for seat in match.asked() if seat >= 0)
