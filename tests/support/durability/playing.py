"""A process of bots that play tic-tac-toe through the real journal, several to a match.

    python -m tests.support.durability.playing SPEC      (a Job as JSON)

Each decision is a command and is noted like those of writing.py. Dice, sealed answers, facts and
closing acts are in the logs, so chain, commitments and folding are checked with them.
"""

from __future__ import annotations

import io
import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from ledger.games import ruleset
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.records import Decision
from ledger.kernel.refusals import Refused as NotAllowed
from ledger.log.read.bundle import write_bundle
from ledger.log.read.history import History
from ledger.log.stores.protocol import Command, Duplicate, Unavailable
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.keys import command_key
from ledger.log.write.founding import Surroundings
from ledger.log.write.journal import Journal
from ledger.log.write.writer import Stale
from replays.verify.verifier import Verdict, verify
from services.run.children import Child, python
from services.run.settings import ROOT
from tests.support.log.matches import FULL_PLAN, joined
from tests.support.starting import surroundings

from .checking import Log, Operation, Place, operations_of
from .holding import Entries
from .recording import Done, Invoked, Read, Recorder, Refused, Unknown, notes_of, now
from .writing import Job, Stop, ready_file, store_when_there

KINDS: dict[str, type[Mark | Write]] = {"mark": Mark, "write": Write}


def around(store: RedisStore) -> Surroundings:
    """The surroundings of a journal in the world as it is."""
    return Surroundings(
        store=store,
        rules_of=ruleset,
        clock=lambda: time.time_ns() // 1_000_000,
        entropy=os.urandom,
    )


def begun(store: RedisStore, count: int) -> list[str]:
    """Matches that have just begun."""
    return [joined(Journal.create(around(store), FULL_PLAN)).match_id for _ in range(count)]


class Player:
    """One client: plays for whoever is asked, in any match, until all are closed."""

    def __init__(self, store: RedisStore, path: Path, matches: Sequence[str], seed: str) -> None:
        self.store = store
        self.name = path.stem
        before = notes_of(path)
        self._what = {note.name: note.what for note in before if isinstance(note, Invoked)}
        self._left = [op for op in operations_of(before).values() if op.open]
        self._serial = len(self._what)
        self._rng = random.Random(f"{seed} {self._serial}")
        self._journals: dict[str, Journal] = {}
        self._running = list(matches)
        self.recorder = Recorder(path)

    def play(self, stop: Stop) -> None:
        """Until told to stop, or until all matches are closed."""
        for op in self._left:
            self._again(stop, op)
        while self._running and not stop:
            match = self._rng.choice(self._running)
            try:
                self._turn(stop, match)
            except Unavailable:
                stop.pause(0.005)  # a close may have been written: the next look shows it
        self.recorder.close()

    def _journal(self, match: str) -> Journal:
        if match not in self._journals:
            self._journals[match] = Journal(around(self.store), match)
        return self._journals[match]

    def _turn(self, stop: Stop, match: str) -> None:
        journal = self._journal(match)
        began = now()
        table = journal.match()
        tip = journal.history.tip
        self._note(Read, match, "", began=began, version=tip.version, head=tip.head)
        if journal.history.life.closed:
            self._running.remove(match)
        elif table.ended:
            with suppress(Stale, NotAllowed):  # somebody else has closed it
                journal.close()
        else:
            seat = self._rng.choice(table.asked())
            decision = self._rng.choice(table.options(seat))
            self._serial += 1
            self._decide(stop, match, f"c-{self.name}-{self._serial}", seat, decision)

    def _again(self, stop: Stop, op: Operation) -> None:
        """Repeats the request of a process that was killed."""
        seat, kind, cell = self._what[op.name].split()
        self._decide(stop, op.match, op.name, int(seat), KINDS[kind](int(cell)))

    def _decide(self, stop: Stop, match: str, name: str, seat: int, decision: Decision) -> None:
        """One command until its outcome is known."""
        what = f"{seat} {type(decision).__name__.lower()} {decision.cell}"
        while True:
            try:
                self._note(Invoked, match, name, what=what)
                journal = self._journal(match)
                command = journal.command(name, seat, decision)
                journal.decide(seat, decision, command=command)
            except Unavailable:
                # A journal asks for several things, and what it could not ask for need not be the
                # append: whatever the failure says, it may be in the log.
                self._note(Unknown, match, name)
                stop.pause(0.005)
            except Stale:
                self._note(Refused, match, name, why="conflict")
                return
            except NotAllowed as refusal:
                self._note(Refused, match, name, why=refusal.code)
                return
            else:
                done = self._where(stop, match, command)
                head = done.tip.head
                self._note(Done, match, name, first=done.first, last=done.tip.version, head=head)
                return

    def _where(self, stop: Stop, match: str, command: Command) -> Duplicate:
        """Where in the log a command is that was carried out."""
        while True:
            try:
                answer = self.store.answered(match, command)
            except Unavailable:
                stop.pause(0.005)
                continue
            assert isinstance(answer, Duplicate), f"{command.id} was acknowledged: {answer}"
            return answer

    def _note(self, kind: type, match: str, name: str, **more: object) -> None:
        self.recorder.write(kind(at=now(), client=self.name, match=match, name=name, **more))


def played_log(entries: Entries, names: Sequence[str]) -> Log:
    """A log of which only the commands are known: their events, by the keys in the entries."""
    by_key = {command_key(Command(name, b"")): name for name in names}
    places: list[Place] = []
    name, at = "", 0
    for entry in entries.entries:
        if entry.command:
            name, at = by_key[entry.command], 0
        places.append(Place(name, at))
        name, at = (name, at + 1) if entry.more else ("", 0)
    return Log(entries.name, entries.events, places)


def unfounded(store: RedisStore, match: str) -> list[str]:
    """Returns what verification finds in a played log: chain, commitments, legality, chance."""
    history = History.of(store, match, ruleset)
    file = io.BytesIO()
    write_bundle(file, history, "all")
    file.seek(0)
    report = verify(file, ruleset, anchors={history.tip.version: history.tip.head})
    good = Verdict.VALID if history.life.closed else Verdict.PARTLY_ANCHORED
    found = [f"{match}: {check.name} {check.detail}" for check in report.failed]
    if report.verdict != good.value:
        found.append(f"{match}: its verdict is {report.verdict}")
    return found


def started_players(job: Job) -> Child:
    """A process of players."""
    words = python("-m", "tests.support.durability.playing", msgspec.json.encode(job).decode())
    with (Path(job.folder) / f"{job.name}.errors").open("ab") as errors:
        return Child(job.name, words, folder=ROOT, environment=surroundings(), output=errors)


def main(job: Job) -> None:
    """One player; its process waits to be told to end."""
    stop = Stop()
    signal.signal(signal.SIGTERM, stop.tell)
    ready_file(job.folder, job.name).write_text(str(os.getpid()))
    store = store_when_there(job.url, stop, 0.3)
    Player(store, Path(job.folder) / f"{job.name}.notes", job.matches, job.seed).play(stop)
    while not stop:
        time.sleep(0.01)


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1], type=Job))
