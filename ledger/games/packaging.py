"""Loads a game's data files (readings, content, errata), and hashes what decides how it folds."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any, Final

import msgspec

from ledger.kernel.content import Rows, Table, read_rows
from ledger.kernel.readings import Reading, read_readings
from ledger.kernel.records import rule_cited
from ledger.kernel.ruleset import Erratum

LEDGER, KERNEL, PARTS = "ledger", "kernel", "ledger.parts"
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def chapters_of(package: str, names: str) -> list[ModuleType]:
    """Returns the modules of a game's chapters: by name, below its package or among the parts."""
    return [
        import_module(name if name.startswith(f"{PARTS}.") else f"{package}.{name}")
        for name in names.split()
    ]


def readings_of(package: str) -> Mapping[str, Reading]:
    return read_readings((files(package) / "readings.toml").read_text(encoding="utf-8"))


class ErratumRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An erratum of readings and content. One that replaces a class is written in Python."""

    id: str
    date: str
    source: str
    text: str
    readings: dict[str, bool | int | str] = {}
    content: dict[str, dict[str, dict[str, Any]]] = {}

    def __post_init__(self) -> None:
        """Refuses a text that is no date, such as `2026-02-30`."""
        if not _DATE.fullmatch(self.date):
            msg = f"the date {self.date!r} is not written as year-month-day"
            raise ValueError(msg)
        try:
            tomllib.loads(f"day = {self.date}")  # which knows the calendar
        except tomllib.TOMLDecodeError:
            msg = f"there is no such day: {self.date}"
            raise ValueError(msg) from None


class ErrataFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a game's corrections, which may have none."""

    errata: tuple[ErratumRow, ...] = ()


def errata_of(package: str) -> tuple[Erratum, ...]:
    """Reads the corrections of a game's package, in the order in which editions apply them."""
    file = files(package) / "errata.toml"
    try:
        read = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), ErrataFile)
    except (msgspec.ValidationError, ValueError) as reason:
        msg = f"{file}: {reason}"
        raise ValueError(msg) from None
    return tuple(Erratum(**msgspec.structs.asdict(row)) for row in read.errata)


def content_of(package: str, tables: Iterable[Table[Any]]) -> Mapping[str, Rows]:
    """Reads the printed content of a game's package: one file for each table."""
    folder = files(package) / "content"
    texts = {table: (folder / f"{table.name}.toml").read_text("utf-8") for table in tables}
    return {table.name: read_rows(text, table) for table, text in texts.items()}


# --- the hash of a game's source ------------------------------------------------------------------


@cache
def source_of(package: str) -> str:
    """Hashes everything that decides how a game folds; words that people read change nothing."""
    return hash_of(files(LEDGER), package.removeprefix(f"{LEDGER}.").replace(".", "/"))


def hash_of(ledger: Traversable, game: str) -> str:
    """Hashes the kernel, a game's folder, and the parts that it imports, below `ledger`."""
    sources = _sources(ledger / KERNEL, KERNEL) | _sources(ledger / game, game)
    waiting = [*sources]
    parts: dict[str, str] = {}
    while waiting:
        path = waiting.pop()
        named = {file for name in _parts_named(path, sources[path]) for file in _files(name)}
        if named and not parts:
            parts = _sources(ledger / "parts", "parts")
        met = (named & parts.keys()) - sources.keys()
        sources |= {file: parts[file] for file in met}
        waiting += met
    digest = hashlib.sha256()
    for path, content in sorted(sources.items()):
        digest.update(f"{path} {len(content)}\n{content}".encode())
    return digest.hexdigest()


def _sources(folder: Traversable, path: str) -> dict[str, str]:
    """Returns what counts in each file of a folder."""
    found: dict[str, str] = {}
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.is_dir() and entry.name != "__pycache__":
            found |= _sources(entry, name)
        elif entry.name.endswith(".py"):
            found[name] = code_of(entry.read_text(encoding="utf-8"))
        elif entry.name.endswith(".toml"):
            found[name] = _content_in(entry.read_text(encoding="utf-8"))
    return found


def _content_in(toml: str) -> str:
    """Returns the content of a data file in its order, which may be the order of a deck."""
    return json.dumps(tomllib.loads(toml), default=str)


NAMED: Final = re.compile(r"ledger\.parts[.\w]*")
IMPORTED: Final = re.compile(r"\bfrom ([.\w]+) import (\([^)]*\)|[^\n]*)")


def _parts_named(path: str, code: str) -> Iterator[str]:
    """Yields the dotted names in a module's code that may be parts: in imports and in texts."""
    if PARTS not in code and not path.startswith("parts/"):
        return
    yield from NAMED.findall(code)
    package = [LEDGER, *path.split("/")[:-1]]
    for base, names in IMPORTED.findall(code):
        module = base.lstrip(".")
        level = len(base) - len(module)
        above = package[: len(package) - level + 1] if level else []
        whole = ".".join([*above, *filter(None, [module])])
        yield from (f"{whole}.{name}" for name in re.findall(r"\w+", names))


def _files(name: str) -> Iterator[str]:
    """Yields the files that importing a part reads: its own, and its packages'."""
    steps = name.split(".")[1:]
    for count in range(1, len(steps) + 1):
        path = "/".join(steps[:count])
        yield from (f"{path}.py", f"{path}/__init__.py")


# --- code without words ---------------------------------------------------------------------------

# Comments and literals. In a raw string, too, a backslash keeps a quote from ending it.
LITERAL: Final = re.compile(
    r"""#[^\n]*"""
    r"""|\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""",
    re.DOTALL,
)
HERE: Final = "\0"  # where a literal was
DOCSTRING: Final = re.compile(f"[rRuU]?{HERE}")


def code_of(source: str) -> str:
    """Returns a module's code: no comments, no blank lines, no docstrings.

    The rule that a class cites stays, because the fold records it. The text of the code itself is
    compared, not a tree or tokens, so it is the same under every version of Python.
    """
    literals: list[str] = []

    def take(literal: re.Match[str]) -> str:
        if literal[0].startswith("#"):
            return ""
        literals.append(literal[0])
        return HERE

    lines: list[str] = []
    kept: list[str] = []
    waiting = iter(literals)
    depth, continued, statement = 0, False, ""
    for line in LITERAL.sub(take, source).split("\n"):
        here = [next(waiting) for _ in range(line.count(HERE))]
        code = line.rstrip()
        if not code:
            continue
        begins = depth == 0 and not continued
        if begins and DOCSTRING.fullmatch(code.lstrip()):
            rule = rule_cited(here[0]) if statement.startswith("class ") else ""
            lines += [f"    `{rule}`"] if rule else []
            continue
        lines.append(code)
        kept += here
        statement = code.lstrip() if begins else statement
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        continued = code.endswith("\\")
    return "\n".join([*lines, HERE.join(kept)])
