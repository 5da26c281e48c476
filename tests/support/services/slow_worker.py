"""Jobs for tests, and a worker that knows them: `python -m tests.support.services.slow_worker`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from redis import Redis

from replays.walk import Progress
from services.jobs import queue
from services.jobs.results import ResultStore
from services.worker.__main__ import main

HERE = "tests.support.services.slow_worker"


def slow(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Takes so many seconds, says how far it is, and notes each time that it begins."""
    with Path(arguments["notes"]).open("a", encoding="ascii") as notes:
        notes.write(f"{os.getpid()}\n")
    for step in range(100):
        progress(step, 100)
        time.sleep(arguments["seconds"] / 100)
    ResultStore(server).put(arguments["result"], b"done slowly")


def broken(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Goes wrong."""
    with Path(arguments["notes"]).open("a", encoding="ascii") as notes:
        notes.write("tried\n")
    raise ValueError("there is a hole in it")


def keys(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Notes the keys that a worker knows."""
    known = [name for name in os.environ if name.endswith(("_KEY", "_TOKEN"))]
    ResultStore(server).put(arguments["result"], " ".join(sorted(known)).encode())


def endless(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Does not end by itself."""
    while True:
        time.sleep(0.1)


def know_them() -> None:
    """The table of jobs has these, too."""
    table = cast("dict[str, str]", queue.JOBS)
    table |= {one: f"{HERE}:{one}" for one in ("slow", "broken", "keys", "endless")}


if __name__ == "__main__":
    know_them()
    sys.exit(main())
