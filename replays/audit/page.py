"""The audit as a single HTML page that opens from a disk, loads and runs nothing, and prints.

The same audit gives the same bytes. Pages of the service show the part that `chapters` returns.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from string import Template
from typing import Final

from .document import (
    FAILED,
    Audit,
    AuditCheck,
    ConflictAudit,
    Contribution,
    CountedTotal,
    DealAudit,
)
from .text import finding_words

STYLE: Final = "audit.css"
LONG: Final = 16  # characters: more are sentences
_PAGE: Final = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>$title - Hegemon</title>
<style>$style</style>
</head>
<body class="audit-file">
<main id="main" class="audit">
<h1>$title</h1>
$body
</main>
</body>
</html>
""")


def page(audit: Audit, read: Callable[[str], str]) -> bytes:
    """Renders the page of a match; `read` returns the text of one of our files by its path."""
    return bound(audit.title or audit.match, chapters(audit), read)


def bound(title: str, body: str, read: Callable[[str], str], kind: str = "Audit") -> bytes:
    """Wraps chapters in a complete page."""
    style = f"\n{read(STYLE)}\n"
    named = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{named}'; base-uri 'none'; form-action 'none'"
    return _PAGE.substitute(
        policy=policy, title=escape(f"{kind} of {title}"), style=style, body=body
    ).encode()


def chapters(audit: Audit) -> str:
    parts = [*_head(audit), *_checks(audit), *_conflicts(audit), *_points(audit)]
    parts += [*_deals(audit), *_accounts(audit), *_submitters(audit), *_clocks(audit)]
    return "\n".join(parts)


def _head(audit: Audit) -> Iterator[str]:
    state = "failed" if audit.failed else "ok"
    yield f'<p class="audit-verdict" data-state="{state}">{escape(audit.verdict)}</p>'
    rows = [
        ("Match", audit.match),
        ("Game", f"{audit.ruleset}, edition {audit.edition}, {audit.origin}"),
        ("Seats", ", ".join(f"{n}: {name}" for n, name in enumerate(audit.seats))),
        ("Events", str(audit.events)),
        ("Head", audit.head),
        ("Seen by", audit.viewer),
    ]
    yield "<dl>"
    for name, value in rows:
        yield f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
    yield "</dl>"


def _checks(audit: Audit) -> Iterator[str]:
    yield '<h2 id="checks">Checks</h2>'
    yield from checks_table(audit.checks)


def checks_table(checks: Sequence[AuditCheck]) -> Iterator[str]:
    rows = [(one.name, one.status, _said(one)) for one in checks]
    states = [one.status for one in checks]
    yield from table_rows("What was asked", ("Check", "Status", "Evidence"), rows, states)


def _said(check: AuditCheck) -> str:
    if check.status == FAILED:
        return "\n".join(finding_words(finding) for finding in check.findings)
    return check.said


def table_rows(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], states: Sequence[str] = ()
) -> Iterator[str]:
    """Renders a table whose rows have header cells; `states` highlights rows."""
    yield f'<table tabindex="0"><caption>{escape(caption)}</caption><thead><tr>'
    yield "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for number, row in enumerate(rows):
        state = f' data-state="{escape(states[number])}"' if states else ""
        first, *rest = row
        cells = "".join(map(_cell, rest))
        yield f'<tr{state}><th scope="row">{escape(first)}</th>{cells}</tr>'
    yield "</tbody></table>"


def _cell(words: str) -> str:
    """Marks long text as such: on a phone a column of sentences needs more room."""
    long = ' class="long"' if len(words) > LONG else ""
    return f"<td{long}>{escape(words)}</td>"


# --- chapters -------------------------------------------------------------------------------------


def _conflicts(audit: Audit) -> Iterator[str]:
    if audit.conflicts:
        yield '<h2 id="conflicts">Conflicts, counted again</h2>'
    for number, conflict in enumerate(audit.conflicts, 1):
        yield from conflict_section(number, conflict)


