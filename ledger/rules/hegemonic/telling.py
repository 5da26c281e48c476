"""What is said of each fact, as the listener may know it: together the report of a session."""

from __future__ import annotations

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
from .sentences import Chapter

TELLING: Final[Chapter] = {
    **telling_setup.SENTENCES,
    **telling_round.SENTENCES,
    **telling_pieces.SENTENCES,
    **telling_conflict.SENTENCES,
    **telling_end.SENTENCES,
    **telling_deals.SENTENCES,
    **telling_leaders.SENTENCES,
}
