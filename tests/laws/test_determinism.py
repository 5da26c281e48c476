"""Law 7: the same decisions give the same bytes, whatever Python's hashes are seeded with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.laws.same_bytes import everything
from tests.support.starting import surroundings

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    return everything()


@pytest.mark.parametrize("hash_seed", ["1", "random"])
def test_another_process_gives_the_same_bytes(hash_seed: str, here: dict[str, str]):
    told = subprocess.run(
        [sys.executable, "-m", "tests.support.laws.same_bytes"],
        cwd=ROOT,
        env=surroundings(PYTHONHASHSEED=hash_seed),
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(told.stdout) == here


def test_the_same_process_gives_the_same_bytes_again(here: dict[str, str]):
    assert everything() == here


def test_another_seed_gives_other_bytes(here: dict[str, str]):
    """The hashes cover what was played: no two variants, and no two seeds, look the same."""
    assert len(set(here.values())) == len(here)
