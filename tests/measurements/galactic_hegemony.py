"""docs/measurements/galactic-hegemony.md: a thousand games of the greedy bot, and of its variants.

python -m tests.measurements.galactic_hegemony [--games N] [--write]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from datetime import UTC, datetime
from typing import Any, Final

from services.run.settings import ROOT
from tests.support.galactic_hegemony.campaigns import campaigns

PAGE: Final = ROOT / "docs" / "measurements" / "galactic-hegemony.md"
PLAYED: Final[dict[str, dict[str, Any]]] = {
    "standard": {},
    "four saboteurs": {"saboteurs": 4},
    "eight turns": {"turns": 8},
    "random home": {"random-home": True},
}
ENDS: Final = ("won", "time", "revolt")


def page(games: int) -> str:
    """The whole page; about two minutes for each line of a thousand games."""
    lines = [
        "# Galactic Hegemony: how a plain player fares",
        "",
        (
            f"`python -m tests.measurements.galactic_hegemony --games {games} --write` "
            f"({datetime.now(UTC).date()}, one core, CPython {platform.python_version()}). The "
            f"greedy bot plays the seeds 0 to {games - 1} with the printed edition and the house's "
            "cards; folds alone, without a log. Shares of all games, means a game."
        ),
        "",
        "| game | won | out of time | lost to revolt | turns | events | seconds for all |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, options in PLAYED.items():
        began = time.monotonic()
        ends, turns, events = campaigns(range(games), **options)
        assert set(ends) <= set(ENDS)
        shares = " | ".join(f"{ends[end] / games:.1%}" for end in ENDS)
        took = time.monotonic() - began
        lines.append(f"| {name} | {shares} | {turns:.1f} | {events:.0f} | {took:.0f} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measurements.galactic_hegemony")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    text = page(given.games)
    if given.write:
        PAGE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:])
