"""`fold-tictactoe`: our fold of tic-tac-toe beside python-chess's `parse_uci` + `push`.

Ours: whole matches from their stored events, as the service folds them. Bodies are decoded from
their bytes and decisions from the bodies; then the fold, with legality, readings, the recorder and
limits on. Theirs: whole games from UCI texts, legality checked by `parse_uci`. Decisions and moves
per second; the two sides take turns, so that what else the machine does hits both.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

from ledger.games import ruleset
from ledger.kernel.fold import begin, fold
from ledger.kernel.terms import Terms
from ledger.log.format.bodies import AnswerBody
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match
from tests.benchmarks.chess_moves import WHAT, chess_games, push_all, rate

GATE = 1.0
GOAL = 1.5
SEED = 18
MATCHES = 100


def measure(*, full: bool = False) -> dict[str, Any]:
    """Both sides, and their ratio."""
    histories = [_played(seed) for seed in range(SEED, SEED + MATCHES)]
    games = chess_games(SEED)
    rounds, repeats = (31, 20) if full else (11, 6)
    ours: list[float] = []
    theirs: list[float] = []
    began = time.perf_counter()
    for _ in range(rounds):
        ours.append(rate(lambda: _fold_all(histories), repeats))
        theirs.append(rate(lambda: push_all(games), repeats))
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    ratio = statistics.median(ratios)
    return {
        "name": "fold-tictactoe",
        "seed": SEED,
        "rounds": rounds,
        "seconds": round(time.perf_counter() - began, 1),
        "ours": {"what": "decisions/s, from stored events", "rate": round(statistics.median(ours))},
        "beside": {
            "what": WHAT,
            "rate": round(statistics.median(theirs)),
        },
        "ratio": round(ratio, 3),
        "spread": [round(min(ratios), 3), round(max(ratios), 3)],
        "gate": GATE,
        "goal": GOAL,
        "reached": {"gate": ratio >= GATE, "goal": ratio >= GOAL},
    }


def _played(seed: int) -> tuple[Terms, list[bytes], History]:
    store = MemoryStore()
    plan = Plan(ruleset="tictactoe", seats=2)
    bots = bots_for(["random"], 2)
    journal = play_whole_match(make_seeded_surroundings(store, seed), plan, bots)
    history = History.of(store, journal.match_id, ruleset)
    bodies = [e.body for e in history.events if isinstance(history.body(e.version), AnswerBody)]
    return history.terms("printed"), bodies, history


def _fold_all(played: list[tuple[Terms, list[bytes], History]]) -> int:
    """Every decision of every match: bytes to body, body to decision, decision through the fold."""
    folded = 0
    for terms, bodies, history in played:
        match = terms.open_match(2)
        begin(match)
        for packed in bodies:
            seat, decision = history.decision_in(packed, terms)
            fold(match, seat, decision)
        assert match.ended, "the recorded match ends"
        folded += len(bodies)
    return folded
