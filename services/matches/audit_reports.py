"""The report on a tournament as text and as a standalone page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from replays.audit.page import bound
from services.jobs.audit import MatchLine, TournamentAudit
from services.matches.exports import static_text


def tournament_text(found: TournamentAudit) -> str:
    """Returns the verdict, a row for each match, then the book and the standings."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: TournamentAudit) -> Iterator[str]:
    yield f"{found.verdict}: {found.title} ({found.tournament})"
    for line in found.matches:
        yield f"  round {line.round}, table {line.table}: {line.match}: {_words(line)}"
    book = found.book
    yield f"  book: {book.entries} entries, {book.draws} draws, {book.results} results made again"
    for trouble in book.troubles:
        yield f"  entry {trouble.entry}: {trouble.what}"
    for row in () if book.standings is None else book.standings.rows:
        yield f"  {row.rank}. {row.name}: {row.value('points')}"


def _words(line: MatchLine) -> str:
    failed = f", failed: {', '.join(line.failed)}" if line.failed else ""
    return f"{line.verdict}, {line.events} events{failed}"


def tournament_page(found: TournamentAudit) -> bytes:
    """Returns the report as a page that opens from a disk and needs no script."""
    return bound(found.title or found.tournament, tournament_chapters(found), static_text)


def tournament_chapters(found: TournamentAudit) -> str:
    return "\n".join(_chapters(found))


def _chapters(found: TournamentAudit) -> Iterator[str]:
    state = "ok" if found.verdict == "ok" else "failed"
    said = "Nothing is wrong" if found.verdict == "ok" else "Not as its book and logs make it"
    yield f'<p class="audit-verdict" data-state="{state}">{said}</p>'
    book = found.book
    again = f"{book.draws} draws and {book.results} results made again"
    yield f"<p>{book.entries} entries; {again}.</p>"
    if book.troubles:
        yield "<h2>Entries that come out otherwise</h2><ul>"
        yield "".join(f"<li>{one.entry}: {escape(one.what)}</li>" for one in book.troubles)
        yield "</ul>"
    yield '<h2>Matches</h2><table tabindex="0"><caption>By round and table</caption><thead><tr>'
    heads = ("Match", "Round", "Table", "Events", "Verdict", "Failed", "Head")
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for line in found.matches:
        cells = (
            line.round, line.table, line.events, line.verdict, ", ".join(line.failed), line.head,
        )  # fmt: skip
        rest = "".join(f"<td>{escape(str(cell))}</td>" for cell in cells)
        mark = "failed" if line.failed else "ok"
        yield f'<tr data-state="{mark}"><th scope="row">{escape(line.match)}</th>{rest}</tr>'
    yield "</tbody></table>"
    if book.standings is None:
        return
    yield '<h2>Standings, made again</h2><table tabindex="0"><caption>From the logs alone</caption>'
    yield "<thead><tr>"
    yield '<th scope="col">Player</th><th scope="col">Rank</th><th scope="col">Figures</th>'
    yield "</tr></thead><tbody>"
    for row in book.standings.rows:
        figures = ", ".join(f"{one.by} {one.value}" for one in row.figures)
        name, rank = escape(row.name), row.rank
        yield f'<tr><th scope="row">{name}</th><td>{rank}</td><td>{escape(figures)}</td></tr>'
    yield "</tbody></table>"
