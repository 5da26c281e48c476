"""`fold-hegemonic`: our fold of whole four-seat matches beside python-chess's `parse_uci` + `push`.

Ours: whole matches from their stored events, as the service folds them. Bodies are decoded from
their bytes, decisions from the bodies or from the openings of sealed ones; then the fold, with
legality, readings, the recorder and limits on; then the bytes of the facts, to which an event
commits. Matches of random and of greedy seats are measured apart: greedy ones fight. Dice and
cards are folded too, but only what seats decide is counted. Theirs: whole games from UCI texts.
The sides take turns, so that what else the machine does hits all of them.
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import Any, NamedTuple

from ledger.games import ruleset
from ledger.kernel.fold import begin, fold
from ledger.kernel.records import CHANCE
from ledger.kernel.terms import Terms, facts_bytes
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match
from tests.benchmarks.chess_moves import WHAT, chess_games, push_all, rate

GATE = 0.20
GOAL = 0.35
SEED = 5
SEATS = 4
# Matches of each kind, at landing size and at full size: those of greedy seats take long to play.
MATCHES = {"random": (4, 16), "greedy": (1, 6)}


class Recorded(NamedTuple):
    """A match that was played, as it lies in a store."""

    history: History
    terms: Terms
    answers: list[tuple[int, bytes]]  # version and body of each decision
    by_seats: int  # how many of them seats gave


def measure(*, full: bool = False) -> dict[str, Any]:
    """Both sides, and their ratio for each kind of match."""
    began = time.perf_counter()
    recorded = {
        kind: [recorded_match(kind, SEED + number) for number in range(sizes[full])]
        for kind, sizes in MATCHES.items()
    }
    rounds = 31 if full else 9
    ours, theirs = _both(recorded, rounds)
    ratios = {
        kind: [mine / other for mine, other in zip(rates, theirs, strict=True)]
        for kind, rates in ours.items()
    }
    ratio = {kind: statistics.median(each) for kind, each in ratios.items()}
    return {
        "name": "fold-hegemonic",
        "seed": SEED,
        "rounds": rounds,
        "seconds": round(time.perf_counter() - began, 1),
        "matches": {kind: _size(matches) for kind, matches in recorded.items()},
        "ours": {
            "what": f"seat decisions/s, from stored events to bytes of facts: {', '.join(ours)}",
            "rate": [round(statistics.median(rates)) for rates in ours.values()],
        },
        "beside": {"what": WHAT, "rate": round(statistics.median(theirs))},
        "ratio": {kind: round(each, 3) for kind, each in ratio.items()},
        "spread": {
            kind: [round(min(each), 3), round(max(each), 3)] for kind, each in ratios.items()
        },
        "gate": GATE,
        "goal": GOAL,
        "reached": {
            "gate": min(ratio.values()) >= GATE,
            "goal": min(ratio.values()) >= GOAL,
        },
    }


def recorded_match(kind: str, seed: int) -> Recorded:
    """A match of bots of a kind, played to its end."""
    store = MemoryStore()
    plan = Plan(ruleset="hegemonic", seats=SEATS)
    around = make_seeded_surroundings(store, seed)
    journal = play_whole_match(around, plan, bots_for([kind], SEATS))
    history = History.of(store, journal.match_id, ruleset)
    terms = history.terms("printed")
    answers = [
        (event.version, event.body)
        for event in history.events
        if not isinstance(history.body(event.version), ActBody)
    ]
    seats = [history.decision(version, terms)[0] for version, _ in answers]
    return Recorded(history, terms, answers, sum(seat != CHANCE for seat in seats))


def fold_all(matches: list[Recorded]) -> int:
    """Every event of every match: bytes to body, body to decision, fold, bytes of the facts."""
    for history, terms, answers, _ in matches:
        match = terms.open_match(SEATS)
        facts_bytes(begin(match))
        for version, packed in answers:
            seat, decision = history.decision_in(packed, terms, version)
            facts_bytes(fold(match, seat, decision, version))
        assert match.ended, "the recorded match ends"
    return sum(match.by_seats for match in matches)


def _both(
    recorded: dict[str, list[Recorded]], rounds: int
) -> tuple[dict[str, list[float]], list[float]]:
    """Decisions a second of each kind of match, and moves a second beside them, round by round."""
    games = chess_games(SEED)
    ours: dict[str, list[float]] = {kind: [] for kind in recorded}
    theirs: list[float] = []
    for _ in range(rounds):
        for kind, matches in recorded.items():
            ours[kind].append(rate(partial(fold_all, matches), 2))
        theirs.append(rate(partial(push_all, games), 4))
    return ours, theirs


def _size(matches: list[Recorded]) -> dict[str, int]:
    by_seats = sum(match.by_seats for match in matches)
    by_chance = sum(len(match.answers) for match in matches) - by_seats
    return {"matches": len(matches), "decisions": by_seats, "chance": by_chance}
