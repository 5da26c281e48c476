"""No change of code changes a recorded match: what is wanted is an erratum, or a reviewed diff."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.games import GAMES
from tests.support.playthroughs.playing import FOLDER, expected_of, scripts, text_of


@pytest.mark.parametrize("script", scripts(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_playthrough_is_as_it_was_recorded(script: Path) -> None:
    expected = expected_of(script).read_text(encoding="utf-8").splitlines()
    found = text_of(script).splitlines()
    for number, (was, now) in enumerate(zip(expected, found, strict=False), 1):
        assert now == was, f"line {number} of {expected_of(script).name} differs"
    assert len(found) == len(expected)


def test_every_game_has_playthroughs_that_reach_an_end() -> None:
    for game in GAMES:
        ends = [path for path in scripts() if path.parent == FOLDER / game]
        assert any("=== result" in expected_of(path).read_text("utf-8") for path in ends), game
