"""Redaction: a bundle of which a person chooses the visible parts, with the same numbers and heads.

    hegemon export MATCH --events 14-20 --disclose 14-20@2 --disclose 17:outcome

A copy may leave out openings and events. The hash of an omitted event's body stays, so the
chain stays whole. Event 1 is always included, because it describes the match. Nothing is
added: a copy discloses at most what its original contains.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import IO, Any, Final, NamedTuple

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.chance import Dealt
from ledger.kernel.records import Seat, tag_of
from ledger.log.read.bundle import (
    FORMAT,
    REDACTED,
    BundleWriter,
    End,
    Header,
    Record,
    Withheld,
    bundle_records,
    last_close,
)
from ledger.log.read.history import History

from .bodies import AnswerBody, SealedBody, plain_body, read_body
from .chain import OUTCOME_PATH, Event, Opening

CHOSEN: Final = "chosen"  # whose eyes such a copy is for: those that somebody chose
EVERYTHING: Final = "all"
CHOICES_MAX: Final = 1_000
_RANGE: Final = r"all|[0-9]{1,9}|[0-9]{1,9}-[0-9]{0,9}|-[0-9]{1,9}"
_EVENTS: Final = re.compile(_RANGE)
_DISCLOSED: Final = re.compile(rf"({_RANGE})(?:@([0-9]{{1,5}}))?(?::([a-z][a-z0-9_/]{{0,79}}))?")


class BadChoice(ValueError):
    """The choice of visible parts is malformed."""


class Span(NamedTuple):
    """A range of events; without an end it reaches to the last."""

    first: int
    last: int | None

    def holds(self, version: int) -> bool:
        return self.first <= version and (self.last is None or version <= self.last)


class Disclosed(NamedTuple):
    """Openings to show: of these events, of one seat's secrets alone, below one path."""

    events: Span
    seat: Seat | None = None
    path: str = ""

    def holds(self, opening: Opening, owner: Seat | None) -> bool:
        """Returns whether an opening is included.

        The facts of an event contain other seats' secrets, so a choice must name them explicitly.
        """
        if not self.events.holds(opening.version) or self.seat not in (None, owner):
            return False
        if not self.path:
            return opening.path != OUTCOME_PATH
        return opening.path == self.path or opening.path.startswith(f"{self.path}/")


class Selection(NamedTuple):
    """The visible parts of a copy: events (None: all), and openings of those events."""

    events: tuple[Span, ...] | None = None
    openings: tuple[Disclosed, ...] = ()

    def shows(self, version: int) -> bool:
        return (
            version == 1 or self.events is None or any(span.holds(version) for span in self.events)
        )

    def opens(self, opening: Opening, owner: Seat | None) -> bool:
        """Returns whether an opening of a visible event is shown."""
        return any(one.holds(opening, owner) for one in self.openings)


def read_choice(events: Sequence[str], disclosed: Sequence[str]) -> Selection:
    """Parses a choice as typed: `14-20` for events, `14-20@2:private/cards` for openings."""
    if len(events) + len(disclosed) > CHOICES_MAX:
        raise BadChoice(f"at most {CHOICES_MAX} ranges are taken")
    shown = tuple(_events(word) for word in events) if events else None
    return Selection(shown, tuple(_openings(word) for word in disclosed))


def _events(word: str) -> Span:
    if not _EVENTS.fullmatch(word):
        raise BadChoice(f"events are given as 14, 14-20, 14-, -20 or all, not {word[:40]!r}")
    return _span(word)


def _openings(word: str) -> Disclosed:
    parts = _DISCLOSED.fullmatch(word)
    if parts is None:
        raise BadChoice(
            f"openings are given as EVENTS, EVENTS@SEAT or EVENTS@SEAT:PATH, not {word[:60]!r}"
        )
    seat = None if parts[2] is None else int(parts[2])
    return Disclosed(_span(parts[1]), seat, parts[3] or "")


def _span(word: str) -> Span:
    if word == EVERYTHING:
        return Span(1, None)
    first, dash, last = word.partition("-")
    if not dash:
        return Span(int(first), int(first))
    span = Span(int(first or 1), int(last) if last else None)
    if span.last is not None and span.last < span.first:
        raise BadChoice(f"{word[:40]!r} ends before it begins")
    return span


def records_of(history: History, viewer: Viewer | str) -> list[Record]:
    """Returns all records of a match as one viewer may have them; the last has only the result."""
    last = last_close(history)
    result = None if last is None else last.result
    end = End(events=0, openings=0, head=bytes(32), result=result, sha256=bytes(32))
    return [*bundle_records(history, viewer), end]


def redact_records(records: Iterable[Record], choice: Selection) -> list[Record]:
    """Returns the chosen records of a bundle; of the last one only the result counts."""
    found: list[Record] = []
    owner: Seat | None = None
    shown = True
    for record in records:
        if isinstance(record, Event):
            shown, owner = choice.shows(record.version), _owner(record)
            found.append(record if shown else _withheld(record))
        elif not isinstance(record, Opening) or (shown and choice.opens(record, owner)):
            found.append(record)
    gaps = any(isinstance(record, Withheld) for record in found)
    return [_restate_record(record, gaps=gaps) for record in found]


def write_redacted(file: IO[bytes], records: Iterable[Record], choice: Selection) -> bytes:
    """Writes a redacted copy; returns its address."""
    writer = BundleWriter(file)
    result: dict[str, Any] | None = None
    for record in redact_records(records, choice):
        if isinstance(record, End):
            result = record.result
        else:
            writer.write(record)
    return writer.end(result)


def _withheld(event: Event) -> Withheld:
    return Withheld(event.version, event.head, hashlib.sha256(event.body).digest())


def _restate_record(record: Record, *, gaps: bool) -> Record:
    """Marks a header as redacted; with `gaps` drops all that repeats the closing event."""
    if isinstance(record, Header):
        seeds = {} if gaps else record.seeds
        made = REDACTED if gaps else FORMAT
        return msgspec.structs.replace(record, viewer=CHOSEN, seeds=seeds, format=made)
    if isinstance(record, End) and gaps:
        return msgspec.structs.replace(record, result=None)
    return record


def _owner(event: Event) -> Seat | None:
    """Returns the seat whose secrets an event holds: the decider, or the one that got the cards."""
    body = read_body(event.body)
    if not isinstance(body, AnswerBody | SealedBody):
        return None
    if isinstance(body, AnswerBody):
        decision = plain_body(event.body)["decision"]
        if decision.get("type") == tag_of(Dealt) and isinstance(decision.get("to"), int):
            return int(decision["to"])
    return body.seat
