"""A process of writers that append, conflict, ask again, and note down all they are told.

    python -m tests.support.durability.writing SPEC      (a Job as JSON)

Each has one operation at a time. A command that nobody has answered for sure is sent again with
the same id, also by the process that follows one that was killed: its own notes say which those
are. SIGTERM lets each writer bring its operation to an end.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import msgspec

from ledger.log.format.chain import EMPTY, Event, Opening, Tip, link
from ledger.log.stores.protocol import (
    Appended,
    Batch,
    Changed,
    Closed,
    Command,
    Conflict,
    Duplicate,
    Parked,
    Unavailable,
)
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection, NoReply, NotSent, Refusing
from services.run.children import Child, python
from services.run.settings import ROOT
from tests.support.starting import surroundings

from .checking import Log, Place, operations_of
from .recording import UNAVAILABLE, Done, Invoked, Read, Recorder, Refused, Unknown, notes_of, now

ACTS = 0.15  # the share of batches without a command id
READS = 0.06
GIVES_UP = 0.2  # how often a writer that comes second leaves it at that
LAST_SECONDS = 30.0  # after a SIGTERM
BYTES = (10, 120, 400)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The task of a process of writers."""

    url: str
    folder: str
    name: str
    matches: list[str]
    seed: str
    writers: int = 3


def list_jobs(
    url: str, notes: Path, name: str, matches: list[str], seed: str, count: int
) -> list[Job]:
    """Returns so many jobs on the same matches, each with a number in its name and its seed."""
    return [
        Job(
            url=url,
            folder=str(notes),
            name=name.format(number),
            matches=matches,
            seed=f"{seed}/{number}",
        )
        for number in range(count)
    ]


class OverDue(Exception):
    """The server does not come back, and the work is to end."""


def bodies_of(name: str, count: int) -> list[bytes]:
    """The events of an operation: each says whose it is."""
    rng = random.Random(name)
    return [
        f"{name} {at} {count} ".encode() + rng.randbytes(rng.choice(BYTES)) for at in range(count)
    ]


def place_in(body: bytes) -> Place:
    """Whose event it is."""
    name, at, _ = body.split(b" ", 2)
    return Place(name.decode(), int(at))


def made_log(match: str, events: Sequence[Event]) -> Log:
    """A log of such events."""
    return Log(match, events, [place_in(event.body) for event in events])


def batch_of(match: str, expect: Tip, name: str, count: int) -> Batch:
    """An operation as a batch after `expect`; those of named operations are commands."""
    events: list[Event] = []
    tip = expect
    for body in bodies_of(name, count):
        events.append(link(match, tip, body))
        tip = events[-1].tip
    opening = Opening(tip.version, "outcome", b"salt", name.encode())
    return Batch(
        expect=expect,
        events=tuple(events),
        openings=(opening,) if count % 2 else (),
        command=Command(name, name.encode()) if is_command(name) else None,
    )


def is_command(name: str) -> bool:
    """Whether an operation has a command id."""
    return name.startswith("c")


