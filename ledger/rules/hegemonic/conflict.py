"""Conflict actions: stub."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.audience import Open
from ledger.kernel.records import Decision, Happenings
from ledger.kernel.refusals import Refused

from .acting import Action
from .state import Galaxy
from .unwritten import unwritten


class StartConflict(Decision, tag="turn.start-conflict"):
    """Begin a conflict action with an attack pattern of the card."""

    pattern: Open[str]


class ConflictAction(Action):
    """`pattern.one-per-action`: not written yet."""

    listed: ClassVar[str] = "conflict"
    pattern: Open[str]

    def check(self, galaxy: Galaxy) -> None:
        """Not offered while it is a stub."""
        raise Refused("not_allowed", "pattern.one-per-action", "Not written yet.")

    def run(self, galaxy: Galaxy) -> Happenings:
        """Loudly."""
        return unwritten("conflict actions")
