"""A data folder for each test, and the command line on it."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cli.calls import SEALED, Hegemon


@pytest.fixture
def hegemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Hegemon:
    data = tmp_path / "data"
    data.mkdir()
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HEGEMON_DATA", str(data))
    monkeypatch.delenv("HEGEMON_TRACEBACK", raising=False)
    return Hegemon(data, capsys)


@pytest.fixture
def table(hegemon: Hegemon) -> Callable[..., list[str]]:
    """A store and a folder with everything that the cases name; fills the names in."""
    running, sealed, closed = hegemon.new(), hegemon.new(*SEALED), hegemon.played()
    hegemon.done("decide", running, 0, "mark", "cell=4")
    hegemon.done("decide", sealed, 0, "write", "cell=4")
    hegemon.done("close", closed)
    hegemon.done("export", closed, "--out", "match.hgm")
    Path("folder.hgm").mkdir()
    held = Path("match.hgm").read_bytes()
    for name, content in {
        "empty": b"",
        "garbage": random.Random(7).randbytes(10_000),
        "text": b"match tictactoe\n7 mark cell=1\n\xff",
        "magic": b"HEGEMON1",
        "huge": held[:8] + b"\xff\xff\xff\xff" + held[12:],
        "deep": b"HEGEMON1\0\0\x13\x88" + b"\x91" * 5_000,
    }.items():
        Path(f"{name}.hgm").write_bytes(content)
    names = {"{m}": running, "{s}": sealed, "{c}": closed, "{f}": "match.hgm"}
    return lambda *words: [names.get(str(word), str(word)) for word in words]
