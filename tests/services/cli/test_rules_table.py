"""`hegemon rules-table`: the page of a game, from a run of its tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli.calls import Hegemon
from tests.support.rulebook.table import MUTANTS, page_of

pytestmark = pytest.mark.process


def test_the_table_is_the_published_one(hegemon: Hegemon):
    assert hegemon("rules-table", "tictactoe", "--out", "page.md").code == 0
    published, _, _ = page_of("tictactoe").read_text("utf-8").partition(MUTANTS)
    assert Path("page.md").read_text("utf-8") == published


def test_rules_are_changed_as_many_as_are_asked_for(hegemon: Hegemon):
    assert hegemon("rules-table", "tictactoe", "--out", "page.md", "--mutants", 2).code == 0
    _, _, changed = Path("page.md").read_text("utf-8").partition(MUTANTS)
    assert len([line for line in changed.splitlines() if line.startswith("| `")]) == 2
    assert "2 of 2 changes were seen" in changed
    assert hegemon("rules-table", "tictactoe", "--out", "page.md").code == 0
    assert changed in Path("page.md").read_text("utf-8"), "what was said of them is kept"


def test_a_game_that_there_is_not_has_no_table(hegemon: Hegemon):
    assert "unknown_ruleset" in hegemon.refused("rules-table", "chess")
    hegemon.refused("rules-table", "tictactoe", "--mutants", -1, code=2)
