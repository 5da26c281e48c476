"""The audit as text: verdict and checks, then conflicts, deals, accounts and submitters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .document import (
    FAILED,
    Account,
    Audit,
    ConflictAudit,
    Contribution,
    CountedTotal,
    DealAudit,
    Finding,
    Submitted,
)

MARK: Final = {"ok": "+", FAILED: "!"}


def text(audit: Audit, *, whole: bool = True) -> str:
    """Renders the audit; only the verdict and the checks unless `whole`."""
    lines = [*_head(audit), *_checks(audit)]
    if whole:
        lines += [*_conflicts(audit), *_points(audit), *_deals(audit), *_accounts(audit)]
        lines += [*_submitters(audit), *_clocks(audit)]
    return "\n".join(lines) + "\n"


def _head(audit: Audit) -> Iterator[str]:
    yield f"{audit.verdict}: {audit.match} ({audit.ruleset}, {audit.edition}, {audit.origin})"
    yield f"  {audit.events} events, seen by {audit.viewer or 'nobody'}, head {audit.head}"


def _checks(audit: Audit) -> Iterator[str]:
    for check in audit.checks:
        said = f": {check.said}" if check.said else ""
        yield f"{MARK.get(check.status, '-')} {check.name:12} {check.status}{said}"
        for finding in check.findings:
            yield f"      {finding_words(finding)}"


def finding_words(finding: Finding) -> str:
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


# --- chapters -------------------------------------------------------------------------------------


def _title(title: str) -> Iterator[str]:
    yield from ("", title, "=" * len(title))


def _conflicts(audit: Audit) -> Iterator[str]:
    if audit.conflicts:
        yield from _title("Conflicts, counted again")
    for conflict in audit.conflicts:
        yield from conflict_lines(conflict)


def conflict_lines(conflict: ConflictAudit) -> Iterator[str]:
    yield ""
    yield f"Events {conflict.first} to {conflict.last}: {conflict.label}"
    for claim in conflict.claims:
        yield from _claim(claim)
    if conflict.outcome:
        yield f"  {conflict.outcome}"


def _claim(claim: CountedTotal) -> Iterator[str]:
    wrong = "" if claim.right else "  WRONG"
    yield f"  {claim.n:>5}  {claim.about}: {claim.value} [{claim.rule}]{wrong}"
    plain = len(claim.lines) == 1 and claim.lines[0].piece in claim.about
    for line in () if plain else claim.lines:
        yield f"         {line_words(line)}"
    for line in claim.counted:
        yield f"         counted: {line_words(line)}"


def line_words(line: Contribution) -> str:
    count = f"{line.count} x " if line.count != 1 else ""
    where = f" at {line.sector}" if line.sector else ""
    far = f", {line.distance} away" if line.distance else ""
    return f"{line.value:>+3} {count}{line.piece}{where}{far} [{line.rule}]"


def _points(audit: Audit) -> Iterator[str]:
    if audit.points:
        yield from _title("Points, counted again")
    for claim in audit.points:
        yield from _claim(claim)


def _deals(audit: Audit) -> Iterator[str]:
    if audit.deals:
        yield from _title("Deals")
    for deal in audit.deals:
        yield from deal_lines(deal)


def deal_lines(deal: DealAudit) -> Iterator[str]:
    seats = ", ".join(map(str, deal.seats))
    kind = "private, " if deal.private else ""
    yield f"{deal.id} between seats {seats} ({kind}{deal.status})"
    yield f"  {', '.join(f'{what} at {n}' for n, what in deal.steps)}"
    if deal.text:
        yield f"  in words: {deal.text}"
    for seat, to, amount in deal.payments:
        yield f"  seat {seat} pays seat {to}: {amount}"
    for one in deal.promises:
        at = f" at event {one.event}" if one.event else ""
        yield f"  seat {one.seat} to seat {one.to}: {one.words}: {one.verdict}{at} ({one.why})"


def _accounts(audit: Audit) -> Iterator[str]:
    if audit.accounts:
        yield from _title("Accounts")
    for account in audit.accounts:
        yield account_words(account)


def account_words(account: Account) -> str:
    got, paid = sum(account.received.values()), sum(account.paid.values())
    return f"{account.account} {account.currency}: +{got} -{paid} = {account.balance}"


def _submitters(audit: Audit) -> Iterator[str]:
    yield from _title("Submitters")
    for row in audit.submitters:
        yield submitted_words(row)


def submitted_words(row: Submitted) -> str:
    whom = "the match" if row.seat is None else "chance" if row.seat < 0 else f"seat {row.seat}"
    name = f" {row.name}" if row.name else ""
    return f"{row.role}{name} for {whom}: {row.events}, from event {row.first} to {row.last}"


def _clocks(audit: Audit) -> Iterator[str]:
    if audit.clocks:
        yield from _title("Clocks")
    for row in audit.clocks:
        yield (
            f"seat {row.seat}: {row.answers} answers, {row.timed_out} timed out, "
            f"{row.late} after its time, {(row.left or 0) / 1000:.1f} s left"
        )
