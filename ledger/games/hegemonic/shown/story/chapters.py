"""The whole story: the rows of all chapters, and the course of a match in figures."""

from __future__ import annotations

from typing import Final

from ledger.kernel.story import Story

from . import deals, fights, rounds
from .curves import curves

STORY: Final = Story(
    levels=rounds.LEVELS,
    beats=(
        *rounds.SETUP,
        *rounds.ROUNDS,
        *rounds.PIECES,
        *fights.BEATS,
        *rounds.ENDING,
        *deals.BEATS,
        *rounds.LEADERS,
    ),
    curves=lambda seen, lookup: tuple(curves(seen, lookup)),
)
