"""Turns a draft into batches for the store, checked as any reader would check them."""

from __future__ import annotations

import copy

from ledger.kernel.refusals import BrokenRule
from ledger.log.format.acts import Closed
from ledger.log.format.bodies import ActBody, AnswerBody, AnyBody
from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import Event
from ledger.log.format.commitments import OUTCOME_PATH
from ledger.log.read.history import History
from ledger.log.stores.protocol import BATCH_MAX, Batch, Command

from .draft import Draft


def batches_of(history: History, draft: Draft, command: Command | None) -> list[Batch]:
    """Returns the batches of a draft, in order; refuses events that a reader would refuse."""
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
                decides=any(_decides(body) for body in bodies),
            )
        )
        tip = events[-1].tip
    return batches


def _check_canonical(event: Event, body: AnyBody) -> None:
    """Refuses a body that a reader would refuse, in the parts that its types leave open."""
    if isinstance(body, ActBody):
        decode(event.body)
        return
    if isinstance(body, AnswerBody):
        decode(bytes(body.decision))
    if body.clock is not None:
        encode(list(body.clock))


def _decides(body: AnyBody) -> bool:
    """Returns whether a body rests on a fold. A parked match cannot be folded reliably."""
    if not isinstance(body, ActBody):
        return True
    return isinstance(body.act, Closed) and body.act.result is not None
