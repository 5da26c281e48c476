"""The pieces of an erratum file: what is too much of them, and where each key stands.

tomllib keeps every beginning of a dotted key and calls itself for what is nested: a key of many
parts costs the square of its length. So a text is measured before it is read; that takes time and
memory in proportion to its length, whatever it says.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Final, NamedTuple

POINTS_MAX: Final = 8  # in one key; those of the format have three: content.TABLE.ROW.CELL
NESTED_MAX: Final = 8  # brackets in brackets
WORD_MAX: Final = 100  # letters of a name or a number without quotes
_DEEP: Final = 4  # parts of the deepest key of the format; of longer ones the beginning is told

# A text of several lines may end with two quotes of its own before the three that close it.
_TOKEN: Final = re.compile(
    r'''
      (?P<text> """(?: [^"\\]++ | \\. | "(?!"") )*+""""{0,2}
              | \'\'\'(?: [^']++ | '(?!\'\') )*+\'\'\''{0,2}
              | "(?!"") (?: [^"\\\n]++ | \\[^\n] )*+"
              | '(?!\'\') [^'\n]*+' )
    | (?P<comment> \#[^\n]*+ )
    | (?P<sign> [.=\[\]{},\n] )
    | (?P<word> [^"'\#.=\[\]{},\n]++ )
    ''',
    re.DOTALL | re.VERBOSE,
)

Path = tuple[str, ...]


class _Token(NamedTuple):
    kind: str
    said: str
    line: int


class TooMuch(NamedTuple):
    """Why a text is not read at all."""

    line: int
    wrong: str
    expected: str


def _tokens(text: str) -> Iterator[_Token]:
    """The pieces of a text, up to a quote that nothing closes: TOML goes no further either."""
    at, line = 0, 1
    while (found := _TOKEN.match(text, at)) is not None:
        yield _Token(found.lastgroup or "", found[0], line)
        line += found[0].count("\n")
        at = found.end()


def too_much(text: str) -> TooMuch | None:
    """Returns the first place where a text has more than any erratum needs, or None."""
    points = nested = 0
    for kind, said, line in _tokens(text):
        if kind == "word" and len(said.strip()) > WORD_MAX:
            wrong = f"a name or a number has more than {WORD_MAX} letters"
            return TooMuch(line, wrong, "a shorter one, or a text in quotes")
        if kind == "sign":
            points = points + 1 if said == "." else 0
            nested += (said in "[{") - (said in "]}")
        if points > POINTS_MAX:
            wrong = f"a key has more than {POINTS_MAX} points"
            return TooMuch(line, wrong, "content.TABLE.ROW.CELL, a name with points in quotes")
        if nested > NESTED_MAX:
            return TooMuch(line, "it is nested too deeply", "tables, rows, cells")
    return None


def places(text: str) -> dict[Path, int]:
    """The line at which each key of a TOML text is first said, tables among them.

    The text is one that tomllib has read. Keys within brackets are not told.
    """
    found: dict[Path, int] = {}
    table: Path = ()
    for header, key, line in _statements(text):
        path = key if header else (*table, *key)[:_DEEP]
        table = key if header else table
        for length in range(1, len(path) + 1):
            found.setdefault(path[:length], line)
    return found


def _statements(text: str) -> Iterator[tuple[bool, Path, int]]:
    """Yields each statement: whether it is a header, its key, and its line."""
    key: list[str] = []
    header, reading, nested = False, True, 0
    for kind, said, line in _tokens(text):
        if said == "\n" and nested == 0:
            key, header, reading = [], False, True
        elif reading and kind in ("word", "text"):
            if said.strip() and len(key) < _DEEP:
                key.append(_plain(said.strip()))
        elif reading and said == "[":
            header, nested = True, nested + 1
        elif reading and said in ("=", "]"):
            yield header, tuple(key), line
            reading, nested = False, nested - header
        elif kind == "sign":
            nested += (said in "[{") - (said in "]}")


def _plain(part: str) -> str:
    """A part of a key, without its quotes."""
    return str(tomllib.loads(f"key = {part}")["key"]) if part[0] in "\"'" else part
