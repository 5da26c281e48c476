"""One run under kills: writers on a server and a projector, killed at random, and then judged.

The servers' files grow with each run, so a long test is many of these, each with a folder of its
own and a seed that follows from the test's.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys
from tests.support.servers import running

from .checking import check, operations_of
from .holding import contradictions, held_by, logs_in
from .killing import Killer, Process, Serving, Target
from .playing import begun, played_log, started_players, unfounded
from .projecting import (
    started_projector,
    wait_for_projections,
    wait_for_projector,
    wrong_outside,
    wrong_projections,
)
from .recording import Tally, all_notes
from .writing import list_jobs, made_log, ready_file, started_writers

PROCESSES = 3
WEIGHTS = {"server": 4, "projector": 3}  # of the others each has one
MATCHES = [f"match{number:011d}" for number in range(6)]


class Storm(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one run."""

    seed: str
    acknowledged: int  # events
    operations: int
    unknown: int  # answers that said that nobody knows
    conflicts: int
    again: int  # acknowledged as done before
    open: int  # of which nobody knows even now: acts without a command id
    wrong: list[str]
    killed: dict[str, int] = {}
    seconds: float = 0.0


def storm(program: Path, folder: Path, seed: str, *, kills: int, events: int = 0) -> Storm:
    """At least so many kills and so many acknowledged events."""
    began = time.monotonic()
    notes = folder / "notes"
    notes.mkdir(parents=True)
    with running(program, folder / "server") as server:
        targets: dict[str, Target] = {"server": Serving(server)}
        try:
            for job in list_jobs(server.url, notes, "writers{}-", MATCHES, seed, PROCESSES):
                ready = ready_file(job.folder, job.name)
                targets[job.name] = Process(partial(started_writers, job), ready)
            targets["projector"] = Process(partial(started_projector, server.url, notes))
            weights = {name: WEIGHTS.get(name, 1) for name in targets}
            killer = Killer(targets, weights, seed)
            tally = Tally(notes)
            wait_for_load(tally, killer)
            killer.kill_some(kills)
            while tally.count() < events:
                time.sleep(0.02)
                killer.none_has_ended()
            ends = {name: targets.pop(name).stop() for name in list(targets) if "writers" in name}
            connection = Connection(server.url)
            wait_for_projector(connection, notes, killer)
            connection.close()
            ends |= {name: target.stop() for name, target in targets.items()}
        finally:
            for target in targets.values():
                if isinstance(target, Process):
                    with suppress(ProcessLookupError):
                        target.kill()
        wrong = ended_badly(ends)
        wrong += [path.read_text()[-1500:] for path in sorted(notes.glob("*.errors"))]
        server.restart()
        found = judged(server.url, notes, seed, [text for text in wrong if text])
        found.wrong.extend(wrong_outside(server.url, notes))
    killed, seconds = dict(killer.killed), round(time.monotonic() - began, 2)
    return msgspec.structs.replace(found, killed=killed, seconds=seconds)


def ended_badly(ends: dict[str, str]) -> list[str]:
    """Returns the processes that did not end as asked; a projector may still have been starting."""
    well = {"projector": ("exit code 0", "killed by SIGTERM")}
    return [
        f"{name} ended with {how}"
        for name, how in ends.items()
        if how not in well.get(name, ("exit code 0",))
    ]


def wait_for_load(tally: Tally, killer: Killer) -> None:
    """Until the writers are at work."""
    until = time.monotonic() + 60
    while tally.count() < 5:
        killer.none_has_ended()
        assert time.monotonic() < until, "the writers do not write"
        time.sleep(0.01)


def wait_for_closes(connection: Connection, ids: list[str], killer: Killer) -> None:
    """Until all matches are closed."""
    heads = [("GET", log_keys(match).head) for match in ids]
    until = time.monotonic() + 60
    while not all(head.startswith(b"c") for head in connection.asks(heads)):
        killer.none_has_ended()
        assert time.monotonic() < until, "the matches do not end"
        time.sleep(0.02)


