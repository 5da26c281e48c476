"""Drafts: folded decisions and acts as events, with their commitments and openings.

The records alone determine which parts are in clear and which are committed. The answer to
a sealed question is one commitment, each private field of an open answer is another, and
the facts are a third.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ledger.kernel.audience import Audience, audiences
from ledger.kernel.records import Decision, Fact, Question, Seat
from ledger.kernel.terms import decision_bytes, facts_bytes
from ledger.log.format.acts import AnyAct
from ledger.log.format.bodies import (
    ActBody,
    AnswerBody,
    AnyBody,
    Path,
    SealedBody,
    Submitter,
    body_bytes,
)
from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import Event, Tip, link
from ledger.log.format.commitments import (
    OUTCOME_PATH,
    PRIVATE_PATH,
    SEALED_PATH,
    Opening,
    make_opening,
    padded,
)
from ledger.log.read.history import History


class Draft:
    """Events to be appended, in order."""

    def __init__(self, match: str, salt_key: bytes, tip: Tip, parent: int, epoch: int) -> None:
        self.match = match
        self.salt_key = salt_key
        self.tip = tip
        self.parent = parent  # of the next event
        self.epoch = epoch  # the last rewind on the line
        self.events: list[Event] = []
        self.bodies: list[AnyBody] = []
        self.openings: list[Opening] = []
        self.begins_after = parent  # the line up to here is in the log

    @classmethod
    def after(cls, history: History, salt_key: bytes) -> Draft:
        version = history.tip.version
        return cls(history.match, salt_key, history.tip, version, history.lines.epoch(version))

    def go_back(self, to: int) -> None:
        """Makes the next event a rewind to an earlier one: a new epoch begins with it."""
        self.parent = self.begins_after = to
        self.epoch = self.next_version

    @property
    def next_version(self) -> int:
        return self.tip.version + 1

    def write(self, body: AnyBody) -> None:
        event = link(self.match, self.tip, body_bytes(body))
        self.tip = event.tip
        self.parent = event.version
        self.events.append(event)
        self.bodies.append(body)

    def line(self, history: History) -> Iterator[tuple[int, AnyBody]]:
        """Yields the events of the line so far, including those of the draft."""
        for version in history.lines.line(self.begins_after):
            yield version, history.body(version)
        first = self.tip.version - len(self.bodies) + 1
        yield from enumerate(self.bodies, first)

    def holds(self, history: History, question: str, seat: Seat) -> bool:
        """Returns whether the line already has an answer under this key."""
        drafted = any(
            not isinstance(body, ActBody) and (body.question, body.seat) == (question, seat)
            for body in self.bodies
        )
        return drafted or history.has_answer(question, seat, self.begins_after)

    def commit(self, path: str, plain: bytes) -> bytes:
        """Commits a value of the next event and keeps its opening."""
        opening = make_opening(self.salt_key, self.tip, path, plain)
        self.openings.append(opening)
        return opening.commitment(self.match)

    def outcome(self, facts: Sequence[Fact]) -> bytes:
        """Commits the facts of the fold."""
        return self.commit(OUTCOME_PATH, facts_bytes(facts))


class DecisionToWrite(NamedTuple):
    """A decision to be written: the question it answers, and that question's key."""

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
    facts: Sequence[Fact] | None = None,
) -> None:
    """Writes an act; if the fold answered it with facts, the event commits to them."""
    outcome = None if facts is None else draft.outcome(facts)
    draft.write(ActBody(parent=draft.parent, at=at, by=by, act=act, outcome=outcome))


def write_answer(
    draft: Draft,
    answer: DecisionToWrite,
    facts: Sequence[Fact],
    by: Submitter,
    at: int,
    *,
    opens: tuple[Path, ...] = (),
    clock: tuple[int, int] | None = None,
) -> None:
    common: dict[str, Any] = {
        "parent": draft.parent,
        "at": at,
        "by": by,
        "clock": clock,
        "question": answer.key,
        "seat": answer.seat,
        "opens": opens,
    }
    if answer.question.sealed:
        packed = decision_bytes(answer.decision)
        decode(packed)  # refuses what no reader would take
        commitment = draft.commit(SEALED_PATH, padded(packed))
        outcome = draft.outcome(facts)
        draft.write(SealedBody(commitment=commitment, outcome=outcome, **common))
    else:
        clear, private = _split_decision(draft, answer.decision)
        outcome = draft.outcome(facts)
        draft.write(AnswerBody(decision=clear, private=private, outcome=outcome, **common))


def private_values(decision: Decision) -> dict[str, Any]:
    """Returns by name the values of a decision that are committed instead of written.

    A sequence of public length is committed item by item (`cards/0`, `cards/1`). So one card of
    a hand can be shown later without the others.
    """
    committed = [one for one in audiences(type(decision)) if one.audience != Audience.EVERYONE]
    if not committed:
        return {}
    plain: dict[str, Any] = msgspec.to_builtins(decision, builtin_types=(bytes,))
    found: dict[str, Any] = {}
    for field in committed:
        value = plain[field.name]
        if field.counted:  # an empty one hides nothing and stands in the event
            found |= {f"{field.name}/{place}": item for place, item in enumerate(value)}
        else:
            found[field.name] = value
    return found


def _split_decision(draft: Draft, decision: Decision) -> tuple[msgspec.Raw, dict[str, bytes]]:
    """Splits a decision into its open fields and a commitment for each other field."""
    private = private_values(decision)
    if not private:
        return msgspec.Raw(decision_bytes(decision)), {}
    hidden = {name.partition("/")[0] for name in private}
    plain: dict[str, Any] = msgspec.to_builtins(decision, builtin_types=(bytes,))
    # Always present, whatever the value: that a field is empty is part of what is hidden.
    commitments = {
        name: draft.commit(PRIVATE_PATH + name, padded(encode(value)))
        for name, value in private.items()
    }
    return msgspec.Raw(encode({n: v for n, v in plain.items() if n not in hidden})), commitments


def list_opened(
    line: Iterable[tuple[int, AnyBody]], answer: DecisionToWrite, facts: Sequence[Fact]
) -> tuple[Path, ...]:
    """Returns the commitments that facts open to all, in earlier answers or this one."""
    wanted = [disclosed for fact in facts for disclosed in fact.discloses()]
    if not wanted:
        return ()
    found: list[Path] = []
    for version, body in line:
        if isinstance(body, SealedBody) and (body.question, body.seat) in wanted:
            found.append((version, SEALED_PATH))
        elif isinstance(body, AnswerBody) and (body.question, body.seat) in wanted:
            found += [(version, PRIVATE_PATH + name) for name in body.private]
    if (answer.key, answer.seat) in wanted:
        if answer.question.sealed:
            found.append((answer.version, SEALED_PATH))
        else:
            found += [(answer.version, PRIVATE_PATH + n) for n in private_values(answer.decision)]
    return tuple(sorted(found))
