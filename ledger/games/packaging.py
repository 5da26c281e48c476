"""Loads a game's data files (readings and content), and hashes its folder with the
kernel's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any

from ledger.kernel.content import Rows, Table, read_rows
from ledger.kernel.readings import Reading, read_readings

KERNEL = "ledger.kernel"


def chapters_of(package: str, names: str) -> list[ModuleType]:
    """Returns the modules of a game's chapters, from their names below its package."""
    return [import_module(f"{package}.{name}") for name in names.split()]


def readings_of(package: str) -> Mapping[str, Reading]:
    return read_readings((files(package) / "readings.toml").read_text(encoding="utf-8"))


def content_of(package: str, tables: Iterable[Table[Any]]) -> Mapping[str, Rows]:
    """Reads the printed content of a game's package: one file for each table."""
    folder = files(package) / "content"
    texts = {table: (folder / f"{table.name}.toml").read_text("utf-8") for table in tables}
    return {table.name: read_rows(text, table) for table, text in texts.items()}


@cache
def source_of(package: str) -> str:
    """Hashes everything that decides how a game folds: its folder and the kernel's."""
    digest = hashlib.sha256()
    for name in (KERNEL, package):
        for path, content in sorted(_sources(files(name), name)):
            digest.update(f"{path} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _sources(folder: Traversable, path: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _sources(entry, f"{path}/{entry.name}")
        elif entry.name.endswith((".py", ".toml")):
            yield f"{path}/{entry.name}", entry.read_bytes()
