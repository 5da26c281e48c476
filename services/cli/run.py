"""Commands that run things: the service, the tests, the benchmarks and the generators."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ledger.games import ruleset
from services.cli.support.exits import Failure, Lacking, UnreadableInput
from services.cli.support.output import show
from services.cli.support.params import as_json_option, seed_option, unsafe_option
from services.cli.support.sources import settings_of
from services.run.children import python
from services.run.settings import ROOT

ENDLESS = (
    "up", "test", "bench", "regenerate", "rules-table", "restore", "backup", "check-store",
    "reproject",
)  # fmt: skip

GENERATORS = (
    "tests.support.docs.schemas",
    "tests.support.docs.vectors",
    "tests.support.docs.http_api",
    "tests.support.docs.access",
    "tests.support.playthroughs.playing",
)
BENCHMARKS = (
    "append", "audit", "fold-hegemonic", "fold-tictactoe", "http", "memory", "reproject", "seek",
    "viewer",
)  # fmt: skip


@click.command()
@click.option("--port", metavar="P", help="The port; else the first free one from 8000 on.")
@click.option("--data", metavar="DIR", help="The data folder, as before the command.")
@unsafe_option
def up(port: str | None, data: str | None, unsafe: bool) -> int:
    r"""Run Hegemon on this machine, on one address, until Ctrl-C.

    \b
        hegemon up
        hegemon up --port 9000
    """
    from services.run.up import run_up

    return run_up(settings_of(data=data, port=port, unsafe=unsafe))


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PYTEST ARGUMENTS]...")
def test(arguments: Sequence[str]) -> int:
    r"""Check and test this checkout.

    Alone it is the quick tier: lint, types, and every test that needs no server, no process and no
    browser, with a smoke test of each. --all runs everything at landing size; --changed runs what
    reaches changed modules. With other arguments it runs pytest only and passes them on.

    \b
        hegemon test
        hegemon test --all
        hegemon test --changed
        hegemon test tests/services -k settings
    """
    from services.run.checks import run_tests

    _in_checkout("the tests are only in a checkout, not in the installed package")
    home = Path(os.environ.get("HEGEMON_ENV") or ROOT / ".hegemon")
    return run_tests(list(arguments), home)


@click.command()
@click.argument("name", metavar="NAME", type=click.Choice(BENCHMARKS))
@as_json_option
@click.option("--full", is_flag=True, help="The full size: longer, steadier figures.")
def bench(name: str, full: bool) -> None:
    r"""Run a benchmark against software that is not ours.

    Prints both results, and exits with 1 if the gate is not reached.

    \b
        hegemon bench fold-tictactoe --json
    """
    measured = _benchmark(name).measure(full=full)
    show(measured, json.dumps(measured, indent=2))
    if not measured["reached"]["gate"]:
        raise Failure(f"{name} does not reach its gate")


def _benchmark(name: str) -> Any:
    try:
        return import_module(f"tests.benchmarks.{name.replace('-', '_')}")
    except ModuleNotFoundError as reason:
        missing = reason.name or ""
        if missing.partition(".")[0] == "tests":
            message = "benchmarks are only in a checkout, not in the installed package"
            raise UnreadableInput(message) from None
        raise Lacking(f"{name} compares with {missing}, which is not installed") from None


@click.command()
def regenerate() -> None:
    r"""Regenerate everything generated from the code; review the diff.

    Writes the schemas and vectors of the stored format, the routes of the API, and the golden
    playthroughs of every game.

    \b
        hegemon regenerate
    """
    _in_checkout("generated files are only in a checkout, not in the installed package")
    for name in GENERATORS:
        if _run(name, "--write"):
            raise Failure(f"{name} did not succeed")


@click.command(name="rules-table")
@click.argument("ruleset_name", metavar="RULESET")
@click.option(
    "--mutants",
    metavar="N",
    type=click.IntRange(0, 1_000),
    default=0,
    show_default=True,
    help="Change this many rules, each in one place; their tests must fail.",
)
@seed_option("The seed that picks the rules and the changes.", default=4)
@click.option("--out", metavar="FILE", help="The file to write; else docs/rules/GAME.md.")
def rules_table(ruleset_name: str, mutants: int, seed: int, out: str | None) -> None:
    r"""Write a table of the tests that prove each rule of a game.

    Runs the tests that name a rule. A rule is proven if one of its tests runs lines of a class
    that cites it. Mutants are made in a copy of the checkout, never in the checkout itself.

    \b
        hegemon rules-table tictactoe
        hegemon rules-table galactic_hegemony --mutants 50
    """
    name = ruleset(ruleset_name).name
    _in_checkout("rules are tested in a checkout, not with the installed package")
    words = (name, "--mutants", str(mutants), "--seed", str(seed))
    where = () if out is None else ("--out", str(Path(out).absolute()))
    if _run("tests.support.rulebook.table", *words, *where):
        raise Failure(f"{name}: a rule has no test, or no test failed when it was changed")


def _in_checkout(message: str) -> None:
    if not (ROOT / "tests").is_dir():
        raise UnreadableInput(message)


def _run(*words: str) -> int:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    return subprocess.run(python("-m", *words), cwd=ROOT, env=environment, check=False).returncode


COMMANDS = (up, test)
MEASURING = (bench, regenerate, rules_table)
