"""Sentences for each fact, as the viewer may know it: together, the report of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.games.hegemonic.shown.phrases import Chapter, nothing_said

from . import deals, ending, fights, leaders, pieces, rounds, setup

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
    **setup.SENTENCES,
    **rounds.SENTENCES,
    **pieces.SENTENCES,
    **fights.SENTENCES,
    **ending.SENTENCES,
    **deals.SENTENCES,
    **leaders.SENTENCES,
    **dict.fromkeys(SILENT, nothing_said),
}