def judged(url: str, notes: Path, seed: str, wrong: list[str]) -> Storm:
    """Compares the clients' notes with what the server holds now."""
    connection = Connection(url)
    store = RedisStore(connection)
    held = contradictions(held_by(connection))
    logs = [made_log(match, list(store.events(match))) for match in store.matches()]
    connection.close()
    noted = all_notes(notes.glob("*.notes"))
    operations = operations_of(noted).values()
    odd = [f"{anomaly.kind} in {anomaly.match}: {anomaly.text}" for anomaly in check(noted, logs)]
    return Storm(
        seed=seed,
        acknowledged=sum(op.done[0].last - op.done[0].first + 1 for op in operations if op.done),
        operations=len(operations),
        unknown=sum(op.unknowns for op in operations),
        conflicts=sum(op.refused.count("conflict") for op in operations),
        again=sum(done.again for op in operations for done in op.done),
        open=sum(op.open for op in operations),
        wrong=wrong + held + odd,
    )


def match_storm(
    program: Path, folder: Path, seed: str, *, kills: int, matches: int
) -> tuple[list[str], dict[str, int]]:
    """The same with bots that play real matches; what is wrong, and what was seen."""
    notes = folder / "notes"
    notes.mkdir(parents=True)
    with running(program, folder / "server") as server:
        connection = Connection(server.url)
        connection.call("CONFIG", "SET", "appendfsync", "no")  # for the time of the preparation
        ids = begun(RedisStore(connection), matches)
        connection.call("CONFIG", "SET", "appendfsync", "always")
        targets: dict[str, Target] = {"server": Serving(server)}
        try:
            for job in list_jobs(server.url, notes, "player{}", ids, seed, PROCESSES):
                ready = ready_file(job.folder, job.name)
                targets[job.name] = Process(partial(started_players, job), ready)
            targets["projector"] = Process(partial(started_projector, server.url, notes))
            weights = {name: WEIGHTS.get(name, 1) for name in targets}
            killer = Killer(targets, weights, seed, (0.02, 0.25))
            wait_for_load(Tally(notes), killer)
            killer.kill_some(kills)
            connection.forget()
            wait_for_closes(connection, ids, killer)
            wait_for_projector(connection, notes, killer)
            wait_for_projections(connection, ids, killer)
            ends = {name: target.stop() for name, target in targets.items()}
        finally:
            for target in targets.values():
                if isinstance(target, Process):
                    with suppress(ProcessLookupError):
                        target.kill()
        wrong = ended_badly(ends)
        wrong += [text for path in notes.glob("*.errors") if (text := path.read_text()[-1500:])]
        server.restart()
        wrong += wrong_projections(server.url, ids)
        wrong, seen = judged_matches(server.url, notes, ids, wrong)
        return wrong + wrong_outside(server.url, notes), seen


def judged_matches(
    url: str, notes: Path, ids: list[str], wrong: list[str]
) -> tuple[list[str], dict[str, int]]:
    """Compares the players' notes with the logs, and the logs with the rules."""
    connection = Connection(url)
    store, held = RedisStore(connection), held_by(connection)
    noted = all_notes(notes.glob("*.notes"))
    operations = operations_of(noted)
    entries = logs_in(held)
    logs = [played_log(entries[match], list(operations)) for match in ids]
    wrong += contradictions(held)
    wrong += [f"{odd.kind} in {odd.match}: {odd.text}" for odd in check(noted, logs)]
    for match in ids:
        wrong += unfounded(store, match)
    connection.close()
    seen = {
        "decisions": sum(bool(op.done) for op in operations.values()),
        "unknown": sum(op.unknowns for op in operations.values()),
        "refused": sum(len(op.refused) for op in operations.values()),
        "open": sum(op.open for op in operations.values()),
        "closed": sum(entries[match].entries[-1].closed for match in ids),
    }
    return wrong, seen
