"""Parts: jobs of a run for the queue's workers, and their data on the jobs' server.

    part:<hash>         some matches of a run, under the hash of the whole job
    part:<hash>:done    the results so far, match by match
    part:<hash>:tries   how often each match was begun, and why it was given up
    part:<hash>:over    the part is over: any remaining matches belong to another part

A worker stops after a few seconds, whatever is left. A killed worker leaves its results,
and the next worker continues behind them. A match that kills its worker twice gets an error
verdict.
"""

from __future__ import annotations

import gzip
import os
import signal
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, cast

import msgspec
from redis import Redis

from ledger.games import ruleset
from ledger.log.read.history import RulesOf
from ledger.log.stores.protocol import Store
from replays.walk import Progress
from services.jobs.results import DAY, ResultStore, name_of
from services.run.settings import read_settings
from services.run.stores import open_store

from .batches import DIED, KILLED, TRIES, FileItem, Job, MatchDone, abandon_match, patience_of, work

PART: Final = "reprojection_part"
PART_S: Final = 4.0  # of work under one name; others wait for the same workers
KILLED_AT_LAST_S: Final = 100.0  # before the queue takes the whole job for lost
HEARD_S: Final = 600  # what was heard is there for others
NO_FILES: Final = "a worker reads no files: bundles are carried to it"


class PartOf:
    def __init__(self, server: Redis, name: str, heard: int = 0) -> None:
        self._server = server
        self.name = name
        self.heard = heard  # so many of its results were read

    @classmethod
    def laid(cls, server: Redis, job: Job) -> PartOf:
        """Stores a job under the name derived from its content."""
        packed = msgspec.msgpack.encode(job)
        part = cls(server, name_of("part", {"job": packed}))
        part.job = job
        ResultStore(server).put(part.name, packed)
        return part

    @property
    def is_kept(self) -> bool:
        return ResultStore(self._server).has(self.name)

    @cached_property
    def job(self) -> Job | None:
        """Returns the part's job, or None if it is no longer wanted, or of another version."""
        packed = ResultStore(self._server).packed(self.name)
        if packed is None:
            return None
        with suppress(msgspec.ValidationError):
            return msgspec.msgpack.decode(gzip.decompress(packed), type=Job)
        return None

    def done(self, after: int = 0) -> list[MatchDone]:
        """Returns the results, without the first `after`."""
        found = cast("list[bytes]", self._server.lrange(f"{self.name}:done", after, -1))
        return [msgspec.msgpack.decode(one, type=MatchDone) for one in found]

    def count(self) -> int:
        found: Any = self._server.llen(f"{self.name}:done")
        return int(found)

    def tell(self, done: MatchDone) -> None:
        with self._server.pipeline() as both:
            both.rpush(f"{self.name}:done", msgspec.msgpack.encode(done))
            both.expire(f"{self.name}:done", DAY)
            both.execute()

    def begun(self, place: int) -> tuple[int, str]:
        """Counts a try of a match; returns the number of tries, and why it was given up, if so."""
        with self._server.pipeline() as all_of_it:
            all_of_it.hincrby(f"{self.name}:tries", str(place), 1)
            all_of_it.hget(f"{self.name}:tries", f"{place} why")
            all_of_it.expire(f"{self.name}:tries", DAY)
            count, why, _ = all_of_it.execute()
        return int(count), "" if why is None else bytes(why).decode()

    def give_up(self, place: int, why: str) -> None:
        """Notes that a match must not be tried again."""
        self._server.hset(f"{self.name}:tries", f"{place} why", why)

    def end(self) -> None:
        self._server.set(f"{self.name}:over", 1, ex=DAY)

    @property
    def over(self) -> bool:
        return bool(self._server.exists(f"{self.name}:over"))

    def forget(self) -> None:
        """Deletes the part. Its results stay a while for others who requested the same."""
        with self._server.pipeline() as together:
            together.delete(self.name, f"{self.name}:tries")
            together.expire(f"{self.name}:done", HEARD_S)
            together.expire(f"{self.name}:over", HEARD_S)
            together.execute()


def _kill_worker(part: PartOf, place: int) -> None:
    """Kills this process if a match ignores signals, so that the next one can go on."""
    part.give_up(place, KILLED)
    os.kill(os.getpid(), signal.SIGKILL)


def work_on_part(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Works on a part with the ledger of the settings; the work of a job."""
    with open_store(read_settings()) as store:
        work_with(server, arguments, progress, store, ruleset)


def work_with(
    server: Redis,
    arguments: Mapping[str, Any],
    progress: Progress,
    store: Store,
    rules_of: RulesOf,
) -> None:
    """Works on a part with a given ledger and games."""
    part = PartOf(server, str(arguments["part"]))
    job = part.job
    if job is None or part.over:
        return
    patience = min(patience_of(job.terms), KILLED_AT_LAST_S)
    began = time.monotonic()
    for place in range(part.count(), len(job.items)):
        if place and time.monotonic() - began > PART_S:
            break
        watch = threading.Timer(patience, _kill_worker, (part, place))
        watch.daemon = True
        watch.start()
        try:
            part.tell(_work_on_item(part, job, place, store, rules_of))
        finally:
            watch.cancel()
        progress(place + 1, len(job.items))
    part.end()


def _work_on_item(part: PartOf, job: Job, place: int, store: Store, rules_of: RulesOf) -> MatchDone:
    item = job.items[place]
    tries, why = part.begun(place)
    if why or tries > TRIES:
        return abandon_match(job, item, why or DIED)
    if isinstance(item, FileItem):  # whoever can write to the jobs' server has no files read
        return abandon_match(job, item, NO_FILES)
    terms = msgspec.structs.replace(job.terms, index=None)
    return next(iter(work(Job(terms=terms, items=[item]), rules_of, store)))
