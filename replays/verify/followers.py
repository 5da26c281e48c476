"""Following: whoever goes along with one fold of a log, event by event, and changes nothing.

One fold is enough for as many followers as there are. A follower is told where a line goes back,
and is given each event as it was folded; the match is live and changes with the next event.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Union

import msgspec

from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Fact, Seat
from ledger.kernel.terms import Terms
from ledger.log.format.bodies import AnyBody


class Folded(NamedTuple):
    """One event, and what came of it."""

    version: int
    body: AnyBody
    seat: Seat | None  # who decided it; None of an act
    decision: Decision | None
    facts: Sequence[Fact]
    match: Match | None  # after it, live; None before the start
    seats: int
    stated: bytes | None = None  # the facts that the log states, where they are others


class Follower:
    """Goes along; what it does not care for it need not define."""

    def stand(self, match: Match | None, version: int) -> None:
        """The line goes on after an event that is not the last one."""

    def before(self, version: int, match: Match) -> None:
        """An event that decides something is about to be folded."""

    def take(self, folded: Folded) -> None:
        """An event was folded."""

    def lose(self, version: int, body: AnyBody) -> None:
        """An event could not be folded: it is not disclosed, or follows from such a one."""

    def finish(self, match: Match | None) -> None:
        """The log is at its end."""


class Followers(Follower):
    """Several as one."""

    def __init__(self, every: Sequence[Follower]) -> None:
        self._every = tuple(every)
        # Most look at what was folded, and at nothing before it.
        self._before = tuple(one for one in every if type(one).before is not Follower.before)

    def stand(self, match: Match | None, version: int) -> None:
        """Each of them."""
        for one in self._every:
            one.stand(match, version)

    def before(self, version: int, match: Match) -> None:
        """Each of them that cares for it."""
        for one in self._before:
            one.before(version, match)

    def take(self, folded: Folded) -> None:
        """Each of them."""
        for one in self._every:
            one.take(folded)

    def lose(self, version: int, body: AnyBody) -> None:
        """Each of them."""
        for one in self._every:
            one.lose(version, body)

    def finish(self, match: Match | None) -> None:
        """Each of them."""
        for one in self._every:
            one.finish(match)


def stated_facts(terms: Terms, folded: Folded) -> Sequence[Fact] | None:
    """The facts that the log states, where they are others than the fold gives and can be read."""
    if folded.stated is None:
        return None
    kinds: Any = Union[tuple(terms.current(kind) for kind in terms.rules.facts)]  # noqa: UP007
    try:
        read: list[Fact] = msgspec.msgpack.decode(folded.stated, type=list[kinds])
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
    return read
