"""From a draft to what the store takes: checked as any reader would, and cut into batches."""

from __future__ import annotations

import copy

from ledger.kernel.refusals import BrokenRule

from .bodies import ActBody, AnswerBody, AnyBody
from .canonical import decode, encode
from .chain import Event
from .commitments import OUTCOME_PATH
from .history import History
from .scribe import Draft
from .store import BATCH_MAX, Batch, Command


def batches_of(history: History, draft: Draft, command: Command | None) -> list[Batch]:
    """The batches of a draft, in order; nothing is written that a reader would refuse."""
    batches: list[Batch] = []
    life, tip = copy.copy(history.life), history.tip
    for first in range(0, len(draft.events), BATCH_MAX):
        events = draft.events[first : first + BATCH_MAX]
        bodies = draft.bodies[first : first + BATCH_MAX]
        was_closed = life.closed
        for event, body in zip(events, bodies, strict=True):
            trouble = life.trouble(body, history.match)
            if trouble:
                msg = f"event {event.version} would not be valid: {trouble}"
                raise BrokenRule(msg)
            life.grow(body)
            _check_canonical(event, body)
        versions = {event.version for event in events}
        batches.append(
            Batch(
                expect=tip,
                events=tuple(events),
                openings=tuple(
                    one
                    for one in draft.openings
                    if one.version in versions and one.path != OUTCOME_PATH  # see outcomes.py
                ),
                command=command,
                closes=life.closed,
                after_close=was_closed,
                decides=any(not isinstance(body, ActBody) for body in bodies),
            )
        )
        tip = events[-1].tip
    return batches


def _check_canonical(event: Event, body: AnyBody) -> None:
    """Refuse a body that no reader would take; what its types leave open is looked at."""
    if isinstance(body, ActBody):
        decode(event.body)
        return
    if isinstance(body, AnswerBody):
        decode(bytes(body.decision))
    if body.clock is not None:
        encode(list(body.clock))
