"""A report as text."""

from __future__ import annotations

from collections.abc import Iterator

from .model import ReportPage


def text(report: ReportPage, *, whole: bool = True) -> str:
    """Renders a report; only its opening unless `whole`."""
    return "\n".join(_lines(report, whole=whole)) + "\n"


def _lines(report: ReportPage, *, whole: bool) -> Iterator[str]:
    for section in report.sections:
        if not section.opening:
            if not whole:
                continue
            yield from ("", section.title, "=" * len(section.title))
        for part in section.parts:
            yield from part.lines
