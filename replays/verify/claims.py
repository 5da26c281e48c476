"""Claims: checks the first and the last record of a bundle against its events.

These checks need no rules, so even a quick look at a bundle makes them. The events are in the hash
chain and are trusted; the header and the end record are not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.kernel.chance import seed_commitment
from ledger.log.format.acts import Closed, Created, Rewound, domains_disclosed
from ledger.log.format.bodies import ActBody, AnyBody, Path
from ledger.log.read.bundle import Header
from ledger.log.read.history import History
from ledger.log.read.served import is_covered

if TYPE_CHECKING:
    from .verifier import Check


class Claims:
    """Follows a verification and checks a bundle's header and end record."""

    def __init__(self, history: History, header: Header, checks: Mapping[str, Check]) -> None:
        self._history = history
        self._header = header
        self._checks = checks
        self._closed: Closed | None = None
        self._covered: list[Path] = []  # what the policy discloses

    def take(self, version: int, body: AnyBody, paths: Iterable[str]) -> None:
        """Takes the next event, with all its openings known, and the paths of its commitments."""
        act = body.act if isinstance(body, ActBody) else None
        if isinstance(act, Created) and version == 1:
            self._take_created(act)
        elif isinstance(act, Closed):
            self._closed = act
        elif not self._history.life.closed:
            self._closed = None  # the match is open, perhaps again
        created = self._history.life.created
        if created is not None:
            self._covered += body.opens
            policy = created.discloses
            self._covered += [(version, path) for path in paths if is_covered(path, policy)]

    def _take_created(self, act: Created) -> None:
        edition, overlay = self._checks["edition"], self._history.overlay
        said = (self._header.ruleset, self._header.edition, self._header.source)
        if said != (act.ruleset, act.edition, act.source):
            edition.fail("the header and event 1 name different rules", 1)
        if act.overlay is None and overlay is not None:
            edition.fail("there is an overlay, and event 1 names none", 1)
        if act.overlay is not None and overlay is None:
            edition.fail("the overlay that event 1 names is missing", 1)
        if overlay is not None and hashlib.sha256(overlay).digest() != act.overlay:
            edition.fail("the overlay is not the one that event 1 names", 1)
        for domain, seed in self._header.seeds.items():
            if act.domains.get(domain) != seed_commitment(seed, domain):
                message = f"{domain}: the seed is not the one that event 1 committed to"
                self._checks["chance"].fail(message, 1)

    def finish(self, stated: Mapping[str, Any] | None) -> Closed | None:
        """Checks the end record against the closing event, and returns that event."""
        closed, created = self._closed, self._history.life.created
        result, chance = self._checks["result"], self._checks["chance"]
        if closed is None or created is None:
            if stated is not None:
                result.fail("the last record states a result, and the match is not closed")
            if self._header.seeds:
                chance.fail("the header gives seeds, and the match is not closed")
            return None
        if plainly(stated) != plainly(closed.result):
            result.fail("the last record and the closing event state different results")
        if closed.seeds != self._header.seeds:
            chance.fail("the header and the closing event give different seeds")
        if closed.discloses != created.discloses:
            result.fail("the closing event discloses by another policy than event 1 set")
        if set(closed.seeds) != set(domains_disclosed(created.discloses, created.domains)):
            chance.fail("the closing event gives other seeds than the policy promises")
        if withheld := sum(path not in self._history.openings for path in self._covered):
            message = f"{withheld} values that the policy discloses are not in this copy"
            self._checks["openings"].withhold(message)
        return closed

    def finish_redacted(self, stated: Mapping[str, Any] | None) -> None:
        """Checks that header and end record of a copy that withholds events state nothing of the
        close.
        """
        message = "a copy that withholds events {} only in its closing event"
        if stated is not None:
            self._checks["result"].fail(message.format("states a result"))
        if self._header.seeds:
            self._checks["chance"].fail(message.format("gives seeds"))


def wrong_parent(version: int, body: AnyBody) -> str:
    """Says what is wrong with an event's parent as far as the event alone shows, or ""."""
    act = body.act if isinstance(body, ActBody) else None
    parent = act.to if isinstance(act, Rewound) else version - 1
    if body.parent == parent and 0 < parent < version:
        return ""
    return f"event {version} names event {body.parent} as its parent"


def plainly(value: Any) -> Any:
    """Returns a value as it would come back from bytes, with tuples as lists."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))
