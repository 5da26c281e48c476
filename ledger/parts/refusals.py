"""Refusals of a game's rules, with their evidence by name."""

from __future__ import annotations

from ledger.kernel.refusals import Refused


def make_refusal(code: str, rule: str, message: str, **evidence: object) -> Refused:
    return Refused(code, rule, message, evidence)
