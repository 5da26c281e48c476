"""Erratum files that are made to cost much: they are refused, at a cost as their length."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any, Final

import pytest

from replays.reproject.erratum_file import FILE_BYTES_MAX, LETTERS_SHOWN, TROUBLES_MAX, BadErratum
from replays.reproject.erratum_places import NESTED_MAX, POINTS_MAX, WORD_MAX, places
from tests.replays.reproject.test_erratum_file import FOUR, read, troubles, written

FEW, MANY = 250, 2_000  # letters: eight times as many cost eight times as much, not 64 times
LINEAR: Final = MANY // FEW
MORE: Final = 2  # times what is proportional, for what a mistake costs apart from its length


def text_of(line: str) -> str:
    """A file with a line in its text."""
    return written(FOUR, text=f'"""\n{line}\n"""')


def repeated(line: str, count: int) -> str:
    """A file with a line many times, each with its own number."""
    return written(*(line.replace("#", str(one)) for one in range(count)))


MADE: Mapping[str, Callable[[int], str]] = {
    "a key with many points": lambda n: f"{'.'.join('a' * (n // 2))} = 1",
    "with spaces between": lambda n: f"{' . '.join('a' * (n // 4))} = 1",
    "in quotes": lambda n: '"a".' * (n // 4) + "a = 1",
    "a table with many points": lambda n: f"[{'.'.join('a' * (n // 2))}]",
    "a list of tables with many points": lambda n: f"[[{'.'.join('a' * (n // 2))}]]",
    "points within braces": lambda n: f"text = {{{'.'.join('a' * (n // 2))} = 1}}",
    "points after a text": lambda n: f'id = "a.b"\n{".".join("a" * (n // 2))} = 1',
    "points in a line of a text": lambda n: text_of(f"{'.'.join('a' * (n // 2))} = 1"),
    "a table in a line of a text": lambda n: text_of(f"[{'.'.join('a' * (n // 2))}]"),
    "a key of equals signs": lambda n: f'"{"=" * n}" = 1',
    "equals signs without end": lambda n: f'"{"=" * n} = 1',
    "a text of equals signs": lambda n: written(FOUR, text=f'"{"=" * n}"'),
    "a line of equals signs in a text": lambda n: text_of(f'"{"=" * n}'),
    "lines of as many points as may be": lambda n: repeated("a#.b.c.d.e.f.g.h.i = 1", n // 22),
    "many tables": lambda n: repeated("[a#]", n // 6),
    "many lists of tables": lambda n: repeated("[[a]]\n[a.b]", n // 12),
    "many keys": lambda n: repeated("a# = 1", n // 8),
    "a long row of many cells": lambda n: repeated(
        f'[content.figures."{"a" * (n // 2)}"]\n' + "\n".join(f"a{k} = 1" for k in range(n // 16)),
        1,
    ),
    "many rows": lambda n: repeated("[content.figures.x#]\nvalue = 1", n // 30),
    "many rows taken away": lambda n: written(
        FOUR, remove='["figures/x"' + ', "figures/x"' * (n // 14) + "]"
    ),
    "brackets": lambda n: f"a = {'[' * n}",
    "braces": lambda n: f"a = {'{a=' * (n // 3)}",
    "quotes that are opened again": lambda n: '"""' + '\\"""' * (n // 4),
    "quotes": lambda n: "'" * n,
    "backslashes": lambda n: '"' + "\\" * n,
    "a number": lambda n: f"id = {'1' * n}",
}


def cost(text: str) -> tuple[int, int]:
    """How many lines of Python are run for a text, and how many bytes it takes."""
    lines = 0

    def count(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        refused_or_read(text)
    finally:
        sys.settrace(before)
    tracemalloc.start()
    try:
        refused_or_read(text)
        return lines, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def refused_or_read(text: str) -> list[str]:
    try:
        read(text)
    except BadErratum as bad:
        return [str(one) for one in bad.troubles]
    return []


@pytest.mark.parametrize("name", MADE)
def test_no_text_costs_more_than_in_proportion_to_its_length(name: str):
    make = MADE[name]
    refused_or_read(make(FEW))  # what is made once is there then
    for few, many in zip(cost(make(FEW)), cost(make(MANY)), strict=True):
        assert many <= MORE * LINEAR * few


@pytest.mark.parametrize("name", MADE)
def test_few_mistakes_are_told_and_none_of_them_is_long(name: str):
    told = refused_or_read(MADE[name](FILE_BYTES_MAX // 8))
    assert len(told) <= TROUBLES_MAX
    assert all(len(one) < 10 * LETTERS_SHOWN for one in told)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\na.b.c.d.e.f.g.h.i.j = 1", f"line 2, the file: a key has more than {POINTS_MAX} points"),
        ("x = 1\n[a.b.c.d.e.f.g.h.i.j]", f"line 2, the file: a key has more than {POINTS_MAX}"),
        ('a = "x"\n"""a\nb""" = {a.b.c.d.e.f.g.h.i.j = 1}', "line 3, the file: a key has more"),
        ("a = [\n" + "[" * NESTED_MAX, "line 2, the file: it is nested too deeply"),
        ("id = 0x" + "f" * WORD_MAX, "line 1, the file: a name or a number has more"),
        ("id = " + "1" * 5_000, "line 1, the file: a name or a number has more than"),
        ("#" * (FILE_BYTES_MAX + 1), f"the file: it has more than {FILE_BYTES_MAX} bytes"),
        ("# " + "ä" * (FILE_BYTES_MAX // 2), "the file: it has more than"),
    ],
)
def test_what_is_too_much_is_refused_with_its_line_before_it_is_read(text: str, said: str):
    [trouble] = troubles(text)
    assert trouble.startswith(said)


@pytest.mark.parametrize("content", ["content = 3", "[content]\nfigures = 3"])
def test_rows_taken_away_beside_content_that_is_none_are_no_fault_of_ours(content: str):
    text = written(content, remove='["figures/score.tie-first"]')
    assert any("content" in one for one in troubles(text))


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_a_text_of_many_lines_may_have_as_many_points_and_brackets_as_it_likes(quotes: str):
    lines = [
        "Four points. Each. " * 20,
        "a.a.a.a.a.a.a.a.a.a.a.a = 1",
        "[a.a.a.a.a.a.a.a.a.a.a.a]",
        "[[[[[[[[[[[[[{{{{{{{{{{",
        "x" * 300,
        "# no remark, and 'quotes' of its own",
    ]
    said = "\n".join(lines)
    assert read(written(FOUR, text=f"{quotes}\n{said}{quotes}")).text == said
    short = '"a.a.a.a.a.a.a.a.a.a.a.a = [[[[[[[[[[[[ # "'
    assert read(written(FOUR, text=short)).text == short.strip('"')
    assert read(written(f'# {said.splitlines()[1]} [[[[[[[[[[[[ "', FOUR)).text


def test_every_key_is_placed_where_it_is_first_said():
    text = """
