"""Compares what all clients wrote down with the logs as they are in the end.

Versions make it linear: each event has its place, so nothing has to be searched. Found are

    gap, chain             the log itself is not one chain of versions
    torn, doubled          an operation is not there whole, once, in one piece
    foreign                nobody has asked for it
    lost, moved            acknowledged, and not there, or not there as it was acknowledged
    refused                said to be not written, and it is
    order                  acknowledged before another was asked for, and comes after it
    read                   somebody was shown what is not in the log
    answer                 an answer that the store had no reason to give
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ledger.log.format.chain import EMPTY, Event, head_after

from .recording import UNAVAILABLE, Done, Invoked, Note, Read, Refused, Unknown


class Anomaly(NamedTuple):
    """Something that must not be."""

    kind: str
    match: str
    text: str


class Place(NamedTuple):
    """Whose event it is: the name of its operation and where in it; '' is nobody who took notes."""

    name: str
    at: int


@dataclass(frozen=True)
class Log:
    """One log as it is in the end."""

    match: str
    events: Sequence[Event]
    places: Sequence[Place]


@dataclass
class Operation:
    """A client's operation, over all times that it was sent."""

    match: str
    name: str
    count: int
    began: int
    sent: int = 0  # how often
    waiting: bool = False  # for an answer to the last sending
    maybe: bool = False  # an earlier sending may have been carried out
    unknowns: int = 0
    refused: list[str] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)

    def add(self, note: Note) -> None:
        """The next note about it."""
        match note:
            case Invoked():
                self.maybe |= self.waiting  # the client was killed before it had an answer
                self.waiting = True
                self.sent += 1
            case Unknown():
                self.maybe, self.waiting = True, False
                self.unknowns += 1
            case Refused(why=why):
                self.waiting = False
                self.refused.append(why)
                # Any other refusal looked at the log: versions only grow, so what was sent
                # earlier for an earlier version can never be carried out any more.
                self.maybe &= why == UNAVAILABLE
            case Done():
                self.maybe = self.waiting = False
                self.done.append(note)

    @property
    def open(self) -> bool:
        """Returns whether the outcome is unknown."""
        return not self.done and (self.maybe or self.waiting)

    @property
    def absent(self) -> bool:
        """The client was told that it is not in the log."""
        return not self.done and not self.open


def operations_of(notes: Iterable[Note]) -> dict[str, Operation]:
    """The operations in some notes, by name."""
    found: dict[str, Operation] = {}
    for note in notes:
        if isinstance(note, Read):
            continue
        if note.name not in found:
            assert isinstance(note, Invoked), f"{note.name} was answered and never asked"
            found[note.name] = Operation(note.match, note.name, note.count, note.at)
        found[note.name].add(note)
    return found


def check(notes: Sequence[Note], logs: Sequence[Log]) -> list[Anomaly]:
    """Everything that must not be; empty where all is well."""
    operations = operations_of(notes)
    reads = [note for note in notes if isinstance(note, Read)]
    by_match = {log.match: log for log in logs}
    for match in {op.match for op in operations.values()} | {note.match for note in reads}:
        by_match.setdefault(match, Log(match, (), ()))
    found = [anomaly for op in operations.values() for anomaly in _odd_answers(op)]
    for log in by_match.values():
        mine = {op.name: op for op in operations.values() if op.match == log.match}
        shown = [note for note in reads if note.match == log.match]
        found += [*_unchained(log), *_misplaced(log, mine), *_unread(log, shown)]
        found += _out_of_order(log, mine, shown)
    return found


def lost(notes: Iterable[Note], logs: Iterable[Log]) -> int:
    """How many acknowledged events are not there any more."""
    there = {place.name for log in logs for place in log.places}
    gone = [op for op in operations_of(notes).values() if op.done and op.name not in there]
    return sum(op.done[0].last - op.done[0].first + 1 for op in gone)


