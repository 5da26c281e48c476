"""The scribe: writes what was folded as an event, with its commitments and their openings.

What goes into clear and what is committed follows from the records alone: a sealed question's
answer is one commitment, a private field of an open answer another, the facts a third.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from ledger.kernel.audience import Audience, audiences
from ledger.kernel.records import Decision, Fact, Question, Seat
from ledger.kernel.terms import decision_bytes, facts_bytes

from .acts import AnyAct
from .bodies import ActBody, AnswerBody, AnyBody, Path, SealedBody, Submitter, body_bytes
from .canonical import encode
from .chain import Event, Tip, link
from .commitments import OUTCOME_PATH, PRIVATE_PATH, SEALED_PATH, Opening, opened, padded
from .history import History


class Draft(msgspec.Struct):
    """Events that are about to be appended, in order."""

    match: str
    salt_key: bytes
    tip: Tip
    events: list[Event]
    bodies: list[AnyBody]
    openings: list[Opening]

    @classmethod
    def after(cls, history: History, salt_key: bytes) -> Draft:
        """An empty draft at the end of a log."""
        return cls(history.match, salt_key, history.tip, [], [], [])

    @property
    def next_version(self) -> int:
        """The number of the event that is written next."""
        return self.tip.version + 1

    def write(self, body: AnyBody) -> None:
        """Add a body to the chain."""
        event = link(self.match, self.tip, body_bytes(body))
        self.tip = event.tip
        self.events.append(event)
        self.bodies.append(body)

    def commit(self, path: str, plain: bytes) -> bytes:
        """Commit a value of the next event and keep its opening."""
        opening = opened(self.salt_key, self.next_version, path, plain)
        self.openings.append(opening)
        return opening.commitment(self.match)

    def outcome(self, facts: Sequence[Fact]) -> bytes:
        """Commit what the fold gave."""
        return self.commit(OUTCOME_PATH, facts_bytes(facts))


class Written(NamedTuple):
    """A decision as it goes into the log: which question it answered, under which key."""

    version: int
    question: Question
    key: str
    seat: Seat
    decision: Decision


def write_act(
    draft: Draft,
    act: AnyAct,
    by: Submitter,
    at: int,
    *,
    parent: int | None = None,
    facts: Sequence[Fact] | None = None,
) -> None:
    """Write an act; one that the fold answered with facts commits to them."""
    before = draft.next_version - 1 if parent is None else parent
    outcome = None if facts is None else draft.outcome(facts)
    draft.write(ActBody(parent=before, at=at, by=by, act=act, outcome=outcome))


def write_answer(
    draft: Draft,
    answer: Written,
    facts: Sequence[Fact],
    by: Submitter,
    at: int,
    *,
    opens: tuple[Path, ...] = (),
    clock: tuple[int, int] | None = None,
) -> None:
    """Write a decision that has been folded."""
    common: dict[str, Any] = {
        "parent": draft.next_version - 1,
        "at": at,
        "by": by,
        "clock": clock,
        "question": answer.key,
        "seat": answer.seat,
        "opens": opens,
    }
    if answer.question.sealed:
        commitment = draft.commit(SEALED_PATH, padded(decision_bytes(answer.decision)))
        outcome = draft.outcome(facts)
        draft.write(SealedBody(commitment=commitment, outcome=outcome, **common))
    else:
        clear, private = _parted(draft, answer.decision)
        outcome = draft.outcome(facts)
        draft.write(AnswerBody(decision=clear, private=private, outcome=outcome, **common))


def private_fields(kind: type[Decision]) -> list[str]:
    """The fields of a decision that are committed, not written."""
    return [field.name for field in audiences(kind) if field.audience is not Audience.EVERYONE]


def _parted(draft: Draft, decision: Decision) -> tuple[msgspec.Raw, dict[str, bytes]]:
    """The open fields of a decision, and a commitment for each of the others."""
    private = private_fields(type(decision))
    if not private:
        return msgspec.Raw(decision_bytes(decision)), {}
    plain: dict[str, Any] = msgspec.to_builtins(decision, builtin_types=(bytes,))
    # Always present, whatever the value: that a field is empty is part of what is hidden.
    commitments = {
        name: draft.commit(PRIVATE_PATH + name, padded(encode(plain.pop(name, None))))
        for name in private
    }
    return msgspec.Raw(encode(plain)), commitments


def opened_by(
    line: Iterable[tuple[int, AnyBody]], answer: Written, facts: Sequence[Fact]
) -> tuple[Path, ...]:
    """The commitments that facts open to everybody: earlier answers of the line, or the answer
    that has just been given.
    """
    wanted = [disclosed for fact in facts for disclosed in fact.discloses()]
    if not wanted:
        return ()
    found: list[Path] = []
    for version, body in line:
        if isinstance(body, SealedBody) and (body.question, body.seat) in wanted:
            found.append((version, SEALED_PATH))
        elif isinstance(body, AnswerBody) and (body.question, body.seat) in wanted:
            found += [(version, PRIVATE_PATH + name) for name in sorted(body.private)]
    if (answer.key, answer.seat) in wanted:
        if answer.question.sealed:
            found.append((answer.version, SEALED_PATH))
        else:
            names = sorted(private_fields(type(answer.decision)))
            found += [(answer.version, PRIVATE_PATH + name) for name in names]
    return tuple(sorted(found))
