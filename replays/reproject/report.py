"""The report on a run: the counts, the standings, and one row for each match.

It depends only on the verdicts and the book of a tournament, so two runs over the same logs give
the same bytes. `finding` is a hash of everything found in a match. Two reports are compared by it,
even when the verdicts are no longer stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from ledger.club.tournament.hypothetical import HypotheticalStandings
from ledger.kernel.frozen import FrozenByName
from ledger.kernel.ruleset import Result

from .change import Change
from .corpus import RunRow, VerdictTable, causes_of, table_of
from .policies import Policies
from .verdicts import MatchVerdict


class MatchSummary(FrozenByName, frozen=True, kw_only=True, omit_defaults=True):
    """One match of a run, in short."""

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


class RunReport(FrozenByName, frozen=True, kw_only=True):
    """The findings of a run."""

    format: Literal["hegemon-reprojection"] = "hegemon-reprojection"
    version: int = 1
    ruleset: str
    source: str  # of the rules
    change: Change
    policies: Policies
    table: VerdictTable
    tournament: str = ""
    standings: HypotheticalStandings | None = None
    matches: tuple[MatchSummary, ...] = ()


class Apart(FrozenByName, frozen=True, kw_only=True):
    """A match on which two reports differ; a side is empty if that report lacks the match."""

    match: str
    before: str
    after: str


def line_of(row: RunRow) -> MatchSummary:
    verdict, first = row.verdict, row.verdict.first
    before, after = verdict.before, verdict.after
    return MatchSummary(
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
    """Hashes everything found in a match, leaving out the change and policies."""
    asked = ("change", "policies")
    found = {name: value for name, value in verdict.finding.items() if name not in asked}
    packed = msgspec.json.encode(found, order="deterministic")
    return hashlib.sha256(packed).hexdigest()[:16]


def result_then(verdict: MatchVerdict) -> Result | None:
    """Returns the result that a match would have, or None if it cannot be known."""
    known = verdict.verdict in ("unchanged", "same result", "score differs", "winner differs")
    return verdict.after if known else None


def report_of(
    rows: Sequence[RunRow],
    ruleset: str,
    source: str,
    change: Change,
    policies: Policies,
    **more: Any,
) -> RunReport:
    """Builds the report from rows; `more` are the tournament and its standings."""
    ordered = sorted(rows, key=lambda row: row.source)
    return RunReport(
        ruleset=ruleset,
        source=source,
        change=change,
        policies=policies,
        table=table_of(ordered),
        matches=tuple(map(line_of, ordered)),
        **more,
    )


def apart(before: RunReport, after: RunReport) -> list[Apart]:
    """Returns the matches on which two reports differ."""
    old = {line.source: line for line in before.matches}
    new = {line.source: line for line in after.matches}
    found = []
    for source in sorted(old.keys() | new.keys()):
        was, now = old.get(source), new.get(source)
        if was is None or now is None or was.finding != now.finding:
            said = ["" if one is None else one.verdict for one in (was, now)]
            found.append(Apart(match=source, before=said[0], after=said[1]))
    return found
