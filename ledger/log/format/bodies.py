"""The body of an event: one decision or one act, with its time, submitter and seat.

| kind | is |
|---|---|
| act | a change by the service or organizer (acts.py) |
| answer | a decision: its open fields in clear, each private field as a commitment |
| sealed | a decision that is still secret: always this same record, with one commitment |

Every body names its parent (the event before it on its line), the server's time, the
submitter and the clock. A folded event commits to the fold's facts (`outcome`) and lists
the earlier commitments that these facts open to all (`opens`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from ledger.kernel.audience import Audience, audiences
from ledger.kernel.records import Decision, Fact, Question, Seat

from .acts import AnyAct
from .canonical import BODY_BYTES_MAX, NotCanonical, decode
from .chain import OUTCOME_PATH, PRIVATE_PATH, SEALED_PATH
from .shapes import Hash, Milliseconds, PrivateName, SeatNumber, StoredPart, Version

Role: TypeAlias = Literal[
    "seat",  # the player who sits there
    "delegate",  # somebody the seat named
    "bot",
    "clock",  # a time-out's default
    "order",  # a standing order of the seat
    "organizer",
    "service",
    "dice",  # chance answered from keys
    "referee",  # chance, or a decision, entered from a real table
    "fork",  # copied from the match that this one was forked from
]

Path: TypeAlias = tuple[Version, str]  # (version, path) of a commitment


class Submitter(StoredPart, frozen=True, kw_only=True):
    """The sender of an event; `name` is a pseudonym, a bot's name or a rule id."""

    role: Role
    name: str = ""
    seat: SeatNumber | None = None  # of an act, or of chance that a seat entered: for whom


class Body(StoredPart, frozen=True, kw_only=True, tag_field="kind"):
    """The common fields of every event. A field that has its default is left out."""

    parent: Version
    at: Milliseconds  # of the server
    by: Submitter
    clock: tuple[Milliseconds, Milliseconds] | None = None  # the seat's bank before and after
    outcome: Hash | None = None
    opens: tuple[Path, ...] = ()


class ActBody(Body, tag="act"):
    act: AnyAct


class AnswerBody(Body, tag="answer"):
    """A decision in clear, except for its private fields."""

    question: str
    seat: SeatNumber
    decision: msgspec.Raw
    private: dict[PrivateName, Hash] = {}  # noqa: RUF012 - msgspec copies it


class SealedBody(Body, tag="sealed"):
    """A decision that is still secret."""

    question: str
    seat: SeatNumber
    commitment: Hash


AnyBody: TypeAlias = ActBody | AnswerBody | SealedBody

_SORTED: Final = msgspec.msgpack.Encoder(order="sorted")
_BODIES: Final[msgspec.msgpack.Decoder[AnyBody]] = msgspec.msgpack.Decoder(AnyBody)


def body_bytes(body: AnyBody) -> bytes:
    packed = _SORTED.encode(body)  # the same bytes as canonical.encode gives its plain form
    if len(packed) > BODY_BYTES_MAX:
        raise NotCanonical(
            f"an event of {len(packed)} bytes, but at most {BODY_BYTES_MAX} are allowed"
        )
    return packed


def plain_body(packed: bytes) -> dict[str, Any]:
    """Returns a body in plain types. Its bytes are trusted to be canonical."""
    plain: dict[str, Any] = msgspec.msgpack.decode(packed)
    return plain


def read_body(packed: bytes) -> AnyBody:
    """Reads a body from stored bytes. They are trusted: the log checked them at the append."""
    return _BODIES.decode(packed)


def check_body(packed: bytes) -> AnyBody:
    """Reads a body from bytes of unknown origin; refuses non-canonical bytes and invalid fields."""
    try:
        body = _BODIES.decode(packed)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as reason:
        decode(packed)  # where it is not even canonical, that is what is wrong with it
        raise NotCanonical(f"not an event: {reason}") from None
    _check_values(body, packed)
    if body_bytes(body) != packed:
        decode(packed)
        raise NotCanonical("the event leaves out a field or has one too many")
    return body


def _check_values(body: AnyBody, packed: bytes) -> None:
    """Refuses values outside the profile; with them excluded, a body that re-encodes is canonical.

    Only acts and decisions can hold such values: every other field has its bounds.
    """
    if isinstance(body, ActBody):
        decode(packed)
    elif isinstance(body, AnswerBody):
        decode(bytes(body.decision), depth=2)


def commitments_of(body: AnyBody) -> dict[str, bytes]:
    """Returns the commitments in an event, by path."""
    found: dict[str, bytes] = {}
    if body.outcome is not None:
        found[OUTCOME_PATH] = body.outcome
    if isinstance(body, SealedBody):
        found[SEALED_PATH] = body.commitment
    elif isinstance(body, AnswerBody):
        found |= {PRIVATE_PATH + name: value for name, value in body.private.items()}
    return found


# --- what a decision commits and opens ------------------------------------------------------------


class DecisionToWrite(NamedTuple):
    """A decision to be written: the question it answers, and that question's key."""

    version: int
    question: Question
    key: str
    seat: Seat
    decision: Decision


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
