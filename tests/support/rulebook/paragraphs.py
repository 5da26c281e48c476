"""Finds the rules that a game's classes cite, and the tests that name them.

Both are read from the sources, without running anything: so the published table can be held
against them at any time.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from replays.story.rulebook import sentence_about

CITED: Final = re.compile(r"`([a-z0-9_]+(?:[.-][a-z0-9_-]+)*|LD[0-9]+)`")
MARKER: Final = "pytest.mark.rule"
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Paragraph: TypeAlias = ast.ClassDef | Function


@dataclass(frozen=True)
class Place:
    """A class, or a function of a chapter, that cites a rule, and what it says of it."""

    file: str  # within the game's folder
    name: str
    says: str

    def __str__(self) -> str:
        """As the table names it."""
        return f"{self.file}:{self.name}"


@dataclass(frozen=True)
class Game:
    """A game's rules and their tests, in a checkout."""

    root: Path
    name: str

    @property
    def rules(self) -> Path:
        """The folder of its rules."""
        return self.root / "ledger" / "games" / self.name

    @property
    def tests(self) -> Path:
        """The folder of their tests."""
        return self.root / "tests" / "ledger" / "games" / self.name

    def marked(self) -> dict[str, list[str]]:
        """The tests of each rule, as `file::test`, in the order of the files."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.tests.rglob("test_*.py")):
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, Function) and node.name.startswith("test_"):
                    for rule in dict.fromkeys(_marks(node, path)):
                        found.setdefault(rule, []).append(
                            f"{path.relative_to(self.tests)}::{node.name}"
                        )
        return found

    def cited(self) -> dict[str, list[Place]]:
        """The classes that cite each rule in the order of the files, then functions that do.

        A function counts beside a class where its docstring begins a sentence with the id, or with
        a list of ids. Where no class says a rule of itself, a method of it may, or any function of
        the chapter. What else stands in backticks in a docstring (fields, readings) is a rule only
        where a test shows it, or where it begins a sentence: `id`: ...
        """
        shown = self.marked()
        classes: dict[str, list[Place]] = {}
        parts: dict[str, list[Place]] = {}
        functions: dict[str, list[Place]] = {}  # of the parts: those that begin a sentence
        for path, node in self._paragraphs():
            for found, doc in ((classes, _own(node)), (parts, _of_parts(node))):
                for rule in dict.fromkeys(CITED.findall(doc)):
                    if rule not in shown and f"`{rule}`: " not in doc:
                        continue
                    file = str(path.relative_to(self.rules))
                    place = Place(file, node.name, said_of(rule, doc))
                    found.setdefault(rule, []).append(place)
                    if isinstance(node, Function) and _begins_with(rule, doc):
                        functions.setdefault(rule, []).append(place)
        return parts | {rule: at + functions.get(rule, []) for rule, at in classes.items()}

    def source_of(self, place: Place) -> Paragraph:
        """The source of a class, or of a function."""
        return next(
            node
            for path, node in self._paragraphs()
            if (str(path.relative_to(self.rules)), node.name) == (place.file, place.name)
        )

    def bodies_of(self, place: Place) -> Iterator[tuple[Path, Paragraph]]:
        """The source of a class, and of the classes of parts on which it is built."""
        yield from self._bodies(self.rules / place.file, self.source_of(place))

    def _bodies(self, path: Path, node: Paragraph) -> Iterator[tuple[Path, Paragraph]]:
        yield path, node
        tree = ast.parse(path.read_text("utf-8"))
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            plain = base.value if isinstance(base, ast.Subscript) else base
            module, _, name = _whole_name(ast.unparse(plain), tree).rpartition(".")
            there = self.root.joinpath(*module.split(".")).with_suffix(".py")
            if module.startswith("ledger.parts."):
                classes = ast.parse(there.read_text("utf-8")).body
                found = [one for one in classes if isinstance(one, ast.ClassDef)]
                yield from self._bodies(there, next(one for one in found if one.name == name))

    def _paragraphs(self) -> Iterator[tuple[Path, Paragraph]]:
        for path in sorted(self.rules.rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    yield path, node
            for node in tree.body:
                if isinstance(node, Function):
                    yield path, node


def _whole_name(name: str, tree: ast.Module) -> str:
    """A dotted name, with the module from which its first part was imported."""
    first, _, rest = name.partition(".")
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and not node.level:
            for one in node.names:
                if first == (one.asname or one.name):
                    return ".".join(filter(None, [node.module, one.name, rest]))
    return name


def _own(node: Paragraph) -> str:
    is_class = isinstance(node, ast.ClassDef)
    return (ast.get_docstring(node) or "") if is_class else ""


def _of_parts(node: Paragraph) -> str:
    """Returns the docstrings of a class's methods, or of a function."""
    parts = node.body if isinstance(node, ast.ClassDef) else [node]
    said = [ast.get_docstring(one) for one in parts if isinstance(one, Function)]
    return "\n\n".join(one for one in said if one)


def _begins_with(rule: str, doc: str) -> bool:
    """Returns whether a sentence begins with the rule: `rule`: ..., or `rule`, `another`: ..."""
    return re.search(rf"`{re.escape(rule)}`(,\s+`[^`]+`)*: ", doc) is not None


def _marks(test: Function, path: Path) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == MARKER:
            for argument in mark.args:
                where = f"{path.name}:{mark.lineno}"
                is_text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                assert is_text, f"{where}: write the ids of rules out, so that they can be found"
                yield argument.value


def said_of(rule: str, doc: str) -> str:
    """Returns what a docstring says of a rule, without the stop at its end."""
    return sentence_about(rule, doc).rstrip(".;:( ")


def code_of(node: Paragraph) -> dict[int, str]:
    """The lines that run when a function or its methods do, each with the name of its function.

    The line of a `def`, its decorators and its docstring run, or do not, when the module is read.
    """
    lines = {}
    for function in ast.walk(node):
        if isinstance(function, Function):
            body = function.body[1:] if ast.get_docstring(function) else function.body
            for statement in body:
                for line in range(statement.lineno, (statement.end_lineno or 0) + 1):
                    lines[line] = function.name
    return lines
