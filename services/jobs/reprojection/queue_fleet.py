"""The rq fleet: the workers of the queue, on any number of hosts, as a `Fleet`.

    run ── Job ─▶ part:<hash> ─▶ queue ─▶ a worker, for some seconds ─▶ part:<hash>:done
     ◀──────── each match, when it is looked for next ─────────────────────┘

It hands out one part per worker and no more, so a request for a replay waits for one part
at most. A part's name is derived from its content. So a part handed out twice is done once,
and a run that continues after a kill still gets the earlier results.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from services.jobs.queue import OUTAGES, Full, JobQueue, id_of, workers_now

from .batches import DIED, Job, abandon_match, embed_bundle
from .parts import PART, PartOf
from .run import Tell

LOOK_S: Final = 0.05
AWAY_S: Final = 60.0  # the jobs' server may be away for so long


class Queued:
    def __init__(
        self, queue: JobQueue, handed: Mapping[str, int] | None = None, again: Sequence[str] = ()
    ) -> None:
        self._queue = queue
        server = queue.server
        self._handed = {name: PartOf(server, name, heard) for name, heard in (handed or {}).items()}
        self._again = deque(PartOf(server, name) for name in again)
        self.changed = False  # whether the last step heard or handed out anything

    @property
    def hands(self) -> int:
        """The number of jobs worked on at once: one per worker."""
        return max(1, workers_now(self._queue.server))

    @property
    def handed(self) -> dict[str, int]:
        """Returns the parts handed out, with the number of results read of each."""
        return {name: one.heard for name, one in self._handed.items()}

    @property
    def again(self) -> list[str]:
        return [one.name for one in self._again]

    def run(self, jobs: Iterator[Job], tell: Tell) -> None:
        away = 0.0
        while True:
            try:
                going = self.step(jobs, tell)
                away = 0.0
            except OUTAGES:
                away = away or time.monotonic()
                if time.monotonic() - away > AWAY_S:
                    raise
                going = True
            if not going:
                return
            if not self.changed:
                time.sleep(LOOK_S)

    def step(self, jobs: Iterator[Job], tell: Tell) -> bool:
        """Passes on results and hands out parts to free workers; returns whether any part
        is left.
        """
        self.changed = False
        for name in list(self._handed):
            self._hear(name, tell)
        hands = self.hands
        while len(self._handed) < hands:
            found = self._again.popleft() if self._again else self._next(jobs)
            if found is None:
                break
            if not self._hand(found):
                self._again.appendleft(found)
                break
        return bool(self._handed or self._again)

    def _next(self, jobs: Iterator[Job]) -> PartOf | None:
        job = next(jobs, None)
        if job is None:
            return None
        items = [embed_bundle(item) for item in job.items]
        return PartOf.laid(self._queue.server, msgspec.structs.replace(job, items=items))

    def _hand(self, found: PartOf) -> bool:
        name = found.name
        try:
            self._queue.ask(PART, id_of(name), {"part": name})
        except Full:
            return False
        self._handed[name] = found
        self.changed = True
        return True

    def _hear(self, name: str, tell: Tell) -> None:
        found = self._handed[name]
        # We read the job's state first: if it has ended, all its messages are there.
        state = self._queue.state(id_of(name))
        over = found.over
        for done in found.done(found.heard):
            tell(done)
            found.heard += 1
            self.changed = True
        if over:
            self._go_on_behind(found)
        elif state is None:  # it waited for too long and nobody took it, or it is forgotten
            if found.is_kept and found.job is not None:
                self._hand(found)
            else:
                self._go_on_behind(found)
        elif state.state == "failed":
            self._bury(found, tell)

    def _bury(self, found: PartOf, tell: Tell) -> None:
        """Gives up the match on which too many workers died, and continues behind it."""
        job = found.job
        if job is not None and found.heard < len(job.items):
            tell(abandon_match(job, job.items[found.heard], DIED))
            found.heard += 1
        self._go_on_behind(found)

    def _go_on_behind(self, found: PartOf) -> None:
        """Makes another part from the matches that a part has left, if its job is known."""
        job = found.job
        self.changed = True
        del self._handed[found.name]
        if job is not None and found.heard < len(job.items):
            rest = msgspec.structs.replace(job, items=job.items[found.heard :])
            self._again.append(PartOf.laid(self._queue.server, rest))
        found.forget()
