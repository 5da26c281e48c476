"""Seek: the match at any event from the store, from one snapshot and a few events.

A history reads a whole log. A single position needs only event 1 (it pins the terms), the
last snapshot on that line, and the events between the two.

    LogStretch      some events of a log, and the fold along them
    seek()          the match after an event
    MatchFollower   folds events as they arrive, and compares the facts with the commitments

The projector takes the snapshots, because it folds every event anyway. If a fold gives other
facts than an event commits to, a different engine wrote it. People must look at an event that
cannot be folded or gives other facts; no viewer is shown it as this match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from ledger.kernel.match import Match
from ledger.log.format.acts import Created, EditionChanged
from ledger.log.format.bodies import ActBody, AnyBody, read_body
from ledger.log.format.chain import EMPTY, Event, Opening, Tip
from ledger.log.format.published import Brought, Published
from ledger.log.format.secrets import KEPT_AS, Secrets
from ledger.log.stores.protocol import Snapshot, Store, used_bytes
from ledger.log.write.lifecycle import make_refusal

from .history import OVERLAY, History, Moment, RulesOf

_USED: Final = msgspec.msgpack.Decoder(list[tuple[list[str], int]])


class LogStretch(History):
    """A part of a match's log: event 1, and others as they are needed."""

    def __init__(self, store: Store, match: str, rules_of: RulesOf) -> None:
        super().__init__(match, rules_of)
        self._store = store
        self._found: dict[int, AnyBody] = {}
        self.heads: dict[int, bytes] = {}
        self.read(1, 1)
        body = self._found.get(1)
        if not isinstance(body, ActBody) or not isinstance(body.act, Created):
            raise make_refusal("no_such_match", {"match": match[:80]})
        if body.act.overlay is not None:
            self.overlay = store.kept(match, OVERLAY)

    def body(self, version: int) -> AnyBody:
        return self._found[version]

    def tip_before(self, version: int) -> Tip:
        return Tip(version - 1, self.heads[version - 1]) if version > 1 else EMPTY

    def read(self, first: int, last: int) -> None:
        """Reads these events with all their openings."""
        self.take(self._store.events(self.match, first, last))
        self.know(self._store.openings(self.match, first, last))

    def take(self, events: Iterable[Event]) -> None:
        """Adds events that the caller has already read."""
        for event in events:
            self._found[event.version] = read_body(event.body)
            self.heads[event.version] = event.head

    def forget(self, version: int) -> None:
        """Forgets events and openings that a fold at `version` no longer needs."""
        for old in [one for one in self._found if 1 < one < version]:
            del self._found[old], self.heads[old]
        self.openings = {path: one for path, one in self.openings.items() if path[0] >= version}

    def brought(self, one: Brought) -> tuple[Published, ...]:
        """Returns the errata that an event brings; reads the event if necessary."""
        if one.version not in self._found:
            self.read(one.version, one.version)
        act = self.act(one.version) if one.version in self._found else None
        return act.errata if isinstance(act, Created | EditionChanged) else ()

    def match_at(self, version: int) -> Match | None:
        """Returns the match after an event, or None before the start."""
        line: list[int] = []
        at = version
        while True:
            snapshot = self._usable(at)
            low = 0 if snapshot is None else snapshot.version
            while at > low:
                line.append(at)
                at = self.body(at).parent
            if at == low:
                break
            # A rewind on the line goes back behind this snapshot: an earlier one has to do.
        match = None if snapshot is None else self._restored(snapshot)
        for moment in self.fold_along(match, line[::-1]):
            match = moment.match
        return match

    def _usable(self, at: int) -> Snapshot | None:
        """Returns the last snapshot of this very log up to an event; reads the events after it."""
        most = at
        while True:
            found = self._store.snapshot(self.match, most, None, self.rules.source)
            low = 1 if found is None else found.version
            missing = [one for one in range(low, at + 1) if one not in self._found]
            if missing:
                self.read(missing[0], missing[-1])
            if any(one not in self._found for one in missing):
                raise make_refusal("no_such_event", {"at": at})
            if found is None or self.heads[found.version] == found.head:
                return found
            most = found.version - 1  # of a log that has gone back and gone on differently

    def _restored(self, snapshot: Snapshot) -> Match:
        used = {tuple(use): first for use, first in _USED.decode(snapshot.used)}
        return self.terms(snapshot.edition).restore(snapshot.held, used)


def seek(store: Store, match: str, version: int, rules_of: RulesOf) -> Match | None:
    """Returns a new match at an event, or None before the start."""
    return LogStretch(store, match, rules_of).match_at(version)


def snapshot_of(match: Match, version: int, head: bytes) -> Snapshot:
    return Snapshot(
        version=version,
        head=head,
        edition=match.terms.edition,
        source=match.terms.rules.source,
        held=match.terms.snapshot(match),
        used=used_bytes(match.used),
    )


# --- following ------------------------------------------------------------------------------------


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
