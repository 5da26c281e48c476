"""Verifies a history in one call."""

from __future__ import annotations

import io

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.log.read.history import History, RulesOf
from replays.verify.verifier import Report, Verdict, verify
from tests.support.log.matches import bundled

# What an honest bundle comes to when no head is known from elsewhere: whole, or a part of it.
CLEAN = (Verdict.NOT_ANCHORED.value, Verdict.PARTLY.value)
ANCHORED = (Verdict.VALID.value, Verdict.PARTLY_ANCHORED.value)


def report_of(
    history: History, viewer: Viewer | str = "all", rules_of: RulesOf = ruleset
) -> Report:
    """The report on a match's bundle, as one viewer may have it."""
    return verify(io.BytesIO(bundled(history, viewer)), rules_of)


def verdict_of(history: History, viewer: Viewer | str = "all", rules_of: RulesOf = ruleset) -> str:
    """ "clean" for an honest bundle, whole or in part; else the verdict, with what failed."""
    report = report_of(history, viewer, rules_of)
    failed = "; ".join(f"{check.name}: {check.detail}" for check in report.failed)
    return "clean" if report.verdict in CLEAN and not failed else f"{report.verdict} ({failed})"
