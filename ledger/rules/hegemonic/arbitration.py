"""Phase 6, Arbitration: stub."""

from __future__ import annotations

from ledger.kernel.records import Happenings, Step

from .clock import ARBITRATION, PhaseBegun
from .state import Galaxy
from .unwritten import unwritten


class Arbitration(Step):
    """`arb.sequence`: inactive piles return, a new arbiter, CAPs are cut to retention."""

    def run(self, galaxy: Galaxy) -> Happenings:
        """Loudly."""
        yield PhaseBegun(ARBITRATION)
        yield from unwritten("arbitration")
