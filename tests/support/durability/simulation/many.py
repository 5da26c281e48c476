"""Many runs of the simulation, in pieces that are noted when they are done, and the page on them.

    python -m tests.support.durability.simulation.many --count 50000      goes on
    python -m tests.support.durability.simulation.many --count 50000 --write

What was noted counts for the code it was run with: a change to the log, the rules, the guard or the
simulation itself begins anew.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.support.durability.simulation.bugs import BUGS, found_after
from tests.support.durability.simulation.run import STEPS, TABLES_EVERY, simulated

ROOT = Path(__file__).resolve().parents[4]
NOTED = ROOT / ".hegemon" / "simulation.jsonl"
PAGE = ROOT / "docs" / "measurements" / "simulation.md"
PIECE = 500
FULL = 50_000
RUN_BY = (
    "ledger/**/*", "services/keep/guard.py", "tests/support/durability/model/*.py",
    "tests/support/durability/simulation/*.py", "tests/support/parlour/**/*.py",
    "tests/support/log/*.py",
)  # fmt: skip
NOT_IN_IT = ("many.py", "bugs.py")  # of the simulation: they run it, and take no part in it


class Piece(msgspec.Struct, frozen=True):
    """Some runs in a row that all held."""

    code: str
    first: int
    count: int
    steps: int
    seconds: float
    counted: dict[str, int]


def files_of(pattern: str, root: Path = ROOT) -> list[Path]:
    """Returns the files of a pattern that take part in a run."""
    return sorted(
        file
        for file in root.glob(pattern)
        if file.suffix in (".py", ".lua", ".toml") and file.name not in NOT_IN_IT
    )


def code_hash(root: Path = ROOT) -> str:
    """The code that takes part in a run, as one number."""
    digest = hashlib.sha256()
    for pattern in RUN_BY:
        files = files_of(pattern, root)
        assert files, f"{pattern} finds no file"
        for file in files:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def noted(code: str) -> dict[int, Piece]:
    """Returns the earlier runs of this code, by their first seed."""
    if not NOTED.exists():
        return {}
    lines = NOTED.read_bytes().splitlines()
    pieces = [msgspec.json.decode(line, type=Piece) for line in lines if line.endswith(b"}")]
    return {one.first: one for one in pieces if one.code == code and one.count == PIECE}


def run_piece(code: str, first: int) -> Piece:
    """Run some seeds in a row, and note that they held."""
    began, steps = time.monotonic(), 0
    counted: Counter[str] = Counter()
    for seed in range(first, first + PIECE):
        sim = simulated(seed)
        steps += sim.steps
        counted += sim.counted
    piece = Piece(code, first, PIECE, steps, time.monotonic() - began, dict(counted))
    NOTED.parent.mkdir(exist_ok=True)
    with NOTED.open("ab") as file:
        file.write(msgspec.json.encode(piece) + b"\n")
    return piece


def run_many(first: int, count: int) -> Iterator[Piece]:
    """All of these runs, without those that were noted."""
    code = code_hash()
    before = noted(code)
    for start in range(first, first + count, PIECE):
        yield before.get(start) or run_piece(code, start)


def page(pieces: list[Piece]) -> str:
    """Returns the page about the runs."""
    steps, seconds = sum(one.steps for one in pieces), sum(one.seconds for one in pieces)
    seeds, counted = sum(one.count for one in pieces), Counter[str]()
    for one in pieces:
        counted.update(one.counted)
    lines = [f"| {name} | {number:,} |" for name, number in counted.most_common()]
    ran = f"{seeds:,} seeds (from {pieces[0].first}), {steps:,} steps, {seconds / 60:.0f} minutes"
    when = f"{time.strftime('%Y-%m-%d')}, CPython {sys.version.split()[0]}"
    told = f"{ran} of one core\n({when}, code `{pieces[0].code}`). All invariants held.\n"
    happened = ("| what happened | how often |", "|---|---|", *lines, "")
    return "\n".join((HEAD + told, *happened, BUGS_HEAD, *planted()))


def planted() -> Iterator[str]:
    """Which seed finds each of the planted bugs first, and what it says."""
    for name, bug in BUGS.items():
        found = found_after(bug)
        seed, finding = ("none", "") if found is None else (found[0], found[1])
        yield f"| {name} | {seed} of {bug.within} | {finding} |"
    yield ""


HEAD = f"""# The write path, simulated

`tests/support/durability/simulation/run.py` runs clients, a reader and a server in one process,
step by step.
One seed decides who is next, what is lost, late or sent twice, who dies when, and which old copy is
put back. After every step the simulation checks its invariants against the server's file
(`tests/support/durability/simulation/truth.py`). The server is a model that answers as a real one
does
(`tests/durability/test_model.py` compares them, command by command); RedisStore, the journals and
the guard are the real ones.

A run has {STEPS} steps by randomly chosen participants, some of them in the midst of another's
call. Then nothing goes wrong any more, and every participant finishes. One seed in {TABLES_EVERY}
plays through journals (tic-tac-toe in several variants, and two rulesets of the tests with dice and
cards), the others use clients of the store. A fifth of the runs have a server that answers before
it has flushed (`everysec`) and may lose its tail; the others must not lose anything.

Every landing runs 600 seeds. This page is written by
`python -m tests.support.durability.simulation.many --count {FULL} --write`, which goes on
where it was stopped, or by the test of the same size (`pytest -m full
tests/durability/test_simulation.py`).

We planted bugs to see whether the simulation finds them
(`tests/support/durability/simulation/bugs.py`).
The last table has the first seed that finds each bug, and the number of seeds that every landing
tries.

The simulation has two limits. A call in whose midst other calls run goes on when they are done, so
two calls are nested or apart, and never cross twice. And two refusals hold only for the moment: a
request that was answered with *parked* or *out of memory*, and that the network delivers once more
later, is carried out if the match is unparked, or the memory free, by then.

"""


BUGS_HEAD = """\
| planted bug | first seed that finds it | what it says |
|---|---|---|"""


def write_page(pieces: list[Piece]) -> None:
    """Keep what came of it."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(pieces), encoding="utf-8")


def main(words: list[str] | None = None) -> int:
    """Run many seeds, and say how far it is."""
    parser = argparse.ArgumentParser(description="The write path, simulated, many times.")
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--count", type=int, default=FULL)
    parser.add_argument("--write", action="store_true", help="write the page on it")
    chosen = parser.parse_args(words)
    pieces = []
    for piece in run_many(chosen.first, chosen.count):
        pieces.append(piece)
        print(f"{piece.first + piece.count:>7,} seeds, {piece.seconds:.0f} s", flush=True)
    if chosen.write:
        write_page(pieces)
    return 0


if __name__ == "__main__":
    sys.exit(main())
