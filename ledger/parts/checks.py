"""Checks: functions that refuse what the rules do not allow, and return nothing of interest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.kernel.refusals import Refused


def passes(check: Callable[..., object], *what: Any, **named: Any) -> bool:
    """Returns whether a check refuses nothing, for callers that try out many possibilities."""
    try:
        check(*what, **named)
    except Refused:
        return False
    return True
