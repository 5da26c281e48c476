"""docs/measurements/dice.md: what fell in a corpus of matches, and a million of each kind of draw.

python -m tests.measurements.dice [--matches N] [--rolls N] [--corpus DIR] [--write]

The matches are played by bots from seeds 1 to N, kept as bundles in DIR, verified, and counted by
`hegemon dice`. A run that was stopped goes on with the bundles that it finds there.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from ledger.kernel.chance import Deck, Spread, Uncover, die, top_cards
from replays.verify.fairness import DiceRow
from services.run.children import python
from services.run.settings import ROOT
from tests.support.starting import surroundings

PAGE: Final = ROOT / "docs" / "measurements" / "dice.md"
SIDES: Final = (2, 3, 6, 10, 12, 20, 100)
# Each card once, and decks with copies: an order is one of 24, or of 12.
DECKS: Final = {"4 cards": ["a", "b", "c", "d"], "4 cards, two alike": ["a", "b", "b", "c"]}
# The games, and how each is played so that chance has a part in it.
PLAYED: Final[Mapping[str, tuple[str, ...]]] = {
    "galactic_hegemony": ("--bots", "greedy"),
    "tictactoe": ("--option", "begin.first=rolled", "--option", "opening=sealed",
                  "--option", "opening.clash=rolled"),
}  # fmt: skip


def key_of(number: int) -> bytes:
    """A key like any other."""
    return hashlib.sha256(f"hegemon dice {number}".encode()).digest()


# --- the sampler ----------------------------------------------------------------------------------


def dice(sides: int, rolls: int) -> DiceRow:
    """Dice of one key, at many addresses, three places each."""
    fallen = Counter(die(key_of(sides), 0, f"roll/{n // 3}", n % 3, sides) for n in range(rolls))
    return DiceRow("dice", f"d{sides}", [fallen[face] for face in range(1, sides + 1)])


def orders(name: str, draws: int) -> DiceRow:
    """Whole decks, each under a key of its own: how often each order comes."""
    deck = Deck.of("lots", DECKS[name])
    found = Counter(top_cards(key_of(n), 0, deck, len(DECKS[name])) for n in range(draws))
    return _ordered("draws by lots", name, found)


def layouts(name: str, draws: int) -> DiceRow:
    """Whole spreads, each under a key of its own: how often each layout comes."""
    spread = Spread.of("tiles", DECKS[name], "1234")

    def laid(key: bytes) -> tuple[str, ...]:
        answers = (Uncover(spread, place).answer(key, 0, "") for place in "1234")
        return tuple(card for answer in answers for card in getattr(answer, "cards", ()))

    return _ordered("spreads", name, Counter(laid(key_of(n)) for n in range(draws)))


def _ordered(what: str, name: str, found: Counter[tuple[str, ...]]) -> DiceRow:
    every = sorted(set(itertools.permutations(DECKS[name])))
    assert set(found) <= set(every)
    return DiceRow(what, f"orders of {name}", [found[order] for order in every])


def sampled(rolls: int) -> Iterator[Callable[[], DiceRow]]:
    """Everything of which there are a million at the full size; spreads cost four times as much."""
    for sides in SIDES:
        yield lambda sides=sides: dice(sides, rolls)
    for name in DECKS:
        yield lambda name=name: orders(name, rolls // 4)  # of four cards each
        yield lambda name=name: layouts(name, rolls // 4)


# --- the corpus -----------------------------------------------------------------------------------


def bundle(game: str, seed: int, folder: Path) -> Path:
    """The bundle of a match that is played from a seed, unless it is there already."""
    path = folder / f"{game}-{seed}.hgm"
    if not path.exists():
        unfinished = folder / f"{game}-{seed}.part.hgm"
        seats = "1" if game == "galactic_hegemony" else "2"
        words = ["play", game, "--seats", seats, "--seed", str(seed), *PLAYED[game]]
        command = python("-m", "services.cli", "--data", str(folder / "data"), *words)
        subprocess.run(
            [*command, "--out", str(unfinished)],
            check=True,
            cwd=ROOT,
            env=surroundings(),
            stdout=subprocess.DEVNULL,
        )
        unfinished.rename(path)
    return path


def counted(bundles: list[Path]) -> Any:
    """Returns the output of `hegemon dice --json` for some bundles."""
    command = python("-m", "services.cli", "--time-limit", "86400", "dice", "--json")
    ran = subprocess.run(
        [*command, *map(str, bundles)],
        cwd=ROOT,
        env=surroundings(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-500:] + ran.stderr
    return json.loads(ran.stdout)


# --- the page -------------------------------------------------------------------------------------


def lines_of(rows: list[dict[str, Any]]) -> list[str]:
    """A table; of draws those from many cards are left to `hegemon dice --json`."""
    lines = ["| domain | of | values | chi-square | df | p |", "|---|---|---|---|---|---|"]
    for row in rows:
        even = "| too few | | |" if row["p"] is None else (
            f"| {row['chi_square']:.2f} | {row['freedom']} | {row['p']:.3f} |"
        )  # fmt: skip
        lines.append(f"| {row['domain']} | {row['kind']} | {row['values']:,} {even}")
    return lines


def plainly(row: DiceRow) -> dict[str, Any]:
    """A row as `hegemon dice --json` has it."""
    return {
        "domain": row.domain,
        "kind": row.kind,
        "values": row.values,
        "chi_square": row.chi_square,
        "freedom": row.freedom,
        "p": row.p,
    }


def page(matches: int, rolls: int, folder: Path) -> str:
    """The whole page; takes minutes at the full size."""
    began = time.monotonic()
    lines = [
        "# Dice and draws",
        "",
        (
            f"Written by `python -m tests.measurements.dice --matches {matches} --rolls {rolls} "
            f"--write` ({datetime.now(UTC).date()}). `p` is how often fair dice would be as uneven "
            "or more so; seeds are fixed, so a run gives the same figures again."
        ),
        "",
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for game in PLAYED:
        with ProcessPoolExecutor(2) as pool:
            bundles = list(
                pool.map(bundle, [game] * matches, range(1, matches + 1), [folder] * matches)
            )
        said = counted(bundles)
        answers = ", ".join(
            f"{one['domain']} {one['count']:,} {one['how']}" for one in said["answers"]
        )
        lines += [
            f"## {matches:,} matches of {game}",
            "",
            (
                f"`hegemon play {game} --seed 1..{matches} {' '.join(PLAYED[game])}`; every bundle "
                f"is verified, then `hegemon dice` counts: {answers}. Together: chi-square "
                f"{said['chi_square']:.1f} at {said['freedom']} degrees of freedom, "
                f"p = {said['p']:.3f}."
            ),
            "",
            *lines_of(said["rows"]),
            "",
        ]
    rows = [plainly(make()) for make in sampled(rolls)]
    lines += [
        f"## The sampler, {rolls:,} values of each kind",
        "",
        (
            "Small ranges are counted exhaustively in "
            "`tests/ledger/kernel/test_chance.py`: each number "
            "has the same share of the 2^32 that it is made from. Decks and spreads are drawn "
            "whole; an order is of four cards."
        ),
        "",
        *lines_of(rows),
        "",
        f"All of it took {time.monotonic() - began:.0f} s on two cores.",
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measurements.dice")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--rolls", type=int, default=10_000)
    parser.add_argument("--corpus", type=Path, default=ROOT / ".hegemon" / "corpus")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    text = page(given.matches, given.rolls, given.corpus)
    if given.write:
        PAGE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:])
