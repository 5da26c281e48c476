"""kill -9 of server and writers at random moments under load: what was acknowledged stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.durability.storm import match_storm, storm
from tests.support.servers import programs


@pytest.mark.parametrize("server", programs())
def test_twenty_kills_lose_double_and_reorder_nothing(server: str, tmp_path: Path):
    seen = storm(programs()[server], tmp_path, f"landing {server}", kills=20)
    print(seen)
    assert seen.wrong == []
    assert sum(seen.killed.values()) >= 20


@pytest.mark.parametrize("server", programs())
def test_kills_leave_matches_that_verify(server: str, tmp_path: Path):
    """Played through the journal: what is in the logs folds, and every commitment opens."""
    wrong, seen = match_storm(
        programs()[server], tmp_path, f"landing {server}", kills=5, matches=12
    )
    print(seen)
    assert wrong == []
    assert seen["closed"] == 12
