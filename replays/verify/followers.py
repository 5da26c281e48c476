"""Followers: objects that receive each event of one fold of a log and change nothing.

One fold serves any number of followers. A follower learns when a line goes back, and gets each
event as it was folded. The match it gets is live and changes with the next event.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import msgspec

from ledger.kernel.match import Match
from ledger.kernel.records import Fact
from ledger.kernel.terms import Terms
from ledger.log.read.history import Moment


class Follower:
    """Receives each folded event. A subclass overrides only the hooks it needs."""

    def begin(self, seats: int) -> None:
        """Called for the first event, which says how many seats the match has."""

    def stand(self, match: Match | None, version: int) -> None:
        """Called when the log goes on after an event that is not the last one."""

    def before(self, version: int, match: Match) -> None:
        """Called before an event is folded, once the match has started."""

    def take(self, moment: Moment) -> None:
        """Called after an event was folded."""

    def lose(self, moment: Moment) -> None:
        """Called for an event that cannot be folded: it, or one it depends on, is not disclosed."""

    def finish(self, match: Match | None) -> None:
        """Called at the end of the log."""


class Followers(Follower):
    """Passes every call on to several followers."""

    def __init__(self, every: Sequence[Follower]) -> None:
        self._every = tuple(every)
        # Most look at what was folded, and at nothing before it.
        self._before = tuple(one for one in every if type(one).before is not Follower.before)

    def begin(self, seats: int) -> None:
        for one in self._every:
            one.begin(seats)

    def stand(self, match: Match | None, version: int) -> None:
        for one in self._every:
            one.stand(match, version)

    def before(self, version: int, match: Match) -> None:
        """Calls only the followers that define `before`."""
        for one in self._before:
            one.before(version, match)

    def take(self, moment: Moment) -> None:
        for one in self._every:
            one.take(moment)

    def lose(self, moment: Moment) -> None:
        for one in self._every:
            one.lose(moment)

    def finish(self, match: Match | None) -> None:
        for one in self._every:
            one.finish(match)


def decode_stated_facts(terms: Terms, moment: Moment) -> Sequence[Fact] | None:
    """Decodes the facts that the log states; None if the fold gives the same or they are
    unreadable.
    """
    if moment.stated is None:
        return None
    kinds: Any = Union[tuple(terms.current(kind) for kind in terms.rules.facts)]  # noqa: UP007
    try:
        read: list[Fact] = msgspec.msgpack.decode(moment.stated, type=list[kinds])
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
    return read
