"""A report: sections of tables, terms and words, apart from the form in which it is shown.

    a document ─▶ Report ─┬─▶ text.py   lines for a terminal
                          └─▶ html.py   a page, or the part of one

A page shows the cells of a row, and a text shows its lines. So do other parts: without `lines` a
text leaves them out. Words are plain here: html.py escapes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias


class ReportRow(NamedTuple):
    """A row of a table."""

    cells: Sequence[str]  # the first one is the row's header
    lines: Sequence[str] = ()
    state: str = ""  # highlights the row on a page


class ReportTable(NamedTuple):
    caption: str
    heads: Sequence[str]
    rows: Sequence[ReportRow]

    @property
    def lines(self) -> Sequence[str]:
        return [line for row in self.rows for line in row.lines]


class ReportVerdict(NamedTuple):
    """The verdict of the whole report."""

    words: str
    state: str  # ok | failed
    lines: Sequence[str] = ()


class ReportTerms(NamedTuple):
    """Facts about the report's subject, each with its name."""

    rows: Sequence[tuple[str, str]]
    lines: Sequence[str] = ()


class ReportParagraph(NamedTuple):
    words: str
    lines: Sequence[str] = ()


class Quote(NamedTuple):
    """Words of a person."""

    words: str
    lines: Sequence[str] = ()


class Items(NamedTuple):
    words: Sequence[str]
    lines: Sequence[str] = ()


class Drawing(NamedTuple):
    """A drawing in letters. A page shows it when its title is opened."""

    title: str
    words: str
    drawn: str
    label: str  # for those who do not see it
    lines: Sequence[str] = ()


class Plain(NamedTuple):
    """Lines that only a text has."""

    lines: Sequence[str]


class ReportGroup(NamedTuple):
    """Parts under a heading of their own."""

    id: str
    title: str
    parts: Sequence[ReportTable | ReportParagraph | Plain]

    @property
    def lines(self) -> Sequence[str]:
        return [line for part in self.parts for line in part.lines]


Part: TypeAlias = (
    ReportTable
    | ReportVerdict
    | ReportTerms
    | ReportParagraph
    | Quote
    | Items
    | Drawing
    | Plain
    | ReportGroup
)


class Section(NamedTuple):
    """A chapter of a report."""

    title: str
    parts: Sequence[Part]
    id: str = ""  # its place on a page
    opening: bool = False  # a text begins with it, without its title; a brief one has no more


class ReportPage(NamedTuple):
    title: str
    sections: Sequence[Section]


def table_section(
    title: str, id_: str, caption: str, heads: Sequence[str], rows: Iterable[ReportRow]
) -> Section:
    """Returns a section that is one table."""
    return Section(title, [ReportTable(caption, heads, list(rows))], id_)
