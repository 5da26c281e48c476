"""The audit: folds a match once and checks everything that a game must keep.

    records ─▶ BundleVerifier ─▶ one walk ─┬─ legality, chance, outcome, result   verify/refold.py
                                           ├─ conflicts, points, payments         recounts.py
                                           ├─ accounts, cards, tiles, pieces      recounts.py
                                           ├─ deals and their promises            below
                                           └─ clocks, stored snapshots            records.py

An audit depends only on the log, on what its reader may know, and on what the service adds. It
knows no game: the ruleset says what is counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, Final, NamedTuple

from ledger.kernel.audience import Viewer
from ledger.kernel.match import Match
from ledger.kernel.recount import CONFLICTS, DEALS
from ledger.log.format.acts import Closed
from ledger.log.format.chain import Event
from ledger.log.read.bundle import (
    End,
    Record,
    bundle_records,
    last_close,
    read_records,
)
from ledger.log.read.history import History, Moment, RulesOf
from ledger.log.stores.protocol import Snapshot
from replays.deals.promise import Promised
from replays.deals.verdicts import Judge, JudgedDeal
from replays.story.names import match_title, player_names
from replays.verify.refold import Follower
from replays.verify.verifier import BundleVerifier, Report, Verdict
from replays.verify.verifier import Check as Verified
from replays.walk import Progress

from .document import (
    CHECKS,
    FAILED,
    NOT_CHECKED,
    NOT_DISCLOSED,
    OK,
    Audit,
    AuditCheck,
    DealAudit,
    Finding,
    PromiseAudit,
    Submitted,
)
from .records import ClockAudit, Snapshots, TableTerms, list_submitters
from .recounts import Conservation, Recounts

# The checks of a verification about the chain and the commitments in it.
OF_CHAIN: Final = ("frame", "chain", "life", "openings", "edition", "anchor")
BY_NAME: Final = ("legality", "chance", "outcome", "result")


class ServiceRecords(NamedTuple):
    """Data that a service has besides the log; None where it gives nothing."""

    snapshots: Sequence[Snapshot] | None = None
    clocks: TableTerms | None = None
    anchors: Mapping[int, bytes] = {}


def audit_file(file: IO[bytes], rules_of: RulesOf, beside: ServiceRecords | None = None) -> Audit:
    """Audits a bundle."""
    return _Auditor(rules_of, beside or ServiceRecords(), None).audit(read_records(file))


def audit_history(
    history: History,
    viewer: Viewer | str = "all",
    beside: ServiceRecords | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Audits a log as one viewer may know it; "all" is for the match's own service."""
    whole = viewer == "all"
    counted = _report_progress(_records(history, viewer), progress, history.tip.version)
    return _Auditor(
        history.rules_of, beside or ServiceRecords(), history.salt_key if whole else None
    ).audit(counted)


def _report_progress(
    records: Iterable[Record], progress: Progress | None, of: int
) -> Iterator[Record]:
    for record in records:
        if progress is not None and isinstance(record, Event):
            progress(record.version, of)
        yield record


def _records(history: History, viewer: Viewer | str) -> Iterator[Record]:
    """Yields the records that a viewer would get in a bundle, and the end record.

    The whole log is not folded for facts that are not stored.
    """
    yield from bundle_records(history, viewer, outcomes=False)
    last = last_close(history)
    yield End(
        events=history.tip.version,
        openings=0,
        head=history.tip.head,
        result=None if last is None else last.result,
        sha256=bytes(32),
    )


class _Auditor:
    def __init__(self, rules_of: RulesOf, beside: ServiceRecords, salt_key: bytes | None) -> None:
        self._recounts = Recounts()
        self._conservation = Conservation()
        self._deals = DealFollower()
        self._clocks = ClockAudit(beside.clocks)
        self._snapshots = Snapshots(beside.snapshots)
        follow = self._recounts, self._conservation, self._deals, self._clocks, self._snapshots
        self._verifier = BundleVerifier(
            rules_of, beside.anchors, fast=False, followers=follow, salt_key=salt_key
        )

    def audit(self, records: Iterable[Record]) -> Audit:
        self._verifier.run(records)
        report, header = self._verifier.report(), self._verifier.header
        history = self._verifier.history
        checks = {name: AuditCheck(name=name) for name in CHECKS}
        self._conclude(report, checks)
        submitters = _check_submitters(history, checks["submitters"])
        line = history.lines.line(history.tip.version) if history is not None else []
        created = None if history is None else history.life.created
        return Audit(
            match=report.match,
            title=match_title(history) if created and history else "",
            ruleset=report.ruleset,
            edition=str(getattr(created, "edition", "")),
            source="" if header is None else header.source,
            origin=report.origin,
            viewer="" if header is None else header.viewer,
            seats=player_names(history) if created and history else [],
            events=report.events,
            head=report.head,
            verdict=_verdict(report, checks),
            checks=[checks[name] for name in CHECKS],
            result=_result(history),
            conflicts=self._recounts.conflicts,
            accounts=self._conservation.accounts(line),
            deals=self._deals.found(),
            submitters=submitters,
            clocks=self._clocks.rows(),
            points=self._recounts.points,
        )

    def _conclude(self, report: Report, checks: dict[str, AuditCheck]) -> None:
        found = {check.name: check for check in report.checks}
        for name in OF_CHAIN:
            _take_over(checks["chain"], found[name], f"{name}: ")
        for name in BY_NAME:
            _take_over(checks[name], found[name], "")
        refusal = self._verifier.refusal
        if refusal is not None and checks["legality"].findings:
            evidence = dict(refusal.evidence)
            finding = checks["legality"].findings[0]
            finding.needed, finding.has = evidence.get("needed"), evidence.get("has", evidence)
        anchor = found["anchor"]
        anchored = "anchored" if anchor.status == OK else anchor.detail
        checks["chain"].say(f"{report.events} events, each covered by its head; {anchored}")
        for name, findings in self._recounts.findings.items():
            checks[name].find(*findings)
        checks["conservation"].find(*self._conservation.findings)
        lost = _not_folded(found["legality"])
        for name, said in self._counted():
            if lost is not None:
                checks[name].leave(*lost)
            checks[name].say(said)
        checks["clocks"] = self._clocks.conclude()
        checks["snapshots"] = self._snapshots.conclude()
        if found["life"].status == NOT_DISCLOSED:  # events are withheld
            for name in ("clocks", "snapshots", "submitters"):
                checks[name].leave(NOT_DISCLOSED, found["life"].detail)

    def _counted(self) -> Iterator[tuple[str, str]]:
        """Yields what each check has counted, if everything could be folded."""
        counted, kept, deals = self._recounts.counted, self._conservation, self._deals.found()
        conflicts = len(self._recounts.conflicts)
        yield "conflicts", f"{conflicts} conflicts, {counted[CONFLICTS]} sums recounted"
        counts = f"; {', '.join(kept.counts)}: as at the start" if kept.counts else ""
        yield "conservation", f"{len(kept.moves)} transfers{counts}"
        verdicts = Counter(promise.verdict for deal in deals for promise in deal.promises)
        said = ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items()))
        promises = f"; promises: {said}" if said else ""
        yield "deals", f"{len(deals)} deals, {counted[DEALS]} payments recounted{promises}"


