"""The whole story: the rows of all chapters, and the curves."""

from __future__ import annotations

from typing import Final

from ledger.kernel.story import Story

from . import deals, ending, fights, leaders, pieces, rounds, setup
from .curves import curves
from .divisions import LEVELS

STORY: Final = Story(
    levels=LEVELS,
    beats=(
        *setup.BEATS,
        *rounds.BEATS,
        *pieces.BEATS,
        *fights.BEATS,
        *ending.BEATS,
        *deals.BEATS,
        *leaders.BEATS,
    ),
    curves=lambda seen, lookup: tuple(curves(seen, lookup)),
)
