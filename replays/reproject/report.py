"""The report on a run: the counts by class and cause, the standings, and a row for each match.

It depends only on the verdicts and the book of a tournament, so two runs over the same logs give
the same bytes. `finding` is a hash of everything found in a match. Two reports are compared by it,
even when the verdicts are no longer stored.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from ledger.club.tournament.hypothetical import HypotheticalStandings
from ledger.kernel.frozen import FrozenByName
from ledger.kernel.ruleset import Result
from replays.report.cells import safe_cell

from .change import Change
from .policies import Policies
from .verdicts import CLASSES, MatchVerdict

NO_CAUSE: Final = "(none named)"
COLUMNS: Final = (
    "source", "match", "ruleset", "edition", "verdict", "first", "kind", "question", "rule",
    "causes", "applied", "moved", "illegal", "unasked", "missing", "unreached", "winners before",
    "winners after", "scores before", "scores after", "assumed", "error",
)  # fmt: skip


class RunRow(FrozenByName, frozen=True, kw_only=True):
    """One match of a run: its source and its verdict."""

    source: str
    verdict: MatchVerdict


class VerdictTable(FrozenByName, frozen=True, kw_only=True):
    change: str
    matches: int
    classes: dict[str, int]
    causes: list[tuple[str, str, int]]  # class, what differs, in how many matches
    illegal: list[tuple[str, int]]  # rules by which decisions are refused now
    proved: int  # unchanged without folding


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


class LeftOut(FrozenByName, frozen=True, kw_only=True):
    """A match on which two reports differ; a side is empty if that report lacks the match."""

    match: str
    before: Annotated[str, msgspec.Meta(description="empty: it was not in it")]
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


def compare_reports(before: RunReport, after: RunReport) -> list[LeftOut]:
    """Returns the matches on which two reports differ."""
    old = {line.source: line for line in before.matches}
    new = {line.source: line for line in after.matches}
    found = []
    for source in sorted(old.keys() | new.keys()):
        was, now = old.get(source), new.get(source)
        if was is None or now is None or was.finding != now.finding:
            said = ["" if one is None else one.verdict for one in (was, now)]
            found.append(LeftOut(match=source, before=said[0], after=said[1]))
    return found


# --- counts ---------------------------------------------------------------------------------------


def table_of(rows: Iterable[RunRow]) -> VerdictTable:
    """Counts the verdicts of a run."""
    classes: Counter[str] = Counter()
    causes: Counter[tuple[str, str]] = Counter()
    illegal: Counter[str] = Counter()
    changes: set[str] = set()
    proved = 0
    for row in rows:
        verdict = row.verdict
        changes.add(verdict.change.named)
        classes[verdict.verdict] += 1
        proved += verdict.proved == "index"
        if verdict.first is not None:
            names = causes_of(verdict) or [NO_CAUSE]
            causes.update((verdict.verdict, name) for name in names)
        illegal.update({one.rule for one in verdict.marked if one.verdict == "illegal"})
    return VerdictTable(
        change="; ".join(sorted(changes)),
        matches=classes.total(),
        classes={name: classes[name] for name in CLASSES if classes[name]},
        causes=sorted((*pair, count) for pair, count in causes.items()),
        illegal=sorted(illegal.items()),
        proved=proved,
    )


def causes_of(verdict: MatchVerdict) -> list[str]:
    if verdict.first is None:
        return []
    return [f"{one.kind} {one.name}" for one in verdict.first.causes]


def table_text(table: VerdictTable) -> str:
    """Renders the counts as text."""
    matches = "1 match" if table.matches == 1 else f"{table.matches} matches"
    lines = [f"{table.change}: {matches}"]
    for name, count in table.classes.items():
        shown = f"  {count:6}  {name}"
        if name == "unchanged" and table.proved:
            shown += f" ({table.proved} of them proved without folding)"
        lines.append(shown)
    if table.causes:
        lines.append("by cause of the first difference:")
        lines += [f"  {count:6}  {name}: {cause}" for name, cause, count in table.causes]
    if table.illegal:
        lines.append("decisions refused now, by rule:")
        lines += [f"  {count:6}  {rule or '(no rule)'}" for rule, count in table.illegal]
    return "\n".join(lines)


def csv_text(rows: Iterable[RunRow]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([safe_cell(value) for value in _cells(row)])
    return text.getvalue()


def _cells(row: RunRow) -> Sequence[Any]:
    verdict, first = row.verdict, row.verdict.first
    events, results = verdict.events, (verdict.before, verdict.after)
    told = () if first is None else (first.version, first.kind, first.question, first.rule)
    return (
        row.source,
        verdict.match,
        verdict.ruleset,
        verdict.edition,
        verdict.verdict,
        *(told or ("",) * 4),
        "; ".join(causes_of(verdict)),
        *(events.get(name, 0) for name in COLUMNS[10:16]),
        *(_join_part(result, part) for part in ("winners", "scores") for result in results),
        verdict.assumed,
        verdict.error,
    )


def _join_part(result: Result | None, part: str) -> str:
    return "" if result is None else " ".join(map(str, getattr(result, part)))
