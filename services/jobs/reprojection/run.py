"""A run: many matches under one change, in jobs of a few seconds, with results kept on disk.

    Run ── jobs, one after another ──▶ Fleet ──▶ work(job), here or elsewhere
     ◀────────── each match when it is done ───────┘

A job may run twice, and a match may be reported twice: the run takes the first result.

    FOLDER/run.json       the change asked of every match, and the rules it applies to
    FOLDER/done.jsonl     a row for each match done, in order of completion

A stopped or killed run continues where it was. It repeats a match only if its log has
changed, or if it ran out of time and has more time now. A last row that was cut off is
removed. Without a folder nothing is kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final, Protocol

import msgspec

from ledger.games import ruleset
from ledger.log.read.history import RulesOf
from replays.reproject.report import RunRow
from replays.reproject.verdicts import MatchVerdict

from .batches import OUT_OF_TIME, Job, MatchDone, RunItem, RunTerms, work

JOB_S: Final = 4.0  # of work in a job, as far as can be told from the matches before
JOB_FIRST: Final = 4  # matches, before anything is known
JOB_MOST: Final = 500

RUN: Final = "run.json"
DONE: Final = "done.jsonl"

Tell = Callable[[MatchDone], None]


class Fleet(Protocol):
    """Runs jobs. It takes the next job only when a worker is free."""

    @property
    def hands(self) -> int:
        """The number of jobs it works on at once."""

    def run(self, jobs: Iterator[Job], tell: Tell) -> None:
        """Works until there are no more jobs; reports each match when it is done."""


class LocalFleet:
    """Runs jobs in this process, one match after another."""

    hands = 1

    def __init__(self, rules_of: RulesOf = ruleset) -> None:
        self._rules_of = rules_of

    def run(self, jobs: Iterator[Job], tell: Tell) -> None:
        for job in jobs:
            for done in work(job, self._rules_of):
                tell(done)


class OtherRun(Exception):
    """The folder holds a run of another request."""


class Source(msgspec.Struct, frozen=True):
    """A match of a run: its name, a mark that changes with its log, and how to read it."""

    name: str
    mark: str
    item: Callable[[], RunItem]


def job_size(worked: int, seconds: float) -> int:
    """Returns the number of matches in the next job; the speed so far sets it."""
    if not worked or not seconds:
        return JOB_FIRST
    return max(1, min(JOB_MOST, int(JOB_S * worked / seconds)))


class DoneRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `done.jsonl`."""

    source: str
    mark: str
    seconds: float
    verdict: MatchVerdict
    limit_s: float = 0.0  # that it had


class Run:
    def __init__(
        self,
        terms: RunTerms,
        rules: dict[str, str],
        folder: Path | None = None,
        tell: Callable[[RunRow], None] = lambda _: None,
    ) -> None:
        self._terms = terms
        self._folder = folder
        self._tell = tell
        self._file: IO[bytes] | None = None
        self._seconds = 0.0
        self._marks: dict[str, str] = {}
        self.done: dict[str, RunRow] = {}
        self.kept = 0  # matches that an earlier run had done
        self.longest_s = 0.0
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self._check_same(folder / RUN, rules)

    def _check_same(self, path: Path, rules: dict[str, str]) -> None:
        asked: dict[str, Any] = {"asked": msgspec.to_builtins(self._terms), "rules": rules}
        for name in ("index", "limit_s", "full"):  # these change no verdict
            asked["asked"].pop(name)
        if path.is_file():
            try:
                held = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:
                held = None
            if held != asked:
                message = f"{path.parent} holds a run with other settings"
                raise OtherRun(f"{message} or rules: use another folder")
            return
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(asked, indent=1) + "\n", encoding="utf-8")
        beside.replace(path)

    def over(self, sources: Iterable[Source], fleet: Fleet) -> list[RunRow]:
        """Re-projects all sources; returns the rows in order of name."""
        every = {source.name: source for source in sources}
        self._marks = {name: source.mark for name, source in every.items()}
        if self._folder is not None:
            self._go_on(self._folder / DONE)
        self.kept = len(self.done)
        left = [source for name, source in every.items() if name not in self.done]
        try:
            fleet.run(self._jobs(left, fleet.hands), self._take)
        finally:
            if self._file is not None:
                self._file.close()
        return [self.done[name] for name in sorted(self.done)]

    def _go_on(self, path: Path) -> None:
        whole = 0
        if path.is_file():
            for line in path.read_bytes().splitlines(keepends=True):
                try:
                    one = msgspec.json.decode(line, type=DoneRow)
                except (msgspec.ValidationError, msgspec.DecodeError):
                    break
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                late = one.verdict.error.startswith(OUT_OF_TIME)
                has_more_time = late and self._terms.limit_s > one.limit_s
                if self._marks.get(one.source) == one.mark and not has_more_time:
                    self.done[one.source] = RunRow(source=one.source, verdict=one.verdict)
            os.truncate(path, whole)
        self._file = path.open("ab")

    def _jobs(self, left: list[Source], hands: int) -> Iterator[Job]:
        """Yields the matches in jobs. The speed so far sets their size, and the last ones are
        small.

        So no worker is still at a large job when all others are idle.
        """
        place = 0
        while place < len(left):
            size = job_size(len(self.done) - self.kept, self._seconds)
            size = min(size, max(1, (len(left) - place) // (2 * hands)))
            items = [source.item() for source in left[place : place + size]]
            place += size
            yield Job(terms=self._terms, items=items)

    def _take(self, done: MatchDone) -> None:
        if done.source in self.done:
            return
        self._seconds += done.seconds
        self.longest_s = max(self.longest_s, done.seconds)
        row = self.done[done.source] = RunRow(source=done.source, verdict=done.verdict)
        if self._file is not None:
            line = DoneRow(
                source=done.source,
                mark=self._marks[done.source],
                seconds=round(done.seconds, 4),
                verdict=done.verdict,
                limit_s=self._terms.limit_s,
            )
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()
        self._tell(row)
