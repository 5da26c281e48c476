"""A worker with one broken game: `python -m tests.support.services.broken_worker`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from typing import Any, cast

from redis import Redis

from replays.walk import Progress
from services.jobs import queue
from services.jobs.reprojection import parts
from services.run.settings import read_settings
from services.run.stores import told_store
from services.worker.__main__ import main
from tests.support.services.broken_games import rules_of

PATIENCE = "HEGEMON_TEST_PATIENCE"  # seconds until a worker that hears nothing is killed
SLOW = "HEGEMON_TEST_SLOW"  # seconds before each match


def part(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """As the worker does it, but for the game; and so slowly that it can be caught at it."""
    store = told_store(read_settings())
    assert store is not None

    def slowly(done: int, of: int) -> None:
        time.sleep(float(os.environ.get(SLOW, "0")))
        progress(done, of)

    if PATIENCE in os.environ:
        parts.KILLED_AT_LAST_S = float(os.environ[PATIENCE])  # type: ignore[misc]
    parts.work_with(server, arguments, slowly, store, rules_of)


if __name__ == "__main__":
    cast("dict[str, str]", queue.JOBS)[parts.PART] = "tests.support.services.broken_worker:part"
    sys.exit(main())
