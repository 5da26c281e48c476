"""`audit`: everything that an audit asks of a match of 1,000 events, beside its plain fold.

Ours: the whole audit of a bundle, from its bytes: chain and commitments, the fold, each figure
counted again, accounts, deals, clocks. Beside it the plain fold of the same bytes: records read,
decisions decoded, the fold, the bytes of the facts. In processor time. Each audit stands between
two plain folds and is compared with their mean, and the median of the rounds counts: what else the
machine does hits both sides, and the longer one more often, so that the fastest of each would not
be alike.

At landing size it is the sample match of 737 events, which nobody has to play first.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median
from typing import Any

from ledger.games import ruleset
from ledger.kernel.terms import facts_bytes
from ledger.log.read.bundle import read_history, write_bundle
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from replays.audit.auditor import audit_file
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match
from services.matches.samples import FLAGSHIP

SEED, SEATS, BOTS = 7, 6, ("greedy", "random")
EVENTS = 1_000
GATE, GOAL = 3.0, 2.5  # plain folds
ROUNDS, ROUNDS_FULL = 7, 31


def measure(*, full: bool = False) -> dict[str, Any]:
    """Both sides, and how many plain folds an audit takes."""
    began = time.perf_counter()
    whole = long_match() if full else FLAGSHIP.read_bytes()
    rounds = ROUNDS_FULL if full else ROUNDS
    events = audit_file(io.BytesIO(whole), ruleset).events
    folds, audits = [_taken(lambda: plain(whole))], []
    for _ in range(rounds):
        audits.append(_taken(lambda: audited(whole)))
        folds.append(_taken(lambda: plain(whole)))
    beside = [(one + other) / 2 for one, other in pairwise(folds)]
    spread = sorted(mine / other for mine, other in zip(audits, beside, strict=True))
    fold, audit, ratio = median(folds), median(audits), median(spread)
    return {
        "name": "audit",
        "seed": SEED,
        "rounds": rounds,
        "seconds": round(time.perf_counter() - began, 1),
        "match": {"events": events, "bytes": len(whole)},
        "ours": {"what": "audits/s of a bundle", "rate": round(1 / audit, 2)},
        "beside": {"what": "plain folds/s of the same bundle", "rate": round(1 / fold, 2)},
        "ratio": round(ratio, 2),
        "spread": [round(spread[0], 2), round(spread[-1], 2)],
        "gate": f"an audit takes at most {GATE} plain folds",
        "goal": f"an audit takes at most {GOAL} plain folds",
        "reached": {"gate": ratio <= GATE, "goal": ratio <= GOAL},
    }


def long_match() -> bytes:
    """The bundle of the first thousand events of a match by six bots, with all its openings."""
    plan = Plan(ruleset="hegemonic", seats=SEATS, title="A long match")
    around = make_seeded_surroundings(MemoryStore(), SEED)
    journal = play_whole_match(around, plan, bots_for(BOTS, SEATS))
    history = History.of(around.store, journal.match_id, ruleset)
    assert history.tip.version >= EVENTS, f"the match has but {history.tip.version} events"
    file = io.BytesIO()
    write_bundle(file, history.up_to(EVENTS))
    return file.getvalue()


def plain(whole: bytes) -> None:
    """Read, decode, fold, and the bytes of the facts."""
    for moment in read_history(io.BytesIO(whole), ruleset).replay():
        facts_bytes(moment.facts)


def audited(whole: bytes) -> None:
    """The audit; nothing may be wrong with what is measured."""
    audit = audit_file(io.BytesIO(whole), ruleset)
    assert audit.failed == []


def _taken(what: Callable[[], None]) -> float:
    began = time.process_time()
    what()
    return time.process_time() - began
