"""The rules table: docs/rules/<game>.md, from a run of the tests that name rules.

python -m tests.support.rulebook.table GAME [--mutants N] [--seed S] [--out FILE]

A rule is *shown* if a test that is marked with its id runs lines of a class that cites it. With
mutants, N of the rules are drawn by the seed, and a class of each is changed in one place that
those tests run: they must fail. Without, the page keeps what it says of mutants.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ledger.games import GAMES, ruleset
from services.run.settings import ROOT

from .paragraphs import Game
from .running import DidNotRun, Ran, traced
from .survival import Fate, fates, lines_run, sample

MUTANTS: Final = "\n## Changed rules\n"  # where the part begins that a run without mutants keeps
SHOWN, NOT_SHOWN = "shown", "**no**"
SURVIVED: Final = "**survived**; tests of other rules see it"
UNSEEN: Final = "**survived**, and no test sees it"
SEED: Final = 4


def page_of(game: str) -> Path:
    """Where the table of a game is published."""
    return ROOT / "docs" / "rules" / f"{game.replace('_', '-')}.md"


def shown_by(game: Game, ran: Ran) -> dict[str, list[str]]:
    """Returns the tests that run lines of a rule's classes, by rule."""
    cited, marked = game.cited(), game.marked()
    found = {}
    for rule in sorted({*cited, *marked}):
        found[rule] = [
            test
            for test in marked.get(rule, [])
            if any(lines_run(game, place, [test], ran) for place in cited.get(rule, []))
        ]
    return found


def table_of(game: Game, shown: Mapping[str, bool]) -> str:
    """The table, from the sources and from what a run has shown."""
    cited, marked = game.cited(), game.marked()
    rows = []
    for rule in sorted({*cited, *marked}):
        places, tests = cited.get(rule, []), marked.get(rule, [])
        says = places[0].says.replace("|", "\\|") if places else ""
        status = SHOWN if shown.get(rule) else NOT_SHOWN
        where = "<br>".join(f"`{place}`" for place in places)
        by = "<br>".join(f"`{test}`" for test in tests)
        rows.append(f"| `{rule}` | {status} | {says} | {where} | {by} |")
    count = sum(bool(shown.get(rule)) for rule in {*cited, *marked})
    title = ruleset(game.name).title if game.name in GAMES else game.name
    return "\n".join(
        [
            f"# The rules of {title}, and the tests that show them",
            "",
            (
                f"Written by `./hegemon rules-table {game.name}`; do not edit. {count} of "
                f"{len(rows)} rules are shown: a test that is marked with the id runs lines of a "
                f"class in `ledger/games/{game.name}/` that cites it. The tests are in "
                f"`tests/ledger/games/{game.name}/`."
            ),
            "",
            "| rule | | says | class | tests |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def mutants_part(
    met: Sequence[Fate], asked: Sequence[str], game: Game, seed: int, seconds: float
) -> str:
    """Returns the page's section about the mutants."""
    survivors = [fate for fate in met if fate.survived]
    untouched = sorted(set(asked) - {fate.rule for fate in met})
    today = datetime.now(UTC).date()
    lines = [
        (
            f"{len(asked)} of the rules were drawn, and a class of each was changed in one place "
            f"that its tests run; only the tests of that rule were run. "
            f"{len(met) - len(survivors)} of {len(met)} changes were seen. "
            f"({today}, seed {seed}, {seconds:.0f} s, "
            f"`./hegemon rules-table {game.name} --mutants {len(asked)} --seed {seed}`)"
        ),
        "",
    ]
    if untouched:
        lines += ["Nothing to change in: " + ", ".join(f"`{one}`" for one in untouched) + ".", ""]
    lines += ["| rule | class | change | |", "|---|---|---|---|"]
    lines += [_fate_row(fate) for fate in met]
    return "\n".join(lines) + "\n"


def _fate_row(fate: Fate) -> str:
    change = str(fate.mutant).replace("|", "\\|").replace("`", "'")
    method = fate.mutant.method
    where = str(fate.place) if method == fate.place.name else f"{fate.place}.{method}"
    return f"| `{fate.rule}` | `{where}` | `{change}` | {became(fate)} |"


def became(fate: Fate) -> str:
    """Returns the fate of a mutant in words."""
    if not fate.survived:
        return "seen"
    return UNSEEN if fate.unseen else SURVIVED


def statuses(page: str) -> dict[str, bool]:
    """Which rules a published table says are shown."""
    rows = [line.split(" | ") for line in page.partition(MUTANTS)[0].splitlines()]
    return {row[0].strip("|` "): row[1] == SHOWN for row in rows if row[0].startswith("| `")}


def survivors_on(page: str) -> set[str]:
    """The rules whose mutants a published page says have survived."""
    rows = page.partition(MUTANTS)[2].splitlines()
    return {row.split("`")[1] for row in rows if row.endswith((f"{SURVIVED} |", f"{UNSEEN} |"))}


def written(
    game: Game, before: str, mutants: int, seed: int, say: Callable[[str], None] = print
) -> str:
    """The page of a game, made anew."""
    began = time.monotonic()
    shown = {rule: bool(tests) for rule, tests in shown_by(game, traced(game)).items()}
    say(f"{sum(shown.values())} of {len(shown)} rules shown, {time.monotonic() - began:.0f} s")
    for rule, is_shown in shown.items():
        if not is_shown:
            say(f"  not shown: {rule}")
    text = table_of(game, shown)
    if not mutants:
        kept = before.partition(MUTANTS)
        return text + kept[1] + kept[2]
    began, asked, met = time.monotonic(), sample(game, mutants, seed), []
    for fate in fates(game, asked, seed):
        met.append(fate)
        say(f"  {fate.rule:24} {fate.place}: {fate.mutant}: {became(fate)}")
    part = mutants_part(met, asked, game, seed, time.monotonic() - began)
    return f"{text}{MUTANTS}\n{part}"


def main(arguments: Sequence[str]) -> int:
    """Write the page of a game; 1 where a rule is not shown, or no test sees a mutant."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.rulebook.table")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    page = given.out or page_of(given.game)
    before = page.read_text("utf-8") if page.exists() else ""
    try:
        text = written(Game(ROOT, given.game), before, given.mutants, given.seed)
    except DidNotRun as reason:
        print(reason, file=sys.stderr)
        return 2
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
    return 0 if all(statuses(text).values()) and UNSEEN not in text else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
