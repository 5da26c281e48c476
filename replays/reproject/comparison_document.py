"""A comparison of one match under two sets of rules as a document, with boards and rule texts.

side_by_side(history, a, b, at) ──▶ each event on both sides, both boards after one, the causes
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.frozen import FrozenByName
from ledger.kernel.ruleset import Result, Ruleset
from ledger.kernel.scene import Scene
from ledger.log.read.history import History
from replays.story.rulebook import words_of

from .change import Change
from .comparison import ComparedEvent, compare_sides, fold_sides
from .policies import STANDARD, Policies
from .projection import APPLIED, AsPlayed, Projection
from .verdicts import Divergence

LINES_MAX: Final = 400


class RuleText(FrozenByName, frozen=True, kw_only=True):
    id: str
    text: str


class SideBySide(FrozenByName, frozen=True, kw_only=True):
    """The comparison document."""

    format: Literal["hegemon-comparison"] = "hegemon-comparison"
    version: int = 1
    match: str
    title: str
    ruleset: str
    last: int  # the last event of the log
    at: int  # the boards are as they are after this event
    a: str
    b: str
    first: Divergence | None
    result_a: Result | None
    result_b: Result | None
    lines: tuple[
        ComparedEvent, ...
    ]  # of events that come to something else, and of the one looked at
    more: int  # so many of these are left out
    accounts: dict[str, dict[str, tuple[int, int]]]  # at the end, where they differ
    positions: tuple[tuple[str, Any, Any], ...]
    board_a: Scene | None
    board_b: Scene | None
    rules: tuple[RuleText, ...]


def side_by_side(
    history: History,
    a: Change,
    b: Change,
    at: int | None = None,
    *,
    policies: Policies = STANDARD,
    viewer: Viewer = None,
) -> SideBySide:
    """Builds the document; without `at` the boards are those at the first difference."""
    sides = fold_sides(history, a, b, policies)
    whole = compare_sides(sides, a, b, viewer)
    if at is None:
        at = history.tip.version if whole.first is None else whole.first.version
    boards = [_board(sides.played, side, policies, at, viewer) for side in (sides.a, sides.b)]
    apart = [one for one in whole.lines if not one.same or one.version == at]
    shown = around(apart, at, LINES_MAX)
    return SideBySide(
        match=history.match,
        title=history.created.title or f"Match {history.match}",
        ruleset=history.created.ruleset,
        last=history.tip.version,
        at=at,
        a=a.named,
        b=b.named,
        first=whole.first,
        result_a=whole.result_a,
        result_b=whole.result_b,
        lines=tuple(shown),
        more=len(apart) - len(shown),
        accounts={name: dict(one) for name, one in whole.accounts.items()},
        positions=whole.positions,
        board_a=boards[0],
        board_b=boards[1],
        rules=tuple(_texts(history.rules, whole.first)),
    )


def _board(
    played: AsPlayed, side: Projection, policies: Policies, at: int, viewer: Viewer
) -> Scene | None:
    """Returns a side's board right after an event; None where there is none to show."""
    if not 0 < played.history.life.started <= at:
        return None
    comes = any(step.version == at and step.verdict == APPLIED for step in side.steps)
    until = Projection(played, side.stretches, policies, until=at, passes=comes)
    return until.match.scene(viewer)


def around(lines: Sequence[ComparedEvent], at: int, most: int) -> Sequence[ComparedEvent]:
    """Returns at most `most` rows, those around an event."""
    here = next((n for n, one in enumerate(lines) if one.version == at), 0)
    first = max(0, min(here - most // 2, len(lines) - most))
    return lines[first : first + most]


def _texts(rules: Ruleset, first: Divergence | None) -> Iterator[RuleText]:
    """Yields the rule texts for the first difference, and the errata that changed them."""
    if first is None:
        return
    said: dict[str, str] = {}
    for cause in first.causes:
        said |= {one.id: one.text for one in rules.errata if one.id in cause.errata}
        if cause.kind == "reading":
            said[cause.name] = rules.readings[cause.name].why
        said |= _of_rule(rules, cause.rule)
    said |= _of_rule(rules, first.rule)
    yield from (RuleText(id=name, text=text) for name, text in said.items())


def _of_rule(rules: Ruleset, rule: str) -> dict[str, str]:
    words = words_of(rules, rule)
    return {rule: words} if words else {}


def pack_comparison(found: SideBySide) -> bytes:
    return msgspec.json.encode(found)