def _check_submitters(history: History | None, check: AuditCheck) -> list[Submitted]:
    """Returns the submitters of a log, and concludes their check."""
    if history is None:
        return []
    if history.life.created is None:
        check.leave(NOT_CHECKED, "no event could be read")
        return []
    rows, findings = list_submitters(history)
    check.find(*findings)
    roles: Counter[str] = Counter()
    for row in rows:
        roles[row.role] += row.events
    check.say(", ".join(f"{role} {count}" for role, count in sorted(roles.items())))
    return rows


def _take_over(check: AuditCheck, verified: Verified, prefix: str) -> None:
    """Copies a result of the verification into a check of the audit."""
    if verified.status == "failed":
        events = [] if verified.version is None else [verified.version]
        said = f"{prefix}{verified.detail}"
        check.find(Finding(said=said, events=events, rule=verified.rule))
    elif verified.status != OK and verified.name != "anchor":
        check.leave(verified.status, f"{prefix}{verified.detail}")
    elif not prefix and verified.detail:
        check.say(verified.detail)


def _not_folded(legality: Verified) -> tuple[str, str] | None:
    """Returns status and reason if not everything could be counted again, else None."""
    if legality.status == OK:
        return None
    if legality.status == "failed":
        until = "" if legality.version is None else f" from event {legality.version} on"
        return NOT_CHECKED, f"no event could be folded{until}"
    return (NOT_DISCLOSED if legality.status == NOT_DISCLOSED else NOT_CHECKED), legality.detail


def _verdict(report: Report, checks: Mapping[str, AuditCheck]) -> str:
    """Returns the verification's verdict, or "invalid" if the audit found more."""
    if any(check.status == FAILED for name, check in checks.items() if name != "chain"):
        return Verdict.INVALID.value
    return report.verdict


def _result(history: History | None) -> Any:
    if history is None:
        return None
    acts = (history.act(event.version) for event in reversed(history.events))
    closed = next((act for act in acts if isinstance(act, Closed)), None)
    return None if closed is None else closed.result


# --- deals ----------------------------------------------------------------------------------------


class DealFollower(Follower):
    """Follows a fold and judges its deals."""

    def __init__(self) -> None:
        self._judge: Judge | None = None

    def begin(self, history: History) -> None:
        self._judge = Judge(history)

    def before(self, version: int, match: Match) -> None:
        """Passes the event on: the next decision may be a chance to keep a promise."""
        assert self._judge is not None, "the first event begins the fold"
        self._judge.before(version, match)

    def take(self, moment: Moment) -> None:
        """Judges an event. A lost one marks the rest of its line as unknown."""
        assert self._judge is not None, "the first event begins the fold"
        self._judge.take(moment)

    lose = take

    def found(self) -> list[DealAudit]:
        return [] if self._judge is None else [_deal_audit_of(deal) for deal in self._judge.deals]


def _deal_audit_of(deal: JudgedDeal) -> DealAudit:
    offer = deal.offer
    return DealAudit(
        id=offer.deal,
        seats=list(offer.parties),
        private=offer.private,
        text=offer.text,
        status=deal.status,
        proposed=deal.proposed,
        made=deal.made,
        undone_by=deal.undone_by,
        payments=[list(payment) for payment in offer.payments],
        steps=[(step.n, step.what) for step in deal.steps],
        paid=[(n, list(paid)) for n, paid in deal.paid],
        promises=[_promise_audit_of(promise) for promise in deal.promises],
    )


def _promise_audit_of(promise: Promised) -> PromiseAudit:
    return PromiseAudit(
        seat=promise.pledge.seat,
        to=promise.pledge.to,
        words=promise.words,
        verdict=promise.verdict or "not agreed",
        event=promise.at,
        settled=promise.settled,
        why=promise.why,
        events=sorted({proof.n for proof in promise.proofs}),
    )
