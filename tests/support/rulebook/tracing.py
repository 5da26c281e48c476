"""A plugin of pytest: runs only the tests of some rules, and notes which lines each one runs.

python -m pytest -p tests.support.rulebook.tracing      with what it is to do in the environment:
    RULEBOOK_RULES   ids, with commas between; empty: of all that have the marker
    RULEBOOK_LINES   where the lines go, as JSON: file -> line -> tests; empty: they are not noted
    RULEBOOK_GAME    the game whose lines are noted, with those of the parts
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

import ledger

RULES = {one for one in os.environ.get("RULEBOOK_RULES", "").split(",") if one}
LINES = os.environ.get("RULEBOOK_LINES", "")
GAME = Path("ledger", "games", os.environ.get("RULEBOOK_GAME", ""))  # in the checkout
PARTS = Path("ledger", "parts")
TESTS = Path("tests") / GAME
NOTHING = ""  # the context of what runs when modules are read

_tracer: coverage.Coverage | None = None


def pytest_configure(config: pytest.Config) -> None:
    """Begin to note lines, before any rule is imported."""
    global _tracer  # noqa: PLW0603 - a plugin is a module
    root = Path(config.rootpath).resolve()
    assert Path(str(ledger.__file__)).resolve().is_relative_to(root), "these are other sources"
    if LINES:
        noted = [f"{root / folder}/*" for folder in (GAME, PARTS)]
        _tracer = coverage.Coverage(data_file=None, config_file=False, include=noted)
        _tracer.start()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out every test of other rules."""
    kept, left = [], []
    for item in items:
        shows = {rule for mark in item.iter_markers("rule") for rule in mark.args}
        (kept if shows & RULES or (shows and not RULES) else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Counts everything from here on for this test."""
    if _tracer is not None:
        path, _, name = item.nodeid.rpartition("::")
        _tracer.switch_context(f"{Path(path).relative_to(TESTS)}::{name.partition('[')[0]}")
    yield
    if _tracer is not None:
        _tracer.switch_context(NOTHING)
    return None


def pytest_sessionfinish() -> None:
    """Write down what ran."""
    if _tracer is None:
        return
    _tracer.stop()
    data = _tracer.get_data()
    found = {
        str(Path(file).relative_to(Path.cwd().resolve())): {
            str(line): sorted(set(tests) - {NOTHING})
            for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    Path(LINES).write_text(json.dumps(found), encoding="utf-8")
