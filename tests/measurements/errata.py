"""docs/measurements/errata.md: what each published erratum does to a corpus of bot matches.

python -m tests.measurements.errata FOLDER [--size landing|full] [--game NAME] [--kept] [--write]
                                            [--backwards]

Every match is folded under each erratum alone, in part and whole, and kept in the folder as it is
done: stopped or killed, the same command goes on there. A second process takes the last matches
first (--backwards); the two meet in the middle. A folder is of one source of the rules.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from replays.reproject.verdicts import CLASSES, MatchVerdict
from services.run.settings import ROOT
from tests.support.replays.reprojected_corpus import FULL, LANDING, Corpus

PAGE: Final = ROOT / "docs" / "measurements" / "errata.md"
SIZES: Final = {"landing": LANDING, "full": FULL}
COUNTED: Final = ("applied", "moved", "illegal", "unasked", "missing")
SHOWN: Final = 3  # codes of refusals, of each erratum


def page(found: Sequence[Corpus], size: str) -> str:
    """The whole page."""
    matches = sum(len(one.matches) for one in found)
    events = sum(match.events for one in found for match in one.matches)
    seconds = sum(match.seconds for one in found for match in one.matches)
    pairs = sum(match.compared for one in found for match in one.matches)
    apart = [f"{o.game} {n}: {m.apart}" for o in found for n, m in enumerate(o.matches) if m.apart]
    differing = sum(len(one.differing) for one in found)
    errors = sum(v.error != "" for o in found for m in o.matches for v in m.verdicts.values())
    said = f"{datetime.now(UTC).date()}, CPython {platform.python_version()}"
    lines = [
        "# What the published errata do to matches",
        "",
        (
            f"`python -m tests.measurements.errata FOLDER --size {size} --write` ({said}): "
            f"{matches:,} of {sum(map(len, SIZES[size].values())):,} matches by bots "
            f"({', '.join(f'{len(one.matches):,} of {one.rules.title}' for one in found)}), "
            f"{events:,} events, seeds from 0 in each game; "
            f"{seconds:,.0f} seconds of processor time for the folding, on a machine that did "
            "other work as well. A stopped run goes on where it was."
        ),
        "",
        (
            "Each erratum alone, illegal decisions left out and marked (`skip`), missing ones as a "
            f"time-out decides. Folded in part and whole: {pairs:,} pairs of match and erratum, "
            f"{len(apart)} of which differ. Logs that changed by a byte: {differing}. Matches that "
            f"could not be folded: {errors}."
        ),
        "",
        "| erratum | " + " | ".join(CLASSES[:-3]) + " | other | proved |",
        "|---|" + "---|" * (len(CLASSES[:-3]) + 2),
        *(line for one in found for line in _classes(one)),
        "",
        "Proved: unchanged, by the index alone. Events, over all matches of the game:",
        "",
        "| erratum | " + " | ".join(COUNTED) + " | refused at first for |",
        "|---|" + "---|" * (len(COUNTED) + 1),
        *(line for one in found for line in _events(one)),
        "",
        "The first difference of a match: how it shows, and which part of the rules causes it.",
        "",
        "| erratum | " + " | ".join(KINDS) + " | causes |",
        "|---|" + "---|" * (len(KINDS) + 1),
        *(line for one in found for line in _firsts(one)),
        "",
        "## Looked at by hand",
        "",
        (
            "One match of each erratum, by what its first different event says as it was "
            "played and under the erratum; each is what the erratum's text says, at an event "
            "where it must show."
        ),
        "",
        "| erratum | seed | event | as it was played | under the erratum |",
        "|---|---|---|---|---|",
        *BY_HAND.strip().splitlines(),
    ]
    return "\n".join(lines) + "\n"


# Read on 2026-11-19, of these seeds; what is counted above is made anew, this is not.
BY_HAND: Final = """
| err.01 | 22 | 231 `…/card` | an agent of the defender's is destroyed in the draw | it stays |
| err.02 | 0 | 234 `r5/p6/confirm` | tied first with power 4: 3 and 3 | 4 and 4 |
| err.03 | 22 | 229 `…/support/s1` | 1 embassy supports with 1 | with 2, the power of its place |
| err.04 | 59 | 86 `r1/p4/s1/a1` | Martialize is next | Industrialize is, before it |
| err.05 | 0 | 182 `…/declare` | 6 CAPs for the takeover | 9 |
| err.05 | 128 | 130 `…/move` | 6 CAPs for a takeover where the fleet stands | 9 |
| err.06 | 0 | 132 `…/move` | 2 CAPs for the way | 1 |
| err.07 | 7 | 630 `r5/p6/confirm` | core bonus for all three there | nobody controls it: none |
| err.08 | 0 | 56 `r1/p6/confirm` | home boards with power 4 | 3, the embassy not counted |
| e1 | 6 | 211 `fight/10/p1/1/D` | equal dice change nothing | morale 0, back in the hegemony |
| e2 | 6 | 170 `sab/9/3/1/col` | the shipyard is lost | the factory is |
| e3 | 0 | 150 `morale/9/9` | 2 resources beyond the limit | 3 |
| e4 | 0 | 86 `morale/5/1` | a total of 10 holds | 10 raises morale by 1 |
"""
KINDS: Final = ("facts", "illegal", "order", "missing", "unasked")


def _row(name: str, cells: Sequence[Any]) -> str:
    return f"| {name} | " + " | ".join(str(cell or "") for cell in cells) + " |"


def _classes(of: Corpus) -> Iterator[str]:
    for erratum, found in of.verdicts.items():
        counts = Counter(one.verdict for one in found)
        other = sum(counts[name] for name in CLASSES[-3:])
        proved = sum(one.proved == "index" for one in found)
        yield _row(erratum, [*(counts[name] for name in CLASSES[:-3]), other, proved])


def _events(of: Corpus) -> Iterator[str]:
    for erratum, found in of.verdicts.items():
        counts: Counter[str] = Counter()
        for one in found:
            counts.update(one.events)
        refused = Counter(code for one in found for code in _first_refused(one))
        told = ", ".join(f"{code} {n}" for code, n in refused.most_common(SHOWN))
        yield _row(erratum, [*(counts[name] for name in COUNTED), told])


def _first_refused(one: MatchVerdict) -> Iterator[str]:
    yield from [event.code for event in one.marked if event.verdict == "illegal"][:1]


def _firsts(of: Corpus) -> Iterator[str]:
    for erratum, found in of.verdicts.items():
        firsts = [one.first for one in found if one.first is not None]
        kinds = Counter(first.kind for first in firsts)
        causes = Counter(cause.name for first in firsts for cause in first.causes)
        told = ", ".join(f"{name} {n}" for name, n in sorted(causes.items()))
        yield _row(erratum, [*(kinds[kind] for kind in KINDS), told])


def main(arguments: list[str]) -> None:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measurements.errata")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", choices=SIZES, default="landing")
    parser.add_argument("--game", choices=sorted(LANDING))
    parser.add_argument("--kept", action="store_true", help="of what was done so far alone")
    parser.add_argument("--backwards", action="store_true", help="the last matches first")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    sizes = SIZES[given.size]
    games = [given.game] if given.game else list(sizes)
    how = {"whole": True, "only_kept": given.kept, "backwards": given.backwards}
    found = [Corpus(one, sizes[one], given.folder, **how) for one in games]
    text = page(found, given.size)
    if given.write:
        PAGE.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main(sys.argv[1:])
