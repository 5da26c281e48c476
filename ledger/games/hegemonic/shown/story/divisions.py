"""The levels of headings, from the highest, and the tags of events."""

from __future__ import annotations

from typing import Final

ROUND, PHASE, TURN, CONFLICT, DEAL = LEVELS = ("round", "phase", "turn", "conflict", "deal")

FOUGHT: Final = ("conflict",)
DEALT: Final = ("deal",)
MOVED: Final = ("transfer",)
SCORED: Final = ("scoring",)
PASSED: Final = ("pass",)
