"""docs/measurements/hegemonic-random.md: random matches of Hegemonic at random tables.

python -m tests.measurements.hegemonic_random [--matches N] [--kept FILE] [--write]

Each match is one line of FILE; what is there already is not played again.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from ledger.games.hegemonic import RULES
from services.run.settings import ROOT
from tests.support.hegemonic.houses import any_table
from tests.support.hegemonic.travelling import Journey, Travel
from tests.support.laws.play import EVENTS_MAX_OF

PAGE: Final = ROOT / "docs" / "measurements" / "hegemonic-random.md"
KEPT: Final = ROOT / ".hegemon" / "hegemonic-random.jsonl"
COLUMNS: Final = ("events", "rounds", "conflicts", "lost", "supported", "offers", "deals")


class Line(msgspec.Struct):
    """One match in the file, and how long it took this process."""

    journey: Journey
    seconds: float


def played(matches: int, kept: Path) -> list[Line]:
    """The matches of the seeds from 0; a failure ends it, and the next run goes on there."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    text = kept.read_text(encoding="utf-8") if kept.exists() else ""
    held = [msgspec.json.decode(line, type=Line) for line in text.splitlines()]
    lines = {line.journey.seed: line for line in held}
    with kept.open("a", encoding="utf-8") as file:
        for seed in range(matches):
            if seed not in lines:
                began = time.process_time()
                journey = Travel(any_table(seed), seed).whole()
                lines[seed] = Line(journey, time.process_time() - began)
                file.write(msgspec.json.encode(lines[seed]).decode() + "\n")
                file.flush()
    return [lines[seed] for seed in range(matches)]


def page(lines: list[Line]) -> str:
    """The whole page."""
    journeys = [line.journey for line in lines]
    seconds = sum(line.seconds for line in lines)
    longest = max(journeys, key=lambda one: one.events)
    text = [
        "# Hegemonic: random matches",
        "",
        (
            f"`python -m tests.measurements.hegemonic_random --matches {len(lines)} --write` "
            f"({datetime.now(UTC).date()}, one core, CPython {platform.python_version()}): "
            f"{seconds:.0f} seconds of processor time; a stopped run goes on where it was. "
            "`tests/ledger/games/hegemonic/test_random.py` plays the same matches, 40 at every "
            "landing "
            "and all of them with `-m full`."
        ),
        "",
        (
            f"The seeds 0 to {len(lines) - 1} choose seats, edition, options, readings and, every "
            "other time, a few cells that a club has transcribed otherwise. All seats play at "
            "random. After each event the test counts every card, tile, piece and CAP by kind. Now "
            "and then it looks as every viewer, tries the offered options and sends wrong "
            "decisions, which must be refused. A second match goes on from bytes in the middle, "
            "and the decisions alone give the match again."
        ),
        "",
        f"All {len(lines)} ended, and nothing failed. Means a match:",
        "",
        "| seats | matches | events | rounds | conflicts | lost | supports | offers | made |",
        "|---" * 9 + "|",
    ]
    for_so_many = {n: [one for one in journeys if one.seats == n] for n in RULES.seats}
    text += [
        *(_row(str(seats), of_them) for seats, of_them in for_so_many.items()),
        _row("all", journeys),
        "",
        (
            f"The longest is seed {longest.seed} with {longest.seats} seats: {longest.events} "
            f"events; a match with more than {EVENTS_MAX_OF['hegemonic']:,} counts as one that "
            f"never ends. Together {_total(journeys, 'events')} events, "
            f"{_total(journeys, 'checked')} options tried, {_total(journeys, 'refused')} wrong "
            "decisions refused."
        ),
        "",
        (
            "The table shows in how many matches a technology was advanced, and in how many a fact "
            "names it as a reason. A random player seldom has what the higher technologies need; "
            "each of them has tests of its own."
        ),
        "",
        "| technology | advanced | named |",
        "|---|---|---|",
    ]
    advanced = Counter(name for one in journeys for name in one.advanced)
    acted = Counter(name for one in journeys for name in one.acted)
    for name in RULES.content["technologies"]:
        text.append(f"| {name} | {advanced[name]} | {acted[name]} |")
    return "\n".join(text) + "\n"


def _row(name: str, journeys: list[Journey]) -> str:
    means = (sum(getattr(one, column) for one in journeys) / len(journeys) for column in COLUMNS)
    return f"| {name} | {len(journeys)} | " + " | ".join(f"{mean:.1f}" for mean in means) + " |"


def _total(journeys: Iterable[Journey], column: str) -> str:
    return f"{sum(getattr(one, column) for one in journeys):,}"


def main(arguments: list[str]) -> None:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measurements.hegemonic_random")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--kept", type=Path, default=KEPT)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    text = page(played(given.matches, given.kept))
    if given.write:
        PAGE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:])
