"""The report on a run: the table, the standings, and a line a match. What a run leaves behind.

It depends on nothing but the verdicts and the book of a tournament, so two runs over the same logs
give the same bytes. `finding` is a hash of all that was found of a match: two reports are compared
by it, whether or not the verdicts are still there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from ledger.club.tournament.hypothetical import Otherwise
from ledger.kernel.frozen import FrozenByName
from ledger.kernel.ruleset import Result

from .change import Change
from .corpus import Row, Table, causes_of, table_of
from .policies import Policies
from .verdicts import MatchVerdict


class Line(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """A match of a run in one line."""

    source: str
    match: str
    verdict: str
    proved: str
    finding: str
    first: int | None = None  # the event at which it parts
    kind: str = ""
    question: str = ""
    causes: tuple[str, ...] = ()
    winners: tuple[int, ...] | None = None
    winners_then: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    scores_then: tuple[int, ...] | None = None
    marked: int = 0  # events that did not simply apply
    assumed: int = 0
    error: str = ""


class Report(FrozenByName, frozen=True, kw_only=True):
    """What a run found."""

    format: Literal["hegemon-reprojection"] = "hegemon-reprojection"
    version: int = 1
    ruleset: str
    source: str  # of the rules
    change: Change
    policies: Policies
    table: Table
    tournament: str = ""
    standings: Otherwise | None = None
    matches: tuple[Line, ...] = ()


class Apart(FrozenByName, frozen=True, kw_only=True):
    """A match that two reports do not agree on; empty where one does not have it."""

    match: str
    before: str
    after: str


def line_of(row: Row) -> Line:
    """A match in one line."""
    verdict, first = row.verdict, row.verdict.first
    before, after = verdict.before, verdict.after
    return Line(
        source=row.source,
        match=verdict.match,
        verdict=verdict.verdict,
        proved=verdict.proved,
        finding=finding_of(verdict),
        first=None if first is None else first.version,
        kind="" if first is None else first.kind,
        question="" if first is None else first.question,
        causes=tuple(causes_of(verdict)),
        winners=None if before is None else tuple(before.winners),
        winners_then=None if after is None else tuple(after.winners),
        scores=None if before is None else tuple(before.scores),
        scores_then=None if after is None else tuple(after.scores),
        marked=len(verdict.marked),
        assumed=verdict.assumed,
        error=verdict.error,
    )


def finding_of(verdict: MatchVerdict) -> str:
    """A hash of all that was found, whatever was asked."""
    asked = ("change", "policies")
    found = {name: value for name, value in verdict.finding.items() if name not in asked}
    packed = msgspec.json.encode(found, order="deterministic")
    return hashlib.sha256(packed).hexdigest()[:16]


def result_then(verdict: MatchVerdict) -> Result | None:
    """The result that a match would have; None where nobody can say."""
    known = verdict.verdict in ("unchanged", "same result", "score differs", "winner differs")
    return verdict.after if known else None


def report_of(
    rows: Sequence[Row], ruleset: str, source: str, change: Change, policies: Policies, **more: Any
) -> Report:
    """The report on rows; more are the tournament and its standings."""
    ordered = sorted(rows, key=lambda row: row.source)
    return Report(
        ruleset=ruleset,
        source=source,
        change=change,
        policies=policies,
        table=table_of(ordered),
        matches=tuple(map(line_of, ordered)),
        **more,
    )


def apart(before: Report, after: Report) -> list[Apart]:
    """The matches that two reports do not agree on."""
    old = {line.source: line for line in before.matches}
    new = {line.source: line for line in after.matches}
    found = []
    for source in sorted(old.keys() | new.keys()):
        was, now = old.get(source), new.get(source)
        if was is None or now is None or was.finding != now.finding:
            said = ["" if one is None else one.verdict for one in (was, now)]
            found.append(Apart(match=source, before=said[0], after=said[1]))
    return found
