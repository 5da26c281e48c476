"""Runs one mutant for each of a sample of rules, with only the tests of that rule."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .mutants import Mutant, mutants_of
from .paragraphs import Game, Place, code_of
from .running import FAILED, INTERRUPTED, PASSED, DidNotRun, Ran, copy_of, run, traced


@dataclass(frozen=True)
class Fate:
    """The fate of a mutant."""

    rule: str
    place: Place
    mutant: Mutant
    survived: bool
    unseen: bool  # by the tests of all other rules, too


def sample(game: Game, count: int, seed: int) -> list[str]:
    """So many of the rules that a test shows, drawn by the seed."""
    known = sorted(set(game.cited()) & set(game.marked()))
    return sorted(random.Random(seed).sample(known, min(count, len(known))))


def lines_run(
    game: Game, place: Place, tests: Sequence[str], ran: Ran
) -> dict[Path, dict[int, str]]:
    """The lines of a class that one of these tests runs, each with its method, by file.

    A class of a part, on which the game's class is built, is part of it.
    """
    found = {}
    for path, node in game.bodies_of(place):
        by_line = ran.get(str(path.relative_to(game.root)), {})
        lines = {
            line: method
            for line, method in code_of(node).items()
            if by_line.get(line, frozenset()) & set(tests)
        }
        if lines:
            found[path] = lines
    return found


def mutant_for(game: Game, rule: str, seed: int, ran: Ran) -> tuple[Place, Path, Mutant] | None:
    """The mutant of a rule that the seed chooses; none where its tests run none of its lines."""
    tests = game.marked()[rule]
    found = [
        (place, path, mutant)
        for place in game.cited()[rule]
        for path, lines in lines_run(game, place, tests, ran).items()
        for mutant in mutants_of(path.read_text("utf-8"), lines)
    ]
    return random.Random(f"{seed} {rule}").choice(found) if found else None


def fates(game: Game, rules: Sequence[str], seed: int) -> Iterator[Fate]:
    """Change the classes of these rules, one after another, and run the tests of each."""
    with copy_of(game) as copy:
        ran = traced(copy, rules)
        chosen = {rule: found for rule in rules if (found := mutant_for(copy, rule, seed, ran))}
        _check_that_a_remark_is_no_matter(copy, rules)
        for rule, (place, path, mutant) in chosen.items():
            survived = survives(copy, [rule], path, mutant)
            unseen = survived and survives(copy, [], path, mutant)
            yield Fate(rule, place, mutant, survived, unseen)


def survives(copy: Game, rules: Sequence[str], path: Path, mutant: Mutant) -> bool:
    """Whether the tests of these rules (of all, where none is named) pass with this change."""
    source = path.read_text("utf-8")
    path.write_text(mutant.of(source), encoding="utf-8")
    try:
        code, said = run(copy, rules)
    finally:
        path.write_text(source, encoding="utf-8")
    if code not in (PASSED, FAILED, INTERRUPTED):
        raise DidNotRun(f"pytest ended with {code} on a mutant of {path.name}: {said[-2_000:]}")
    return code == PASSED


def _check_that_a_remark_is_no_matter(copy: Game, rules: Sequence[str]) -> None:
    """A test that fails on any change at all, such as one of a source's hash, shows no rule."""
    sources = {path: path.read_text("utf-8") for path in copy.rules.glob("*.py")}
    for path, source in sources.items():
        path.write_text(f"{source}# nothing is different\n", encoding="utf-8")
    code, said = run(copy, rules)
    for path, source in sources.items():
        path.write_text(source, encoding="utf-8")
    if code != PASSED:
        raise DidNotRun(f"a remark makes tests of {copy.name} fail: {said[-2_000:]}")
