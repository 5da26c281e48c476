"""A report as a single HTML page that opens from a disk, loads and runs nothing, and prints.

The same report gives the same bytes. Pages of the service show the part that `chapters` returns.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from html import escape
from string import Template
from typing import Final

from .model import (
    Drawing,
    Items,
    Part,
    Plain,
    Quote,
    ReportGroup,
    ReportPage,
    ReportParagraph,
    ReportTable,
    ReportTerms,
    ReportVerdict,
    Section,
)

STYLE: Final = "audit.css"
LONG: Final = 16  # characters: more are sentences
_HEAD: Final = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>$title</title>
$links<style>$style</style>
</head>
""")
_BODY: Final = Template("""\
<body class="audit-file">
<main id="main" class="audit">
<h1>$title</h1>
$body
</main>
</body>
</html>
""")


def page(report: ReportPage, read: Callable[[str], str]) -> bytes:
    """Renders a complete page; `read` returns the text of one of our files by its path."""
    title, style = escape(report.title), f"\n{read(STYLE)}\n"
    sources = f"style-src {source_of(style)}; base-uri 'none'; form-action 'none'"
    head = head_of(f"{title} - Hegemon", f"default-src 'none'; {sources}", style)
    return (head + _BODY.substitute(title=title, body=chapters(report))).encode()


def head_of(title: str, policy: str, style: str, links: str = "") -> str:
    """Renders the head of a page that is one file."""
    return _HEAD.substitute(title=title, policy=policy, style=style, links=links)


def source_of(text: str) -> str:
    """Returns the name by which a policy allows one script or style of a page: its hash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def chapters(report: ReportPage) -> str:
    """Renders everything but the title."""
    return "\n".join(line for section in report.sections for line in _section(section))


def _section(section: Section) -> Iterator[str]:
    if section.title:
        place = f' id="{escape(section.id)}"' if section.id else ""
        yield f"<h2{place}>{escape(section.title)}</h2>"
    for part in section.parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    match part:
        case ReportTable():
            yield from _table(part)
        case ReportVerdict():
            state = escape(part.state)
            yield f'<p class="audit-verdict" data-state="{state}">{escape(part.words)}</p>'
        case ReportTerms():
            yield "<dl>"
            for name, value in part.rows:
                yield f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
            yield "</dl>"
        case ReportParagraph():
            yield f"<p>{escape(part.words)}</p>"
        case Quote():
            yield f'<blockquote class="claim">{escape(part.words)}</blockquote>'
        case Items():
            yield f"<ul>{''.join(f'<li>{escape(words)}</li>' for words in part.words)}</ul>"
        case Drawing():
            yield f"<details><summary>{escape(part.title)}</summary>"
            yield f"<p>{escape(part.words)}</p>"
            label = escape(part.label)
            drawn = escape(part.drawn)
            yield f'<pre tabindex="0" role="region" aria-label="{label}">{drawn}</pre>'
            yield "</details>"
        case ReportGroup():
            yield f'<section id="{escape(part.id)}"><h3>{escape(part.title)}</h3>'
            for inner in part.parts:
                yield from _part(inner)
            yield "</section>"
        case Plain():
            pass


def _table(table: ReportTable) -> Iterator[str]:
    """Renders a table whose rows have header cells."""
    yield f'<table tabindex="0"><caption>{escape(table.caption)}</caption><thead><tr>'
    yield "".join(f'<th scope="col">{escape(head)}</th>' for head in table.heads)
    yield "</tr></thead><tbody>"
    for row in table.rows:
        state = f' data-state="{escape(row.state)}"' if row.state else ""
        first, *rest = row.cells
        cells = "".join(map(_cell, rest))
        yield f'<tr{state}><th scope="row">{escape(first)}</th>{cells}</tr>'
    yield "</tbody></table>"


def _cell(words: str) -> str:
    """Marks long text as such: on a phone a column of sentences needs more room."""
    long = ' class="long"' if len(words) > LONG else ""
    return f"<td{long}>{escape(words)}</td>"
