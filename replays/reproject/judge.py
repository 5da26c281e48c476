"""Judges one match under a change, from its log to its verdict.

With an index, a match that uses nothing the change alters is proved unchanged without folding;
another is folded from the last stored position before the first event that may differ. Without an
index both folds begin at the beginning. The findings are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ledger.kernel.match import Match
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Result, Ruleset
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History, Undisclosed

from .change import Change, EditionStretch, RulesUnder, basis_of, find_first_touched
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
    stop_of,
)
from .policies import Policies
from .projection import AsPlayed, BrokenFold, PackedMatch, Projection
from .rule_use import Index
from .verdicts import MatchVerdict


class BothFolds(NamedTuple):
    """Both folds of a match, for callers that need more than the verdict."""

    stretches: list[EditionStretch]
    line: list[int]
    start: PackedMatch | None
    played: AsPlayed
    again: Projection


def reproject(
    history: History,
    change: Change,
    policies: Policies | None = None,
    index: Index | None = None,
) -> MatchVerdict:
    """Folds a match under a change and returns the verdict. An error in the match becomes part
    of it.
    """
    policies = Policies() if policies is None else policies
    try:
        return _judge(history, change, policies, index)
    except Undisclosed as reason:
        error = f"not_disclosed: {reason}"
    except Refused as refusal:
        error = str(refusal)
    except BrokenFold as reason:
        error = str(reason)
    except Exception as reason:  # noqa: BLE001 - one match must not stop a run
        error = f"{type(reason).__name__}: {reason}"
    return error_verdict_of(history, change, policies, error)


def error_verdict_of(
    history: History, change: Change, policies: Policies, error: str
) -> MatchVerdict:
    """Returns the verdict on a match that could not be folded."""
    blank = MatchVerdict(
        match=history.match, verdict="error", change=change, policies=policies, error=error[:500]
    )
    if not history.events:
        return blank
    return msgspec.structs.replace(
        blank,
        head=history.tip.head.hex(),
        ruleset=history.created.ruleset,
        edition=history.created.edition,
    )


def prove_unchanged(
    index: Index, rules: Ruleset, change: Change, policies: Policies
) -> MatchVerdict | None:
    """Proves from its index alone that a change does not affect a match; None if it cannot.

    The caller must make sure that the index belongs to the log, by its head.
    """
    basis = index.basis(rules)
    if basis is None:
        return None
    under = RulesUnder(basis, change)
    if find_first_touched(under.stretches(), index.first_uses()) is not None:
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
        pinned=tuple(under.pinned()),
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
    blank = MatchVerdict(
        match=history.match,
        verdict="unchanged",
        change=change,
        policies=policies,
        head=history.tip.head.hex(),
        ruleset=history.created.ruleset,
        edition=history.created.edition,
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
    folded = fold_both(history, rules, stretches, line, policies, start)
    return _compare(history, blank, folded, answers)


def fold_both(
    history: History,
    rules: RulesUnder,
    stretches: list[EditionStretch],
    line: list[int],
    policies: Policies,
    start: PackedMatch | None,
) -> BothFolds:
    played = AsPlayed(history, rules, line, start)
    again = Projection(history, stretches, line, played, policies, start)
    return BothFolds(stretches, line, start, played, again)


def _compare(
    history: History, blank: MatchVerdict, folded: BothFolds, answers: int
) -> MatchVerdict:
    stretches, line, start, played, again = folded
    was, now = played.match, again.match
    assert was is not None, "a match that has started stands somewhere"
    first = first_difference(played, again)
    before, after = _result(was), _result(now)
    said = msgspec.structs.replace(
        blank,
        resumed=0 if start is None else start.version,
        before=before,
        after=after,
    )
    found = mark_events(again)
    if first is None and not found and same_position(was, now):
        return said
    if first is not None:
        first = explain_divergence(history, stretches, line, played, again, first)
    verdict = classify_match(found, again, before, after)
    spread = None
    if again.assumed:
        spread = spread_of(_draws(history, blank.policies, folded))
    positions = position_differences(was, now)
    undone = {name: n for name, n in blank.events.items() if name == "undone"}
    return msgspec.structs.replace(
        said,
        verdict=verdict,
        events=count_verdicts(found, answers) | undone,
        first=first,
        stopped=stop_of(again.stopped),
        assumed=again.assumed,
        spread=spread,
        marked=tuple(found),
        accounts=account_differences(was, now),
        positions=tuple(positions[:POSITIONS_MAX]),
        positions_more=max(0, len(positions) - POSITIONS_MAX),
    )


def _draws(history: History, policies: Policies, folded: BothFolds) -> list[Result | None]:
    """Returns the results over all draws of assumed chance; the first is the one shown."""
    stretches, line, start, played, again = folded
    results: Sequence[Result | None] = [_result(again.match)]
    others = []
    for draw in range(1, policies.draws):
        try:
            other = Projection(history, stretches, line, played, policies, start, draw)
            others.append(_result(other.match))
        except BrokenFold:
            others.append(None)
    return [*results, *others]


def _result(match: Match) -> Result | None:
    return match.result() if match.ended else None
