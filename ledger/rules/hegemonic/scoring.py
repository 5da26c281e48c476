"""Scoring: stub."""

from __future__ import annotations

from ledger.kernel.records import Happenings, Step

from .state import Galaxy
from .unwritten import unwritten


class Scoring(Step):
    """`score.when`: each board in play is scored on its own."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Loudly."""
        return unwritten("scoring")
