"""The `jobs` command: the jobs of the workers."""

from __future__ import annotations

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
    from services.jobs.queue import JobQueue

EVERY: Final = "all"


@click.command()
@click.option("--retry", metavar="JOB", help="Retry a failed job; all: every failed job.")
@as_json_option
def jobs(retry: str | None, as_json: bool) -> None:
    r"""List the jobs that run, wait or have failed; retry one.

    Finished jobs are not listed. Failed jobs are kept for a week.

    \b
        hegemon jobs
        hegemon jobs --retry replay-6c1f...
    """
    from services.jobs.queue import OUTAGES, JobQueue, server_at

    server = server_at(address_of(settings_of()))
    try:
        desk = JobQueue(server)
        if retry is not None:
            again = _retry_jobs(desk, retry)
            show(again, as_json=as_json, text=f"{format_count(len(again), 'job')} will run again.")
            return
        found = desk.all()
    except OUTAGES as why:
        raise Lacking(f"the jobs' server does not answer: {why}") from None
    finally:
        server.close()
    lines = [
        f"{one.job}  {one.state}"
        + (f"  {one.done} of {one.of}" if one.of else "")
        + (f"  {printable(one.why)}" if one.why else "")
        for one in found
    ]
    plain = [msgspec.to_builtins(one) for one in found]
    show(plain, as_json=as_json, text="\n".join(lines) or "No job runs, waits, or has failed.")


def _retry_jobs(desk: JobQueue, retry: str) -> list[str]:
    failed = [one.job for one in desk.all() if one.state == "failed"]
    chosen = failed if retry == EVERY else [one for one in failed if one == retry]
    if not chosen and retry != EVERY:
        raise Failure(f"no failed job has this name: {retry[:80]!r}")
    return [one for one in chosen if desk.retry(one)]


def address_of(settings: Settings) -> str:
    """Returns the address of the jobs server: from the settings, or of the `up` that runs here."""
    if settings.jobs_url is not None:
        return settings.jobs_url
    note = running_up(settings.data / "servers")
    if note is None or "jobs" not in note.runs:
        raise Lacking("no jobs' server runs: start `hegemon up`, or name one: HEGEMON_JOBS_URL")
    return f"unix://{note.sockets}/jobs.sock"


COMMANDS = (jobs,)
