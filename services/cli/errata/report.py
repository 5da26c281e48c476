"""The report of a re-projection run: as a file, beside an earlier one, with the standings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from ledger.club.tournament.hypothetical import HypotheticalStandings
from replays.reproject.report import (
    RunReport,
    RunRow,
    compare_reports,
    csv_text,
    result_then,
    table_text,
)
from replays.reproject.text import verdict_line
from services.cli.support.exits import UnreadableInput
from services.cli.support.output import format_count, show_text
from services.cli.support.sources import around

APART_SHOWN: Final = 40
ENDINGS: Final = (".json", ".csv", ".txt")


def standings_of(tournament: str, rows: Sequence[RunRow]) -> HypotheticalStandings | None:
    """Returns the tournament's standings with the results these matches would have."""
    from services.jobs.reprojection.kept import standings_then

    results = {row.verdict.match: result_then(row.verdict) for row in rows}
    found: HypotheticalStandings | None = standings_then(around().store, tournament, 0, results)
    return found


# --- what is written and said ---------------------------------------------------------------------


def check_ending(name: str) -> None:
    """Refuses a file name that has none of the known endings."""
    if not name.endswith(ENDINGS):
        raise UnreadableInput(f"--out {name}: it ends in none of {', '.join(ENDINGS)}")


def as_file(rows: Sequence[RunRow], report: RunReport, name: str) -> str:
    if name.endswith(".csv"):
        return csv_text(rows)
    if name.endswith(".json"):
        held = {"report": report, "table": report.table, "matches": rows}
        return json.dumps(msgspec.to_builtins(held), indent=1) + "\n"
    lines = [table_text(report.table), *_standings_lines(report), "", *map(verdict_line, rows)]
    return "\n".join(lines) + "\n"


def _standings_lines(report: RunReport) -> Iterator[str]:
    found = report.standings
    if found is None:
        return
    yield "standings, re-projected and current:"
    for one in found.rows:
        points = f"{one.points_then} points, {one.points} before"
        yield f"  {one.rank_then}. {one.name} ({one.rank}. before; {points})"
    for words, matches in (("no result then", found.kept), ("decided otherwise", found.decided)):
        if matches:
            yield f"  {words}, so that it stays: {', '.join(matches)}"


def earlier_report(name: str) -> RunReport:
    """Reads the report from a file that `--out` wrote."""
    try:
        held = json.loads(Path(name).read_text(encoding="utf-8"))
        return msgspec.convert(held["report"], RunReport)
    except (OSError, ValueError, KeyError, TypeError, msgspec.ValidationError) as reason:
        raise UnreadableInput(f"{name} is not a report: {reason}") from None


def show_report(report: RunReport, earlier: RunReport | None, *, counts: bool) -> None:
    """Shows the counts, and what is otherwise than in an earlier report."""
    if counts:
        lines = [table_text(report.table), *_standings_lines(report)]
        show_text("\n".join(lines))
    if earlier is not None:
        show_text("\n".join(_render_differences(earlier, report)))


def _render_differences(before: RunReport, after: RunReport) -> Iterator[str]:
    """Yields a line for each match on which two runs disagree."""
    found = compare_reports(before, after)
    yield f"different from before: {format_count(len(found), 'match', 'matches')}"
    for one in found[:APART_SHOWN]:
        yield f"  {one.match}: {one.before or 'not there'} -> {one.after or 'not there'}"
    if len(found) > APART_SHOWN:
        yield f"  ... and {len(found) - APART_SHOWN} more"
