"""Refusals of a game's rules: made with their evidence by name, and tried out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.kernel.refusals import Refused


def make_refusal(code: str, rule: str, message: str, **evidence: object) -> Refused:
    return Refused(code, rule, message, evidence)


def passes(check: Callable[..., object], *what: Any, **named: Any) -> bool:
    """Returns whether a check refuses nothing, for callers that try out many possibilities."""
    try:
        check(*what, **named)
    except Refused:
        return False
    return True
