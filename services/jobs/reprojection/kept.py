"""Kept runs: requested once, worked on by the queue's workers, and found again by name.

    reprojection:<id>:asked   the request and its matches; <id> is their hash
    reprojection:<id>:state   the progress: which parts are handed out, how many looks it had
    reprojection:<id>:done    the verdict on each match
    reprojection:<id>         the report; reprojection:<id>:csv  the same as a table
    reprojections             the runs that are not over

Short jobs advance a run. Each hands out parts, collects results, and requests the next job.
If a worker is killed in between, the queue repeats the job: it finds the earlier requests,
and loses nothing. If the queue itself has lost a job, the next visitor requests it again.
"""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

import msgspec
from redis import Redis

from ledger.kernel.ruleset import Result
from ledger.log.stores.protocol import Store
from replays.reproject.report import RunReport, RunRow, csv_text, report_of, result_then
from replays.reproject.verdicts import MatchVerdict
from replays.walk import Progress
from services.jobs.queue import Full, JobQueue
from services.jobs.results import DAY, ResultStore, name_of
from services.run.settings import read_settings
from services.run.stores import open_store

from .batches import Job, MatchDone, RunTerms, Stored, StoredItem
from .queue_fleet import Queued
from .run import job_size

KIND: Final = "reprojection"
OPEN: Final = "reprojections"
WEEK: Final = 7 * DAY
AT_ONCE: Final = 4  # runs that are not over
PAUSE_S: Final = 0.2  # where nothing has come in
ID_LENGTH: Final = 32
NO_ROOM: Final = 1 << 30  # for jobs of a run that is taken: there is always room

