"""Verdicts on the events and the result of a match that was folded again.

| event | means |
|---|---|
| applied | it answers its question as before |
| moved | the same, at another place in the order; as few as possible are called so |
| illegal | its question was asked and the rules refuse it: rule id, needed and has |
| unasked | there is no such question now |
| missing | a question that the log has no answer to, and who answered it instead |
| unreached | the re-projection had stopped by then |

| match | means |
|---|---|
| unchanged | no event came out differently |
| same result | some did, and winners and scores are the same |
| score differs, winner differs | they are not |
| decision now illegal | the rules now refuse a seat's decision, whatever was put in its place |
| undetermined | the result depends on assumed dice or cards; `spread` says how it varies |
| unfinished | at least one of the two has not ended |
| error | it could not be folded, and why |
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from ledger.kernel.frozen import FrozenByName
from ledger.kernel.records import CHANCE, Seat, rule_of
from ledger.kernel.ruleset import Result
from ledger.kernel.terms import facts_bytes

from .change import Change
from .policies import Policies
from .projection import APPLIED, ILLEGAL, MISSING, AsPlayed, ProjectedStep, Projection, StopPoint

MatchClass = Literal[
    "unchanged",
    "same result",
    "score differs",
    "winner differs",
    "decision now illegal",
    "undetermined",
    "unfinished",
    "error",
]
CLASSES: Final[tuple[MatchClass, ...]] = (
    "unchanged", "same result", "score differs", "winner differs", "decision now illegal",
    "undetermined", "unfinished", "error",
)  # fmt: skip
SAME: Final = ("unchanged", "same result")


class EventVerdict(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on an event that did not simply apply."""

    verdict: str
    version: int | None = None  # None: the log has no such event
    question: str = ""
    seat: Seat = CHANCE
    how: str = ""
    code: str = ""
    rule: str = ""
    message: str = ""
    evidence: dict[str, Any] = {}  # noqa: RUF012 - msgspec copies it


