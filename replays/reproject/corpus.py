"""The effect of a change on a whole corpus, by class and by cause.

It is computed only from verdicts, ordered by name. So two runs over the same matches give the same
bytes, whichever worker finished first. `compared` lists the differences between two runs.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ledger.kernel.frozen import FrozenByName
from ledger.kernel.ruleset import Result

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
        writer.writerow([_plain(value) for value in _cells(row)])
    return text.getvalue()


def _cells(row: RunRow) -> Sequence[Any]:
    verdict, first = row.verdict, row.verdict.first
    events = verdict.events
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
        _joined(verdict.before, "winners"),
        _joined(verdict.after, "winners"),
        _joined(verdict.before, "scores"),
        _joined(verdict.after, "scores"),
        verdict.assumed,
        verdict.error,
    )


def _joined(result: Result | None, part: str) -> str:
    return "" if result is None else " ".join(map(str, getattr(result, part)))


def _plain(value: Any) -> Any:
    """Quotes text that a spreadsheet would read as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def compared(before: Sequence[RunRow], after: Sequence[RunRow]) -> list[tuple[str, str, str]]:
    """Returns the matches on which two runs disagree: source, old class, new class."""
    old = {row.source: row.verdict for row in before}
    new = {row.source: row.verdict for row in after}
    found = []
    for source in sorted(old.keys() | new.keys()):
        was, now = old.get(source), new.get(source)
        if was is None or now is None or was.finding != now.finding:
            names = [("-" if one is None else one.verdict) for one in (was, now)]
            found.append((source, names[0], names[1]))
    return found
