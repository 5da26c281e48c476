"""Follows a match: folds its events as they arrive, and compares the facts with the commitments.

If a fold gives other facts than an event commits to, a different engine wrote it. People
must look at an event that cannot be folded or gives other facts; no viewer is shown it as
this match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ledger.kernel.match import Match
from ledger.log.format.chain import EMPTY, Event, Tip
from ledger.log.format.commitments import Opening
from ledger.log.format.secrets import KEPT_AS, Secrets
from ledger.log.stores.protocol import Store

from .history import Moment, RulesOf
from .seek import LogStretch

_FORGET_EVERY: Final = 64


class MatchFollower:
    """Follows one match from an event on."""

    def __init__(self, store: Store, match: str, rules_of: RulesOf, after: int = 0) -> None:
        self._stretch = LogStretch(store, match, rules_of)
        kept = store.kept(match, KEPT_AS)
        self._stretch.salt_key = None if kept is None else Secrets.read(kept).salt_key
        self.match_id = match
        self.match: Match | None = None
        self.tip = EMPTY
        if after:
            self.match = self._stretch.match_at(after)
            self._stretch.read(after, after)
            self.tip = Tip(after, self._stretch.heads[after])

    def take(self, event: Event, openings: Iterable[Opening]) -> Moment:
        """Folds the next event. After a failure the follower must be discarded."""
        self.reach(event, openings)
        return self.fold(event)

    def reach(self, event: Event, openings: Iterable[Opening]) -> None:
        """Prepares the match before the next event; for a rewind that is an earlier position."""
        assert event.version == self.tip.version + 1, "events come in order"
        self._stretch.take([event])
        self._stretch.know(openings)
        body = self._stretch.body(event.version)
        if body.parent != self.tip.version:
            self.match = self._stretch.match_at(body.parent)

    def fold(self, event: Event) -> Moment:
        moment = self._stretch.fold_event(self.match, event.version)
        # Without its secrets a match is read as it says, and verified elsewhere.
        if self._stretch.salt_key is not None and moment.body.outcome is not None:
            self._stretch.open_outcome(event.version, moment.facts)
        self.match, self.tip = moment.match, event.tip
        if event.version % _FORGET_EVERY == 0:
            self._stretch.forget(event.version)
        return moment


NOTICE: Final = re.compile(r"event (\d{1,15}): ")


def last_good(notice: bytes) -> int:
    """Returns the last event of a parked match that could be folded, from its notice."""
    found = NOTICE.match(notice.decode(errors="replace"))
    return int(found[1]) - 1 if found else 0