class Cause(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """A difference between the rules that the match used."""

    kind: str  # reading | cell | row | rows | record
    name: str
    before: Any = None
    after: Any = None
    asked: int | None = None  # the first event that asked for it as it was played,
    asked_now: int | None = None  # and under the other rules
    rule: str = ""
    errata: tuple[str, ...] = ()


class Divergence(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """The first event that comes out differently."""

    version: int
    kind: str  # facts | illegal | order | missing | unasked
    question: str = ""
    seat: Seat = CHANCE
    rule: str = ""
    asked: str = ""  # order and missing: what is asked instead
    causes: tuple[Cause, ...] = ()
    exact: bool = False  # the causes are what this very event asked for


class ResultSpread(FrozenByName, frozen=True, kw_only=True):
    """The spread of results over the draws of assumed chance."""

    draws: int
    ended: int
    winners: dict[str, int]  # seats, and in how many draws
    scores: tuple[tuple[int, int], ...]  # by seat: the lowest and the highest


class Stop(FrozenByName, frozen=True, kw_only=True):
    """The point where the re-projection stopped before the match ended."""

    why: str
    version: int | None
    question: str
    seat: Seat
    rule: str


class MatchVerdict(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on one match. The stored log and its original result stay unchanged."""

    match: str
    verdict: MatchClass
    change: Change
    policies: Policies
    head: str = ""  # of the log that was looked at
    ruleset: str = ""
    edition: str = ""
    proved: Literal["index", "fold"] = "fold"
    resumed: int = 0  # folded after this event; 0: from the beginning
    events: dict[str, int] = {}  # noqa: RUF012 - how many of each verdict
    first: Divergence | None = None
    before: Result | None = None  # None: it has not ended
    after: Result | None = None
    stopped: Stop | None = None
    assumed: int = 0
    spread: ResultSpread | None = None
    marked: tuple[EventVerdict, ...] = ()
    accounts: dict[str, dict[str, tuple[int, int]]] = {}  # noqa: RUF012 - before and after
    positions: tuple[tuple[str, Any, Any], ...] = ()
    positions_more: int = 0
    pinned: tuple[str, ...] = ()
    error: str = ""

    @property
    def finding(self) -> dict[str, Any]:
        """Returns the findings without their method, so that a full and a partial fold compare
        equal.
        """
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {name: value for name, value in plain.items() if name not in ("proved", "resumed")}


# --- events ---------------------------------------------------------------------------------------


def marked(again: Projection) -> list[EventVerdict]:
    """Returns the events that did not simply apply, and the answers that the log lacks."""
    elsewhere = set(moved(again.steps))
    found = []
    for step in again.steps:
        verdict = step.verdict
        if verdict == APPLIED and step.version in elsewhere:
            verdict = "moved"
        if verdict != APPLIED:
            found.append(_event(step, verdict))
    rest = "unasked" if again.stopped is None else "unreached"
    out_of_place = set(again.out_of_place)
    found += [
        EventVerdict(
            verdict="unasked" if version in out_of_place else rest,
            version=version,
            question=question,
            seat=seat,
        )
        for version, question, seat in again.unasked()
    ]
    return found


def _event(step: ProjectedStep, verdict: str) -> EventVerdict:
    refusal = step.refusal
    said: Mapping[str, Any] = {} if refusal is None else refusal.as_plain()
    return EventVerdict(
        verdict=verdict,
        version=step.version,
        question=step.key,
        seat=step.seat,
        how="" if step.how == "log" else step.how,
        **said,
    )


def moved(steps: Sequence[ProjectedStep]) -> Iterator[int]:
    """Yields the applied events outside the longest run that keeps the order of the log."""
    versions = [s.version for s in steps if s.verdict == APPLIED and s.version is not None]
    tails: list[int] = []  # the last version of the best run of each length, and where it stands
    places: list[int] = []
    before: list[int] = []
    for place, version in enumerate(versions):
        length = bisect_left(tails, version)
        before.append(places[length - 1] if length else -1)
        if length == len(tails):
            tails.append(version)
            places.append(place)
        else:
            tails[length], places[length] = version, place
    kept, place = set(), places[-1] if places else -1
    while place >= 0:
        kept.add(place)
        place = before[place]
    yield from (version for place, version in enumerate(versions) if place not in kept)


def counted(found: Sequence[EventVerdict], answers: int) -> dict[str, int]:
    """Counts events by verdict, over all answers of the line."""
    counts = Counter(one.verdict for one in found)
    logged = sum(one.version is not None for one in found)
    counts[APPLIED] += answers - logged
    return dict(sorted(counts.items()))


# --- the first difference -------------------------------------------------------------------------


def first_difference(played: AsPlayed | Projection, again: Projection) -> Divergence | None:
    """Returns the first difference of two folds; differing.py finds its causes."""
    last = 0
    for place, was in enumerate(played.steps):
        was = was._replace(version=was.version or last)  # noqa: PLW2901 - the log has no such event
        last = was.version or last
        if place == len(again.steps):
            return _at_the_end(was, again)
        now = again.steps[place]
        if now.version != played.steps[place].version:
            kind = "missing" if now.version is None else "order"
            return _parting(was, kind, asked=now.key, rule=rule_asked(now))
        if now.verdict == ILLEGAL and was.verdict != ILLEGAL:
            refusal = now.refusal
            rule = "" if refusal is None else refusal.rule
            return _parting(was, ILLEGAL, rule=rule or rule_asked(now))
        if facts_bytes(now.facts) != facts_bytes(was.facts):
            return _parting(was, "facts")
    if len(again.steps) > len(played.steps):
        now = again.steps[len(played.steps)]
        return _parting(_last(played, last), "missing", asked=now.key, rule=rule_asked(now))
    stopped = again.stopped
    if stopped is not None and stopped.why == MISSING and not _stopped(played):
        asked = stopped.question
        return _parting(_last(played, last), "missing", asked=asked, rule=stopped.rule)
    return None


def _last(played: AsPlayed | Projection, version: int) -> ProjectedStep:
    return played.steps[-1]._replace(version=version)


def _stopped(played: AsPlayed | Projection) -> bool:
    return isinstance(played, Projection) and played.stopped is not None


def _at_the_end(was: ProjectedStep, again: Projection) -> Divergence:
    if again.stopped is not None:
        return _parting(was, "missing", asked=again.stopped.question, rule=again.stopped.rule)
    return _parting(was, "unasked")


def _parting(was: ProjectedStep, kind: str, asked: str = "", rule: str = "") -> Divergence:
    assert was.version is not None, "what was played stands in the log"
    return Divergence(
        version=was.version, kind=kind, question=was.key, seat=was.seat, asked=asked, rule=rule
    )


def rule_asked(step: ProjectedStep) -> str:
    return "" if step.kind is None else rule_of(step.kind)


# --- the match ------------------------------------------------------------------------------------


def classed(
    found: Sequence[EventVerdict],
    again: Projection,
    before: Result | None,
    after: Result | None,
) -> MatchClass:
    if any(one.verdict == ILLEGAL and one.seat != CHANCE for one in found):
        return "decision now illegal"
    if before is None or after is None:
        return "unfinished"
    if again.assumed:
        return "undetermined"
    if before.winners != after.winners:
        return "winner differs"
    return "same result" if before.scores == after.scores else "score differs"


def stop_of(stopped: StopPoint | None) -> Stop | None:
    return None if stopped is None else Stop(**stopped._asdict())


def spread_of(results: Sequence[Result | None]) -> ResultSpread:
    ended = [one for one in results if one is not None]
    winners = Counter(",".join(map(str, one.winners)) for one in ended)
    by_seat = zip(*(one.scores for one in ended), strict=True)
    return ResultSpread(
        draws=len(results),
        ended=len(ended),
        winners=dict(sorted(winners.items())),
        scores=tuple((min(scores), max(scores)) for scores in by_seat),
    )