class Stop:
    """Told once by SIGTERM; nobody tries for ever after that."""

    def __init__(self) -> None:
        self._told = threading.Event()
        self._at = 0.0

    def tell(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        self._at = self._at or time.monotonic()
        self._told.set()

    def __bool__(self) -> bool:
        return self._told.is_set()

    def pause(self, seconds: float) -> None:
        """Wait a moment before the next try."""
        if self and time.monotonic() > self._at + LAST_SECONDS:
            raise OverDue
        time.sleep(seconds)


class Writer:
    """One client: one operation at a time, everything noted."""

    def __init__(
        self,
        store: RedisStore,
        path: Path,
        matches: Sequence[str],
        seed: str,
        acts: float = ACTS,
    ) -> None:
        self.store = store
        self.acts = acts
        self.name = path.stem
        self.matches = matches
        before = notes_of(path)
        self.recorder = Recorder(path)
        self._left = [
            op for op in operations_of(before).values() if op.open and is_command(op.name)
        ]
        self._serial = len({note.name for note in before if note.name})
        self._rng = random.Random(f"{seed} {self._serial}")
        self._tips: dict[str, Tip] = {}

    def work(self, stop: Stop, operations: int | None = None) -> None:
        """Write until told to stop, or so many operations."""
        for op in self._left:  # of the process before this one, which was killed
            self._carry_through(stop, op.match, op.name, op.count)
        while not stop and operations != 0:
            operations = None if operations is None else operations - 1
            match = self._rng.choice(self.matches)
            if self._rng.random() < READS:
                self._read(stop, match)
                continue
            self._serial += 1
            kind = "a" if self._rng.random() < self.acts else "c"
            count = 32 if self._rng.random() < 0.01 else self._rng.choice((1, 1, 2, 3, 5))
            self._carry_through(stop, match, f"{kind}-{self.name}-{self._serial}", count)
        self.recorder.close()

    def _carry_through(self, stop: Stop, match: str, name: str, count: int) -> None:
        """One operation until its outcome is known, or cannot be known."""
        while True:
            tip = self._tips.get(match) or self._read(stop, match)
            self._note(Invoked, match, name, count=count, named=is_command(name))
            sent = now()
            try:
                answer = self.store.append(match, batch_of(match, tip, name, count))
            except Unavailable as failure:
                if failure.unknown:
                    self._note(Unknown, match, name)
                else:
                    self._note(Refused, match, name, why=UNAVAILABLE)
                if failure.unknown and not is_command(name):
                    del self._tips[match]
                    return  # sent again it would not be known again
                stop.pause(0.005)
                continue
            match answer:
                case Appended(tip=end):
                    self._done(match, name, end.version - count + 1, end)
                    return
                case Duplicate(first=first, tip=end):
                    self._done(match, name, first, end, again=True)
                    self._tips.pop(match)  # that was some time ago
                    return
                case Conflict(tip=end):
                    self._note(Refused, match, name, why="conflict")
                    self._note(Read, match, "", began=sent, version=end.version, head=end.head)
                    self._tips[match] = end
                    if self._rng.random() < GIVES_UP:
                        return
                case Changed() | Closed() | Parked():
                    self._note(Refused, match, name, why=type(answer).__name__.lower())
                    return

    def _read(self, stop: Stop, match: str) -> Tip:
        """Read a log, or only where it ends."""
        whole = self._rng.random() < 0.2
        while True:
            began = now()
            try:
                end = EMPTY
                if whole:
                    for event in self.store.events(match):
                        end = event.tip
                else:
                    end = self.store.tip(match)
            except Unavailable:
                stop.pause(0.005)
                continue
            self._note(Read, match, "", began=began, version=end.version, head=end.head)
            self._tips[match] = end
            return end

    def _done(self, match: str, name: str, first: int, end: Tip, *, again: bool = False) -> None:
        self._note(Done, match, name, first=first, last=end.version, head=end.head, again=again)
        self._tips[match] = end

    def _note(self, kind: type, match: str, name: str, **more: object) -> None:
        self.recorder.write(kind(at=now(), client=self.name, match=match, name=name, **more))


def store_when_there(url: str, stop: Stop, patience: float) -> RedisStore:
    """A store on a server that may be just starting."""
    while True:
        try:
            return RedisStore(Connection(url), patience=patience)
        except (NotSent, NoReply, Refusing):
            stop.pause(0.01)


def ready_file(folder: str, name: str) -> Path:
    """Where a process says that it listens to SIGTERM."""
    return Path(folder) / f"{name}.ready"


def started_writers(job: Job) -> Child:
    """A process of writers; its errors are in `<name>.errors` beside its notes."""
    words = python("-m", "tests.support.durability.writing", msgspec.json.encode(job).decode())
    with (Path(job.folder) / f"{job.name}.errors").open("ab") as errors:
        return Child(job.name, words, folder=ROOT, environment=surroundings(), output=errors)


def main(job: Job) -> None:
    """The writers of one process, a thread each; it fails where one of them does."""
    stop = Stop()
    signal.signal(signal.SIGTERM, stop.tell)
    ready_file(job.folder, job.name).write_text(str(os.getpid()))
    failures: list[BaseException] = []

    def run(number: int) -> None:
        try:
            # Some ask for long, some soon say that they do not know, and ask again.
            patience = (0.02, 0.3, 3.0)[number % 3]
            path = Path(job.folder) / f"{job.name}{number}.notes"
            store = store_when_there(job.url, stop, patience)
            Writer(store, path, job.matches, f"{job.seed} {number}").work(stop)
        except BaseException as failure:  # noqa: BLE001 - all of them end the process
            failures.append(failure)
            stop.tell()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(job.writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1], type=Job))
