"""The job that compares a match under two sets of rules."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.audience import ALL_SEATS
from ledger.log.stores.protocol import Store
from replays.reproject.change import Change
from replays.reproject.comparison_document import pack_comparison, side_by_side
from replays.reproject.policies import Policies
from replays.walk import Progress

from .results import WantedOfMatch, unseen


class WantedComparison(WantedOfMatch, frozen=True, kw_only=True):
    kind: ClassVar[str] = "comparison"
    a: Change
    b: Change
    policies: Policies
    at: int = 0  # 0: where the two first part

    def make(self, store: Store, progress: Progress = unseen) -> bytes:
        viewer = self.eyes
        found = side_by_side(
            self.history(store),
            self.a,
            self.b,
            self.at or None,
            policies=self.policies,
            viewer=ALL_SEATS if isinstance(viewer, str) else viewer,
        )
        return pack_comparison(found)
