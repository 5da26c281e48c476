"""The windows of a trace, and what is read back from it.

A window is a stretch of time with a number, which every traced process sees at once: it lies in one
byte of a file that all have in their memory. While a window is open, each thread of each process
notes each function of the project that it enters for the first time (hook/sitecustomize.py).
"""

from __future__ import annotations

import json
import mmap
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

HOOK: Final = Path(__file__).resolve().parent / "hook"
FOLDERS: Final = ("ledger", "services", "replays")


class Thread(NamedTuple):
    """A thread of a process."""

    process: int
    thread: int


class Entered(NamedTuple):
    """A thread entered a function for the first time in a window."""

    at: int
    window: int
    by: Thread
    file: str
    function: str


class Process(NamedTuple):
    """A traced process."""

    words: tuple[str, ...]
    parent: int


class Trace:
    """The folder of one trace, and the byte that says which window is open."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._out = folder / "trace"
        self._out.mkdir(parents=True)
        self._root = root
        self._byte = folder / "window"
        self._byte.write_bytes(b"\0")
        with self._byte.open("r+b") as file:
            self._window = mmap.mmap(file.fileno(), 1)
        self._names: dict[int, str] = {}
        self.seconds: dict[str, float] = {}

    def environment(self, path: str) -> dict[str, str]:
        """Returns the environment in which a process and its children are traced."""
        return {
            **{name: value for name, value in os.environ.items() if name[:8] != "HEGEMON_"},
            "PYTHONPATH": os.pathsep.join((str(HOOK), path)),
            "PYTHONNOUSERSITE": "1",
            "PYTHONSAFEPATH": "1",
            "WALKS_ROOT": str(self._root),
            "WALKS_FOLDERS": ",".join(FOLDERS),
            "WALKS_WINDOW": str(self._byte),
            "WALKS_OUT": str(self._out),
        }

    @contextmanager
    def window(self, name: str) -> Iterator[None]:
        """Open a window for as long as something goes on."""
        number = len(self._names) + 1
        self._names[number] = name
        began = time.monotonic()
        self._window[0] = number
        try:
            yield
        finally:
            self._window[0] = 0
            self.seconds[name] = time.monotonic() - began

    def read(self) -> Recorded:
        """All that has been noted."""
        entered: list[Entered] = []
        processes: dict[int, Process] = {}
        for path in self._out.glob("*.tsv"):
            number = int(path.stem)
            first, *lines = path.read_text().splitlines()
            said = json.loads(first)
            processes[number] = Process(tuple(said["words"]), said["parent"])
            for line in lines:
                window, at, thread, file, function = line.split("\t")
                by = Thread(number, int(thread))
                entered.append(Entered(int(at), int(window), by, file, function))
        entered.sort()
        return Recorded(entered, processes, self._names)


class Recorded:
    """The notes in the windows of one trace."""

    def __init__(
        self, entered: list[Entered], processes: Mapping[int, Process], names: Mapping[int, str]
    ) -> None:
        self._entered = entered
        self._processes = processes
        self._names = names

    def named(self, process: int) -> str:
        """Returns a process's name: from its command, or from its parent."""
        found = self._processes[process]
        parent = self._processes.get(found.parent)
        words = found.words
        if "gunicorn" in words:
            return "web"
        if parent is not None and parent.words == words:
            return f"{self.named(found.parent)}'s job"
        if "-m" in words:
            return words[words.index("-m") + 1].rpartition(".")[2]
        return "command"

    def within(self, name: str) -> list[Entered]:
        """Returns what was entered in the windows of a name, in the order of time."""
        return [one for one in self._entered if self._names[one.window] == name]

    def idle(self, name: str) -> set[tuple[Thread, str, str]]:
        """Returns what threads enter in a window without requests; nothing if there is no name."""
        return {(one.by, one.file, one.function) for one in self.within(name)}
