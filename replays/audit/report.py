"""The report on an audit: verdict and checks, then conflicts, deals, accounts and submitters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from replays.report.model import (
    Part,
    Plain,
    ReportGroup,
    ReportPage,
    ReportParagraph,
    ReportRow,
    ReportTable,
    ReportTerms,
    ReportVerdict,
    Section,
    table_section,
)

from .document import (
    FAILED,
    Account,
    Audit,
    AuditCheck,
    ClockRow,
    ConflictAudit,
    CountedPart,
    CountedTotal,
    DealAudit,
    Finding,
    PromiseAudit,
    Submitted,
)

MARK: Final = {"ok": "+", FAILED: "!"}
DEALS: Final = ("Deal", "Seats", "State", "Steps", "Payments", "Promises")
ACCOUNTS: Final = ("Account", "Currency", "Received", "Paid", "Balance")
SUBMITTERS: Final = ("Role", "Name", "For", "Events", "First", "Last")
CLOCKS: Final = ("Seat", "Answers", "Timed out", "Late", "Seconds left")


def report_audit(audit: Audit) -> ReportPage:
    """Returns the report on a match."""
    return ReportPage(f"Audit of {audit.title or audit.match}", list(_sections(audit)))


def _sections(audit: Audit) -> Iterator[Section]:
    yield Section("", _head(audit), opening=True)
    yield Section("Checks", [checks_table(audit.checks)], "checks", opening=True)
    if audit.conflicts:
        conflicts = [conflict_group(n, one) for n, one in enumerate(audit.conflicts, 1)]
        yield Section("Conflicts, recounted", conflicts, "conflicts")
    if audit.points:
        points = _totals("Board by board, and the end", audit.points)
        yield Section("Points, recounted", [points], "points")
    if audit.deals:
        rows = map(_deal, audit.deals)
        yield table_section("Deals", "deals", "Offer by offer", DEALS, rows)
    if audit.accounts:
        caption, rows = "In events that were not undone, by rule", map(_account, audit.accounts)
        yield table_section("Accounts", "accounts", caption, ACCOUNTS, rows)
    caption, rows = "Who submitted which decisions, for whom", map(_submitter, audit.submitters)
    yield table_section("Submitters", "submitters", caption, SUBMITTERS, rows)
    if audit.clocks:
        rows = map(_clock, audit.clocks)
        yield table_section("Clocks", "clocks", "Recorded with the decisions", CLOCKS, rows)


def _head(audit: Audit) -> list[Part]:
    lines = [
        f"{audit.verdict}: {audit.match} ({audit.ruleset}, {audit.edition}, {audit.origin})",
        f"  {audit.events} events, seen by {audit.viewer or 'nobody'}, head {audit.head}",
    ]
    terms = [
        ("Match", audit.match),
        ("Game", f"{audit.ruleset}, edition {audit.edition}, {audit.origin}"),
        ("Seats", ", ".join(f"{n}: {name}" for n, name in enumerate(audit.seats))),
        ("Events", str(audit.events)),
        ("Head", audit.head),
        ("Seen by", audit.viewer),
    ]
    return [
        ReportVerdict(audit.verdict, FAILED if audit.failed else "ok", lines),
        ReportTerms(terms),
    ]


# --- checks ---------------------------------------------------------------------------------------


def checks_table(checks: Sequence[AuditCheck]) -> ReportTable:
    heads = ("Check", "Status", "Evidence")
    return ReportTable("What was asked", heads, [_check(check) for check in checks])


def _check(check: AuditCheck) -> ReportRow:
    said = f": {check.said}" if check.said else ""
    findings = [_finding(finding) for finding in check.findings]
    lines = [f"{MARK.get(check.status, '-')} {check.name:12} {check.status}{said}"]
    lines += [f"      {finding}" for finding in findings]
    evidence = "\n".join(findings) if check.status == FAILED else check.said
    return ReportRow((check.name, check.status, evidence), lines, check.status)


def _finding(finding: Finding) -> str:
    where = f"event {', '.join(map(str, finding.events))}: " if finding.events else ""
    rule = f" [{finding.rule}]" if finding.rule else ""
    found = ""
    if finding.needed is not None or finding.has is not None:
        found = f" (needed {_plain(finding.needed)}, has {_plain(finding.has)})"
    return f"{where}{finding.said}{rule}{found}"


def _plain(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "; ".join(_item(one) for one in value if isinstance(one, dict))
    return "nothing" if value in (None, [], ()) else str(value)


def _item(item: dict[str, object]) -> str:
    where = f" at {item['sector']}" if item.get("sector") else ""
    return f"{item.get('piece')} x{item.get('number')}{where}: {item.get('value')}"


# --- totals ---------------------------------------------------------------------------------------


def conflict_group(number: int, conflict: ConflictAudit) -> ReportGroup:
    events = f"Events {conflict.first} to {conflict.last}"
    return ReportGroup(
        f"conflict-{number}",
        f"{number}. {conflict.label}",
        [
            ReportParagraph(f"{events}. {conflict.outcome}", ["", f"{events}: {conflict.label}"]),
            _totals("Contribution by contribution", conflict.claims),
            Plain([f"  {conflict.outcome}"] if conflict.outcome else []),
        ],
    )


def _totals(caption: str, totals: Sequence[CountedTotal]) -> ReportTable:
    heads = ("Event", "What", "Value", "Piece", "Where", "Away", "Rule")
    return ReportTable(caption, heads, [row for total in totals for row in _total(total)])


def _total(total: CountedTotal) -> Iterator[ReportRow]:
    state = "ok" if total.right else FAILED
    wrong = "" if total.right else "  WRONG"
    yield ReportRow(
        (str(total.n), total.about, str(total.value), "", "", "", total.rule),
        [f"  {total.n:>5}  {total.about}: {total.value} [{total.rule}]{wrong}"],
        state,
    )
    plain = len(total.lines) == 1 and total.lines[0].piece in total.about
    for part in total.lines:
        lines = [] if plain else [f"         {_words(part)}"]
        yield ReportRow(("", "", *_cells(part)), lines, f"{state} part")
    for part in total.counted:
        lines = [f"         counted: {_words(part)}"]
        yield ReportRow(("", "counted again", *_cells(part)), lines, f"{state} part")


def _cells(part: CountedPart) -> tuple[str, ...]:
    piece = f"{part.number} × {part.piece}" if part.number != 1 else part.piece
    away = str(part.distance) if part.sector else ""
    return f"{part.value:+}", piece, part.sector, away, part.rule


def _words(part: CountedPart) -> str:
    count = f"{part.number} x " if part.number != 1 else ""
    where = f" at {part.sector}" if part.sector else ""
    far = f", {part.distance} away" if part.distance else ""
    return f"{part.value:>+3} {count}{part.piece}{where}{far} [{part.rule}]"


# --- rows -----------------------------------------------------------------------------------------


def _deal(deal: DealAudit) -> ReportRow:
    seats = ", ".join(map(str, deal.seats))
    kind = "private, " if deal.private else ""
    promises = [_promise(promise) for promise in deal.promises]
    lines = [f"{deal.id} between seats {seats} ({kind}{deal.status})"]
    lines.append(f"  {', '.join(f'{what} at {n}' for n, what in deal.steps)}")
    lines += [f"  in words: {deal.text}"] if deal.text else []
    lines += [f"  seat {seat} pays seat {to}: {amount}" for seat, to, amount in deal.payments]
    lines += [f"  {promise}" for promise in promises]
    cells = (
        deal.id,
        seats,
        deal.status,
        ", ".join(f"{what} {n}" for n, what in deal.steps),
        "\n".join(f"seat {seat} to seat {to}: {amount}" for seat, to, amount in deal.payments),
        "\n".join(filter(None, (deal.text, *promises))),
    )
    return ReportRow(cells, lines)


def _promise(one: PromiseAudit) -> str:
    at = f" at event {one.event}" if one.event else ""
    why = f" ({one.why})" if one.why else ""
    return f"seat {one.seat} to seat {one.to}: {one.words}: {one.verdict}{at}{why}"


def _account(account: Account) -> ReportRow:
    got, paid = sum(account.received.values()), sum(account.paid.values())
    line = f"{account.account} {account.currency}: +{got} -{paid} = {account.balance}"
    sums = (_sums(account.received), _sums(account.paid), str(account.balance))
    return ReportRow((account.account, account.currency, *sums), [line])


def _sums(by_rule: dict[str, int]) -> str:
    total = str(sum(by_rule.values()))
    return "\n".join([total, *(f"{rule}: {amount}" for rule, amount in by_rule.items())])


def _submitter(row: Submitted) -> ReportRow:
    whom = "the match" if row.seat is None else "chance" if row.seat < 0 else f"seat {row.seat}"
    name = f" {row.name}" if row.name else ""
    line = f"{row.role}{name} for {whom}: {row.events}, from event {row.first} to {row.last}"
    return ReportRow(
        (row.role, row.name, whom, str(row.events), str(row.first), str(row.last)), [line]
    )


def _clock(row: ClockRow) -> ReportRow:
    left = f"{(row.left or 0) / 1000:.1f}"
    line = f"seat {row.seat}: {row.answers} answers, {row.timed_out} timed out, "
    line += f"{row.late} after its time, {left} s left"
    cells = (str(row.seat), str(row.answers), str(row.timed_out), str(row.late), left)
    return ReportRow(cells, [line])