def _odd_answers(op: Operation) -> Iterator[Anomaly]:
    for why in op.refused:
        if why in ("changed", "closed", "parked"):
            yield Anomaly("answer", op.match, f"{op.name} was answered with {why}")
    if len({(done.first, done.last, done.head) for done in op.done}) > 1:
        yield Anomaly("answer", op.match, f"{op.name} was acknowledged in two ways")


def _unchained(log: Log) -> Iterator[Anomaly]:
    tip = EMPTY
    for event in log.events:
        if event.version != tip.version + 1:
            yield Anomaly("gap", log.match, f"after {tip.version} comes {event.version}")
        elif event.head != head_after(log.match, tip, event.body):
            yield Anomaly("chain", log.match, f"the head of {event.version} does not follow")
        tip = event.tip


class Run(NamedTuple):
    """Events of one operation that follow upon each other."""

    name: str
    first: int
    last: int
    head: bytes
    places: list[int]


def runs_of(log: Log) -> list[Run]:
    """The log, operation by operation; an operation that begins again is another run."""
    runs: list[Run] = []
    for event, place in zip(log.events, log.places, strict=True):
        if runs and place.at and runs[-1].name == place.name:
            before = runs.pop()
            run = Run(place.name, before.first, event.version, event.head, before.places)
        else:
            run = Run(place.name, event.version, event.version, event.head, [])
        run.places.append(place.at)
        runs.append(run)
    return runs


def _misplaced(log: Log, operations: dict[str, Operation]) -> Iterator[Anomaly]:
    seen: dict[str, Run] = {}
    for run in runs_of(log):
        where = f"{run.name} at {run.first} to {run.last}"
        op = operations.get(run.name)
        if not run.name:
            continue
        if run.places != list(range(op.count if op and op.count else len(run.places))):
            yield Anomaly("torn", log.match, f"{where} has the parts {run.places[:40]}")
        if op is None:
            yield Anomaly("foreign", log.match, f"{where} was never asked for")
        elif op.absent:
            yield Anomaly("refused", log.match, f"{where} had been refused: {op.refused[-1]}")
        if run.name in seen:
            yield Anomaly("doubled", log.match, f"{where} was there at {seen[run.name].first}")
        seen.setdefault(run.name, run)
    for op in operations.values():
        for done in op.done[:1]:
            said = f"{op.name}, acknowledged at {done.first} to {done.last}"
            if op.name not in seen:
                yield Anomaly("lost", log.match, f"{said}, is not there")
            elif seen[op.name][1:4] != (done.first, done.last, done.head):
                there = seen[op.name]
                yield Anomaly("moved", log.match, f"{said}, is at {there.first} to {there.last}")


def _unread(log: Log, reads: Iterable[Read]) -> Iterator[Anomaly]:
    heads = {event.version: event.head for event in log.events} | {0: EMPTY.head}
    for read in reads:
        if heads.get(read.version) != read.head:
            text = f"{read.client} was shown a log that ends at {read.version} otherwise"
            yield Anomaly("read", log.match, text)


class Span(NamedTuple):
    """From when to when something took place, and where in the log."""

    began: int
    ended: int | None
    above: int  # it must come after all that had ended before it began: they are at most here
    last: int
    what: str


def _out_of_order(
    log: Log, operations: dict[str, Operation], reads: Iterable[Read]
) -> Iterator[Anomaly]:
    spans = [
        Span(read.began, read.at, read.version, read.version, f"a read by {read.client}")
        for read in reads
    ]
    for run in runs_of(log):
        if op := operations.get(run.name):
            ended = op.done[0].at if op.done else None
            spans.append(Span(op.began, ended, run.first - 1, run.last, run.name))
    # A beginning comes before an end of the same time: then they were at once.
    moments = [(span.began, 0, place) for place, span in enumerate(spans)]
    moments += [(span.ended, 1, place) for place, span in enumerate(spans) if span.ended]
    high, who = 0, ""
    for _, ends, place in sorted(moments):
        span = spans[place]
        if not ends and span.above < high:
            text = f"{span.what} at {span.above} to {span.last} began after {who} had ended {high}"
            yield Anomaly("order", log.match, text)
        elif ends and span.last > high:
            high, who = span.last, span.what
