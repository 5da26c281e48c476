"""The report on a tournament: the verdict, its book, its matches and the standings."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.club.tournament.standings import StandingsRow
from replays.report.model import (
    Items,
    Plain,
    ReportPage,
    ReportParagraph,
    ReportRow,
    ReportTable,
    ReportVerdict,
    Section,
)

from .tournament_audits import MatchLine, TournamentAudit


def report_tournament(audit: TournamentAudit) -> ReportPage:
    return ReportPage(f"Audit of {audit.title or audit.tournament}", list(_sections(audit)))


def _sections(audit: TournamentAudit) -> Iterator[Section]:
    """Yields the sections. A text has the book behind the matches."""
    good, book = audit.verdict == "ok", audit.book
    said = "Nothing is wrong" if good else "Differs from its book and logs"
    lines = [f"{audit.verdict}: {audit.title} ({audit.tournament})"]
    again = f"{book.draws} draws and {book.results} results recomputed"
    verdict = ReportVerdict(said, "ok" if good else "failed", lines)
    yield Section("", [verdict, ReportParagraph(f"{book.entries} entries; {again}.")], opening=True)
    if book.troubles:
        troubles = Items([f"{trouble.entry}: {trouble.what}" for trouble in book.troubles])
        yield Section("Entries that differ when recomputed", [troubles], opening=True)
    heads: tuple[str, ...] = ("Match", "Round", "Table", "Events", "Verdict", "Failed", "Head")
    matches = ReportTable("By round and table", heads, [_match(line) for line in audit.matches])
    counts = f"{book.entries} entries, {book.draws} draws, {book.results} results recomputed"
    lines = [f"  book: {counts}"]
    lines += [f"  entry {trouble.entry}: {trouble.what}" for trouble in book.troubles]
    yield Section("Matches", [matches, Plain(lines)], opening=True)
    if book.standings is not None:
        heads = ("Player", "Rank", "Figures")
        rows = [_player(row) for row in book.standings.rows]
        standings = ReportTable("From the logs alone", heads, rows)
        yield Section("Standings, recomputed", [standings], opening=True)


def _match(line: MatchLine) -> ReportRow:
    names = ", ".join(line.failed)
    failed = f", failed: {names}" if names else ""
    where = f"round {line.round}, table {line.table}: {line.match}"
    cells = (line.match, line.round, line.table, line.events, line.verdict, names, line.head)
    return ReportRow(
        [str(cell) for cell in cells],
        [f"  {where}: {line.verdict}, {line.events} events{failed}"],
        "failed" if names else "ok",
    )


def _player(row: StandingsRow) -> ReportRow:
    figures = ", ".join(f"{figure.by} {figure.value}" for figure in row.figures)
    line = f"  {row.rank}. {row.name}: {row.value('points')}"
    return ReportRow((row.name, str(row.rank), figures), [line])
