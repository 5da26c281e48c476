"""Counts the files of a trace, by groups."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from .tracing import Entered, Recorded

KERNEL, PARTS, GAME, REST = "kernel", "parts", "game", "rest"
GROUPS: Final = (KERNEL, PARTS, GAME, REST)


class Window(NamedTuple):
    """A window of a walk; the idle window before it; the processes that are looked at, or all."""

    name: str
    idle: str = ""
    processes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Walk:
    """A walk: the windows that it is, and the game that it is about."""

    number: int
    name: str
    game: str
    windows: tuple[Window, ...]


@dataclass
class File:
    """A file that was entered, by which functions, in the order of time."""

    path: str
    group: str
    functions: list[str] = field(default_factory=list)
    processes: list[str] = field(default_factory=list)


@dataclass
class Counted:
    """A walk's files in the order of their first entry, and those that only idle loops entered."""

    walk: Walk
    files: list[File]
    idle_only: list[str]
    idle_anyway: int  # files that idle loops of the same processes enter
    processes: list[str]

    def of(self, group: str) -> list[File]:
        """The files of a group."""
        return [one for one in self.files if one.group == group]

    def entered_in(self, *names: str) -> int:
        """How many files of the rest some processes enter."""
        return sum(not set(names).isdisjoint(one.processes) for one in self.rest)

    @property
    def with_projector(self) -> int | None:
        """How many files of the rest web and projector enter; None where it is not under way."""
        found = [name for name in self.processes if name.startswith("project")]
        return self.entered_in("web", *found) if found else None

    @property
    def rest(self) -> list[File]:
        """The files that are neither the kernel's nor the game's nor parts."""
        return self.of(REST)


def group_of(path: str, game: str) -> str:
    """Returns the group of a file."""
    if path.startswith("ledger/kernel/"):
        return KERNEL
    if path.startswith("ledger/parts/"):
        return PARTS
    top, *folders = PurePosixPath(path).with_suffix("").parts
    return GAME if top == "ledger" and game in folders else REST


def counted(walk: Walk, recorded: Recorded) -> Counted:
    """Count a walk: a function that the same thread enters when idle, too, does not count."""
    files: dict[str, File] = {}
    entered: set[str] = set()
    idle_anyway: set[str] = set()
    processes: dict[str, None] = {}
    for window in walk.windows:
        idle = recorded.idle(window.idle)
        for one in recorded.within(window.name):
            name = recorded.named(one.by.process)
            if window.processes and name not in window.processes:
                continue
            entered.add(one.file)
            if (one.by, one.file, one.function) not in idle:
                processes[name] = None
                note(files, one, name, walk.game)
        idle_anyway |= {
            file
            for by, file, _ in idle
            if not window.processes or recorded.named(by.process) in window.processes
        }
    idle_only = sorted(entered - files.keys())
    return Counted(walk, list(files.values()), idle_only, len(idle_anyway), list(processes))


def note(files: dict[str, File], one: Entered, process: str, game: str) -> None:
    """A function that counts makes its file count."""
    file = files.setdefault(one.file, File(one.file, group_of(one.file, game)))
    if one.function not in file.functions:
        file.functions.append(one.function)
    if process not in file.processes:
        file.processes.append(process)


def agreed(runs: Sequence[Sequence[Counted]]) -> list[str]:
    """Where runs differ: a line for each file that one has and another has not."""
    lines = []
    for run in runs[1:]:
        for first, other in zip(runs[0], run, strict=True):
            mine, theirs = ({file.path for file in one.files} for one in (first, other))
            lines += [
                f"walk {first.walk.number}: {path} is not entered in every run"
                for path in sorted(mine ^ theirs)
            ]
    return lines


def as_json(run: Sequence[Counted], seconds: Mapping[str, float], differ: Sequence[str]) -> str:
    """A run for programs."""
    said = {
        "walks": [
            {
                "walk": one.walk.number,
                "name": one.walk.name,
                "game": one.walk.game,
                "counts": {group: len(one.of(group)) for group in GROUPS},
                "entered_by_idle_loops_anyway": one.idle_anyway,
                "not_counted": one.idle_only,
                "rest_by_process": {name: one.entered_in(name) for name in one.processes},
                "rest_of_web_and_projector": one.with_projector,
                "files": [vars(file) for file in one.files],
            }
            for one in run
        ],
        "runs_differ": list(differ),
        "seconds": {name: round(value, 1) for name, value in seconds.items()},
    }
    return json.dumps(said, indent=1) + "\n"
