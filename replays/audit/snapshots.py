"""Snapshots: checks that stored snapshots are what a fresh fold gives."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.log.read.history import Moment
from ledger.log.read.seek import used_bytes
from ledger.log.stores.protocol import Snapshot
from replays.verify.followers import Follower

from .document import NOT_CHECKED, AuditCheck, Finding


class Snapshots(Follower):
    """Follows a fold and compares every event that has a stored snapshot."""

    def __init__(self, stored: Sequence[Snapshot] | None) -> None:
        self.check = AuditCheck(name="snapshots")
        self._stored: dict[int, list[Snapshot]] = {}
        self._given = stored is not None
        for one in stored or ():
            self._stored.setdefault(one.version, []).append(one)

    def take(self, moment: Moment) -> None:
        match = moment.match
        for one in self._stored.pop(moment.version, ()):
            if match is None:
                said = f"a snapshot of event {moment.version}, before the match had started"
                self._find(moment.version, said)
            elif one.source != match.terms.rules.source or one.edition != match.terms.edition:
                continue  # it is never read
            elif one.held != match.terms.snapshot(match):
                self._find(moment.version, "the snapshot differs from the table that a fold gives")
            elif one.used != used_bytes(match.used):
                self._find(moment.version, "the snapshot lists other rules as used")

    def _find(self, version: int, said: str) -> None:
        self.check.find(Finding(events=[version], said=said))

    def conclude(self) -> AuditCheck:
        """Returns the check with its final status."""
        left = sum(len(every) for every in self._stored.values())
        if not self._given:
            self.check.leave(NOT_CHECKED, "snapshots are in the store, not in this copy")
        elif left:
            self.check.leave(NOT_CHECKED, f"{left} are at events that could not be folded")
        elif self.check.status == "ok":
            # Not how many: a cache changes, and an audit of the same log does not.
            self.check.said = "the snapshots match a fresh fold"
        return self.check
