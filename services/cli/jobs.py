"""The `jobs` command: the jobs of the workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click
import msgspec

from services.cli.support.exits import Failure, Lacking
from services.cli.support.output import format_count, printable, show
from services.cli.support.params import as_json_option
from services.cli.support.sources import settings_of
from services.run.servers import running_up
from services.run.settings import Settings

if TYPE_CHECKING:  # the client of the servers is slow to import
    from redis import Redis

    from services.jobs.queue import JobQueue

EVERY: Final = "all"


@click.command()
@click.option("--retry", metavar="JOB", help="Retry a failed job; all: every failed job.")
@as_json_option
def jobs(retry: str | None) -> None:
    r"""List the jobs that run, wait or have failed; retry one.

    Finished jobs are not listed. Failed jobs are kept for a week.

    \b
        hegemon jobs
        hegemon jobs --retry replay-6c1f...
    """
    from services.jobs.queue import JobQueue

    with jobs_server() as server:
        queue = JobQueue(server)
        if retry is not None:
            again = _retry_jobs(queue, retry)
            show(again, f"{format_count(len(again), 'job')} will run again.")
            return
        listed = queue.all()
    lines = [
        f"{job.job}  {job.state}"
        + (f"  {job.done} of {job.of}" if job.of else "")
        + (f"  {printable(job.why)}" if job.why else "")
        for job in listed
    ]
    show(msgspec.to_builtins(listed), "\n".join(lines) or "No job runs, waits, or has failed.")


@contextmanager
def jobs_server() -> Iterator[Redis]:
    """Yields a connection to the jobs' server; an outage ends the command."""
    from services.jobs.queue import OUTAGES, server_at

    server = server_at(_find_address(settings_of()))
    try:
        yield server
    except OUTAGES as why:
        raise Lacking(f"the jobs' server does not answer: {why}") from None
    finally:
        server.close()


def _retry_jobs(queue: JobQueue, retry: str) -> list[str]:
    failed = [one.job for one in queue.all() if one.state == "failed"]
    chosen = failed if retry == EVERY else [one for one in failed if one == retry]
    if not chosen and retry != EVERY:
        raise Failure(f"no failed job has this name: {retry[:80]!r}")
    return [one for one in chosen if queue.retry(one)]


def _find_address(settings: Settings) -> str:
    """Returns the address of the jobs server: from the settings, or of the `up` that runs here."""
    if settings.jobs_url is not None:
        return settings.jobs_url
    note = running_up(settings.data / "servers")
    if note is None or "jobs" not in note.runs:
        raise Lacking("no jobs' server runs: start `hegemon up`, or name one: HEGEMON_JOBS_URL")
    return note.url("jobs")


COMMANDS = (jobs,)
