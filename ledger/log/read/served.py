"""Serving: the log as one viewer gets it, every event with its openings so far.

Numbers, bodies and heads are the same for all viewers. A served event never changes: an
opening is sent with the event that entitles the viewer to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec

from ledger.kernel.audience import Viewer, audiences
from ledger.log.format.acts import Closed, is_covered
from ledger.log.format.bodies import ActBody, AnswerBody, AnyBody, Path, SealedBody
from ledger.log.format.chain import Event
from ledger.log.format.commitments import PRIVATE_PATH, SEALED_PATH, Opening

from .history import History
from .outcomes import know_outcomes


class Served(NamedTuple):
    """An event, and the openings that one viewer gets with it."""

    event: Event
    openings: list[Opening]


def serve_log(history: History, viewer: Viewer, first: int = 1) -> Iterator[Served]:
    """Yields the log from an event on, as one seat (or None, a spectator) gets it."""
    for event in history.events[first - 1 :]:
        yield Served(event, openings_for(history, event.version, viewer))


def openings_for(history: History, version: int, viewer: Viewer) -> list[Opening]:
    """Returns the openings that a viewer gets with one event."""
    body = history.body(version)
    paths = [*_own(history, version, body, viewer), *body.opens]
    if isinstance(body, ActBody) and isinstance(body.act, Closed):
        if "outcomes" in body.act.discloses:
            know_outcomes(history)
        paths += list_disclosed(history, version, body.act.discloses)
    return [history.openings[path] for path in dict.fromkeys(paths) if path in history.openings]


def list_disclosed(history: History, version: int, policy: tuple[str, ...]) -> list[Path]:
    """Returns the openings that a closing event discloses to all: by policy, of earlier events.

    A ruling may reopen the match: the earlier close does not disclose later decisions.
    """
    return [
        path
        for path in sorted(history.openings)
        if path[0] < version and is_covered(path[1], policy)
    ]


def _own(history: History, version: int, body: AnyBody, viewer: Viewer) -> list[tuple[int, str]]:
    """Returns the commitments of an event that a seat knows, as its decider or a named receiver."""
    if viewer is None:
        return []
    if isinstance(body, SealedBody):
        return [(version, SEALED_PATH)] if viewer == body.seat else []
    if not isinstance(body, AnswerBody) or not body.private:
        return []
    plain: dict[str, Any] = msgspec.msgpack.decode(body.decision)
    kind = next(k for k in history.rules.decisions if k.__struct_config__.tag == plain["type"])
    shown = SimpleNamespace(**plain)
    known = {f.name for f in audiences(kind) if f.admits(shown, viewer, owner=body.seat)}
    return [
        (version, PRIVATE_PATH + name) for name in body.private if name.partition("/")[0] in known
    ]
