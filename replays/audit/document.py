"""The audit document: the checks that were made, what they found, and the evidence.

It holds nothing about the run that made it: no time, no machine. The same log, viewer and program
give the same bytes (`pack_document`), so two audits can be compared as files.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

from ledger.kernel.recount import StatedTotal

FORMAT: Final = "hegemon-audit"
VERSION: Final = 1
CHECKS: Final = (
    "chain", "legality", "chance", "outcome", "conservation", "conflicts", "result", "deals",
    "clocks", "snapshots", "submitters",
)  # fmt: skip
OK, FAILED, WITHHELD = "ok", "failed", "withheld"
NOT_DISCLOSED, NOT_CHECKED = "not disclosed", "not checked"
STATUSES: Final = (OK, FAILED, WITHHELD, NOT_DISCLOSED, NOT_CHECKED)


class Finding(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A fault that a check found."""

    said: str
    events: list[int] = []
    rule: str = ""
    needed: Any = None
    has: Any = None


class AuditCheck(msgspec.Struct, kw_only=True):
    """One check of the audit and its outcome."""

    name: str
    status: str = OK  # one of STATUSES
    said: str = ""
    findings: list[Finding] = []

    def find(self, *findings: Finding) -> None:
        """Adds findings. The first one sets the status to failed and replaces what was said."""
        for finding in findings:
            self.findings.append(finding)
            if self.status != FAILED:
                self.status, self.said = FAILED, finding.said

    def leave(self, status: str, said: str) -> None:
        """Records why something was not checked, unless a fault was found."""
        if self.status == OK:
            self.status, self.said = status, said

    def say(self, said: str) -> None:
        """Describes what was checked, unless a fault was found or something was not checked."""
        if self.status == OK:
            self.said = said


class CountedPart(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One contribution to a counted total."""

    rule: str
    piece: str
    value: int
    number: int = msgspec.field(default=1, name="count")
    sector: str = ""
    distance: int = 0


class CountedTotal(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A total that a fact states, with the lines it is made of and what a recount gives."""

    n: int  # the event
    about: str
    rule: str
    value: int
    lines: list[CountedPart]
    right: bool = True
    counted: list[CountedPart] = []  # where it is not what is stated


class ConflictAudit(msgspec.Struct, kw_only=True):
    """A conflict with every contribution to it."""

    first: int
    last: int
    label: str
    cell: str
    outcome: str
    claims: list[CountedTotal]


class Account(msgspec.Struct, kw_only=True):
    """The sums that went through one account, by the rules that moved them."""

    currency: str
    account: str
    received: dict[str, int]
    paid: dict[str, int]
    balance: int


class Submitted(msgspec.Struct, kw_only=True):
    """The number of events that one submitter handed in for one seat."""

    role: str
    name: str
    seat: int | None
    events: int
    first: int
    last: int


class ClockRow(msgspec.Struct, kw_only=True):
    """The clock of a seat: decisions, time used, timeouts and time left.

    `used` is how long the clock ran for the questions that were answered, also by the clock and on
    undone lines. It is 0 where the terms of the clocks are not known: times before and after a
    decision do not say what was used for the first question, or after a rewind.
    """

    seat: int
    answers: int
    used: int  # milliseconds
    timed_out: int
    late: int  # answers that came when its time had run down
    left: int | None = None


class PromiseAudit(msgspec.Struct, kw_only=True):
    """A promise, and whether it was kept."""

    seat: int
    to: int
    words: str
    verdict: str  # kept | broken | open | void | needs a person | not agreed
    event: int  # with which it was kept or broken; 0: with none
    settled: int
    why: str
    events: list[int]


class DealAudit(msgspec.Struct, kw_only=True):
    """A deal with its steps, and the verdict on each promise in it."""

    id: str
    seats: list[int]
    private: bool
    text: str
    status: str
    proposed: int
    made: int
    undone_by: int
    payments: list[list[int]]  # from, to, amount
    steps: list[tuple[int, str]]
    paid: list[tuple[int, list[int]]]
    promises: list[PromiseAudit]


class Audit(msgspec.Struct, kw_only=True):
    """The whole audit: its subject, its checks and their evidence."""

    format: str = FORMAT
    version: int = VERSION
    match: str
    title: str
    ruleset: str
    edition: str
    source: Annotated[str, msgspec.Meta(description="the hash of the rules' code")]
    origin: str
    viewer: Annotated[str, msgspec.Meta(description="the viewer that it is for")]
    seats: list[str]
    events: int
    head: str
    verdict: str
    checks: list[AuditCheck]
    result: Any = None
    conflicts: list[ConflictAudit] = []
    accounts: list[Account] = []
    deals: list[DealAudit] = []
    submitters: list[Submitted] = []
    clocks: list[ClockRow] = []
    points: list[CountedTotal] = []

    @property
    def failed(self) -> list[AuditCheck]:
        return [check for check in self.checks if check.status == FAILED]


def pack_document(document: msgspec.Struct) -> bytes:
    """Encodes the document as canonical JSON: sorted keys, no spaces, one newline at the end."""
    return msgspec.json.encode(document, order="sorted") + b"\n"


def count_of(version: int, claim: StatedTotal, *, right: bool) -> CountedTotal:
    """Converts a claim to the document's form. It has the recounted lines only if they differ."""
    return CountedTotal(
        n=version,
        about=claim.about,
        rule=claim.rule,
        value=sum(item.value for item in claim.stated),
        lines=[CountedPart(**item._asdict()) for item in claim.stated],
        right=right,
        counted=[] if right else [CountedPart(**item._asdict()) for item in claim.counted],
    )
