"""The worker's process: `python -m services.worker`, or a child of `hegemon up`.

It exits on SIGTERM or SIGINT, with its job done or put back. It does not need the webhooks'
key or the figures' token, and removes them from its environment.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Final

from ledger.log.stores.redis.store import RedisStore
from services.jobs.queue import server_at
from services.run.logs import teller
from services.run.process import Going, Work, last
from services.run.settings import Settings

from .loop import JobWorker

NOT_OURS: Final = ("HEGEMON_WEBHOOK_KEY", "HEGEMON_METRICS_TOKEN", "HEGEMON_SIGNING_KEY")
ANSWER_SECONDS: Final = 10.0

tell = teller("worker")


class NoJobs(Exception):
    """No jobs' server is set."""

    exit_code = 2


def begin(settings: Settings, store: RedisStore) -> Work:
    """Checks that there is a ledger, loads the games, then does jobs."""
    if settings.jobs_url is None:
        store.connection.close()
        raise NoJobs("it needs HEGEMON_JOBS_URL; `hegemon up` sets it.")
    # Each job opens the ledger for itself: connections are not shared with those who are forked.
    store.cache.close()
    store.connection.close()
    preload()
    # For programs each job is a line; people want to know of those that went wrong.
    level = logging.INFO if settings.log == "json" else logging.WARNING
    logging.getLogger("services.jobs").setLevel(level)
    server = server_at(settings.jobs_url, ANSWER_SECONDS)

    def work(going: Going) -> None:
        JobWorker(server, going, tell).run()

    return work


def preload() -> None:
    """Loads the games once for all forked processes."""
    from ledger.games import GAMES, ruleset
    from services.jobs.queue import JOBS, work_of
    from services.jobs.results import program

    program()
    for name in GAMES:
        ruleset(name)
    for name in JOBS:
        work_of(name)


def main() -> int:
    for name in NOT_OURS:
        os.environ.pop(name, None)
    return last("worker", begin, (NoJobs,))


if __name__ == "__main__":
    sys.exit(main())
