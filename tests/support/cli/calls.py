"""Calling the command line as people and tools do: words in; exit code, output, one line out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from services.cli import main

SEALED = ("--option", "opening=sealed", "--option", "begin.stake=2")
# A match in which seat 0 wins at event 9, the decisions being events 5 to 9.
MOVES = ((0, 4), (1, 0), (0, 3), (1, 8), (0, 5))


# The ends that a call may come to where something is wrong: never a bug of ours.
FAILING = {1, 2, 3, 4, 5, 7}

# Commands that take a match or a file, and those that only take a match; what they name comes next.
READERS = (
    ("show",),
    ("events",),
    ("tell",),
    ("deals",),
    ("options",),
    ("fork",),
    ("export", "--out", "out.hgm"),
    ("verify",),
    ("audit",),
    ("import",),
    ("enter",),
    ("reproject", "--edition", "e2"),
    ("diff", "--b", "e2"),
    ("bisect", "--b", "e2"),
)
WRITERS = (("rewind", 4), ("close",), ("decide", 0, "mark", "cell=1"))


@dataclass(frozen=True)
class Ran:
    """The result of a call."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True)
class Hegemon:
    """The command line on a data folder of its own."""

    data: Path
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: object) -> Ran:
        self.capsys.readouterr()
        code = main([str(word) for word in words])
        said = self.capsys.readouterr()
        return Ran(code, said.out, said.err)

    def done(self, *words: object) -> Ran:
        """A call that must go well, and quietly."""
        ran = self(*words)
        assert (ran.code, ran.err) == (0, ""), ran
        return ran

    def refused(self, *words: object, code: int = 1) -> str:
        """A call that must be refused: in one line, and without a change to the store."""
        before = every_byte(self.data)
        ran = self(*words)
        assert every_byte(self.data) == before
        assert ran.code == code, ran
        assert one_line(ran.err), ran.err
        return ran.err

    def fails(self, *words: object) -> None:
        """The law of every failure, whatever caused it."""
        store, here = every_byte(self.data), every_byte(Path())
        ran = self(*words)
        assert ran.code in FAILING, ran
        assert one_line(ran.err), ran.err
        assert "Traceback" not in ran.err + ran.out
        assert len(ran.err) < 3_000
        assert all(sign.isprintable() for sign in ran.err[:-1])
        assert every_byte(self.data) == store
        assert every_byte(Path()) == here

    def new(self, *words: object) -> str:
        """A new match."""
        return self.done("new", "tictactoe", *words).out.strip()

    def played(self, *words: object) -> str:
        """A match that seat 0 has won and nobody has closed."""
        match = self.new(*words)
        for seat, cell in MOVES:
            self.done("decide", match, seat, "mark", f"cell={cell}")
        return match


def one_line(err: str) -> bool:
    """Whether it is one line as every failure says it."""
    return err.startswith("hegemon: ") and err.count("\n") == 1 and err.endswith("\n")


def every_byte(folder: Path) -> dict[str, bytes | None]:
    """All there is in a folder, by path."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
