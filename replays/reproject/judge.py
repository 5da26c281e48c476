"""Judges one match under a change, from its log to its verdict.

With an index, a match that uses nothing the change alters is proved unchanged without folding;
another is folded from the last stored position before the first event that may differ. Without an
index both folds begin at the beginning. The findings are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Result, Ruleset
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History, Undisclosed

from .change import Change, RulesUnder, basis_of, find_first_touched
from .differences import (
    POSITIONS_MAX,
    account_differences,
    classify_match,
    count_verdicts,
    explain_divergence,
    first_difference,
    mark_events,
    position_differences,
    same_position,
    spread_of,
)
from .policies import STANDARD, Policies
from .projection import AsPlayed, BrokenFold, Projection
from .rule_use import Index, may_be_touched
from .verdicts import MatchClass, MatchVerdict


def reproject(
    history: History,
    change: Change,
    policies: Policies = STANDARD,
    index: Index | None = None,
) -> MatchVerdict:
    """Folds a match under a change and returns the verdict. An error in the match becomes part
    of it.
    """
    try:
        return _judge(history, change, policies, index)
    except Exception as reason:  # noqa: BLE001 - one match must not stop a run
        return error_verdict_of(history, change, policies, describe_error(reason))


def describe_error(reason: Exception) -> str:
    """Describes why a match could not be folded."""
    if isinstance(reason, Refused | BrokenFold):
        return str(reason)
    name = "not_disclosed" if isinstance(reason, Undisclosed) else type(reason).__name__
    return f"{name}: {reason}"


def error_verdict_of(
    history: History, change: Change, policies: Policies, error: str
) -> MatchVerdict:
    """Returns the verdict on a match that could not be folded."""
    return msgspec.structs.replace(_blank(history, change, policies, "error"), error=error[:500])


def _blank(
    history: History, change: Change, policies: Policies, verdict: MatchClass
) -> MatchVerdict:
    known: dict[str, Any] = {}
    if history.events:
        created, head = history.created, history.tip.head.hex()
        known = {"head": head, "ruleset": created.ruleset, "edition": created.edition}
    return MatchVerdict(
        match=history.match, verdict=verdict, change=change, policies=policies, **known
    )


def prove_unchanged(
    index: Index, rules: Ruleset, change: Change, policies: Policies
) -> MatchVerdict | None:
    """Proves from its index alone that a change does not affect a match; None if it cannot.

    The caller must make sure that the index belongs to the log, by its head.
    """
    basis = index.basis(rules)
    if basis is None or may_be_touched(index, rules, change):
        return None
    return MatchVerdict(
        match=index.match,
        verdict="unchanged",
        change=change,
        policies=policies,
        head=index.head.hex(),
        ruleset=rules.name,
        edition=index.editions[0][1],
        proved="index",
        events=_counts(index.answers, index.undone),
        before=index.result,
        after=index.result,
        pinned=tuple(RulesUnder(basis, change).pinned()),
    )


def _counts(answers: int, undone: int) -> dict[str, int]:
    return {"applied": answers} | ({"undone": undone} if undone else {})


def _judge(
    history: History, change: Change, policies: Policies, index: Index | None
) -> MatchVerdict:
    rules = RulesUnder(basis_of(history), change)
    line = history.lines.line(history.tip.version)
    stretches = rules.stretches()
    answers = sum(not isinstance(history.body(one), ActBody) for one in line)
    blank = msgspec.structs.replace(
        _blank(history, change, policies, "unchanged"),
        events=_counts(answers, len(history.lines.undone())),
        pinned=tuple(rules.pinned()),
    )
    if not history.life.started:
        return msgspec.structs.replace(blank, proved="index")
    start = None
    if index is not None and index.of(history):
        verdict = prove_unchanged(index, history.rules, change, policies)
        if verdict is not None:
            return verdict
        touched = find_first_touched(stretches, index.first_uses())
        assert touched is not None, "it was not proved"
        start = index.before(touched)
    played = AsPlayed(history, line, start)
    return _compare(blank, played, Projection(played, stretches, policies, start), answers)


def _compare(
    blank: MatchVerdict, played: AsPlayed, again: Projection, answers: int
) -> MatchVerdict:
    was, now = played.match, again.match
    assert was is not None, "a match that has started stands somewhere"
    first = first_difference(played, again)
    before, after = was.result() if was.ended else None, again.result
    said = msgspec.structs.replace(
        blank,
        resumed=0 if again.start is None else again.start.version,
        before=before,
        after=after,
    )
    found = mark_events(again)
    if first is None and not found and same_position(was, now):
        return said
    if first is not None:
        first = explain_divergence(played, again, first)
    verdict = classify_match(found, again, before, after)
    spread = None
    if again.substitutes.assumed:
        spread = spread_of(_draws(played, again, blank.policies))
    positions = position_differences(was, now)
    undone = {name: n for name, n in blank.events.items() if name == "undone"}
    return msgspec.structs.replace(
        said,
        verdict=verdict,
        events=count_verdicts(found, answers) | undone,
        first=first,
        stopped=again.stopped,
        assumed=again.substitutes.assumed,
        spread=spread,
        marked=tuple(found),
        accounts=account_differences(was, now),
        positions=tuple(positions[:POSITIONS_MAX]),
        positions_more=max(0, len(positions) - POSITIONS_MAX),
    )


def _draws(played: AsPlayed, again: Projection, policies: Policies) -> Iterator[Result | None]:
    """Yields the results over all draws of assumed chance; the first is the one shown."""
    yield again.result
    for draw in range(1, policies.draws):
        try:
            yield Projection(played, again.stretches, policies, again.start, draw).result
        except BrokenFold:
            yield None
