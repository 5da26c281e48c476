"""The walk: folds the events of a log in order, on all lines, and gives each with its facts.

    for moment in walk(history): ...     every event of a log
    Walk(history).take(version)          one event: the next of a log that is still read, or any

Each event is folded once. When a line goes back, the match is restored: from a copy where the
turning point was known, else from the history. After an event that is not disclosed, or that
another edition refuses, the rest of that line is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from ledger.kernel.lookup import Use
from ledger.kernel.match import Match
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms
from ledger.log.format.bodies import AnyBody
from ledger.log.read.history import History, Moment, Undisclosed

Before = Callable[[int, Match], object]
Progress = Callable[[int, int], object]  # gets how many events of how many are done


class Walk:
    """Folds the events that it is given, and stays at the last one."""

    def __init__(
        self, history: History, before: Before | None = None, turning: Container[int] = ()
    ) -> None:
        """`before` gets the match before each event; `turning` are events that lines go back to."""
        self.history = history
        self.match: Match | None = None
        self.at = 0  # the event that the match is after
        self.lost: set[int] = set()  # the events whose match is not known here
        self._before = before
        self._turning = turning
        self._held: dict[int, tuple[Terms, bytes, dict[Use, int]]] = {}

    def stand(self, version: int) -> bool:
        """Moves to the match after an event; returns False if it is there already."""
        if version == self.at:
            return False
        self.match, self.at = None, 0
        if version in self._held:
            terms, packed, used = self._held[version]
            self.match = terms.restore(packed, used)
        elif version:
            self.match = self.history.at(version)
        self.at = version
        return True

    def take(self, version: int) -> Moment:
        """Folds an event on the match after its parent. After a failure, goes on from elsewhere."""
        body = self.history.body(version)
        if body.parent in self.lost:
            return self._lose(version, body, None)
        try:
            self.stand(body.parent)
            match, self.match, self.at = self.match, None, 0  # until the event has been folded
            if match is not None and self._before is not None:
                self._before(version, match)
            moment = self.history.fold_event(match, version)
        except Undisclosed as why:
            return self._lose(version, body, why)
        except Refused as why:
            if not isinstance(self.history, OtherEdition):
                raise
            return self._lose(version, body, why)
        match = self.match = moment.match
        self.at = version
        if match is not None and version in self._turning:
            self._held[version] = match.terms, match.terms.snapshot(match), dict(match.used)
        return moment

    def _lose(self, version: int, body: AnyBody, why: Undisclosed | Refused | None) -> Moment:
        self.lost.add(version)
        self.match, self.at = None, version
        return Moment(version, body, lost=True, why=why)


def walk(
    history: History, before: Before | None = None, progress: Progress | None = None
) -> Iterator[Moment]:
    """Folds and yields every event in the order of the log, and reports each that is done."""
    events = Walk(history, before, turning_points(history))
    for event in history.events:
        yield events.take(event.version)
        if progress is not None:
            progress(event.version, history.tip.version)


def turning_points(history: History) -> set[int]:
    """Returns the events at which a line branches off."""
    versions = range(1, history.tip.version + 1)
    parents = {version: history.lines.parent(version) for version in versions}
    return {parent for version, parent in parents.items() if parent != version - 1}


class OtherEdition(History):
    """A log read as if it had been played under another edition from the start."""

    only: str

    def terms(self, edition: str) -> Terms:
        """Returns the terms of the other edition, whatever edition an event names."""
        return super().terms(self.only)


def under(history: History, edition: str) -> History:
    """Reopens a log under another edition; refuses an edition that the ruleset does not have."""
    history.rules.errata_of(edition)
    other = OtherEdition(history.match, history.rules_of, history.overlay)
    other.only = edition
    other.know(history.openings.values())
    for event in history.events:
        other.add(event, history.body(event.version))
    return other
