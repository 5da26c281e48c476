"""Kills processes with -9 at moments drawn from a seed, and starts them again.

A target is anything that can be killed and started: the server, a process of writers, or any
other, as `Process` with the call that starts it.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from services.run.children import Child
from tests.support.servers import Server

TOGETHER = 0.15  # how often two targets are killed at once
WHILE_STARTING = 0.1  # how often one is killed again before it has well begun
STOP_SECONDS = 60.0
DOWN_SECONDS = (0.0, 0.0, 0.02, 0.15)


class Target(Protocol):
    """Something that can be killed."""

    def kill(self) -> None:
        """kill -9; it is gone when this returns."""

    def start(self, *, wait: bool) -> None:
        """Start it again over what it has left."""

    def ended(self) -> str | None:
        """How it ended by itself; None where it did not."""

    def stop(self) -> str:
        """Ask it to end; how it ended."""


class Serving:
    """The server as a target."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def kill(self) -> None:
        self.server.kill()

    def start(self, *, wait: bool) -> None:
        self.server.start(wait=wait)

    def ended(self) -> str | None:
        process = self.server.process
        code = None if process is None else process.poll()
        return None if code is None else f"exit code {code}"

    def stop(self) -> str:
        return self.ended() or "exit code 0"


class Process:
    """A process of ours as a target; `begin` starts it, for the first time and every other.

    Where there is a file `ready`, the process writes its number there once it listens to SIGTERM.
    """

    def __init__(self, begin: Callable[[], Child], ready: Path | None = None) -> None:
        self._begin = begin
        self._ready = ready
        self.child = begin()

    def kill(self) -> None:
        os.kill(self.child.pid, signal.SIGKILL)
        self.child.wait(time.monotonic() + 10)

    def start(self, *, wait: bool) -> None:
        self.child = self._begin()

    def ended(self) -> str | None:
        return self.child.ended()

    def stop(self) -> str:
        """SIGTERM, and a minute to bring its work to an end."""
        until = time.monotonic() + STOP_SECONDS
        while not (self._listens() or self.child.ended()) and time.monotonic() < until:
            time.sleep(0.01)
        self.child.ask_to_stop()
        while not self.child.ended() and time.monotonic() < until:
            time.sleep(0.01)
        how = self.child.ended() or "not within a minute"
        self.child.wait(time.monotonic())
        return how

    def _listens(self) -> bool:
        if self._ready is None:
            return True
        return self._ready.exists() and self._ready.read_text() == str(self.child.pid)


class Killer:
    """Kills targets by name, the more often the greater their weight."""

    def __init__(
        self,
        targets: Mapping[str, Target],
        weights: Mapping[str, int],
        seed: str,
        between: tuple[float, float] = (0.03, 0.4),
    ) -> None:
        self.targets = targets
        self._weights = weights
        self._rng = random.Random(seed)
        self._between = between
        self.killed: Counter[str] = Counter()

    def kill_some(self, count: int) -> None:
        """So many kills, each after a while under load."""
        goal = self.killed.total() + count
        while self.killed.total() < goal:
            time.sleep(self._rng.uniform(*self._between))
            self.none_has_ended()
            victims = {self._draw()}
            if goal - self.killed.total() > 1 and self._rng.random() < TOGETHER:
                victims.add(self._draw())
            self._kill(victims)
            if goal - self.killed.total() >= len(victims) and self._rng.random() < WHILE_STARTING:
                for name in sorted(victims):
                    self.targets[name].start(wait=False)
                time.sleep(self._rng.uniform(0, 0.03))
                self._kill(victims)
            time.sleep(self._rng.choice(DOWN_SECONDS))
            for name in sorted(victims):
                self.targets[name].start(wait=True)

    def _draw(self) -> str:
        names = sorted(self.targets)
        return self._rng.choices(names, [self._weights[name] for name in names])[0]

    def _kill(self, names: set[str]) -> None:
        for name in sorted(names):
            self.targets[name].kill()
            self.killed[name] += 1

    def none_has_ended(self) -> None:
        """A target that ends by itself is a failure of its own."""
        for name, target in self.targets.items():
            how = target.ended()
            assert how is None, f"{name} ended by itself: {how}"
