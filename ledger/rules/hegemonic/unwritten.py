"""What is not written yet fails loudly; this module goes when nothing needs it any more."""

from __future__ import annotations

from ledger.kernel.records import Happenings
from ledger.kernel.refusals import BrokenRule


def unwritten(what: str) -> Happenings:
    """Stand in for a rule."""
    msg = f"not written yet: {what}"
    raise BrokenRule(msg)
