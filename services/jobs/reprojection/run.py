"""A run: many matches under one change, in jobs of a few seconds, with what is done kept on disk.

    FOLDER/run.json       what is asked of every match, and the rules it is asked of
    FOLDER/done.jsonl     a line for each match that is done, in the order in which they were

A run that was stopped, or killed, goes on where it was: what is done is not done again, unless the
log has changed since, or the match was out of time and has more of it now. A last line that was cut
off is taken away. Without a folder nothing is kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from replays.reproject.corpus import Row
from replays.reproject.verdicts import MatchVerdict

from .batches import OUT_OF_TIME, Done, Item, Job, Terms
from .fleet import Fleet

JOB_S: Final = 4.0  # of work in a job, as far as can be told from the matches before
JOB_FIRST: Final = 4  # matches, before anything is known
JOB_MOST: Final = 500

RUN: Final = "run.json"
DONE: Final = "done.jsonl"


class OtherRun(Exception):
    """The folder holds a run that asked for something else."""


class Source(msgspec.Struct, frozen=True):
    """A match of a run: its name, what tells whether its log has changed, and how to read it."""

    name: str
    mark: str
    item: Callable[[], Item]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `done.jsonl`."""

    source: str
    mark: str
    seconds: float
    verdict: MatchVerdict
    limit_s: float = 0.0  # that it had


class Run:
    """One run."""

    def __init__(
        self,
        terms: Terms,
        rules: dict[str, str],
        folder: Path | None = None,
        tell: Callable[[Row], None] = lambda _: None,
    ) -> None:
        self._terms = terms
        self._folder = folder
        self._tell = tell
        self._file: IO[bytes] | None = None
        self._seconds = 0.0
        self._marks: dict[str, str] = {}
        self.done: dict[str, Row] = {}
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
                message = f"{path.parent} holds a run that asked for something else"
                raise OtherRun(f"{message}, or of other rules: take another folder")
            return
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(asked, indent=1) + "\n", encoding="utf-8")
        beside.replace(path)

    def over(self, sources: Iterable[Source], fleet: Fleet) -> list[Row]:
        """Re-project all of them; the rows in the order of their names."""
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
                    one = msgspec.json.decode(line, type=Line)
                except (msgspec.ValidationError, msgspec.DecodeError):
                    break
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                if self._marks.get(one.source) == one.mark and not self._has_more_time(one):
                    self.done[one.source] = Row(source=one.source, verdict=one.verdict)
            os.truncate(path, whole)
        self._file = path.open("ab")

    def _has_more_time(self, one: Line) -> bool:
        """Whether a match that was out of time is to be tried again."""
        late = one.verdict.error.startswith(OUT_OF_TIME)
        return late and self._terms.limit_s > one.limit_s

    def _jobs(self, left: list[Source], hands: int) -> Iterator[Job]:
        """The matches in jobs, as large as what was done so far says; the last ones are small.

        So nobody is still at a large job when all others have nothing to do.
        """
        place = 0
        while place < len(left):
            size = min(self._size(), max(1, (len(left) - place) // (2 * hands)))
            items = [source.item() for source in left[place : place + size]]
            place += size
            yield Job(terms=self._terms, items=items)

    def _size(self) -> int:
        worked = len(self.done) - self.kept
        if not worked or not self._seconds:
            return JOB_FIRST
        return max(1, min(JOB_MOST, int(JOB_S * worked / self._seconds)))

    def _take(self, done: Done) -> None:
        if done.source in self.done:
            return
        self._seconds += done.seconds
        self.longest_s = max(self.longest_s, done.seconds)
        row = self.done[done.source] = Row(source=done.source, verdict=done.verdict)
        if self._file is not None:
            line = Line(
                source=done.source,
                mark=self._marks[done.source],
                seconds=round(done.seconds, 4),
                verdict=done.verdict,
                limit_s=self._terms.limit_s,
            )
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()
        self._tell(row)
