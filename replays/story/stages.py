"""The walk: folds every event of a log in order, on all lines, and yields the match after each.

Each event is folded once. When a line goes back, the match is restored from a snapshot taken on the
way. After an event that is not disclosed, or that another edition refuses, the rest of that line is
unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ledger.kernel.lookup import Use
from ledger.kernel.match import Match
from ledger.kernel.records import Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms
from ledger.log.read.history import History, Undisclosed


class Stage(NamedTuple):
    """One folded event; its match is live, and changes with the next event."""

    version: int
    parent: int
    seat: Seat | None
    facts: tuple[Fact, ...]
    match: Match | None  # None before the start, and where nothing can be known
    lost: bool = False
    refused: dict[str, Any] | None = None  # why it could not be decided


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


def turning_points(history: History) -> set[int]:
    """Returns the events at which a line branches off."""
    versions = range(1, history.tip.version + 1)
    parents = {one: history.lines.parent(one) for one in versions}
    return {parent for one, parent in parents.items() if parent != one - 1}


def stages(
    history: History, before: Callable[[int, Match], object] | None = None
) -> Iterator[Stage]:
    """Folds and yields every event in the order of the log.

    `before` gets the match before each event.
    """
    turning = turning_points(history)
    held: dict[int, tuple[Terms, bytes, dict[Use, int]]] = {}
    lost: set[int] = set()
    match: Match | None = None
    for event in history.events:
        version, parent = event.version, history.lines.parent(event.version)
        if parent != version - 1:
            match = None
            if parent in held:
                terms, snapshot, used = held[parent]
                match = terms.restore(snapshot, used)
        if before is not None and match is not None:
            before(version, match)
        stage = _stage(history, version, parent, match, known=parent not in lost)
        match = stage.match
        if stage.lost:
            lost.add(version)
        elif match is not None and version in turning:
            held[version] = match.terms, match.terms.snapshot(match), dict(match.used)
        yield stage


def _stage(
    history: History, version: int, parent: int, match: Match | None, *, known: bool
) -> Stage:
    if not known:
        return Stage(version, parent, None, (), None, lost=True)
    try:
        moment = history.fold_event(match, version)
    except Undisclosed:
        return Stage(version, parent, None, (), None, lost=True)
    except Refused as refusal:
        if not isinstance(history, OtherEdition):
            raise
        return Stage(version, parent, None, (), None, lost=True, refused=refusal.as_plain())
    return Stage(version, parent, moment.seat, tuple(moment.facts), moment.match)