top = 1  # other = 2
"in quotes = \\"x\\"".'b.c' . d = [
  1, # [no.table]
  { no = 2 },
]
text = '''
[no.table]
no = 1'''''
"" = 3
[ content . "a.b" ]
cell.deeper.deepest.beyond = {no = {no = 1}}
[[list]]
one = \"""a"\"""
[[list]]
two = 1\r
[content.'c']\r
cell = 1
"""
    assert places(text) == {
        ("top",): 2,
        ('in quotes = "x"',): 3,
        ('in quotes = "x"', "b.c"): 3,
        ('in quotes = "x"', "b.c", "d"): 3,
        ("text",): 7,
        ("",): 10,
        ("content",): 11,
        ("content", "a.b"): 11,
        ("content", "a.b", "cell"): 12,
        ("content", "a.b", "cell", "deeper"): 12,
        ("list",): 13,
        ("list", "one"): 14,
        ("list", "two"): 16,
        ("content", "c"): 17,
        ("content", "c", "cell"): 18,
    }


def test_no_key_of_an_erratum_is_deeper_than_a_cell():
    for wrong, line in (
        ('[content.figures."score.tie-first"]\nvalue.deep.er = 4', 7),
        ('[content.figures."score.tie-first".value.deep]\ner = 4', 6),
        ('content.figures."score.tie-first".value.deep.er = 4', 6),
    ):
        [trouble] = troubles(written(wrong))
        assert trouble.startswith(f"line {line}, content.figures.score.tie-first.value: ")
