"""What is said of each fact, as the listener may know it: together the report of an evening."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from . import (
    telling_conflict,
    telling_deals,
    telling_end,
    telling_leaders,
    telling_pieces,
    telling_round,
    telling_setup,
)
from .sentences import Chapter, nothing_said

# What goes without saying, and why: the sentence beside it says the same.
SILENT: Final[Mapping[str, str]] = {
    "conflict.step-begun": "what a step brings says which one it is",
    "move.made": "the way that the unit goes is told",
    "piece.base-returned": "what is lost is told in one, and why",
    "piece.gate-returned": "what is lost is told in one, and why",
    "piece.unit-returned": "what is lost is told in one, and why",
    "turn.action-used": "what was done is told",
}

TELLING: Final[Chapter] = {
    **telling_setup.SENTENCES,
    **telling_round.SENTENCES,
    **telling_pieces.SENTENCES,
    **telling_conflict.SENTENCES,
    **telling_end.SENTENCES,
    **telling_deals.SENTENCES,
    **telling_leaders.SENTENCES,
    **dict.fromkeys(SILENT, nothing_said),
}
