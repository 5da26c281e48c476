"""The audit as a document: what was asked, what was found, and the evidence for each finding.

It holds nothing of the run that made it: no time, no machine. The same log, viewer and program
give the same bytes (`packed`), so two audits can be compared as files.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ledger.kernel.recount import Claim, Item

FORMAT: Final = "hegemon-audit"
VERSION: Final = 1
CHECKS: Final = (
    "chain", "legality", "chance", "outcome", "conservation", "conflicts", "result", "deals",
    "clocks", "snapshots", "submitters",
)  # fmt: skip
OK, FAILED, WITHHELD = "ok", "failed", "withheld"
NOT_DISCLOSED, NOT_CHECKED = "not disclosed", "not checked"


class Finding(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Something that is not as it must be."""

    said: str
    events: list[int] = []
    rule: str = ""
    needed: Any = None
    has: Any = None


class Check(msgspec.Struct, kw_only=True):
    """One question and its answer."""

    name: str
    status: str = OK  # ok | failed | withheld | not disclosed | not checked
    said: str = ""
    findings: list[Finding] = []

    def find(self, *findings: Finding) -> None:
        """Something is wrong; whatever was said before gives way."""
        for finding in findings:
            self.findings.append(finding)
            if self.status != FAILED:
                self.status, self.said = FAILED, finding.said

    def leave(self, status: str, said: str) -> None:
        """Say what was not looked at, unless something was found."""
        if self.status == OK:
            self.status, self.said = status, said


class Line(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One line of an account."""

    rule: str
    piece: str
    value: int
    count: int = 1
    sector: str = ""
    distance: int = 0


class Counted(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a fact says that something comes to, and what it comes to when it is counted again."""

    n: int  # the event
    about: str
    rule: str
    value: int
    lines: list[Line]
    right: bool = True
    counted: list[Line] = []  # where it is not what is stated


class ConflictAudit(msgspec.Struct, kw_only=True):
    """A conflict, contribution by contribution."""

    first: int
    last: int
    label: str
    cell: str
    outcome: str
    claims: list[Counted]


class Account(msgspec.Struct, kw_only=True):
    """What went through one account, by the rules that moved it."""

    currency: str
    account: str
    received: dict[str, int]
    paid: dict[str, int]
    balance: int


class Submitted(msgspec.Struct, kw_only=True):
    """How many events somebody handed in, for whom."""

    role: str
    name: str
    seat: int | None
    events: int
    first: int
    last: int


class ClockRow(msgspec.Struct, kw_only=True):
    """What the clock of a seat came to."""

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
    """A deal, step by step, and what became of each promise in it."""

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
    """What was looked at, and what it comes to."""

    format: str = FORMAT
    version: int = VERSION
    match: str
    title: str
    ruleset: str
    edition: str
    source: str
    origin: str
    viewer: str
    seats: list[str]
    events: int
    head: str
    verdict: str
    checks: list[Check]
    result: Any = None
    conflicts: list[ConflictAudit] = []
    accounts: list[Account] = []
    deals: list[DealAudit] = []
    submitters: list[Submitted] = []
    clocks: list[ClockRow] = []
    points: list[Counted] = []

    @property
    def failed(self) -> list[Check]:
        """The checks that found something."""
        return [check for check in self.checks if check.status == FAILED]


def packed(document: msgspec.Struct) -> bytes:
    """Canonical JSON: keys in order, no spaces, one line end."""
    return msgspec.json.encode(document, order="sorted") + b"\n"


def line_of(item: Item) -> Line:
    """An item of an account, as the document has it."""
    return Line(
        rule=item.rule,
        piece=item.piece,
        value=item.value,
        count=item.number,
        sector=item.sector,
        distance=item.distance,
    )


def count_of(version: int, claim: Claim, *, right: bool) -> Counted:
    """A claim, as the document has it."""
    return Counted(
        n=version,
        about=claim.about,
        rule=claim.rule,
        value=sum(item.value for item in claim.stated),
        lines=[line_of(item) for item in claim.stated],
        right=right,
        counted=[] if right else [line_of(item) for item in claim.counted],
    )
