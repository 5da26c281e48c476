"""Serving: the log as one viewer gets it, every event with its openings so far.

Numbers, bodies and heads are the same for all viewers. A served event never changes: an
opening is sent with the event that entitles the viewer to it. An *outcome* is the facts of an
event's fold; its opening has the salt under which the event commits to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec

from ledger.kernel.audience import Viewer, audiences
from ledger.kernel.match import Match
from ledger.log.format.acts import Closed, is_covered
from ledger.log.format.bodies import ActBody, AnswerBody, AnyBody, Path, SealedBody
from ledger.log.format.chain import OUTCOME_PATH, PRIVATE_PATH, SEALED_PATH, Event, Opening

from .history import History


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


# --- outcomes -------------------------------------------------------------------------------------


def know_outcomes(history: History) -> None:
    """Adds the opening of every event's outcome to a history that has the salt key.

    Facts are derived, so no store keeps them: with the salt key, a reader folds the log again
    and gets the opening of every outcome.

    If a fold fails or gives other facts than the event commits to, its outcome and all later
    ones stay undisclosed. The log itself can still be exported.
    """
    missing = [
        version
        for version, body in enumerate(history.bodies, 1)
        if body.outcome is not None and (version, OUTCOME_PATH) not in history.openings
    ]
    if missing and history.salt_key is not None:
        with suppress(Exception):  # whatever is wrong with the rules is no matter of the log's
            for opening in _outcomes(history, missing[0]):
                history.know([opening])


def _outcomes(history: History, first: int) -> Iterator[Opening]:
    """Yields the opening of every event's outcome from `first` on, on every line."""
    match: Match | None = None
    at = 0
    for event in history.events[first - 1 :]:
        version, body = event.version, history.body(event.version)
        if body.parent != at:
            match = history.at(body.parent)
        moment = history.fold_event(match, version)
        match, at = moment.match, version
        if body.outcome is not None:
            opening = history.open_outcome(version, moment.facts)
            assert opening is not None, "the salt key is known"
            yield opening