def conflict_section(number: int, conflict: ConflictAudit) -> Iterator[str]:
    yield f'<section id="conflict-{number}"><h3>{number}. {escape(conflict.label)}</h3>'
    yield f"<p>Events {conflict.first} to {conflict.last}. {escape(conflict.outcome)}</p>"
    yield from _claims("Contribution by contribution", conflict.claims)
    yield "</section>"


def _claims(caption: str, claims: Sequence[CountedTotal]) -> Iterator[str]:
    heads = ("Event", "What", "Value", "Piece", "Where", "Away", "Rule")
    rows: list[tuple[str, ...]] = []
    states: list[str] = []
    for claim in claims:
        state = "ok" if claim.right else FAILED
        rows.append((str(claim.n), claim.about, str(claim.value), "", "", "", claim.rule))
        states.append(state)
        lines = [("", line) for line in claim.lines]
        lines += [("counted again", line) for line in claim.counted]
        for what, line in lines:
            rows.append(("", what, *_line(line)))
            states.append(f"{state} part")
    yield from table_rows(caption, heads, rows, states)


def _line(line: Contribution) -> tuple[str, ...]:
    piece = f"{line.count} × {line.piece}" if line.count != 1 else line.piece
    away = str(line.distance) if line.sector else ""
    return f"{line.value:+}", piece, line.sector, away, line.rule


def _points(audit: Audit) -> Iterator[str]:
    if audit.points:
        yield '<h2 id="points">Points, counted again</h2>'
        yield from _claims("Board by board, and the end", audit.points)


def _deals(audit: Audit) -> Iterator[str]:
    if audit.deals:
        yield '<h2 id="deals">Deals</h2>'
        heads = ("Deal", "Seats", "State", "Steps", "Payments", "Promises")
        yield from table_rows("Offer by offer", heads, [_deal(deal) for deal in audit.deals])


def _deal(deal: DealAudit) -> tuple[str, ...]:
    promises = "\n".join(
        f"seat {one.seat} to seat {one.to}: {one.words}: {one.verdict}"
        + (f" at event {one.event}" if one.event else "")
        + (f" ({one.why})" if one.why else "")
        for one in deal.promises
    )
    return (
        deal.id,
        ", ".join(map(str, deal.seats)),
        deal.status,
        ", ".join(f"{what} {n}" for n, what in deal.steps),
        "\n".join(f"seat {seat} to seat {to}: {amount}" for seat, to, amount in deal.payments),
        "\n".join(filter(None, (deal.text, promises))),
    )


def _accounts(audit: Audit) -> Iterator[str]:
    if audit.accounts:
        yield '<h2 id="accounts">Accounts</h2>'
        heads = ("Account", "Currency", "Received", "Paid", "Balance")
        rows = [
            (one.account, one.currency, _sums(one.received), _sums(one.paid), str(one.balance))
            for one in audit.accounts
        ]
        yield from table_rows("On the last line, by the rules that moved it", heads, rows)


def _sums(by_rule: dict[str, int]) -> str:
    total = str(sum(by_rule.values()))
    return "\n".join([total, *(f"{rule}: {amount}" for rule, amount in by_rule.items())])


def _submitters(audit: Audit) -> Iterator[str]:
    yield '<h2 id="submitters">Submitters</h2>'
    heads = ("Role", "Name", "For", "Events", "First", "Last")
    rows = [
        (one.role, one.name, _whom(one.seat), str(one.events), str(one.first), str(one.last))
        for one in audit.submitters
    ]
    yield from table_rows("Who handed in what for whom", heads, rows)


def _whom(seat: int | None) -> str:
    if seat is None:
        return "the match"
    return "chance" if seat < 0 else f"seat {seat}"


def _clocks(audit: Audit) -> Iterator[str]:
    if audit.clocks:
        yield '<h2 id="clocks">Clocks</h2>'
        heads = ("Seat", "Answers", "Timed out", "After its time", "Seconds left")
        rows = [
            (
                str(one.seat), str(one.answers), str(one.timed_out), str(one.late),
                f"{(one.left or 0) / 1000:.1f}",
            )
            for one in audit.clocks
        ]  # fmt: skip
        yield from table_rows("Recorded with the decisions", heads, rows)
