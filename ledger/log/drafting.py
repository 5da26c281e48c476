"""From a draft to what the store takes: checked as any reader would, and cut into batches."""

from __future__ import annotations

import copy

from ledger.kernel.refusals import BrokenRule

from .bodies import AnyBody
from .canonical import decode
from .history import History
from .life import Life
from .scribe import Draft
from .store import BATCH_MAX, Batch, Command


def check_draft(history: History, draft: Draft) -> None:
    """Nothing is written that a reader would refuse."""
    life = _life_of(history)
    for event, body in zip(draft.events, draft.bodies, strict=True):
        trouble = life.trouble(body, history.match)
        if trouble:
            msg = f"event {event.version} would not be valid: {trouble}"
            raise BrokenRule(msg)
        life.grow(body)
        decode(event.body)


def part_of(
    history: History, draft: Draft, first: int, command: Command | None
) -> tuple[Batch, list[AnyBody]]:
    """The events of a draft from one on that fit into a batch, and their bodies."""
    events = draft.events[first : first + BATCH_MAX]
    bodies = draft.bodies[first : first + BATCH_MAX]
    versions = {event.version for event in events}
    life = _life_of(history)
    for body in bodies:
        life.grow(body)
    batch = Batch(
        expect=history.tip,
        events=tuple(events),
        openings=tuple(one for one in draft.openings if one.version in versions),
        command=command,
        closes=life.closed,
        after_close=history.life.closed,
    )
    return batch, bodies


def _life_of(history: History) -> Life:
    life = copy.copy(history.life)
    life.joined = dict(life.joined)
    return life