Stand: TypeAlias = Literal["queued", "running", "done", "failed"]


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A run, by everything its report depends on."""

    terms: RunTerms
    ruleset: str
    source: str  # of the rules
    matches: tuple[Stored, ...]
    tournament: str = ""
    entry: int = 0  # the last entry of its book
    audience: str = ""  # who may see it: anyone, member, or one person
    program: str = ""

    @property
    def id(self) -> str:
        packed = msgspec.msgpack.encode(self)
        return name_of(KIND, {"asked": packed}).partition(":")[2][:ID_LENGTH]


class _State(msgspec.Struct, kw_only=True):
    tick: int = 0  # how often it was looked at
    next: int = 0  # the first match that is in no part yet
    missing: list[int] = []
    handed: dict[str, int] = {}
    again: list[str] = []
    worked: int = 0
    seconds: float = 0.0


class Far(msgspec.Struct, frozen=True, kw_only=True):
    state: Stand
    done: int
    of: int
    why: str = ""


class KeptRun:
    def __init__(self, queue: JobQueue, run: str) -> None:
        self.id = run
        self.name = f"{KIND}:{run}"
        self._queue = queue
        self._server = queue.server
        self._results = ResultStore(queue.server)

    # --- asking --------------------------------------------------------------------------------

    @classmethod
    def begun(cls, queue: JobQueue, asked: Asked) -> KeptRun:
        """Returns the run for a request. Equal requests share one run."""
        run = cls(queue, asked.id)
        if not run.reported:
            queue.server.zremrangebyscore(OPEN, 0, time.time() - DAY)
            known = cast("list[bytes]", queue.server.zrange(OPEN, 0, -1))
            if run.id.encode() not in known and len(known) >= AT_ONCE:
                raise Full
            packed = zlib.compress(msgspec.msgpack.encode(asked))
            with queue.server.pipeline() as together:
                together.set(f"{run.name}:asked", packed, ex=WEEK)
                together.zadd(OPEN, {run.id: time.time()}, nx=True)
                together.execute()
            run.go_on()
        return run

    @property
    def asked(self) -> Asked | None:
        """Returns the request, or None if there is no such run."""
        packed: Any = self._server.get(f"{self.name}:asked")
        if packed is None:
            return None
        return msgspec.msgpack.decode(zlib.decompress(packed), type=Asked)

    @property
    def reported(self) -> bool:
        return self._results.has(self.name)

    def go_on(self) -> None:
        """Requests the run's next job, unless it is requested already."""
        tick = self._state().tick
        self._queue.ask(KIND, self._job(tick), {"run": self.id, "tick": tick})

    def far(self) -> Far:
        """Returns the progress. If the queue has lost the run, requests its next job."""
        asked = self.asked
        of = 0 if asked is None else len(asked.matches)
        done: Any = self._server.hlen(f"{self.name}:done")
        if self.reported:
            return Far(state="done", done=of, of=of)
        tick = self._state().tick
        found = self._queue.state(self._job(tick))
        if found is None:
            self.go_on()
        if found is not None and found.state == "failed":
            return Far(state="failed", done=done, of=of, why=found.why)
        return Far(state="running" if tick else "queued", done=done, of=of)

    # --- what came out -------------------------------------------------------------------------

    def report(self) -> bytes | None:
        """Returns the report, gzipped."""
        return self._results.packed(self.name, WEEK)

    def csv(self) -> bytes | None:
        """Returns the table with one row per match, gzipped."""
        return self._results.packed(f"{self.name}:csv", WEEK)

    def verdict(self, match: str) -> MatchVerdict | None:
        """Returns the verdict on one match, or None if it is not known yet or no longer kept."""
        packed: Any = self._server.hget(f"{self.name}:done", match)
        return None if packed is None else msgspec.msgpack.decode(packed, type=MatchDone).verdict

    # --- moving along --------------------------------------------------------------------------

    def look(self, tick: int, store: Store) -> None:
        """Hands out parts, collects results and requests the next look; at the end writes the
        report.
        """
        asked, state = self.asked, self._state()
        if asked is None or self.reported:
            self._server.zrem(OPEN, self.id)
            return
        if state.tick == tick:
            self._step(asked, state, store)
        if not self.reported:
            self.go_on()

    def _step(self, asked: Asked, state: _State, store: Store) -> None:
        queued = Queued(self._queue, state.handed, state.again)
        count = max(1, len(asked.matches))
        jobs = self._jobs(asked, state, max(1, count // (4 * queued.hands)))

        def take(done: MatchDone) -> None:
            self._server.hset(f"{self.name}:done", done.source, msgspec.msgpack.encode(done))
            state.worked += 1
            state.seconds += done.seconds

        going = queued.step(jobs, take)
        self._server.expire(f"{self.name}:done", WEEK)
        if not going and state.next >= len(asked.matches):
            state.missing = self._missing(asked)
            if not state.missing:
                self._conclude(asked, store)
                return
        elif not queued.changed:
            time.sleep(PAUSE_S)
        self._keep(state, queued)

    def _jobs(self, asked: Asked, state: _State, most: int) -> Iterator[Job]:
        """Yields the matches that are in no part yet. The speed so far sets the size of parts."""
        while state.missing or state.next < len(asked.matches):
            size = min(job_size(state.worked, state.seconds), most)
            places = state.missing[:size]
            state.missing = state.missing[size:]
            if not places:
                last = min(state.next + size, len(asked.matches))
                places, state.next = list(range(state.next, last)), last
            chosen = [asked.matches[place] for place in places]
            items = [StoredItem(source=one.match, stored=one) for one in chosen]
            yield Job(terms=asked.terms, items=items)

    def _missing(self, asked: Asked) -> list[int]:
        """Returns the matches without results whose parts were lost when a worker was killed."""
        found: Any = self._server.hkeys(f"{self.name}:done")
        known = {one.decode() for one in found}
        return [place for place, one in enumerate(asked.matches) if one.match not in known]

    def _conclude(self, asked: Asked, store: Store) -> None:
        packed: Any = self._server.hgetall(f"{self.name}:done")
        done = [msgspec.msgpack.decode(one, type=MatchDone) for one in packed.values()]
        rows = sorted(
            (RunRow(source=one.source, verdict=one.verdict) for one in done),
            key=lambda row: row.source,
        )
        report = make_run_report(asked, rows, store)
        self._results.put(f"{self.name}:csv", csv_text(rows).encode(), WEEK)
        self._results.put(self.name, msgspec.json.encode(report), WEEK)
        self._server.zrem(OPEN, self.id)
        self._server.delete(f"{self.name}:state")

    def _state(self) -> _State:
        packed: Any = self._server.get(f"{self.name}:state")
        return _State() if packed is None else msgspec.msgpack.decode(packed, type=_State)

    def _keep(self, state: _State, queued: Queued) -> None:
        state.handed, state.again = queued.handed, queued.again
        state.tick += 1
        self._server.set(f"{self.name}:state", msgspec.msgpack.encode(state), ex=WEEK)

    def _job(self, tick: int) -> str:
        return f"{KIND}-{self.id}-{tick}"


def make_run_report(asked: Asked, rows: Sequence[RunRow], store: Store) -> RunReport:
    """Returns the report on a run, with the standings if it is of a tournament."""
    more: dict[str, Any] = {}
    if asked.tournament:
        results = {row.source: result_then(row.verdict) for row in rows}
        more = {
            "tournament": asked.tournament,
            "standings": standings_then(store, asked.tournament, asked.entry, results),
        }
    terms = asked.terms
    return report_of(rows, asked.ruleset, asked.source, terms.change, terms.policies, **more)


def standings_then(
    store: Store, tournament: str, entry: int, results: Mapping[str, Result | None]
) -> Any:
    """Returns a tournament's standings after an entry, compared with those from these results."""
    from ledger.club.tournament.entries import AnyEntry, book_of
    from ledger.club.tournament.hypothetical import compute_hypothetical
    from ledger.club.tournament.state import Tournament
    from ledger.log.books import Book

    book: Book[Tournament] = Book(store, book_of(tournament), AnyEntry, Tournament, lambda: 0)
    found = Tournament()
    for number, at, by, what in book.entries():
        if entry and number > entry:
            break
        found.take(number, at, by, what)
    return None if found.state is None else compute_hypothetical(found.state, results)


def read_report(packed: bytes) -> RunReport:
    return msgspec.json.decode(gzip.decompress(packed), type=RunReport)


def work_on_run(server: Redis, arguments: Mapping[str, Any], progress: Progress) -> None:
    """Takes one look at a run; the work of a job."""
    del progress
    queue = JobQueue(server, room=NO_ROOM)
    with open_store(read_settings()) as store:
        KeptRun(queue, str(arguments["run"])).look(int(arguments["tick"]), store)
