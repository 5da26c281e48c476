"""Long matches as text: a script of decisions (`.folds`), and what is told of them, round by round.

A `.folds` file has a line that says which match it is, and a line for each decision and each draw,
`[SEAT, DECISION]`, all of it JSON. Its text has every sentence of the setup, the first round and
the last one; of the rounds between, those of their conflicts' outcomes; and of each round digests:
of all facts, of all that each viewer was told, and of what each viewer saw when it was over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Fact, Seat, tag_of
from ledger.kernel.terms import Terms, facts_bytes
from replays.story.sentences import fact_sentence

SHOWN: Final = 16  # digits of a digest
ALWAYS_TOLD: Final = frozenset({"conflict.begun", "conflict.compared", "round.ended"})


class Fold(NamedTuple):
    """A decision of a script, what it brought, and the match after it."""

    seat: Seat | None
    decision: Decision | None
    match: Match
    facts: Sequence[Fact]


def folds_of(script: Path) -> Iterator[Fold]:
    """The match of a script, decision by decision."""
    head, *lines = script.read_text(encoding="utf-8").splitlines()
    plan = json.loads(head)
    rules = ruleset(plan["ruleset"])
    terms = Terms(rules, plan["edition"], plan["options"], plan["overlay"])
    match = terms.open_match(plan["seats"])
    yield Fold(None, None, match, begin(match))
    for line in lines:
        seat, plain = json.loads(line)
        decision = rules.decision(plain)
        yield Fold(seat, decision, match, fold(match, seat, decision))


def text_of(script: Path) -> str:
    """All that is kept of a script's match, as it is told now."""
    return "\n".join(_lines(list(_rounds(script)))) + "\n"


class Round:
    """The record of a round."""

    def __init__(self, number: int, viewers: Sequence[Viewer]) -> None:
        self.number = number
        self.decisions = 0
        self.facts = hashlib.sha256()
        self.told = {viewer: hashlib.sha256() for viewer in viewers}
        self.sentences: list[tuple[str, str]] = []  # each with the tag of its fact
        self.seen: dict[Viewer, str] = {}
        self.result = ""

    def take(self, one: Fold) -> None:
        """Add a decision."""
        self.decisions += 1
        self.facts.update(facts_bytes(one.facts))
        called = one.match.called()
        for fact in one.facts:
            for viewer, digest in self.told.items():
                said = fact_sentence(one.match.terms, fact, viewer, called)
                digest.update(said.encode())
                if viewer is None and said:
                    self.sentences.append((tag_of(fact), said))

    def close(self, match: Match) -> None:
        """Keep what each viewer sees now."""
        for viewer in self.told:
            seen = json.dumps(match.view(viewer), sort_keys=True, separators=(",", ":"))
            self.seen[viewer] = hashlib.sha256(seen.encode()).hexdigest()
        self.result = f"{match.result()}" if match.ended else ""


def _rounds(script: Path) -> Iterator[Round]:
    """Round by round; what opens a round is the end of the one before."""
    current: Round | None = None
    last: Match | None = None
    for one in folds_of(script):
        last = one.match
        number: int = last.state.round  # type: ignore[attr-defined]  # games that have rounds
        if current is None:
            current = Round(number, (*range(len(last.called())), None))
        current.take(one)
        if number != current.number:
            current.close(last)
            yield current
            current = Round(number, tuple(current.told))
    if current is not None and last is not None:
        current.close(last)
        yield current


def _lines(rounds: Sequence[Round]) -> Iterator[str]:
    for place, one in enumerate(rounds):
        whole = place < 2 or place == len(rounds) - 1
        name = "setup" if place == 0 else f"round {one.number}"
        yield f"=== {name}: {one.decisions} decisions, facts {one.facts.hexdigest()[:SHOWN]}"
        for viewer, digest in one.told.items():
            who = "spectator" if viewer is None else f"seat {viewer}"
            yield f"--- {who}: told {digest.hexdigest()[:SHOWN]}, sees {one.seen[viewer][:SHOWN]}"
        yield from (said for tag, said in one.sentences if whole or tag in ALWAYS_TOLD)
        if one.result:
            yield f"=== result {one.result}"


def written(plan: dict[str, Any], decisions: Sequence[tuple[Seat, dict[str, Any]]]) -> str:
    """A script as it is kept."""
    lines = [plan, *decisions]
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
