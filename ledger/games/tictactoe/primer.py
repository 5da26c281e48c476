"""An introduction to the game for new players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PRIMER: Final[Mapping[str, str]] = {
    "How it goes": (
        "X and O take turns and mark an empty cell. A player with three in a line, across, down or"
        " diagonally, wins; if all nine are marked and there is no such line, nobody wins."
    ),
    "Variants": (
        "A table may roll for who begins, have both write down their first cell in secret, and "
        "play for chips, which players can give away at any time."
    ),
}
