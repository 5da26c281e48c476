"""Compares one match under two sets of rules event by event, and finds where they diverge.

compare_changes()      facts, verdicts and scores of both
find_divergence()      the first event that comes out differently
find_log_difference()  the first event that is refused here, or whose facts are not those that the
                       log committed to: the sign of another build of the rules
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from ledger.kernel.audience import Viewer, view
from ledger.kernel.frozen import FrozenByName
from ledger.kernel.records import Fact, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Result
from ledger.kernel.terms import facts_bytes
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History
from replays.story.sentences import fact_sentence

from .change import Change, EditionStretch, RulesUnder, basis_of, list_differences
from .differences import (
    account_differences,
    causes_of,
    explain_divergence,
    first_difference,
    mark_events,
    position_differences,
    used_by,
)
from .policies import STANDARD, Policies
from .projection import AsPlayed, ProjectedStep, Projection
from .verdicts import Divergence


class Half(FrozenByName, frozen=True, kw_only=True):
    """The verdict and facts of an event on one side."""

    verdict: str
    facts: tuple[dict[str, Any], ...]
    sentences: tuple[str, ...]


class ComparedEvent(FrozenByName, frozen=True, kw_only=True):
    """An event on both sides; a half is None where that side does not have the event."""

    version: int | None
    question: str
    seat: Seat
    a: Half | None
    b: Half | None
    same: bool


class Comparison(FrozenByName, frozen=True, kw_only=True):
    """A comparison of one match under two sets of rules."""

    match: str
    at: int  # after this event
    a: Change
    b: Change
    first: Divergence | None
    result_a: Result | None
    result_b: Result | None
    lines: tuple[ComparedEvent, ...]
    accounts: Mapping[str, Mapping[str, tuple[int, int]]]
    positions: tuple[tuple[str, Any, Any], ...]


class Sides(NamedTuple):
    """Both folds, and the fold of the log as it was played."""

    played: AsPlayed
    a: Projection
    b: Projection


def fold_sides(
    history: History, a: Change, b: Change, policies: Policies = STANDARD, *, cut: bool = False
) -> Sides:
    played = AsPlayed(history)
    under = [RulesUnder(basis_of(history), change).stretches() for change in (a, b)]
    return Sides(played, *(Projection(played, one, policies, cut=cut) for one in under))


def find_divergence(history: History, a: Change, b: Change) -> Divergence | None:
    """Returns the first event at which two sets of rules differ, with the causes."""
    return _find_sides_divergence(fold_sides(history, a, b), a)


def _find_sides_divergence(sides: Sides, a: Change) -> Divergence | None:
    first = first_difference(sides.a, sides.b)
    if first is None:
        return None
    if a == Change():
        return explain_divergence(sides.played, sides.b, first)
    return _add_candidates(sides, first)


def _add_candidates(sides: Sides, first: Divergence) -> Divergence:
    """Adds as causes all differences that either side had used by then. The log itself may
    match neither side.
    """
    pairs = zip(sides.a.stretches, sides.b.stretches, strict=True)
    stretches = [EditionStretch(one.first, one.other, other.other) for one, other in pairs]
    was, now = sides.a.match.used, sides.b.match.used
    found = used_by(list_differences(stretches), was, now, first.version)
    causes = causes_of(sides.played.history.rules, stretches, found, was, now)
    return msgspec.structs.replace(first, causes=causes)


class FirstDifference(NamedTuple):
    """The first event that another build of the rules handled differently."""

    version: int
    refusal: Refused | None = None  # else it comes to other facts


def compare_changes(
    history: History, a: Change, b: Change, viewer: Viewer = None, *, cut: bool = False
) -> Comparison:
    """Compares both sides up to the last event of a history.

    Set `cut` for a history that `up_to` has cut short.
    """
    return compare_sides(fold_sides(history, a, b, cut=cut), a, b, viewer)


def compare_sides(sides: Sides, a: Change, b: Change, viewer: Viewer) -> Comparison:
    history, (_, one, other) = sides.played.history, sides
    return Comparison(
        match=history.match,
        at=history.tip.version,
        a=a,
        b=b,
        first=_find_sides_divergence(sides, a),
        result_a=one.result,
        result_b=other.result,
        lines=tuple(_lines(one, other, viewer)),
        accounts=account_differences(one.match, other.match),
        positions=tuple(position_differences(one.match, other.match)),
    )


def _lines(one: Projection, other: Projection, viewer: Viewer) -> list[ComparedEvent]:
    """Returns the events in the order of the first side; events only the second has are put
    between them.
    """
    theirs: dict[int, ProjectedStep] = {s.version: s for s in other.steps if s.version is not None}
    ours = {step.version for step in one.steps}
    only: dict[int | None, list[ProjectedStep]] = {}
    at: int | None = None
    for step in other.steps:
        if step.version is not None and step.version in ours:
            at = step.version
        else:
            only.setdefault(at, []).append(step)
    verdicts = [{e.version: e.verdict for e in mark_events(side)} for side in (one, other)]

    def line(ours: ProjectedStep | None, theirs: ProjectedStep | None) -> ComparedEvent:
        step = ours if ours is not None else theirs
        assert step is not None, "one of the two has it"
        halves = [
            None if it is None else _half(side, it, seen, viewer)
            for side, it, seen in zip((one, other), (ours, theirs), verdicts, strict=True)
        ]
        same = (
            ours is not None
            and theirs is not None
            and halves[0] == halves[1]
            and facts_bytes(ours.facts) == facts_bytes(theirs.facts)
        )
        version, key, seat = step.version, step.key, step.seat
        return ComparedEvent(
            version=version, question=key, seat=seat, a=halves[0], b=halves[1], same=same
        )

    found = [line(None, step) for step in only.pop(None, ())]
    for step in one.steps:
        found.append(line(step, None if step.version is None else theirs.get(step.version)))
        if step.version is not None:
            found += [line(None, extra) for extra in only.pop(step.version, ())]
    return found


def _half(
    side: Projection, step: ProjectedStep, seen: Mapping[int | None, str], viewer: Viewer
) -> Half:
    verdict = step.verdict if step.version is None else seen.get(step.version, step.verdict)
    terms, called = side.match.terms, side.match.called()

    def shown(fact: Fact) -> dict[str, Any]:
        return {name: msgspec.to_builtins(value) for name, value in view(fact, viewer).items()}

    told = (fact_sentence(terms, fact, viewer, called) for fact in step.facts)
    refusal = () if step.refusal is None else (str(step.refusal),)
    return Half(
        verdict=verdict,
        facts=tuple(map(shown, step.facts)),
        sentences=(*(sentence for sentence in told if sentence), *refusal),
    )


def find_log_difference(history: History) -> FirstDifference | None:
    """Finds the first event that is refused here or whose facts break the log's commitment.

    For a match written elsewhere a commitment can be checked only if its opening is known.
    """
    played = AsPlayed(history, line=())
    for version in history.lines.line(history.tip.version):
        known = len(played.steps)
        try:
            played.take(version)
        except Refused as refusal:
            same_build = history.created.source == history.rules.source
            if same_build or isinstance(history.body(version), ActBody):
                raise  # no other build has taken it either
            return FirstDifference(version, refusal)
        try:
            for step in played.steps[known:]:
                history.open_outcome(version, step.facts)
        except Refused:
            return FirstDifference(version)
    return None
