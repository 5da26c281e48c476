"""How the recorded matches were made; a match that is there is never made anew.

python -m tests.support.recorded.recording    records those of MATCHES that are missing
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from ledger.log.read.bundle import SUFFIX, write_bundle
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match
from tests.support.replays.reprojected import Played, of

FOLDER: Final = Path(__file__).resolve().parents[2] / "golden" / "recorded"


class Bots(NamedTuple):
    """A match that bots play, as people would see them play it."""

    ruleset: str
    seats: int
    seed: int
    bots: tuple[str, ...]

    def history(self) -> History:
        """The match, played now."""
        around = make_seeded_surroundings(MemoryStore(), self.seed, (self.ruleset, self.seats))
        plan = Plan(ruleset=self.ruleset, seats=self.seats)
        return play_whole_match(around, plan, bots_for(self.bots, self.seats)).history


STAKED: Final = (("begin.first", "rolled"), ("begin.stake", 2), ("opening", "sealed"))
OVERLAY: Final[dict[str, Any]] = {
    "figures": {"basic.caps": {"value": 5}},
    "readings": {"values": {"setup.caps": 5}},
}

# What each is there for: its options, its edition, and what happened to it on the way.
MATCHES: Final[Mapping[str, Mapping[str, Played | Bots]]] = {
    "tictactoe": {
        "printed": of("tictactoe", 2, 1),
        "rolled-staked-sealed-rewound": of("tictactoe", 2, 3, options=STAKED, rewind_at=5),
        "e1-then-e3-rewound": of(
            "tictactoe", 2, 2, edition="e1", switch_at=3, switch_to="e3", rewind_at=4
        ),
        "e2": of("tictactoe", 2, 5, edition="e2"),
        "e3-staked": of("tictactoe", 2, 7, edition="e3", options=STAKED),
        "left-unfinished": of("tictactoe", 2, 9, most=3),
    },
    "galactic_hegemony": {
        "greedy": Bots("galactic_hegemony", 1, 24, ("greedy",)),
        "anything-rewound": of("galactic_hegemony", 1, 1, rewind_at=12),
        "e1": of("galactic_hegemony", 1, 4, edition="e1"),
        "e2-then-e3": of("galactic_hegemony", 1, 2, edition="e2", switch_at=10, switch_to="e3"),
        "e4": of("galactic_hegemony", 1, 5, edition="e4"),
        "variants": of(
            "galactic_hegemony", 1, 6, options=(("random-home", True), ("saboteurs", 4))
        ),
    },
    "hegemonic": {
        "greedy-two": Bots("hegemonic", 2, 1, ("greedy",)),
        "random-five": Bots("hegemonic", 5, 3, ("random",)),
        "anything-rewound-err.03-to-err.06": of(
            "hegemonic", 3, 2, edition="err.03", switch_at=80, switch_to="err.06", rewind_at=60
        ),
        "leaders-wild-err.08": of(
            "hegemonic",
            2,
            4,
            edition="err.08",
            options=(("opt.leaders", "dealt"), ("opt.wild", True)),
        ),
        "draft-piles-overlay": of(
            "hegemonic", 3, 6, options=(("opt.draft", True), ("opt.piles", True)), overlay=OVERLAY
        ),
    },
}


def bundles() -> list[Path]:
    """Every recorded match."""
    return sorted(FOLDER.glob(f"*/*{SUFFIX}"))


def record(path: Path, match: Played | Bots) -> None:
    """Play a match and keep it."""
    file = BytesIO()
    write_bundle(file, match.history())
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(file.getvalue())


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit("usage: python -m tests.support.recorded.recording")
    for game, matches in MATCHES.items():
        for name, match in matches.items():
            kept = FOLDER / game / f"{name}{SUFFIX}"
            if not kept.exists():
                record(kept, match)
