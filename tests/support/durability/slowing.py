"""Measures kills on a slow disk: a server with slow fsyncs is killed under load.

strace holds the system call up, so it is the server itself that waits, and what it does meanwhile
is what is measured: under `everysec` it goes on answering.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from tests.support.servers import Server, running

from .checking import check, lost, operations_of
from .holding import contradictions, held_by
from .killing import Process
from .recording import Tally, all_notes
from .storm import MATCHES
from .writing import list_jobs, made_log, started_writers

STRACE = shutil.which("strace")
PROCESSES = 2


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of one kill."""

    seed: str
    policy: str
    delay: int  # milliseconds
    acknowledged: int
    lost: int
    wrong: list[str]


def can_slow() -> bool:
    """Whether strace is here and may trace."""
    if STRACE is None:
        return False
    return not subprocess.run([STRACE, "-o", "/dev/null", "true"], check=False).returncode


def slowing(milliseconds: int) -> tuple[str, ...]:
    """Returns the command that starts a server with slower fsyncs."""
    assert STRACE is not None
    calls = f"fdatasync,fsync:delay_enter={milliseconds * 1000}"
    return (STRACE, "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e",
            f"inject={calls}")  # fmt: skip


def traced(server: Server) -> int:
    """The number of the server's own process, which strace has started."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return int(children[0])


@contextmanager
def slow_server(program: Path, folder: Path, policy: str, milliseconds: int) -> Iterator[Server]:
    """A server on a slow disk; its own process ends with it."""
    server = Server(
        program,
        folder,
        {"appendfsync": policy},
        before=slowing(milliseconds) if milliseconds else (),
    )
    try:
        server.start()
        yield server
    finally:
        kill(server)
        server.close()


def kill(server: Server) -> None:
    """kill -9 of the server, not of its tracer, which ends by itself."""
    if server.process is None or server.process.poll() is not None:
        return
    with suppress(ProcessLookupError, IndexError):
        os.kill(traced(server) if server.before else server.pid, signal.SIGKILL)
    server.process.wait(20)


def loss(
    program: Path,
    folder: Path,
    seed: str,
    policy: str,
    delay: int,
    seconds: tuple[float, float] = (1.5, 4.5),
) -> Loss:
    """One kill under load after a while; what was acknowledged and is gone."""
    rng = random.Random(f"{seed} {policy} {delay}")
    notes = folder / "notes"
    notes.mkdir(parents=True)
    writers: list[Process] = []
    with slow_server(program, folder / "server", policy, delay) as server:
        try:
            jobs = list_jobs(server.url, notes, "w{}-", MATCHES, seed, PROCESSES)
            writers.extend(Process(partial(started_writers, job)) for job in jobs)
            tally, until = Tally(notes), time.monotonic() + 60
            while tally.count() == 0 and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(rng.uniform(*seconds))
            kill(server)
        finally:
            for writer in writers:
                with suppress(ProcessLookupError):
                    writer.kill()
    return _counted(program, folder, seed, policy, delay)


def _counted(program: Path, folder: Path, seed: str, policy: str, delay: int) -> Loss:
    noted = all_notes((folder / "notes").glob("*.notes"))
    with running(program, folder / "server", {"appendfsync": policy}) as server:
        connection = Connection(server.url)
        store = RedisStore(connection)
        wrong = contradictions(held_by(connection))  # what is left is whole, however much is gone
        logs = [made_log(match, list(store.events(match))) for match in store.matches()]
        connection.close()
    if policy == "always":
        wrong += [f"{odd.kind} in {odd.match}: {odd.text}" for odd in check(noted, logs)]
    done = [op.done[0] for op in operations_of(noted).values() if op.done]
    return Loss(
        seed=seed,
        policy=policy,
        delay=delay,
        acknowledged=sum(one.last - one.first + 1 for one in done),
        lost=lost(noted, logs),
        wrong=wrong,
    )
