"""`append`: decisions through the log beside the bare server.

Ours: eight writer processes with warm journals put decisions into the embedded server under
`appendfsync always`: fold, chain, commitments, one function call each. Beside it: the same eight
processes give redis-py the very same words, for a second server that stands where the first stood.
Decisions per second; the two sides take turns.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from ledger.log.stores.protocol import Store
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection, Reply, Word
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match
from services.run.children import python
from services.run.settings import ROOT
from tests.support.servers import programs, running

GATE = 0.4
GOAL = 0.6
SEED = 21
WRITERS = 8


class Remembering(Connection):
    """A line that remembers what was said on it."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.said: list[tuple[Word, ...]] = []

    def call(self, *words: Word, wait: float | None = None) -> Reply:
        self.said.append(words)
        return super().call(*words, wait=wait)


def measure(*, full: bool = False) -> dict[str, Any]:
    """Both sides, and their ratio."""
    rounds, matches = (7, 200) if full else (1, 40)
    ours: list[float] = []
    raw: list[float] = []
    began = time.perf_counter()
    for turn in range(rounds):
        mine, other = _round(SEED + turn, matches)
        ours.append(mine)
        raw.append(other)
    ratios = [mine / other for mine, other in zip(ours, raw, strict=True)]
    ratio = statistics.median(ratios)
    return {
        "name": "append",
        "seed": SEED,
        "rounds": rounds,
        "seconds": round(time.perf_counter() - began, 1),
        "ours": {
            "what": f"decisions/s by {WRITERS} writers through the journal, appendfsync always",
            "rate": round(statistics.median(ours)),
        },
        "beside": {
            "what": f"the same words/s by {WRITERS} of redis-py {redis.__version__}",
            "rate": round(statistics.median(raw)),
        },
        "ratio": round(ratio, 3),
        "spread": [round(min(ratios), 3), round(max(ratios), 3)],
        "gate": GATE,
        "goal": GOAL,
        "reached": {"gate": ratio >= GATE, "goal": ratio >= GOAL},
    }


def _round(seed: int, matches: int) -> tuple[float, float]:
    """Decisions per second of both sides over new servers."""
    program = next(iter(programs().values()))
    with (
        tempfile.TemporaryDirectory() as folder,
        running(program, Path(folder) / "ours") as one,
        running(program, Path(folder) / "raw") as two,
    ):
        seeds = [(seed * 100 + number) * 1_000 for number in range(WRITERS)]
        writers = [_Writer(one.url, two.url, first, matches) for first in seeds]
        try:
            for writer in writers:
                assert writer.hears() == "ready"
            return _together(writers), _together(writers)
        finally:
            for writer in writers:
                writer.end()


def _together(writers: list[_Writer]) -> float:
    """All at once, once; how many a second, from the first to begin to the last to end."""
    for writer in writers:
        writer.says("go")
    spans = [tuple(map(float, writer.hears().split())) for writer in writers]
    count = sum(span[0] for span in spans)
    return count / (max(span[2] for span in spans) - min(span[1] for span in spans))


class _Writer:
    """A writer process."""

    def __init__(self, ours: str, raw: str, seed: int, matches: int) -> None:
        command = python("-m", "tests.benchmarks.append", ours, raw, str(seed), str(matches))
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )

    def says(self, word: str) -> None:
        assert self._process.stdin is not None
        print(word, file=self._process.stdin, flush=True)

    def hears(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        assert line, "a writer has ended"
        return line

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


# --- in the writer process ------------------------------------------------------------------------


def write(ours: str, raw: str, seed: int, matches: int) -> None:
    """Make matches on both servers, then write on each when told to."""
    connection = Remembering(ours)
    plan = Plan(ruleset="tictactoe", seats=2)
    played = []
    for number in range(matches):
        journal = _started(RedisStore(connection), seed + number, plan)
        _started(RedisStore(Connection(raw)), seed + number, plan)
        played.append((journal, _decisions(seed + number, plan)))
    client = redis.Redis.from_url(raw, retry=Retry(NoBackoff(), 0), protocol=2)
    client.ping()
    connection.said.clear()
    print("ready", flush=True)

    sys.stdin.readline()
    began, count = time.monotonic(), 0
    for journal, decisions in played:
        for seat, decision in decisions:
            command = journal.command(f"{journal.match_id}-{count:08d}", seat, decision)
            journal.decide(seat, decision, command=command)
            count += 1
    print(count, began, time.monotonic(), flush=True)
    assert len(connection.said) == count, "a warm journal asks its server once for a decision"

    sys.stdin.readline()
    began = time.monotonic()
    for words in connection.said:
        reply = client.execute_command(*words)
        assert reply[0] == b"APPENDED", reply
    print(count, began, time.monotonic(), flush=True)


def _started(store: Store, seed: int, plan: Plan) -> Journal:
    journal = Journal.create(make_seeded_surroundings(store, seed), plan)
    for seat in range(2):
        journal.join(seat, f"player {seat}")
    journal.start()
    journal.match()
    return journal


def _decisions(seed: int, plan: Plan) -> list[tuple[int, Any]]:
    """A whole match's decisions, played elsewhere."""
    from ledger.log.stores.memory import MemoryStore

    around = make_seeded_surroundings(MemoryStore(), seed)
    journal = play_whole_match(around, plan, bots_for(["random"], 2))
    return [
        (moment.seat, moment.decision)
        for moment in journal.history.replay()
        if moment.seat is not None
    ]


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
