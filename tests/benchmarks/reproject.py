"""`reproject`: a corpus under an erratum that touches a tenth of it, beside folding all of it.

Ours: matches of Hegemonic by bots, with their indexes, under err.02 alone (four points for a tie),
which about one in ten ever asked for. Beside it: the same matches, each folded from its first event
as it was played and under the erratum. Both read the logs from bytes and give the same verdicts. In
matches a second of processor time.

At the full size also: worker processes, two beside one, from the time at which they are warm.
"""

from __future__ import annotations

import itertools
import os
import statistics
import tempfile
import time
from typing import Any

from ledger.games import ruleset
from replays.reproject.policies import Policies
from services.jobs.reprojection.batches import Job, LogItem, MatchDone, RunTerms, log_of, work
from services.jobs.reprojection.fleet import Processes
from services.jobs.reprojection.run import Run, Source
from tests.support.replays.reprojected_corpus import alone, bot_match

SEED = 0  # of the first match; the others follow
GAME, ERRATUM = "hegemonic", "err.02"
MATCHES, MATCHES_FULL = 40, 200
GATE, GOAL = 8.0, 20.0
WORKERS_GATE, WORKERS_GOAL = 1.4, 1.7
WARM = 3  # matches a worker
WORKERS_ROUNDS, WORKERS_MATCHES = 5, 60


def measure(*, full: bool = False) -> dict[str, Any]:
    """Both sides, and at the full size what a second worker brings."""
    began = time.perf_counter()
    rounds = 3
    matches = MATCHES_FULL if full else MATCHES
    erratum = next(one for one in ruleset(GAME).errata if one.id == ERRATUM)
    whole = RunTerms(change=alone(erratum), policies=Policies(), full=True)
    items = _corpus(whole, matches)
    ours, beside = [], []
    with tempfile.TemporaryDirectory() as folder:
        indexed = RunTerms(change=whole.change, policies=whole.policies, index=folder)
        _timed(indexed, items)  # makes the indexes
        for _ in range(rounds):
            in_part, seconds = _timed(indexed, items)
            ours.append(matches / seconds)
            every, seconds = _timed(whole, items)
            beside.append(matches / seconds)
    assert [one.verdict.finding for one in in_part] == [one.verdict.finding for one in every]
    ratios = sorted(a / b for a, b in zip(ours, beside, strict=True))
    ratio = statistics.median(ratios)
    touched = sum(one.verdict.proved == "fold" for one in in_part)
    workers = _workers(whole, items) if full else {}
    reached = {"gate": ratio >= GATE, "goal": ratio >= GOAL}
    if workers.get("ratio") is not None:
        reached["gate"] = reached["gate"] and workers["ratio"] >= WORKERS_GATE
        reached["goal"] = reached["goal"] and workers["ratio"] >= WORKERS_GOAL
    return {
        "name": "reproject",
        "seed": SEED,
        "rounds": rounds,
        "seconds": round(time.perf_counter() - began, 1),
        "matches": matches,
        "events": sum(len(item.log.events) for item in items),
        "touched": touched,
        "ours": {"what": "matches/s, in part", "rate": round(statistics.median(ours))},
        "beside": {"what": "matches/s, folded whole", "rate": round(statistics.median(beside))},
        "ratio": round(ratio, 2),
        "spread": [round(ratios[0], 2), round(ratios[-1], 2)],
        "workers": workers,
        "gate": GATE,
        "goal": GOAL,
        "reached": reached,
    }


def _corpus(terms: RunTerms, matches: int) -> list[LogItem]:
    """The first matches of which a tenth ever asked for what the erratum changes."""
    wanted = {"fold": matches // 10, "index": matches - matches // 10}
    items: list[LogItem] = []
    with tempfile.TemporaryDirectory() as folder:
        asked = RunTerms(change=terms.change, policies=terms.policies, index=folder)
        for seed in itertools.count(SEED):
            item = LogItem(source=f"m{seed:04}", log=log_of(bot_match(GAME, seed)))
            for _ in range(2):  # the first time it is indexed
                (done,) = work(Job(terms=asked, items=[item]))
            if wanted[done.verdict.proved]:
                wanted[done.verdict.proved] -= 1
                items.append(item)
            if not any(wanted.values()):
                break
    return items


def _timed(terms: RunTerms, items: list[LogItem]) -> tuple[list[MatchDone], float]:
    began = time.process_time()
    done = list(work(Job(terms=terms, items=items)))
    return done, time.process_time() - began


def _workers(terms: RunTerms, items: list[LogItem]) -> dict[str, Any]:
    """Matches a second by the clock on the wall, of one worker and of two; on two cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    rates: dict[int, list[float]] = {1: [], 2: []}
    longest = 0.0
    for _ in range(WORKERS_ROUNDS):  # in turn, for whatever else the machine does
        for count, found in rates.items():
            rate, slowest = _rate(terms, items[:WORKERS_MATCHES], count)
            found.append(rate)
            longest = max(longest, slowest)
    one, two = (statistics.median(rates[count]) for count in (1, 2))
    ratios = [b / a for a, b in zip(rates[1], rates[2], strict=True)]
    ratio = round(statistics.median(ratios), 2) if (cores or 1) > 1 else None
    return {
        "one": round(one, 1),
        "two": round(two, 1),
        "ratio": ratio,
        "spread": [round(min(ratios), 2), round(max(ratios), 2)],
        "slowest match s": round(longest, 3),
    }


def _rate(terms: RunTerms, items: list[LogItem], workers: int) -> tuple[float, float]:
    times: list[float] = []
    run = Run(terms, {}, tell=lambda _: times.append(time.perf_counter()))
    sources = [Source(item.source, "", lambda item=item: item) for item in items]
    run.over(sources, Processes(workers))
    warm = WARM * workers
    return (len(times) - warm) / (times[-1] - times[warm - 1]), run.longest_s
