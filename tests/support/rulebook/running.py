"""Runs the tests of some rules in a copy of the checkout, where the rules can be changed.

A mutant never stands in the checkout itself: whoever works in it, or stops the run, sees nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from services.run.children import python

from .paragraphs import Game

# What a run needs of a checkout. Documents are needed by tests that read schemas.
COPIED: Final = ("ledger", "replays", "services", "tests", "docs/schemas", "pyproject.toml")
TEST_SECONDS_MAX: Final = 60  # a mutant may never end; lines are noted slowly
RUN_SECONDS_MAX: Final = 600
PASSED, FAILED, INTERRUPTED = 0, 1, 2  # exit codes of pytest; interrupted: it cannot be imported

Ran: TypeAlias = Mapping[str, Mapping[int, frozenset[str]]]  # file in the checkout -> line -> tests


class DidNotRun(Exception):
    """The tests could not be run, or fail as they are."""


@contextmanager
def copy_of(game: Game) -> Iterator[Game]:
    """The same game in a checkout of its own, for as long as it takes."""
    with TemporaryDirectory(prefix="rulebook-") as folder:
        root = Path(folder).resolve()
        for name in COPIED:
            here, there = game.root / name, root / name
            if here.is_dir():
                shutil.copytree(here, there, ignore=shutil.ignore_patterns("__pycache__"))
            elif here.exists():
                shutil.copy(here, there)
        yield Game(root, game.name)


def run(game: Game, rules: Collection[str] = (), lines: Path | None = None) -> tuple[int, str]:
    """Run the tests of these rules, or of all; gives the exit code of pytest, and what it said."""
    wanted = {
        test.partition("::")[0]
        for rule, tests in game.marked().items()
        if not rules or rule in rules
        for test in tests
    }
    if not wanted:
        return PASSED, "no tests"
    pytest = ["-m", "pytest", "-p", "tests.support.rulebook.tracing", "-p", "no:cacheprovider"]
    pytest += ["-q", "-x", "--tb=line", "-p", "no:randomly", f"--timeout={TEST_SECONDS_MAX}"]
    pytest += ["-p", "no:xdist"]
    try:
        ran = subprocess.run(
            python(*pytest, *(str(game.tests / name) for name in sorted(wanted))),
            cwd=game.root,
            env=_environment(game, rules, lines),
            capture_output=True,
            encoding="utf-8",
            timeout=RUN_SECONDS_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return FAILED, f"more than {RUN_SECONDS_MAX} s"
    return ran.returncode, (ran.stdout + ran.stderr).strip()


def _environment(game: Game, rules: Collection[str], lines: Path | None) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("COV", "PYTEST", "HEGEMON"))
    }
    return kept | {
        "PYTHONPATH": os.pathsep.join([str(game.root), *_elsewhere()]),
        "PYTHONDONTWRITEBYTECODE": "1",  # two mutants of one second and size would share theirs
        "COVERAGE_CORE": "ctrace",  # the one that knows of contexts
        "RULEBOOK_GAME": game.name,
        "RULEBOOK_RULES": ",".join(sorted(rules)),
        "RULEBOOK_LINES": str(lines or ""),
    }


def _elsewhere() -> list[str]:
    """Where else modules are found now, but for other checkouts."""
    return [one for one in sys.path if one and not (Path(one) / "ledger").is_dir()]


def traced(game: Game, rules: Collection[str] = ()) -> Ran:
    """The lines of the game and of the parts that the tests of these rules run. They must pass."""
    with TemporaryDirectory() as folder:
        told = Path(folder) / "lines.json"
        code, said = run(game, rules, told)
        if code != PASSED:
            raise DidNotRun(f"the tests of {game.name} do not pass: {said[-2_000:]}")
        found = json.loads(told.read_text("utf-8")) if told.exists() else {}
    return {
        file: {int(line): frozenset(tests) for line, tests in lines.items()}
        for file, lines in found.items()
    }
